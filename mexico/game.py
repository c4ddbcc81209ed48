"""What all games of the table share: seats, what players do, and what the rules tell in return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, NewType, Protocol, TypeVar

from mexico.errors import IllegalAction

Seat = NewType("Seat", int)
"""A place at the table, counted clockwise from 0."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice came to rest; *faces* is what lies up, one number 1 to 6 for each die."""

    seat: Seat
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody gets up and goes; needs nobody's turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not be done; *why* speaks of the seat on turn as ``{player}``."""

    why: str
    rule: str
    source: str

    def error(self, *seats: Seat) -> IllegalAction:
        """Return this refusal as the error to raise."""
        return IllegalAction(self.why, self.rule, self.source, seats)


class HasSeat(Protocol):
    """Any action: somebody did it."""

    @property
    def seat(self) -> Seat:
        """Whose action it is."""
        ...


Cited = tuple[str, str]
"""A paragraph of a page of rules, and the documents it comes from."""

A_co = TypeVar("A_co", bound=HasSeat, covariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
S = TypeVar("S")

OVER = Refusal("the game is over", "MEXICO 8", "000, 003")
NOT_YOURS = Refusal("it is the turn of {player}, not of {other}", "MEXICO 9 / A21", "the documents are silent")
NOT_NOW = Refusal("that cannot be done now by {player}", "MEXICO 10", "000, 001, 003")
ONE_DIE = Refusal("the lead is rolled for: {player} rolls one die, not two", "MEXICO 4", "000, 001, 003")
BOTH_DICE = Refusal("in play both dice are rolled: {player} rolls two, not one", "MEXICO 1", "000")


@dataclass(frozen=True, slots=True)
class Ordinary:
    """What every game refuses, with the paragraphs of its own rules: it is over, another's turn, not the time."""

    over: Refusal = OVER
    not_yours: Refusal = NOT_YOURS
    not_now: Refusal = NOT_NOW

    @classmethod
    def of(cls, *, over: Cited, turn: Cited) -> "Ordinary":
        """Return the refusals of a game whose rules say in these paragraphs when it is over, and whose turn it is."""
        return cls(Refusal(OVER.why, *over), Refusal(NOT_YOURS.why, *turn), Refusal(NOT_NOW.why, *turn))


@dataclass(frozen=True, slots=True)
class Ask:
    """A press of *seat* after which the camera may look, once, for *dice* dice; *what* the game calls it."""

    seat: Seat
    what: str
    dice: int


@dataclass(frozen=True, slots=True)
class Legal(Generic[A_co]):
    """Who may do what now: press one of *choices*, or roll exactly *dice* dice (0: no roll).

    *refusals* says for a kind of action which is not among the choices why it is not. *asks* are the presses that let
    the camera look where it otherwise may not. While *blind* hidden dice lie on the table: nothing may be read.
    *ordinary* is how the game refuses what every game does.
    A choice may be another seat's than the one on turn.
    """

    seat: Seat | None
    dice: int
    choices: tuple[A_co, ...]
    refusals: Mapping[type, Refusal] = field(default_factory=dict)
    asks: tuple[Ask, ...] = ()
    blind: bool = False
    ordinary: Ordinary = Ordinary()

    def check(self, action: HasSeat) -> None:
        """Raise IllegalAction unless *action* may be done now."""
        if self.seat is not None and action in self.choices:
            return
        seat = self.check_turn(action)
        if isinstance(action, Rolled) and self.dice:
            if len(action.faces) != self.dice:
                raise (ONE_DIE if self.dice == 1 else BOTH_DICE).error(seat)
        else:
            raise self.refusals.get(type(action), self.ordinary.not_now).error(seat)

    def check_turn(self, action: HasSeat) -> Seat:
        """Return whose turn it is; raise IllegalAction unless *action* is his."""
        if self.seat is None:
            raise self.ordinary.over.error()
        if action.seat != self.seat:
            raise self.ordinary.not_yours.error(self.seat, action.seat)
        return self.seat


class Fact:
    """Something that follows from an action and that everybody at the table may know."""

    __slots__ = ()


class Game(Protocol[S, A_contra]):
    """A game is a module with these functions; all of them are pure."""

    def legal(self, state: S) -> Legal[HasSeat]:
        """Return who may do what."""
        ...

    def apply(self, state: S, action: A_contra) -> tuple[S, tuple[Fact, ...]]:
        """Return the state after *action* and the facts that follow; raise IllegalAction when it is refused."""
        ...

    def redact(self, state: S, viewer: Seat | None) -> S:
        """Return what *viewer* may know of *state*; None is the public."""
        ...
