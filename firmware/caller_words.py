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
    SIT_DOWN = "{game}. Press your seat to join."
    JOINS = "Seat {seat}, {name}, joins."
    GETS_UP = "Seat {seat}, {name}, leaves."
    AT_TABLE = "At the table: {names}."
    NOBODY = "Nobody sits at the table."
    STARTS = "STOP starts."
    ONLY_TWO = "Only two play this."
    GAME = "The game: {value}."
    RULE = "Rule {number}, {rule}: {value}. {explains}."
    VALUE = "{rule}: {value}."
    ALL_RULES = "All rules together: {value}."
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

    # a game with a cup: who opens, and what may be done
    CUP_BEGINS = "The game begins. Players: {names}."
    DICE_EACH = "Dice each: {dice}."
    ONE_DIE_OPENS = "{name}: throw one die to open."
    DIE_OPENS = "{name}, to open: {face}."
    TIED_OPENS = "Tied to open: {names}."
    OPENS = "{name}: you open."
    YOUR_TURN = "{name}: your turn."
    TO_BEAT_IS = "To beat: {claim}."
    TO_BEAT_OF = "To beat: {claim}, by {name}."
    SHAKE = "Shake and look."
    ALL_SHAKE = "All shake and look."
    SHAKE_AGAIN = "Shake again: take the cup."
    BELIEVE = "Believe: take the cup."
    MAY_STAY = "The dice may stay."
    TO_CLAIM = "Claim: the knob."
    TO_BID = "Bid: the knob."
    TO_NAME = "Name a hand: the knob."
    TO_REROLL = "Roll again: the knob, {left} left."
    TO_ROLL_OUT = "Roll outside: the knob."
    TO_LAY_OUT = "Lay dice open: the knob."
    TO_SPOT_ON = "Spot on: the knob."
    TO_CALL = "Call: your seat button."
    ALL_CALL = "Call: any seat button."
    ANY_CALLS = "Call: the seat button of {names}."
    TO_SHOW = "STOP shows."
    TO_CHOOSE = "Choose somebody: the knob."
    TO_GIVE_IN = "Give in: the knob."
    WHO_GIVES_IN = "Who has lost gives in: the knob."
    PUSH_IT = "Push for yes."

    # what is claimed and done with a cup: done, or offered by the knob
    DONE = "{name}: {deed}."
    OFFERED = "{deed}?"
    OFFERED_OF = "{name}: {deed}?"
    SHAKEN = "has shaken"
    CLAIMS = "says {claim}"
    PASSES_ON = "says {claim}, pass it on"
    BIDS = "bids {claim}"
    REROLLS = "rolls {dice} dice again"
    REROLLS_ONE = "rolls one die again"
    REROLLS_NONE = "rolls none again"
    CHOOSES = "chooses {other}"
    GIVES_IN = "gives in"
    GIVES_IN_TO = "gives in to {other}"
    SPOT_ON = "says spot on"
    FLOOR_DIE = "a die on the floor"
    FLOOR_DICE = "{dice} dice on the floor"
    CAUGHT = "caught cheating"
    PUTS_BACK = "puts back {faces}"
    ROLLS_OUT = "rolls {dice} outside"
    LAYS_OUT = "lays {dice} open"
    LETS_SEE = "shows the die beside the cup"

    # a call, and what is shown
    CALLS = "{name}: calls {other}."
    CALLS_ANY = "{name}: calls."
    CALLS_SPOT_ON = "{name}: says spot on, to {other}."
    CALLED_ITSELF = "The third roll: the bluff is called."
    LIFT = "{name}: lift the cup, {dice} dice are read."
    LIFT_ONE = "{name}: the die beside the cup is read."
    THROW_OUT = "{name}: throw. Dice outside then: {dice}."
    LAY_OUT = "{name}: lay a die open. Dice outside then: {dice}."
    ALL_LIFT = "All lift. {name}: your {dice} dice are read."
    ALL_LIFT_ONE = "All lift. {name}: your die is read."
    SLIDE = "{name}: slide {dice} dice into the tray."
    SLIDE_ONE = "{name}: slide your die into the tray."
    HIDE = "STOP hides again."
    HIDES = "{name}: hides again."
    SHOWS = "{name}: shows {faces}."
    SHOWS_AS = "{name}: shows {faces}, {what}."
    OUTSIDE_LIES = "{name}: outside {faces}."
    BESIDE_LIES = "{name}: beside the cup {faces}."
    LIES = "In the tray: {faces}."
    CLAIMED = "Claimed: {claim}."
    SHOWN = "Shown: {shown}."
    REVERSE = "reverse"
    SOCIAL = "social"
    SWITCHAROO = "switcharoo"
    JUDGEMENT = "judgement day"
    SMOOCHY = "smoochy"
    NEW_RULE = "a new rule"
    IMPOSES = "somebody gets a mark"
    CLOCKWISE = "Play goes clockwise."
    COUNTERCLOCKWISE = "Play goes counterclockwise."
    SWAPPED = "Places are changed."
    SITS_AT = "{name}: now at seat {seat}."

    # what a round with a cup costs
    ROUND_ENDS = "End of the round."
    ROUND_VOID = "The round is void."
    COUNTED = "Counted: {count}. Bid: {bid}."
    LOSES = "{name}: loses."
    MARK = "{name}: a mark, has {marks}."
    MARKS = "{name}: {more} marks, has {marks}."
    FINISHES = "{name}: finishes the glass."
    ALL_MARKED = "A mark for everybody."
    NO_MARKS = "Nobody gets a mark."
    LOSES_DIE = "{name}: loses a die, has {left}."
    LOSES_DICE = "{name}: loses {dice} dice, has {left}."
    WAGER_PAID = "{name}: pays {units}, balance {balance}."
    WAGER_WON = "{name}: gets {units}, balance {balance}."
    CLOSING = "Closing time."
    CUP_WINS = "{name}: wins."
    FEWEST = "Fewest marks: {names}."
    NOBODY_WINS = "Nobody wins."
    MARKS_OF = "Marks: {marks}."
    GLASSES_OF = "Glasses to finish: {glasses}."
    DICE_OF = "Dice: {dice}."
    EXPECTED = "In play: {dice} dice, to expect of a face: {expected}."
    BALANCE_OF = "Balance: {balance}."
    LAST_LOST = "Last round: {name}, lost."

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
    TAKE_BACK = "Take it back?"
    READ_AGAIN = "Read it again?"
    PAUSE = "Pause the game?"
    TAKES = "It takes the seats of {name}, and one more."
    TAKES_TWO = "It takes any two seats."
    TAKES_ALL = "It takes all seats."
    PUSH = "Push the knob for yes."
    OTHERS = "Turn the knob for more. STOP changes nothing."
    AGREES = "{name}: agrees."
    NEEDED = "Still needed: {name}."
    ONE_MORE = "Still needed: one more."
    UNCHANGED = "Nothing is changed."
    WORDS = "{words}."
    CAMERA_LOST = "The table sees nothing. The game waits."
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
    MEXICAN = "2 1, Mexican"

    # faces, one and more of them
    ONE_1 = "one"
    ONE_2 = "two"
    ONE_3 = "three"
    ONE_4 = "four"
    ONE_5 = "five"
    ONE_6 = "six"
    MORE_1 = "ones"
    MORE_2 = "twos"
    MORE_3 = "threes"
    MORE_4 = "fours"
    MORE_5 = "fives"
    MORE_6 = "sixes"

    # hands, with their faces from the largest group down
    RUNT = "runt"
    PAIR = "pair of {0}"
    TWO_PAIRS = "two pairs, {0} and {1}"
    THREE_PAIRS = "three pairs, {0}, {1} and {2}"
    THREE = "three {0}"
    TWO_TRIPLES = "two triples, {0} and {1}"
    STRAIGHT = "straight"
    LOW_STRAIGHT = "low straight"
    HIGH_STRAIGHT = "high straight"
    FULL_HOUSE = "full house, {0} over {1}"
    FOUR = "four {0}"
    FOUR_AND_PAIR = "four {0} and a pair of {1}"
    FIVE = "five {0}"
    SIX = "six {0}"
    WITH = "{hand}, with {singles}"

    # the games
    MEXICO_GAME = "Mexico"
    MEXICAN_CHANGSHA = "Mexican of Changsha"
    MEXICAN_WISCONSIN = "Mexican of Wisconsin"
    LIARS_COMMON = "Liar's dice"
    LIARS_INDIVIDUAL = "Liar's dice, one hand"
    LIARS_STANFORD = "Liar's dice, Stanford"

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
GAMES: Final[Mapping[str, Say]] = {
    "mexico": Say.MEXICO_GAME,
    "mexican_changsha": Say.MEXICAN_CHANGSHA,
    "mexican_wisconsin": Say.MEXICAN_WISCONSIN,
    "liars_common": Say.LIARS_COMMON,
    "liars_individual": Say.LIARS_INDIVIDUAL,
    "liars_stanford": Say.LIARS_STANFORD,
}
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
    >>> spoken("mexico.escalation"), spoken("double_each"), spoken("2..8")
    ('mexico escalation', 'double each', '2 to 8')
    """
    return name.replace("..", " to ").replace(".", " ").replace("_", " ")
