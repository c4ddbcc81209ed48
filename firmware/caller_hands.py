"""How dice, bids and hands are called aloud, and what stands on the menu of a game with a cup. Pure.

Two dice are named one by one, *5 4*: a number beside them is a number of marks, of dice or of a seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from firmware.caller_words import PAIRS, Say, say
from firmware.views import View
from mexico.game import Ask
from mexico.throw import Throw

ONE: Final = (Say.ONE_1, Say.ONE_2, Say.ONE_3, Say.ONE_4, Say.ONE_5, Say.ONE_6)
MORE: Final = (Say.MORE_1, Say.MORE_2, Say.MORE_3, Say.MORE_4, Say.MORE_5, Say.MORE_6)
HANDS: Final[Mapping[str, tuple[Say, int]]] = {
    "runt": (Say.RUNT, 0),
    "pair": (Say.PAIR, 1),
    "two_pair": (Say.TWO_PAIRS, 2),
    "two_pairs": (Say.TWO_PAIRS, 2),
    "three_pairs": (Say.THREE_PAIRS, 3),
    "three": (Say.THREE, 1),
    "two_triples": (Say.TWO_TRIPLES, 2),
    "straight": (Say.STRAIGHT, 0),
    "low_straight": (Say.LOW_STRAIGHT, 0),
    "high_straight": (Say.HIGH_STRAIGHT, 0),
    "full_house": (Say.FULL_HOUSE, 2),
    "four": (Say.FOUR, 1),
    "four_and_pair": (Say.FOUR_AND_PAIR, 2),
    "five": (Say.FIVE, 1),
    "six": (Say.SIX, 1),
}
"""What each hand is called, and how many of its faces its name has; what is left are single dice."""

SPECIALS: Final[Mapping[str, Mapping[str, Say]]] = {
    "mexican_changsha": {
        "31": Say.REVERSE,
        "41": Say.SOCIAL,
        "51": Say.SWITCHAROO,
        "61": Say.JUDGEMENT,
        "55": Say.SMOOCHY,
        "66": Say.NEW_RULE,
    },
    "mexican_wisconsin": {"31": Say.SOCIAL, "32": Say.REVERSE, "41": Say.IMPOSES},
}
"""What a roll does that is shown and not claimed, by game."""

TWO: Final = 2
BOX: Final = 6
"""So many dice the Stanford variation is played with."""


def throw_said(throw: Throw) -> str:
    """Return *throw* as it is called in the games with a cup.

    Examples
    --------
    >>> throw_said(Throw.of(4, 5)), throw_said(Throw.of(4, 4)), throw_said(Throw.of(1, 2))
    ('5 4', 'pair of fours', '2 1, Mexican')
    """
    if throw.is_mexico:
        return say(Say.MEXICAN)
    return say(PAIRS[throw.high - 1]) if throw.is_double else f"{throw.high} {throw.low}"


def value_said(value: str) -> str:
    """Return a claimed value such as ``"54"`` as it is called."""
    return throw_said(Throw.of(*map(int, value)))


def faces_said(faces: Sequence[int]) -> str:
    """Return what lies there, two dice as a throw and others one by one, the highest first.

    Examples
    --------
    >>> faces_said((1, 6)), faces_said((2, 5, 2, 6, 1))
    ('6 1', '6 5 2 2 1')
    """
    if len(faces) == TWO:
        return throw_said(Throw.of(*faces))
    return " ".join(map(str, sorted(faces, reverse=True)))


def bid_said(quantity: int, face: int) -> str:
    """Return so many dice of one face.

    Examples
    --------
    >>> bid_said(4, 5), bid_said(1, 6)
    ('4 fives', '1 six')
    """
    return f"{quantity} {say((ONE if quantity == 1 else MORE)[face - 1])}"


def hand_said(hand: Sequence[object]) -> str:
    """Return a hand such as ``["full_house", 1, 6]`` as it is called in full.

    Examples
    --------
    >>> hand_said(["full_house", 1, 6]), hand_said(["three", 6, 5]), hand_said(["runt"])
    ('full house, ones over sixes', 'three sixes, with 5', 'runt')

    A game file may name the kind of hand alone, which means the least of it:

    >>> hand_said(["four_and_pair"])
    'four and pair'
    """
    template, named = HANDS[str(hand[0])]
    faces = [int(str(face)) for face in hand[1:]]
    if len(faces) < named:
        return str(hand[0]).replace("_", " ")
    told = template.value.format(*(say(MORE[face - 1]) for face in faces[:named]))
    singles = " ".join(map(str, faces[named:]))
    return say(Say.WITH, hand=told, singles=singles) if singles else told


def standing(view: View) -> str:
    """Return what was claimed last and has to be beaten, empty when nothing stands."""
    bid, hand, value = view.facts.get("bid"), view.facts.get("call"), view.text("to_beat")
    if isinstance(bid, (list, tuple)) and bid:
        return bid_said(*bid)
    if isinstance(hand, (list, tuple)) and hand:
        return hand_said(hand)
    return value_said(value) if value else ""


def offered(does: Mapping[str, object] | Ask, view: View) -> str:
    """Return an entry of the knob as a question; whose it is only where it is not the seat on turn."""
    if isinstance(does, Ask):
        # What lies outside already lies there when the camera looks, and is counted with the rest.
        news = does.dice - (BOX - view.number("inside"))
        looks = {"outside": say(Say.ROLLS_OUT, dice=news), "show": say(Say.LAYS_OUT, dice=news)}
        return say(Say.OFFERED, deed=looks.get(does.what, say(Say.LETS_SEE)))
    name = str(does.get("player", ""))
    return say(Say.OFFERED if name == view.player else Say.OFFERED_OF, name=name, deed=deed(does))


def done(does: Mapping[str, object]) -> str:
    """Return the sentence for what was done."""
    return say(Say.DONE, name=does.get("player", ""), deed=deed(does))


def deed(does: Mapping[str, object]) -> str:
    """Return what was done, without by whom.

    Examples
    --------
    >>> deed({"type": "bid", "player": "A", "quantity": 2, "face": 6})
    'bids 2 sixes'
    """
    match does:
        case {"type": "announce", "value": str(value)}:
            return say(Say.PASSES_ON if does.get("pass_it_on") else Say.CLAIMS, claim=value_said(value))
        case {"type": "bid", "quantity": int(quantity), "face": int(face)}:
            return say(Say.BIDS, claim=bid_said(quantity, face))
        case {"type": "call", "hand": [str(), *_] as hand}:
            return say(Say.CLAIMS, claim=hand_said(hand))
        case {"type": "reroll", "dice": int(dice)}:
            return say({0: Say.REROLLS_NONE, 1: Say.REROLLS_ONE}.get(dice, Say.REROLLS), dice=dice)
        case {"type": "choose", "target": str(target)}:
            return say(Say.CHOOSES, other=target)
        case {"type": "concede", "to": str(to)}:
            return say(Say.GIVES_IN_TO, other=to)
        case {"type": "die_on_floor", "dice": int(dice)}:
            return say(Say.FLOOR_DIE if dice == 1 else Say.FLOOR_DICE, dice=dice)
        case {"type": "put_back", "faces": [*faces]}:
            return say(Say.PUTS_BACK, faces=faces_said([int(str(face)) for face in faces]))
        case {"type": kind}:
            return say(DEEDS[str(kind)])
    raise ValueError(f"{does!r} is nothing that a caller can say")


DEEDS: Final[Mapping[str, Say]] = {
    "shake": Say.SHAKEN,
    "spot_on": Say.SPOT_ON,
    "concede": Say.GIVES_IN,
    "caught_cheating": Say.CAUGHT,
}
"""What somebody may do that needs no more words."""
