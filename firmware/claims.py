"""What is claimed or done in the games with a cup: big, in words, and in four characters. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.four import Four, four
from firmware.texts import Names, Text, Words, words
from mexico.game import Ask

Event = Mapping[str, object]

HANDS: Final[Mapping[str, tuple[str, Words]]] = {
    "six": ("6K", words("six of a kind")),
    "five": ("5K", words("five of a kind")),
    "four": ("4K", words("four of a kind")),
    "four_and_pair": ("42", words("four and a pair")),
    "two_triples": ("33", words("two triples")),
    "full_house": ("FH", words("full house")),
    "straight": ("ST", words("straight")),
    "high_straight": ("HS", words("high straight")),
    "low_straight": ("LS", words("low straight")),
    "three": ("3K", words("three of a kind")),
    "three_pairs": ("222", words("three pairs")),
    "two_pair": ("22", words("two pair")),
    "two_pairs": ("22", words("two pair")),
    "pair": ("2K", words("pair")),
    "runt": ("RU", words("runt")),
}
"""What a hand is called: short, on either display, and in words."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something claimed or done: *large* in at most five characters, in *words*, in *four* characters."""

    large: str
    words: Text
    four: Four


def said_of(event: Event) -> Said:
    """Return how the display says *event*."""
    player = Names((str(event.get("player", "")),))
    initial = player.shown(1)
    match event:
        case {"type": "announce", "value": str(value)}:
            passed = bool(event.get("pass_it_on"))
            told = words("{value}, pass it on", value=value) if passed else words("says {value}", value=value)
            code = four("passed_on" if passed else "score", player=initial, score=value)
            return Said(f"{value}+" if passed else value, told, code)
        case {"type": "bid", "quantity": int(quantity), "face": int(face)}:
            return said_of_bid(quantity, face)
        case {"type": "call", "hand": [str(), *_] as hand}:
            return said_of_hand(hand)
        case {"type": "reroll", "dice": int(dice)}:
            return Said(f"R{dice}", words("rolls {dice} again", dice=dice), four("reroll", dice=dice))
        case {"type": "choose", "target": str(target)}:
            chosen = Names((target,))
            return Said(target[:5], words("chooses {player}", player=chosen), four("chosen", player=target[:1]))
        case {"type": "die_on_floor", "dice": int(dice)}:
            told = words("{player}: on the floor {dice}", player=player, dice=dice)
            return Said(f"FL{dice}", told, four("floor", player=initial, dice=dice))
        case {"type": "caught_cheating"}:
            return Said("FLIP", words("{player} was caught", player=player), four("caught", player=initial))
        case {"type": kind}:
            large, told = DEEDS.get(str(kind), (str(kind)[:5].upper(), words("yes")))
            return Said(large, told, four(str(kind)) if kind in DEEDS else four("yes"))
    raise ValueError(f"{event!r} is nothing that a display can say")


DEEDS: Final[Mapping[str, tuple[str, Words]]] = {
    "shake": ("SHAKE", words("the cup was shaken")),
    "spot_on": ("SPOT", words("exactly so: spot on")),
    "concede": ("GIVE", words("concedes")),
}
"""What somebody may do that needs no more words."""


def said_of_ask(ask: Ask) -> Said:
    """Return how the display says that dice may be seen."""
    if ask.what == "outside":
        return Said(f"OUT{ask.dice}", words("rolls {dice} outside", dice=ask.dice), four("outside_roll", dice=ask.dice))
    return Said("SEE", words("lets a die be seen"), four("seen"))


def said_of_bid(quantity: int, face: int) -> Said:
    """Return how the display says a bid of so many dice of one face."""
    told = words("bids {quantity} x {face}", quantity=quantity, face=face)
    return Said(f"{quantity}x{face}", told, four("bid", quantity=quantity, face=face))


def said_of_hand(hand: Sequence[object]) -> Said:
    """Return how the display says a called hand: its name, and the faces that belong to it."""
    short, named = HANDS[str(hand[0])]
    faces = "".join(map(str, hand[1:]))
    told = words("{hand}: {faces}", hand=named, faces="-".join(faces)) if faces else named
    return Said(f"{short}{faces}"[:5], told, four("hand", hand=f"{short}{faces}"[:4]))
