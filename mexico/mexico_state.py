"""The state of a game of Mexico, what players do, and what follows.

Everything is frozen: a rule takes a state and returns another one.
"""

from dataclasses import dataclass, replace

from mexico.errors import ConservationError
from mexico.game import Fact, Left, Rolled, Seat
from mexico.mexico_choices import Escalation, MexicoRules
from mexico.ring import turned
from mexico.rolloff import Rolloff
from mexico.throw import Throw

Throws = tuple[tuple[Seat, Throw], ...]
"""Who shows what, in the order of rolling."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The seat on turn keeps what lies there."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BadRoll:
    """The dice of the seat on turn cannot be counted: cocked, stacked, out of the tray ..."""

    seat: Seat
    why: str


@dataclass(frozen=True, slots=True)
class Rebought:
    """Somebody who is out brings a new holding; needs nobody's turn."""

    seat: Seat


Action = Rolled | Stopped | BadRoll | Left | Rebought


@dataclass(frozen=True, slots=True)
class Mexico(Fact):
    """A lead rolled 21; the loser would now owe *stake* units."""

    seat: Seat
    stake: int


@dataclass(frozen=True, slots=True)
class Scored(Fact):
    """A turn ended with *throw*."""

    seat: Seat
    throw: Throw


@dataclass(frozen=True, slots=True)
class SubroundBegan(Fact):
    """*seats* are tied and play it out among themselves."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class RoundVoid(Fact):
    """Everybody had Mexico: nobody pays."""


@dataclass(frozen=True, slots=True)
class RoundLost(Fact):
    """*seat* lost a round at *stake* units and paid *paid* of them."""

    seat: Seat
    stake: int
    paid: int


@dataclass(frozen=True, slots=True)
class Eliminated(Fact):
    """*seat* has nothing left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatLeft(Fact):
    """*seat* left the game with *units* in hand; where they went is the house's rule."""

    seat: Seat
    units: int


@dataclass(frozen=True, slots=True)
class BoughtIn(Fact):
    """*seat* is back with *units* more."""

    seat: Seat
    units: int


@dataclass(frozen=True, slots=True)
class GameWon(Fact):
    """*seat* won and is handed the pot of *takes* units."""

    seat: Seat
    takes: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round or sub-round being played.

    *order* is the order of rolling and *leader* led the whole round when it began. *throws* holds one throw for each
    seat that has rolled, the one on turn included. *cap* is the number of rolls for those who follow, None until the
    lead has set it. *lead_mexicos* counts the whole round, *raises* what counts for the stake. In a sub-round *tied*
    are its players and *before* what the whole round showed; a *decider* settles a tie for most units, and costs
    nothing: *best* are those who may still win, also while only some of them are tied in it.
    """

    leader: Seat
    order: tuple[Seat, ...]
    lead: Seat
    turn: Seat
    cap: int | None = None
    rolls: int = 0
    throws: Throws = ()
    lead_mexicos: int = 0
    raises: int = 0
    tied: tuple[Seat, ...] = ()
    before: Throws = ()
    decider: bool = False
    best: tuple[Seat, ...] = ()

    @property
    def untouched(self) -> bool:
        """Whether this is a round in which nobody has rolled yet."""
        return not (self.throws or self.tied)

    @property
    def last(self) -> Seat:
        """The seat that rolls last."""
        return self.order[-1]

    @property
    def after_chain(self) -> bool:
        """Whether everybody before the last player has a lead's Mexico, so that he leads."""
        return self.lead == self.last

    @property
    def round_throws(self) -> Throws:
        """What the whole round showed, whatever its sub-rounds did."""
        return self.before if self.tied else self.throws

    def put(self, throw: Throw) -> "Round":
        """Return the round with *throw* as what the seat on turn shows."""
        others = tuple((seat, old) for seat, old in self.throws if seat != self.turn)
        return replace(self, throws=(*others, (self.turn, throw)), rolls=self.rolls + 1)

    def next_turn(self) -> Seat:
        """Return the seat that rolls after the one on turn."""
        return self.order[self.order.index(self.turn) + 1]

    def passed_on(self) -> "Round":
        """Return the round with the dice given to the next seat in order."""
        return replace(self, turn=self.next_turn(), rolls=0)


@dataclass(frozen=True, slots=True)
class Finished:
    """The round just finished; *loser* is None when it was void, *next_lead* while it is rolled for."""

    loser: Seat | None
    paid: int
    stake: int
    throws: Throws
    next_lead: Seat | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A game of Mexico between two events; *units* by seat, all amounts in units.

    Whatever was ever brought is in somebody's hand, in the pot, *discarded* (tokens) or *handed_back* (to a player
    who left): the four sum to *brought*, or the state cannot be made.
    """

    rules: MexicoRules
    units: tuple[int, ...]
    brought: int
    pot: int = 0
    discarded: int = 0
    handed_back: int = 0
    out: tuple[Seat, ...] = ()
    gone: tuple[Seat, ...] = ()
    rolloff: Rolloff | None = None
    round: Round | None = None
    finished: Finished | None = None
    rounds_played: int = 0
    winner: Seat | None = None

    def __post_init__(self) -> None:
        held = sum(self.units) + self.pot + self.discarded + self.handed_back
        if held != self.brought:
            raise ConservationError(f"{self.brought} units were brought, {held} are there")

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats still in the game, clockwise from the first."""
        return tuple(Seat(seat) for seat in range(len(self.units)) if seat not in self.out)

    @property
    def running(self) -> Round:
        """The round in play; only asked where the rules know there is one."""
        if self.round is None:
            raise RuntimeError("no round is being played")
        return self.round

    @property
    def stake(self) -> int:
        """Units the loser of the running round would owe now."""
        if self.round is not None and self.round.decider:
            return 0
        return self.rules.units_per_loss * multiplier(self.rules, self.round.raises if self.round else 0)

    def clockwise_from(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats still in, clockwise, beginning at *seat* or the next one still in."""
        return turned(self.playing, seat)


def multiplier(rules: MexicoRules, mexicos: int) -> int:
    """Return how many times the stake is raised after *mexicos* that count (section 6).

    Examples
    --------
    >>> [multiplier(MexicoRules(), mexicos) for mexicos in range(4)]
    [1, 2, 2, 2]
    """
    match rules.escalation:
        case Escalation.OFF:
            times = 1
        case Escalation.ONCE:
            times = min(1 + mexicos, 2)
        case Escalation.DOUBLE_EACH:
            times = 2**mexicos
        case Escalation.ADD_UNIT:
            times = 1 + mexicos
    return times if rules.max_multiplier is None else min(times, rules.max_multiplier)
