"""Rolling one die each for who begins: the highest does, those who tie roll again."""

from dataclasses import dataclass, replace

from mexico.game import Fact, Seat


@dataclass(frozen=True, slots=True)
class Rolloff:
    """*seats* roll one die each, in this order, and the highest is chosen; *again* after a tie."""

    seats: tuple[Seat, ...]
    again: bool = False
    faces: tuple[tuple[Seat, int], ...] = ()

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Those who still have to roll; who alone is left need not."""
        if len(self.seats) == 1:
            return ()
        done = {seat for seat, _ in self.faces}
        return tuple(seat for seat in self.seats if seat not in done)

    @property
    def highest(self) -> tuple[Seat, ...]:
        """Those who rolled the highest face so far, or who alone is left."""
        if len(self.seats) == 1:
            return self.seats
        best = max(face for _, face in self.faces)
        return tuple(seat for seat, face in self.faces if face == best)

    def put(self, seat: Seat, face: int) -> "Rolloff":
        """Return the roll-off with the die of *seat* fallen."""
        return replace(self, faces=(*self.faces, (seat, face)))

    def without(self, gone: Seat) -> "Rolloff":
        """Return the roll-off without the seat *gone*."""
        seats = tuple(seat for seat in self.seats if seat != gone)
        return replace(self, seats=seats, faces=tuple((seat, face) for seat, face in self.faces if seat != gone))


@dataclass(frozen=True, slots=True)
class LeadTied(Fact):
    """The highest die was rolled more than once: *seats* roll again."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class LeadFound(Fact):
    """The highest die was rolled by *seat*."""

    seat: Seat
