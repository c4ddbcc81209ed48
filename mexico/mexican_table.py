"""What the two games called Mexican have on the table: one cup, passed round, and what was announced last.

No game by itself: Changsha and Wisconsin build on it. Nothing here has a place for dice that lie under the cup; faces
come in only when they are shown (`Lifted`, `Shown`) or lie beside the cup for all to see (`Shaken.beside`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from mexico.bluff import Announce, BluffRules, Closed, Exposed, Penalty, Tally
from mexico.game import Fact, Left, Rolled, Seat
from mexico.rolloff import Rolloff
from mexico.throw import Throw

R = TypeVar("R", bound=BluffRules)


# --- what players do ---


@dataclass(frozen=True, slots=True)
class Shaken:
    """*seat* took the cup and shook it; *beside* is the face of a die that came to lie outside, if one did."""

    seat: Seat
    beside: int | None = None


@dataclass(frozen=True, slots=True)
class Announced:
    """*seat* says that *value* lies under the cup, and maybe that the next may leave the dice as they are."""

    seat: Seat
    value: Throw
    pass_it_on: bool = False


@dataclass(frozen=True, slots=True)
class Challenged:
    """*seat* does not believe what was announced last."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Shown:
    """*seat* shows what he shook: a special; *rule* is the one he makes with it, where he makes one."""

    seat: Seat
    throw: Throw
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Lifted:
    """The cup was lifted after a call and *faces* were read; whose they are the call has settled."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """*seat* picks *target*, as the special he shows lets him."""

    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class Conceded:
    """*seat* gives in."""

    seat: Seat


CupAction = Rolled | Shaken | Announced | Challenged | Shown | Lifted | Chosen | Conceded | Exposed | Left | Closed


# --- what follows ---


@dataclass(frozen=True, slots=True)
class Claimed(Fact):
    """*seat* announced *value*."""

    seat: Seat
    value: Throw


@dataclass(frozen=True, slots=True)
class Called(Fact):
    """*seat* does not believe *accused*, who shows the dice."""

    seat: Seat
    accused: Seat


@dataclass(frozen=True, slots=True)
class Seen(Fact):
    """The dice *seat* answers for lie open."""

    seat: Seat
    throw: Throw


@dataclass(frozen=True, slots=True)
class Turned(Fact):
    """Play goes round the other way from now on."""

    clockwise: bool


@dataclass(frozen=True, slots=True)
class Swapped(Fact):
    """*seat* and *other* change places."""

    seat: Seat
    other: Seat


@dataclass(frozen=True, slots=True)
class Picked(Fact):
    """*seat* picked *target*, who has to *perform* something as well."""

    seat: Seat
    target: Seat
    perform: bool = False


@dataclass(frozen=True, slots=True)
class RuleMade(Fact):
    """*seat* made a new rule; *rule* is None when it was only spoken."""

    seat: Seat
    rule: str | None


@dataclass(frozen=True, slots=True)
class Opens(Fact):
    """A new round begins, opened by *seat*."""

    seat: Seat


# --- the table ---


@dataclass(frozen=True, slots=True)
class Hand:
    """A round between two events.

    Attributes
    ----------
    opener, turn
        Who opened the round, and whose action is awaited.
    shaken
        Whether the seat on turn has shaken the cup on this turn.
    roller
        Who shook what lies under the cup, None when nothing lies there unseen.
    announcer
        Whose announcement can be called, None when there is none or its dice are gone.
    to_beat, before
        What the next has to exceed, and what the announcer had to.
    passed_on
        Whether the last announcement said "pass it on".
    beside
        Face of the die that lies beside the cup.
    dropped
        Whether dice fell on the floor since the last shake: they may be shaken again.
    caller
        Who called, from then until it is settled.
    special, targets
        The special shown that waits for a choice of the seat on turn, and who may be chosen.
    conceding
        Whether the dice were shown and one of the two, announcer or caller, has to give in (spoken claims).
    """

    opener: Seat
    turn: Seat
    shaken: bool = False
    roller: Seat | None = None
    announcer: Seat | None = None
    to_beat: Throw | None = None
    before: Throw | None = None
    passed_on: bool = False
    beside: int | None = None
    dropped: bool = False
    caller: Seat | None = None
    special: Throw | None = None
    targets: tuple[Seat, ...] = ()
    conceding: bool = False

    @property
    def in_play(self) -> bool:
        """Whether nothing has to be shown, chosen or settled first."""
        return self.caller is None and self.special is None

    @property
    def claimed(self) -> bool:
        """Whether dice lie unseen under the cup, and what was announced of them can be called, or is."""
        hidden = self.roller is not None and self.special is None and not self.conceding
        return hidden and self.announcer is not None and self.to_beat is not None

    @property
    def duel(self) -> tuple[Seat, Seat]:
        """Who was called, and who called; only asked once somebody did."""
        if self.announcer is None or self.caller is None:
            raise RuntimeError("nobody was called")
        return self.announcer, self.caller

    def cleared(self, turn: Seat) -> "Hand":
        """Return the round with no dice under the cup, *turn* to shake against the same value."""
        return Hand(self.opener, turn, to_beat=self.to_beat)


@dataclass(frozen=True, slots=True)
class Table(Generic[R]):
    """A game between two events. A `Seat` is a player here, and where he sits is his place in *ring*.

    Attributes
    ----------
    ring
        Who sits where, clockwise from the first place; who has left still has his place.
    hand
        The round being played; None while the opener is rolled for, and when the game is over.
    next_opener
        Who opened the round that began last, None in the first.
    visible, revealed
        Faces that lie open, and whose dice were shown last.
    loser, winner
        Who lost the last round to whom.
    made
        Rules made at the table, each with who made it.
    """

    rules: R
    tally: Tally
    ring: tuple[Seat, ...]
    clockwise: bool = True
    rolloff: Rolloff | None = None
    hand: Hand | None = None
    next_opener: Seat | None = None
    visible: tuple[int, ...] = ()
    revealed: tuple[Seat, ...] = ()
    loser: Seat | None = None
    winner: Seat | None = None
    made: tuple[tuple[Seat, str], ...] = ()

    @property
    def running(self) -> Hand:
        """The round in play; only asked where the rules know there is one."""
        if self.hand is None:
            raise RuntimeError("no round is being played")
        return self.hand

    @property
    def spoken(self) -> bool:
        """Whether announcements are only spoken: the table does not hear them."""
        return self.rules.announce is Announce.SPOKEN

    @property
    def shower(self) -> Seat | None:
        """Who may still show what he shook, before anybody else acts."""
        hand = self.running
        if not hand.in_play:
            return None
        if self.spoken:
            return hand.roller
        return hand.turn if hand.shaken else None

    def away(self, seat: Seat, places: int = 1) -> Seat:
        """Return who sits so many *places* on from *seat* in the direction of play; empty places do not count."""
        ring = [other for other in self.ring if other == seat or other not in self.tally.gone]
        steps = places if self.clockwise else -places
        return ring[(ring.index(seat) + steps) % len(ring)]

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """Return everybody else in the game, in the direction of play from *seat*."""
        return tuple(self.away(seat, places) for places in range(1, len(self.tally.playing)))

    def turned(self) -> "Table[R]":
        """Return the table with play going round the other way."""
        return replace(self, clockwise=not self.clockwise)

    def swapped(self, one: Seat, other: Seat) -> "Table[R]":
        """Return the table with *one* and *other* in each other's places."""
        places = {one: other, other: one}
        return replace(self, ring=tuple(places.get(seat, seat) for seat in self.ring))


Result = tuple[Table[R], tuple[Fact, ...]]
Penalties = Mapping[Seat, Penalty]
