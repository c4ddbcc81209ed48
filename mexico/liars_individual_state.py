"""The state of an individual hand: what was called and pressed, never what lies under a cup."""

from dataclasses import dataclass

from mexico.bluff import Closed, Exposed, Revealed
from mexico.game import Left, Rolled, Seat
from mexico.hand_table import Challenge, Challenged, Conceded, HandTable, Rerolled
from mexico.liars_individual_house import IndividualRules
from mexico.poker_hands import PokerHand


@dataclass(frozen=True, slots=True)
class Called:
    """*seat* says he has *hand*."""

    seat: Seat
    hand: PokerHand


Action = Rolled | Called | Rerolled | Challenged | Revealed | Conceded | Exposed | Left | Closed


@dataclass(frozen=True, slots=True)
class Hand:
    """A round being played: *call* of *caller* stands, *turn* has re-rolled *rerolls* times since.

    *kept* are the seats that have dice under the cup which they chose to keep when they re-rolled others.
    """

    turn: Seat
    call: PokerHand | None = None
    caller: Seat | None = None
    rerolls: int = 0
    challenge: Challenge | None = None
    kept: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class State:
    """A game of individual hands between two events; *hand* is None while it is rolled for who opens, and at the end.

    *wager* in units.
    """

    rules: IndividualRules
    wager: int
    table: HandTable
    hand: Hand | None = None

    @property
    def running(self) -> Hand:
        """The round in play; only asked where the rules know there is one."""
        if self.hand is None:
            raise RuntimeError("no hand is being played")
        return self.hand
