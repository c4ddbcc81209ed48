"""What the games with a cup share: penalties counted by seat, and when an evening of them ends.

A penalty is a neutral *mark*; what the house calls it, and whether it is worth anything, is the house's choice
(docs/bluff.md). The dice under a cup are in no state of these games: they are unknown until they are shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from mexico.game import Fact, Seat
from mexico.house import Choice, Number

Penalty = int | Literal["finish"]
"""Marks handed out at once; *finish* is the whole glass."""

FINISH: Literal["finish"] = "finish"
COINS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
ROUNDS = (1, 2, 3, 5, 8, 10, 12, 15, 20, 30, 50)
SECONDS = (0, 15, 20, 30, 45, 60, 90, 120)


class Accident(StrEnum):
    """What follows when a cup is lifted before anybody called."""

    RESHAKE = "reshake"
    PLAYS_ON = "plays_on"


class Announce(StrEnum):
    """Whether the table is told what is claimed."""

    ENTERED = "entered"
    SPOKEN = "spoken"


@dataclass(frozen=True, slots=True, kw_only=True)
class BluffRules:
    """What every table with a cup agrees on; *mark_value* in small coins, time in seconds."""

    accident: Accident = Accident.RESHAKE
    announce: Announce = Announce.ENTERED
    end_rounds: int | None = None
    mark_value: int = 0
    turn_seconds: int = 0


BLUFF_ASKED: tuple[Choice | Number, ...] = (
    Choice("accident", "accident", "a cup lifted before anybody called", "0.3", "silent"),
    Choice("announce", "announce", "claims are entered, or only spoken", "0.6", "002, 004"),
    Number("end.rounds", "end_rounds", ROUNDS, 1, 999, "rounds until the game is over", "0.5", "silent"),
    Number("mark_value", "mark_value", COINS, 0, 1_000_000, "small coins a mark is worth", "0.5", "silent"),
    Number(
        "turn_seconds", "turn_seconds", SECONDS, 0, 3600, "seconds a turn may take, 0 for no limit", "A20", "silent"
    ),
)
"""The house rules of BluffRules; a game puts them behind its own."""


# --- what anybody may do in each of these games ---


@dataclass(frozen=True, slots=True)
class Revealed:
    """The dice of *seat* lie open after a call, or because he shows them: *faces* as the camera read them."""

    seat: Seat
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exposed:
    """The cup of *seat* was lifted without a press: nothing was read."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Closed:
    """Closing time, pressed by *seat*; needs nobody's turn."""

    seat: Seat


# --- what follows ---


@dataclass(frozen=True, slots=True)
class Penalized(Fact):
    """*seat* was handed a penalty."""

    seat: Seat
    penalty: Penalty


@dataclass(frozen=True, slots=True)
class Ended(Fact):
    """The game is over; *fewest* are the seats with the fewest marks."""

    fewest: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Who was handed what.

    Attributes
    ----------
    marks
        By seat, all that were counted.
    finishes
        By seat, how often it was the whole glass.
    last
        What the last resolution handed out.
    rounds
        Rounds played to their end.
    gone
        Seats that have left the game.
    closed
        Whether the game is over.
    """

    marks: tuple[int, ...]
    finishes: tuple[int, ...]
    last: tuple[tuple[Seat, Penalty], ...] = ()
    rounds: int = 0
    gone: tuple[Seat, ...] = ()
    closed: bool = False

    @classmethod
    def of(cls, seats: int) -> "Tally":
        """Return the tally of *seats* before the first round."""
        return cls((0,) * seats, (0,) * seats)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats in the game, clockwise from the first."""
        return tuple(Seat(seat) for seat in range(len(self.marks)) if seat not in self.gone)

    @property
    def fewest(self) -> tuple[Seat, ...]:
        """Those in the game with the fewest glasses to finish, and among them the fewest marks."""

        def count(seat: Seat) -> tuple[int, int]:
            return self.finishes[seat], self.marks[seat]

        least = min(map(count, self.playing))
        return tuple(seat for seat in self.playing if count(seat) == least)

    def hand_out(self, penalties: Iterable[tuple[Seat, Penalty]]) -> "Tally":
        """Return the tally after a resolution that handed out *penalties*, maybe none."""
        last = tuple(penalties)
        marks, finishes = list(self.marks), list(self.finishes)
        for seat, penalty in last:
            if penalty == FINISH:
                finishes[seat] += 1
            else:
                marks[seat] += penalty
        return replace(self, marks=tuple(marks), finishes=tuple(finishes), last=last)

    def round_over(self, most: int | None) -> "Tally":
        """Return the tally after a round; the game is over after *most* of them."""
        rounds = self.rounds + 1
        return replace(self, rounds=rounds, closed=self.closed or rounds == most)

    def without(self, seat: Seat) -> "Tally":
        """Return the tally after *seat* has left; a game of one is over."""
        gone = (*self.gone, seat)
        return replace(self, gone=gone, closed=self.closed or len(self.marks) - len(gone) < 2)

    def close(self) -> "Tally":
        """Return the tally at closing time."""
        return replace(self, closed=True)

    def facts(self, players: Sequence[str], mark_value: int) -> dict[str, object]:
        """Return what everybody may know of it, with the names of *players*."""
        fewest = self.fewest if self.closed else ()
        return {
            "drinks": {players[seat]: penalty for seat, penalty in self.last},
            "marks": dict(zip(players, self.marks, strict=True)),
            "finishes": dict(zip(players, self.finishes, strict=True)),
            "owed": {name: marks * mark_value for name, marks in zip(players, self.marks, strict=True)},
            "rounds_played": self.rounds,
            "left": [players[seat] for seat in self.gone],
            "winner": players[fewest[0]] if len(fewest) == 1 else None,
            "fewest": [players[seat] for seat in fewest],
            "over": self.closed,
        }
