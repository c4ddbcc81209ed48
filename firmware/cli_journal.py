"""The command ``journal``: everything that happened in a game, when, by whom, and the pictures it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from firmware import audit, undo
from firmware.cli_common import Named, Whole, common, say, say_json, the_common
from firmware.cli_games import wanted_game
from firmware.folder import make_for, write_for
from firmware.journal import Archive, StoredGame, reading
from firmware.match import replayed
from hardware.pictures import shown


@click.command(short_help="Tell everything that happened in a game, and who did it.")
@click.option("--game", "number", type=Whole(1), metavar="N", help="Number of the game; the last if left out.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per event.")
@click.option("--pictures", type=Named(), metavar="DIR", help="Where to write the pictures of its rolls.")
@common
def journal(number: int | None, as_json: bool, pictures: Path | None) -> int:
    """Tell everything that happened in a game: who did what, when, and what no longer counts.

    Works while a table is running.
    """
    the_common().log()
    with reading(the_common().folder.journal) as archive:
        stored = wanted_game(archive, number)
        replayed(stored)
        for row in audit.rows(archive, stored):
            say_json(row) if as_json else say(_line(row))
        if pictures is not None:
            written = _write_pictures(archive, stored, pictures)
            if not as_json:
                say(f"{written} pictures in {shown(pictures)}")
    return 0


def _line(row: Mapping[str, Any]) -> str:
    void = "" if row["counts"] or "by" in row["what"] else "  (void)"
    why = f": {row['what']['why']}" if row["what"].get("by") == [undo.PANEL] and row["what"].get("why") else ""
    return f"{row['time'][:19].replace('T', ' ')}  {row['told']}{why}{void}{'  [picture]' if row['picture'] else ''}"


def _write_pictures(archive: Archive, stored: StoredGame, folder: Path) -> int:
    """Write the pictures of a game into *folder* and return how many."""
    make_for("--pictures", folder)
    numbers = archive.pictures(stored.number)
    for number in numbers:
        jpeg = archive.picture(stored.number, number)
        if jpeg is not None:
            write_for("--pictures", folder / f"game-{stored.number}-event-{number}.jpg", jpeg)
    return len(numbers)
