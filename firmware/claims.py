"""What is claimed or done in the games with a cup: big, in words, and in four characters. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.four import Four, four
from firmware.texts import Names, Text, Words, big, words
from hardware.segments import WIDTH
from mexico.game import Ask

Event = Mapping[str, object]

HANDS: Final[Mapping[str, tuple[Words, tuple[int, ...]]]] = {
    "six": (words("six of a kind"), (6,)),
    "five": (words("five of a kind"), (5, 1)),
    "four": (words("four of a kind"), (4, 1, 1)),
    "four_and_pair": (words("four and a pair"), (4, 2)),
    "two_triples": (words("two triples"), (3, 3)),
    "full_house": (words("full house"), (3, 2, 1)),
    "three": (words("three alike"), (3, 1, 1, 1)),
    "three_pairs": (words("three pairs"), (2, 2, 2)),
    "two_pair": (words("two pairs"), (2, 2)),
    "two_pairs": (words("two pairs"), (2, 2, 1, 1)),
    "pair": (words("pair"), (2, 1, 1, 1, 1)),
}
"""Hands of equal dice: their names, and how many dice show each of the faces that are named, in order."""

STRAIGHTS: Final[Mapping[str, tuple[Words, str]]] = {
    "straight": (words("straight"), "123456"),
    "high_straight": (words("high straight"), "23456"),
    "low_straight": (words("low straight"), "12345"),
}
"""Hands that have no face to name, and the dice of each."""

MANY: Final[Mapping[str, str]] = {"four_and_pair": "4P", "two_triples": "T-", "full_house": "H", "three_pairs": "P"} | {
    "two_pair": "2P",
    "two_pairs": "2P",
}
"""What stands before the faces of a hand of several groups in four characters; before others, how many are equal."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something claimed or done: *large* in at most six characters, in *words*, in *four* characters."""

    large: Text
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
            return Said(big("ROLL{dice}", dice=dice), words("rolls {dice} again", dice=dice), four("reroll", dice=dice))
        case {"type": "put_back", "faces": [*faces]}:
            back = "".join(map(str, faces))
            return Said(back, words("puts back {faces}", faces=back), four("put_back", score=back[:3]))
        case {"type": "choose", "target": str(target)}:
            chosen = Names((target,))
            return Said(chosen, words("chooses {player}", player=chosen), four("chosen", player=target[:1]))
        case {"type": "die_on_floor", "dice": int(dice)}:
            told = words("{player}: on the floor {dice}", player=player, dice=dice)
            return Said(big("DROP{dice}", dice=dice), told, four("floor", player=initial, dice=dice))
        case {"type": "concede", "to": str(other)}:
            told = words("{player} lost to {other}", player=player, other=Names((other,)))
            return Said(big("LOST"), told, four("lost_to", player=initial, other=other[:1]))
        case {"type": str(kind)} if kind in DEEDS:
            large, done = DEEDS[kind]
            return Said(large, words(done.text, player=player), four(kind, player=initial))
    raise ValueError(f"{event!r} is nothing that a display can say")


DEEDS: Final[Mapping[str, tuple[Words, Words]]] = {
    "shake": (big("SHAKE"), words("{player} has shaken")),
    "spot_on": (big("SPOT"), words("{player}: spot on")),
    "concede": (big("LOST"), words("{player} has lost")),
    "caught_cheating": (big("CHEAT"), words("{player} was caught")),
}
"""What somebody may do that needs no more words than who did it."""


def said_of_ask(ask: Ask) -> Said:
    """Return how the display says that dice may be seen."""
    if ask.what == "outside":
        told = words("outside then: {dice}", dice=ask.dice)
        return Said(big("OUT{dice}", dice=ask.dice), told, four("outside_roll", dice=ask.dice))
    if ask.what == "show":
        told = words("open then: {dice}", dice=ask.dice)
        return Said(big("SEE{dice}", dice=ask.dice), told, four("opened", dice=ask.dice))
    return Said(big("SEE"), words("a die lies outside"), four("seen"))


def said_of_bid(quantity: int, face: int) -> Said:
    """Return how the display says a bid of so many dice of one face."""
    told = words("bids {quantity} x {face}", quantity=quantity, face=face)
    return Said(f"{quantity}x{face}", told, four("bid", quantity=quantity, face=face))


def said_of_hand(hand: Sequence[object]) -> Said:
    """Return how the display says a called hand: as the dice that are named, and what they are called.

    Examples
    --------
    >>> said_of_hand(["full_house", 1, 6]).large, said_of_hand(["full_house", 1, 6]).four.of
    ('11166', {'hand': 'H16'})
    """
    kind, faces = str(hand[0]), "".join(map(str, hand[1:]))
    if kind in STRAIGHTS:
        named, dice = STRAIGHTS[kind]
        return Said(dice, named, four("hand", hand=f"{dice[:2]}-{dice[-1]}"))
    if kind not in HANDS:
        return Said(big("RUNT"), words("runt: nothing"), four("runt"))
    named, groups = HANDS[kind]
    told = words("{hand}: {faces}", hand=named, faces="-".join(faces))
    return Said(_laid(faces, groups), told, four("hand", hand=_short(kind, faces, groups[0])))


def _laid(faces: str, groups: Sequence[int]) -> str:
    """Return the dice that are named, side by side; equal dice whose face is not named are dashes."""
    open_groups = [count for count in groups[len(faces) :] if count > 1]
    named = "".join(face * count for face, count in zip(faces, groups, strict=False))
    return named + "".join("-" * count for count in open_groups)


def _short(kind: str, faces: str, equal: int) -> str:
    """Return the hand in four characters; single dice that have no room are left out."""
    begins = MANY.get(kind, f"{equal}-" if len(faces) == 1 else str(equal))
    return f"{begins}{faces}"[:WIDTH]
