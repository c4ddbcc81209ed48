"""What the caller says, as whole sentences with named gaps: the one table that a translation needs. Pure.

Numbers stay digits, a voice says them in its own language. After a name comes a mark: a voice would read the seat that
is called A as an article.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from firmware.dispute import Choice
from firmware.views import Note
from mexico.throw import Throw
from vision.types import Fault


class Say(StrEnum):
    """The sentences and the pieces of them."""

    # before play
    SIT_DOWN = "Mexico. Press your seat to join."
    JOINS = "Seat {seat}, {name}, joins."
    GETS_UP = "Seat {seat}, {name}, leaves."
    AT_TABLE = "At the table: {names}."
    NOBODY = "Nobody sits at the table."
    STARTS = "STOP starts."
    GAME = "The game: {value}."
    RULE = "Rule {number}, {rule}: {value}. {explains}."
    VALUE = "{rule}: {value}."
    CARD_AWAY = "The card is put away."
    BEGINS = "The game begins. Players: {names}. Units each: {units}."

    # a turn
    ONE_DIE = "{name}: throw one die for the lead."
    STILL_TO_THROW = "Still to throw: {names}."
    TIED_LEAD = "Tied for the lead: {names}."
    LEAD_TURN = "{name}: you lead, roll 1 of {rolls}."
    TURN = "{name}: roll 1 of {rolls}."
    TO_BEAT = "To beat: {score}, {names}."
    ONLY_MEXICO = "Only Mexico helps."
    DIE = "{name}, for the lead: {face}."
    LEAD_ROLLED = "{name}, lead, roll {roll}: {score}, stake {stake}."
    ROLLED = "{name}, roll {roll} of {rolls}: {score}, stake {stake}."
    SAFE = "{name}: safe."
    LOWEST = "Lowest so far."
    TIED_LOWEST = "Tied for lowest with {names}."
    ABOVE = "Above {score}, {names}."
    ROLL_OR_STOP = "Roll {roll} of {rolls}, or STOP."
    MUST_ROLL = "Roll {roll} of {rolls}: throw again."
    STOPS = "{name}: stops at {score}."
    REFUSED = "{name}: {fault}, {words}."

    # the end of a round, and of the game
    TIED = "Tied for lowest: {names}. They play it out."
    PAYS = "End of the round. {name}: pays {paid}, has {left}."
    NOBODY_PAYS = "End of the round. Nobody pays."
    OUT = "{name}: out of the game."
    POT = "Pot {pot}."
    WINS = "{name}: wins and takes {takes}."
    PLAY_AGAIN = "STOP plays again."
    LEAVES = "{name}: leaves the game."
    BUYS_IN = "{name}: buys in again."
    LEAVING = "{name}: leaves the game? Press the seat again."
    BUYING_IN = "{name}: buys in again? Press the seat again."

    # said again
    AT_ROLL = "{name}: {score} at roll {roll} of {rolls}."
    SO_FAR = "So far: {scores}."
    STAKE = "Stake {stake}."
    UNITS = "Units: {units}."
    LAST_ROUND = "Last round: {name}, paid {paid}."

    # a pause, a doubt, and what goes wrong
    PAUSED = "Paused."
    FOUND = "A game was interrupted and is found again."
    STOP_GOES_ON = "STOP goes on."
    GOES_ON = "The game goes on."
    IN_DOUBT = "In doubt: {name}, {score}."
    REFUSED_IN_DOUBT = "In doubt: {name}, a refused throw."
    FOUND_DICE = "The power was off. In the tray lies, for {name}: {score}."
    COUNT = "Count this roll?"
    VOID = "Void this roll?"
    READ_AGAIN = "Read it again?"
    PAUSE = "Pause the game?"
    TAKES = "It takes the seats of {name}, and one more."
    TAKES_TWO = "It takes any two seats."
    PUSH = "Push the knob for yes."
    OTHERS = "Turn the knob for more. STOP changes nothing."
    AGREES = "{name}: agrees."
    NEEDED = "Still needed: {name}."
    ONE_MORE = "Still needed: one more."
    UNCHANGED = "Nothing is changed."
    WORDS = "{words}."
    CAMERA_LOST = "The camera gives no pictures. The game waits."
    CAMERA_BACK = "The camera is back."
    UNSAVED = "The disk takes nothing: make room on it."
    SAVED = "The disk takes everything again."

    # scores
    MEXICO = "Mexico"
    PAIR_1 = "pair of ones"
    PAIR_2 = "pair of twos"
    PAIR_3 = "pair of threes"
    PAIR_4 = "pair of fours"
    PAIR_5 = "pair of fives"
    PAIR_6 = "pair of sixes"

    # why a throw is refused
    MISSING = "a die is missing"
    EXTRA = "a die too many"
    COCKED = "cocked"
    STACKED = "stacked"
    OUTSIDE = "out of the tray"
    OCCLUDED = "something is in the tray"
    MOVING = "still moving"
    LIGHT = "too dark or too bright"
    CAMERA_MOVED = "the camera was moved"
    UNSURE = "not sure"


OFFERS: Final[Mapping[Choice, Say]] = {
    Choice.VOID: Say.VOID,
    Choice.READ_AGAIN: Say.READ_AGAIN,
    Choice.PAUSE: Say.PAUSE,
    Choice.COUNT: Say.COUNT,
}
ASKED: Final[Mapping[Note, Say]] = {Note.LEAVING: Say.LEAVING, Note.BUYING_IN: Say.BUYING_IN}
FAULTS: Final[Mapping[Fault, Say]] = {fault: Say[fault.name] for fault in Fault}
PAIRS: Final = (Say.PAIR_1, Say.PAIR_2, Say.PAIR_3, Say.PAIR_4, Say.PAIR_5, Say.PAIR_6)


def say(template: Say, **values: object) -> str:
    """Return *template* with its gaps filled: where a translation belongs."""
    return template.value.format(**values)


def score_said(throw: Throw) -> str:
    """Return *throw* as it is called at a table.

    Examples
    --------
    >>> score_said(Throw.of(2, 1)), score_said(Throw.of(3, 3)), score_said(Throw.of(4, 5))
    ('Mexico', 'pair of threes', '54')
    """
    if throw.is_mexico:
        return say(Say.MEXICO)
    return say(PAIRS[throw.high - 1]) if throw.is_double else str(throw)


def spoken(name: str) -> str:
    """Return the name of a rule, or a value of it, as words.

    Examples
    --------
    >>> spoken("mexico.escalation"), spoken("double_each")
    ('mexico escalation', 'double each')
    """
    return name.replace(".", " ").replace("_", " ")
