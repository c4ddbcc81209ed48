"""What a round cost and what a special is called: neutral words, unless the house has chosen its own. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware.four import Four, four
from firmware.layout import WIDTH
from firmware.texts import Names, Text, Words, words
from firmware.views import View

MARKS: Final[Mapping[str, tuple[Words, Words, Words]]] = {
    "mark": (words("{player}: 1 mark"), words("{player}: {count} marks"), words("everybody: 1 mark")),
    "drink": (words("{player}: 1 drink"), words("{player}: {count} drinks"), words("everybody: 1 drink")),
}
"""Labels of a penalty that are translated: for one, for more, for everybody; another of the house stands as it is."""

SPECIALS: Final[Mapping[str, Mapping[str, Words]]] = {
    "mexican_changsha": {
        "21": words("21: the Mexican"),
        "31": words("31: play turns round"),
        "41": words("41: social"),
        "51": words("51: two swap seats"),
        "61": words("61: judgement day"),
        "66": words("66: makes a rule"),
    },
    "mexican_wisconsin": {
        "31": words("31: social"),
        "32": words("32: play turns round"),
        "41": words("41: picks somebody"),
    },
}
"""What a roll that is shown does, by game."""

MOST_MARKS: Final = 1000
MOST_CHARS: Final = 12
"""Characters beside the word for most, in every language."""

SMOOCHY: Final = ("smoochy", "55")
PERFORM: Final = "perform"
KNOWN: Final[Mapping[str, Words]] = {"smoochy": words("smoochy"), "performs": words("performs")}
"""Words of the packaged settings for specials that need consent; others of the house stand as they are."""


def cost(view: View) -> tuple[Text, Four]:
    """Return what the round cost and whom, in words and in four characters."""
    handed, payments, loser = view.table("drinks"), view.table("payments"), view.text("loser")
    who, initial = Names((loser,)), loser[:1]
    paid = payments.get(loser)
    if isinstance(paid, int):
        return words("{player} pays {units}", player=who, units=-paid), four("round_over", player=initial, units=paid)
    if handed:
        return _handed_out(handed, view)
    left = view.table("dice_left").get(loser)
    if view.number("dice_lost") and isinstance(left, int):
        told = words("{player} loses: {dice} left", player=who, dice=left)
        return told, four("dice_left", player=initial, dice=left)
    if loser:
        return words("{player} loses", player=who), four("handed", player=initial, units=0)
    winner = view.text("winner_of_round")
    if winner:
        return words("all lose but {player}", player=Names((winner,))), four("all_but", player=winner[:1])
    return words("nobody pays"), four("opens", player=(view.player or "")[:1])


def _handed_out(handed: Mapping[str, object], view: View) -> tuple[Text, Four]:
    others = len(handed) > 1
    if others and len(handed) == len(view.table("marks")) and set(handed.values()) == {1}:
        return _everybody(view.mark), four("handed_all", units=1)
    player, penalty = max(handed.items(), key=lambda one: _weight(one[1]))
    code = four("finishes", player=player[:1])
    if isinstance(penalty, int):
        code = four("handed", player=player[:1], units=penalty)
    if others:
        return in_a_line({f"{name[:1]}+{marks}": _weight(marks) for name, marks in handed.items()}), code
    return _one(player, penalty, view.mark), code


def _one(player: str, penalty: object, label: str) -> Words:
    who = Names((player,))
    if not isinstance(penalty, int):
        return words("{player}: a whole glass", player=who)
    if label not in MARKS:
        return words("{player}: {count} {mark}", player=who, count=penalty, mark=label)
    one, more, _ = MARKS[label]
    return words(one.text, player=who) if penalty == 1 else words(more.text, player=who, count=penalty)


def _everybody(label: str) -> Words:
    return MARKS[label][2] if label in MARKS else words("everybody: 1 {mark}", mark=label)


def _weight(penalty: object) -> int:
    """Return how much *penalty* is: a whole glass is more than any marks."""
    return penalty if isinstance(penalty, int) else MOST_MARKS


def in_a_line(held: Mapping[str, int]) -> Text:
    """Return what each has side by side, such as ``A2``; where that has no room, only of those who have most.

    Examples
    --------
    >>> in_a_line({"A12": 12, "B1": 1}).parts
    ('A12', 'B1')
    >>> str(in_a_line({f"{seat}12!1": 12 for seat in "ABCDEFGH"}))
    'most: A12!1 B12!1'
    """
    if len("".join(held)) <= WIDTH:
        return Names(tuple(held), whole=True)
    ranked = sorted(held, key=lambda part: -held[part])
    fitting = [part for place, part in enumerate(ranked) if len("".join(ranked[: place + 1])) <= MOST_CHARS]
    return words("most: {players}", players=Names(tuple(fitting), whole=True))


def special(view: View, score: str) -> Text:
    """Return what the roll *score* does that somebody has shown, empty where it is no special."""
    label, roll = SMOOCHY
    if view.game == "mexican_changsha" and score == roll:
        named = view.specials.get(label, label)
        return words("{score}: {special}", score=score, special=KNOWN.get(named, named))
    return SPECIALS.get(view.game, {}).get(score, "")


def performs(view: View, player: str) -> Text:
    """Say that *player* was picked to perform, empty where this house does not play it."""
    named = view.specials.get(PERFORM, "")
    return words("{player} {performs}", player=Names((player,)), performs=KNOWN.get(named, named)) if named else ""
