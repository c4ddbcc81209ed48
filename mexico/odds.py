"""The exact chances of Mexico, as fractions (docs/rules.md, section 3, and docs/statistics.md)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from mexico.game import Seat
from mexico.mexico_state import Round, State
from mexico.throw import FACES, RANKING, Throw

FALLS = 36


@dataclass(frozen=True, slots=True)
class Row:
    """One score, and how likely an opponent with one, two or three rolls is to *beat* it (not tie it)."""

    score: str
    rank: int
    ways: int
    exceed_1: Fraction
    exceed_2: Fraction
    exceed_3: Fraction


@dataclass(frozen=True, slots=True)
class Beaten:
    """How likely the score that stands is beaten, by those who still roll in this round or sub-round.

    Attributes
    ----------
    seats, score
        Whose score it is, in the order of rolling, and what it is.
    chances
        Who still rolls, in order, and how likely each is to beat it: the first is the next.
    rolls
        How many rolls the next has left.
    """

    seats: tuple[Seat, ...]
    score: Throw
    chances: tuple[tuple[Seat, Fraction], ...]
    rolls: int

    @property
    def by_next(self) -> Fraction:
        """The chance that the next beats it."""
        return self.chances[0][1]

    @property
    def by_anyone(self) -> Fraction:
        """The chance that at least one of them beats it."""
        return 1 - prod((1 - chance for _, chance in self.chances), start=Fraction(1))

    @property
    def by_everybody(self) -> Fraction:
        """The chance that all of them beat it: then it is the lowest of the round, and pays or ties for that."""
        return prod((chance for _, chance in self.chances), start=Fraction(1))


def exceed(throw: Throw, rolls: int) -> Fraction:
    """Return the chance that at least one of *rolls* throws beats *throw*.

    Examples
    --------
    >>> exceed(Throw.of(4, 2), 1)
    Fraction(7, 9)
    """
    beaten_by = sum(other.ways for other in RANKING if other > throw)
    return 1 - (1 - Fraction(beaten_by, FALLS)) ** rolls


def table() -> tuple[Row, ...]:
    """Return the 21 rows, lowest score first.

    Examples
    --------
    >>> lowest = table()[0]
    >>> lowest.score, lowest.ways, str(lowest.exceed_1)
    ('31', 2, '17/18')
    """
    return tuple(
        Row(str(throw), throw.rank, throw.ways, exceed(throw, 1), exceed(throw, 2), exceed(throw, 3))
        for throw in RANKING
    )


def under_cup(true: Callable[[Throw], bool], beside: int | None = None) -> Fraction:
    """Return how likely two dice under a cup are *true*, for somebody who sees at most the die *beside* it.

    Examples
    --------
    >>> under_cup(lambda throw: throw.is_double), under_cup(lambda throw: throw.is_mexico, beside=2)
    (Fraction(1, 6), Fraction(1, 6))
    """
    falls = product(FACES, FACES if beside is None else (beside,))
    return Fraction(sum(true(Throw.of(*fall)) for fall in falls), FALLS if beside is None else len(FACES))


def beaten(state: State) -> Beaten | None:
    """Return how likely the score that stands in the running round is beaten; None while none stands.

    In Mexico the lowest score pays, so the score that **stands** is the lowest of those whose turn is over: the one
    that pays unless somebody stays below it. While the lead, who sets the cap, has rolled and may roll again it is
    what lies there, as if he stopped with it now. To **beat** it is to end a turn above it; a tie does not. Whoever
    still rolls is taken to play for just that: he stops with the first roll above it, and rolls on as long as the cap
    lets him where he has none. No way of playing beats it more often, so each chance is the most that one player can
    make of it, and as the dice know nothing of each other the chances of several players multiply.

    The house rules come in by the rolls that are left (``max_rolls``, ``tie.cap``, and in a sub-round who plays it).
    No other changes a chance: Mexicos raise the stake and pass the lead on, but nothing beats 21. A bad roll is taken
    not to happen.

    Returns
    -------
    Beaten or None
        None before the first score of a round, while the lead is rolled for, and when the game is over.

    Notes
    -----
    Sections 5 and 11 of the rules: *n* tries beat a score with 1 - (1 - p)^n, where p is the chance of one roll.
    """
    round_ = state.round
    if round_ is None or state.rolloff is not None or state.winner is not None:
        return None
    place = round_.order.index(round_.turn)
    shown = dict(round_.throws)
    stops_now = round_.turn == round_.lead and round_.rolls > 0 and not round_.after_chain
    over = round_.order[place : place + 1] if stops_now else round_.order[:place]
    if not over:
        return None
    lowest = min(shown[seat] for seat in over)
    most = _rolls_each(state, round_, stops_now=stops_now)
    left = most if stops_now else most - round_.rolls
    chances = [(seat, exceed(lowest, most)) for seat in round_.order[place + 1 :]]
    if not stops_now:
        has_it = round_.rolls > 0 and shown[round_.turn] > lowest
        chances.insert(0, (round_.turn, Fraction(1) if has_it else exceed(lowest, left)))
    return Beaten(tuple(seat for seat in over if shown[seat] == lowest), lowest, tuple(chances), left)


def _rolls_each(state: State, round_: Round, *, stops_now: bool) -> int:
    """Return how many rolls each of those who follow has: the cap, or what it becomes when the lead stops now."""
    if round_.cap is not None:
        return round_.cap
    return round_.rolls if stops_now else state.rules.max_rolls
