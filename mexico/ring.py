"""Who sits where: going round the table."""

from collections.abc import Iterable

from mexico.game import Seat


def turned(seats: Iterable[Seat], first: Seat) -> tuple[Seat, ...]:
    """Return *seats* clockwise, beginning at *first* or the next one after it.

    Examples
    --------
    >>> turned((Seat(0), Seat(1), Seat(3)), Seat(2))
    (3, 0, 1)
    """
    ordered = sorted(seats)
    return tuple(seat for seat in ordered if seat >= first) + tuple(seat for seat in ordered if seat < first)


def after(seats: Iterable[Seat], seat: Seat) -> Seat:
    """Return the one of *seats* that sits next to *seat*, clockwise; *seat* need not be among them.

    Examples
    --------
    >>> after((Seat(0), Seat(1), Seat(3)), Seat(1)), after((Seat(0), Seat(1), Seat(3)), Seat(3))
    (3, 0)
    """
    return next(other for other in turned(seats, Seat(seat + 1)) if other != seat)
