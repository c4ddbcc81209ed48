"""The state of a Stanford hand: what was claimed, pressed and rolled in the open, never what is in the box."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mexico.bluff import Closed, Exposed, Revealed
from mexico.game import Left, Rolled, Seat
from mexico.hand_table import Challenge, Challenged, Conceded, HandTable, Rerolled
from mexico.liars_stanford_house import StanfordRules
from mexico.stanford_hands import DICE, Claim


@dataclass(frozen=True, slots=True)
class Claimed:
    """*seat* claims to hold *claim* and passes the box on."""

    seat: Seat
    claim: Claim


@dataclass(frozen=True, slots=True)
class RolledOutside:
    """*seat* took dice out of the box and rolled them beside it: *faces*.

    *pressed* is how many he said he would roll, None where nobody asked.
    """

    seat: Seat
    faces: tuple[int, ...]
    pressed: int | None = None


@dataclass(frozen=True, slots=True)
class LaidOpen:
    """*seat* took dice out of the box and laid them beside it as they were: *faces*."""

    seat: Seat
    faces: tuple[int, ...]
    pressed: int | None = None


@dataclass(frozen=True, slots=True)
class PutBack:
    """*seat* puts dice that lay open back into the box: *faces*, lowest first."""

    seat: Seat
    faces: tuple[int, ...]


Opened = RolledOutside | LaidOpen
Pressed = Claimed | Rerolled | PutBack | Challenged | Conceded
Action = Rolled | Pressed | Opened | Revealed | Exposed | Left | Closed


@dataclass(frozen=True, slots=True)
class Hand:
    """A round being played: *claim* of *claimer* stands and *turn* decides what to do with the box.

    *taken* when he has believed the claim by touching the dice. *rolls* counts how often he has rolled since.
    *outside* are the dice that lie open, as they came. *kept* says whether some of those in the box were chosen to stay
    there, or put back, since all of them were last shaken.
    """

    turn: Seat
    claim: Claim | None = None
    claimer: Seat | None = None
    taken: bool = False
    rolls: int = 0
    outside: tuple[int, ...] = ()
    challenge: Challenge | None = None
    kept: bool = False

    @property
    def inside(self) -> int:
        """How many dice are in the box."""
        return DICE - len(self.outside)

    def put_outside(self, faces: tuple[int, ...]) -> "Hand":
        """Return the hand with these dice lying open as well."""
        return replace(self, taken=True, outside=(*self.outside, *faces), kept=True)

    def put_back(self, faces: Iterable[int]) -> "Hand":
        """Return the hand with these dice in the box."""
        left = list(self.outside)
        for face in faces:
            left.remove(face)
        return replace(self, taken=True, outside=tuple(left), kept=True)

    def fits(self, faces: Iterable[int]) -> bool:
        """Whether *faces* of all six dice show those that lay open before."""
        return Counter(self.outside) <= Counter(faces)


@dataclass(frozen=True, slots=True)
class State:
    """A game between two events; *hand* is None while it is rolled for who opens, and at the end."""

    rules: StanfordRules
    table: HandTable
    hand: Hand | None = None

    @property
    def running(self) -> Hand:
        """The round in play; only asked where the rules know there is one."""
        if self.hand is None:
            raise RuntimeError("no hand is being played")
        return self.hand
