"""The state of liar's dice, common hand; what players do, and what follows.

The dice under the cups are in no state: what is known of dice is *visible*, which only a reveal fills.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from mexico.bidding import Bid, faces_to_bid, matching
from mexico.bluff import Closed, Exposed, Revealed, Tally
from mexico.errors import ConservationError
from mexico.game import Fact, Left, Rolled, Seat
from mexico.liars_common_house import Aces, CommonRules
from mexico.ring import after, turned
from mexico.rolloff import Rolloff

Shown = tuple[tuple[Seat, tuple[int, ...]], ...]
"""Whose dice lie open, in the order in which they were shown."""


@dataclass(frozen=True, slots=True)
class Bade:
    """*seat* bids."""

    seat: Seat
    bid: Bid


@dataclass(frozen=True, slots=True)
class Challenged:
    """*seat* says that the last bid is wrong."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SpotOn:
    """*seat* says that the last bid is exactly right."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Conceded:
    """*seat* has lost a hand whose bids were only spoken; *to* whom, where the table cannot know it."""

    seat: Seat
    to: Seat | None = None


Action = Rolled | Bade | Challenged | SpotOn | Revealed | Conceded | Exposed | Left | Closed


@dataclass(frozen=True, slots=True)
class Counted(Fact):
    """All dice are shown: *count* of them match *bid*."""

    bid: Bid
    count: int


@dataclass(frozen=True, slots=True)
class HandLost(Fact):
    """*seat* lost a hand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DiceLost(Fact):
    """*seat* puts *dice* dice aside for good."""

    seat: Seat
    dice: int


@dataclass(frozen=True, slots=True)
class KnockedOut(Fact):
    """*seat* has no dice left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WagerMoved(Fact):
    """*seat* wins *amount* small coins, or loses them when it is negative."""

    seat: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class HandVoid(Fact):
    """The hand counts for nobody: all shake again."""


@dataclass(frozen=True, slots=True)
class SeatLeft(Fact):
    """*seat* left the game."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameWon(Fact):
    """*seat* has won."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Call:
    """*caller* has challenged *bidder*, or with *exact* called his bid spot on.

    *order* is who is asked to show, first to last. *bidder* is None while the table was not told who bid last.
    """

    caller: Seat
    bidder: Seat | None
    exact: bool
    order: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand being played: from the shake to the last dice shown; *bid* is the last one, by *bidder*."""

    opener: Seat
    bidder: Seat | None = None
    bid: Bid | None = None
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The hand just finished.

    Attributes
    ----------
    loser, winner
        Of the hand; None where there is not one of them, and as soon as the next bid is called.
    payments
        Small coins won, negative where lost, by seat; nothing where nothing moved.
    odds
        The chance the last bid had of being right, for somebody who saw no dice.
    next_opener
        Who opens the hand after it; None when the game is over.
    """

    loser: Seat | None
    winner: Seat | None
    payments: tuple[tuple[Seat, int], ...] = ()
    odds: Fraction | None = None
    next_opener: Seat | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A game of common hand between two events.

    *dice* are those in play by seat, *lost* those put aside, *taken* those of players who left: they sum to what was
    brought. *balance* is what each seat has won so far in small coins, and sums to nothing. Or the state cannot be
    made. *revealed* and *count* tell of the last call; *visible* dice are forgotten when new ones are shaken.
    """

    rules: CommonRules
    wager: int
    dice: tuple[int, ...]
    tally: Tally
    balance: tuple[int, ...]
    lost: int = 0
    taken: int = 0
    out: tuple[Seat, ...] = ()
    rolloff: Rolloff | None = None
    hand: Hand | None = None
    visible: Shown = ()
    revealed: tuple[Seat, ...] = ()
    count: int | None = None
    finished: Finished | None = None
    winner: Seat | None = None

    def __post_init__(self) -> None:
        brought = self.rules.dice_each * len(self.dice)
        there = sum(self.dice) + self.lost + self.taken
        if there != brought or min(self.dice) < 0:
            raise ConservationError(f"{brought} dice were brought, {there} are there")
        if sum(self.balance):
            raise ConservationError(f"wagers appeared or vanished: {self.balance}")

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats with dice, clockwise from the first."""
        return tuple(Seat(seat) for seat, dice in enumerate(self.dice) if dice)

    @property
    def dice_in_play(self) -> int:
        """Dice under all cups together."""
        return sum(self.dice)

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that may be bid."""
        always = self.rules.aces_biddable is Aces.ALWAYS
        return faces_to_bid(wild_aces=self.rules.wild_aces, always_aces=always)

    @property
    def running(self) -> Hand:
        """The hand in play; only asked where the rules know there is one."""
        if self.hand is None:
            raise RuntimeError("no hand is being played")
        return self.hand

    @property
    def turn(self) -> Seat:
        """The seat that bids or challenges next."""
        hand = self.running
        return hand.opener if hand.bidder is None else self.next_to(hand.bidder)

    def next_to(self, seat: Seat) -> Seat:
        """Return the next seat with dice, clockwise from *seat*."""
        return after(self.playing, seat)

    def before(self, seat: Seat) -> Seat:
        """Return the seat with dice whose next one is *seat*."""
        return turned(self.playing, seat)[-1]

    def counted(self) -> int | None:
        """Return how many of the dice that lie open match the bid; None without a bid."""
        bid = self.running.bid
        if bid is None:
            return None
        return sum(matching(faces, bid.face, wild_aces=self.rules.wild_aces) for _, faces in self.visible)

    def showing(self) -> tuple[Seat, ...]:
        """Return those who still have to show their dice, in the order in which they are asked."""
        call = self.running.call
        return () if call is None else tuple(seat for seat in call.order if seat not in self.revealed)


def changed(values: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    """Return *values* with that of *seat* changed *by* so much."""
    return (*values[:seat], values[seat] + by, *values[seat + 1 :])


def paid(state: State, payments: tuple[tuple[Seat, int], ...]) -> State:
    """Return *state* with *payments* made."""
    balance = state.balance
    for seat, amount in payments:
        balance = changed(balance, seat, amount)
    return replace(state, balance=balance)
