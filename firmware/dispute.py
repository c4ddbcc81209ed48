"""A throw that somebody doubts, or nobody saw come to rest: what may be done about it, and whose hands it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from firmware import undo
from firmware.claims import said_of
from firmware.events import TrayRead
from firmware.match import Match, Stored
from firmware.texts import Text, Words, words
from firmware.throws import as_wanted, seen_dice
from firmware.thumbs import thumb
from hardware.devices import Bitmap
from vision.types import TrayReading

AGREE_S = 10.0
"""Within so many seconds the seats must press for anything to happen."""

TWO = 2

BARTENDER = "bartender"
"""Who is named in the journal when the chord decided."""


class Choice(StrEnum):
    """What may be done."""

    VOID = "void this roll"
    READ_AGAIN = undo.ANEW
    PAUSE = "pause the game"
    COUNT = undo.FOUND


OF_A_THROW = (Choice.VOID, Choice.READ_AGAIN, Choice.PAUSE)
"""What may be done about a throw that counts."""

OF_A_CLAIM = (Choice.VOID, Choice.PAUSE)
"""What may be done about a claim, or about dice that must not be looked at any more."""

OF_A_FIND = (Choice.COUNT, Choice.PAUSE)
"""What may be done about dice that came to rest while the power was off."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A doubt about the last throw.

    Attributes
    ----------
    player, faces
        Who threw, and what was read; no faces where the throw was refused.
    dice
        How many were thrown.
    on_turn
        The seat whose press is needed, None when any two seats will do.
    choice
        What is offered now.
    choices
        What may be offered, in the order in which the encoder does.
    hands
        When each seat pressed, in seconds, by seat.
    needed
        How many seats must press.
    by_all
        Whether that is all of them, because dice were hidden: nobody decides alone then.
    claim
        What was claimed, where it is about that.
    picture
        What the throw looked like, None where no picture is kept.
    """

    player: str
    faces: tuple[int, ...]
    dice: int
    on_turn: int | None = None
    choice: Choice = Choice.VOID
    choices: tuple[Choice, ...] = OF_A_THROW
    hands: Mapping[int, float] = field(default_factory=dict)
    needed: int = TWO
    by_all: bool = False
    claim: Text = ""
    picture: Bitmap | None = None

    @property
    def found(self) -> bool:
        """Whether it is about dice that came to rest while the power was off, not about a throw that counts."""
        return self.choices == OF_A_FIND

    def turned(self, steps: int) -> Dispute:
        """Return the dispute with another choice; who pressed agreed to the old one."""
        chosen = self.choices[(self.choices.index(self.choice) + steps) % len(self.choices)]
        return replace(self, choice=chosen, hands={} if chosen is not self.choice else self.hands)

    def pressed(self, seat: int, now_s: float) -> Dispute:
        """Return the dispute after a press of *seat*."""
        return replace(self, hands={**self.still_up(now_s), seat: now_s})

    def still_up(self, now_s: float) -> Mapping[int, float]:
        """Return the hands that still count at *now_s*."""
        return {seat: at_s for seat, at_s in self.hands.items() if now_s < at_s + AGREE_S}

    @property
    def lowered_s(self) -> float | None:
        """When the first hand no longer counts; None where no hand is up."""
        return min((at_s + AGREE_S for at_s in self.hands.values()), default=None)

    @property
    def agreed(self) -> bool:
        """Whether the seat on turn and enough others have pressed."""
        return len(self.hands) >= self.needed and (self.on_turn is None or self.on_turn in self.hands)


def about(match: Match) -> Dispute | None:
    """Return a dispute about the last throw of *match*, None where none may be taken back."""
    throw = match.doubtful
    if throw is None:
        return None
    legal, faces = match.playing.legal(), throw.faces
    on_turn = None if legal.player is None else match.seat_of(legal.player)
    if throw.event.get("type") in undo.CLAIMS:
        return Dispute(throw.player, (), 0, on_turn, choices=OF_A_CLAIM, claim=said_of(throw.event).large)
    # Hidden dice lie on the table again: what lies open beside them is not looked at, and counts for all or not at all.
    choices = OF_A_CLAIM if legal.blind else OF_A_THROW
    by_all = "fewest" in match.playing.facts()
    needed = len(match.staying) if by_all else TWO
    picture = thumb(match.picture(throw.number), len(faces))
    return Dispute(
        throw.player, faces, throw.dice, on_turn, choices=choices, needed=needed, by_all=by_all, picture=picture
    )


def about_find(match: Match, found: TrayRead) -> Dispute | None:
    """Return a question about what was *found* in the tray after a power cut, None where it is no throw of its own.

    Dice that show what the last stored throw did are taken for that throw, wherever they lie: it must not count twice.
    """
    legal, last = match.playing.legal(), undo.last_throw(match.playing.events)
    faces = as_wanted(found.reading, legal.dice).faces
    before = () if last is None else undo.faces_of(match.playing.events[-last])
    if legal.player is None or faces is None or sorted(faces) == sorted(before):
        return None
    on_turn, picture = match.seat_of(legal.player), thumb(found.jpeg, len(faces))
    return Dispute(legal.player, faces, legal.dice, on_turn, Choice.COUNT, OF_A_FIND, picture=picture)


def read_again(match: Match, by: Sequence[str], reading: TrayReading, jpeg: bytes | None) -> tuple[Stored, Words]:
    """Let the last throw of *match* be what *reading* says now, and return what was stored last, and words for it.

    A throw that cannot be read for certain any more is taken back.
    """
    throw = match.doubtful
    if throw is None:
        raise RuntimeError("nothing is in doubt")
    reading = as_wanted(reading, throw.dice)
    if reading.faces is not None and reading.faces == throw.faces:
        return match.confirm(by, jpeg), words("the same: it stands")
    taken_back = match.void(by, Choice.READ_AGAIN)
    if reading.faces is None:
        return taken_back, words("not clear: throw again")
    stored = match.take(throw.read_as(reading.faces), jpeg, seen_dice(reading))
    return stored, words("read anew: {faces}", faces="-".join(map(str, reading.faces)))
