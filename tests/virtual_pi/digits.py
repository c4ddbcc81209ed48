"""Four digits of seven segments, read back from what the kernel did at their pins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hardware.board import SevenSegment
from hardware.segments import FONT, fit

Edge = tuple[float, int, int]
"""Seconds, pin, level."""

Lit = tuple[int, ...]
"""Segments a to g of one digit, 1 for lit."""


def lit(display: SevenSegment, levels: Sequence[int], edges: Iterable[Edge]) -> tuple[Lit, ...]:
    """Return what each digit shows, from the left.

    Parameters
    ----------
    display
        Which pin is what; common cathode.
    levels
        Level of every pin before the first edge, as far as it is known: those of pins that never change are right.
    edges
        Changes in the order of time. A digit shows what its segments are when it goes dark again.
    """
    now = dict(enumerate(levels))
    seen: dict[int, Counter[Lit]] = {pin: Counter() for pin in display.digits}
    for _, pin, level in edges:
        if pin in seen and now[pin] and not level:
            seen[pin][tuple(now[segment] for segment in display.segments)] += 1
        now[pin] = level
    return tuple(found.most_common(1)[0][0] if (found := seen[pin]) else (0,) * 7 for pin in display.digits)


def wanted(four: str) -> tuple[Lit, ...]:
    """Return what the digits show for *four* characters.

    Examples
    --------
    >>> wanted("1")[0]
    (0, 1, 1, 0, 0, 0, 0)
    """
    return tuple(FONT[char] for char in fit(four))
