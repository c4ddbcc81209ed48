"""What each setting is called for a person who has never seen its key. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LABELS: Final[Mapping[str, str]] = {
    "table.board": "Board with buttons, lamps and display",
    "table.self_test": "Try every part when power comes",
    "table.names": "Names of the seats",
    "table.language": "Language of the display",
    "table.signals": "Lamp patterns and melodies",
    "table.mark": "What a penalty is called",
    "table.specials.smoochy": "What goes round after 55",
    "table.specials.perform": "What whom 61 picks does",
    "game.name": "Game that is played",
    "camera.source": "Which camera",
    "camera.usb_index": "Number of the USB camera",
    "camera.frames_per_s": "Pictures a second",
    "tray.width_mm": "Width of the floor of the tray",
    "tray.depth_mm": "Depth of the floor of the tray",
    "tray.die_mm": "Edge of a die",
    "sound.on": "Buzzer",
    "sound.caller": "The table speaks",
    "sound.voice": "Voice in which it speaks",
    "sound.words_per_minute": "How fast it speaks",
    "timing.hold_s": "How long a button is held to mean more",
    "timing.refusal_s": "How long a refusal is shown",
    "timing.round_over_s": "How long the end of a round is shown",
    "timing.display_retry_s": "How often a lost display is tried again",
    "virtual.players": "Seats that play by themselves",
    "virtual.rounds": "Rounds of a game without an end",
    "virtual.odd_throws": "One throw in so many goes wrong",
    "virtual.roll_s": "How long dice are seen rolling",
    "virtual.think_s": "How long the computer thinks",
    "page.address": "Address of the virtual table's page",
    "page.table_address": "Address of the real table's page",
    "page.odds": "The board shows chances",
    "journal.picture_width_px": "Width of the pictures that are kept",
    "journal.keep_pictures_games": "Games whose pictures are kept",
}
