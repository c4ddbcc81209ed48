"""How long a shutter is open, and how far pictures are apart: the engine takes whole steps, and sees whole moments."""

from __future__ import annotations

STEPS_S = 960
"""So many steps the engine takes in a second."""

MOMENTS = 6
"""Of dice that move: so many moments of an exposure."""


def steps(time_s: float) -> int:
    """Return how many steps stand for *time_s*."""
    return max(1, round(time_s * STEPS_S))


def open_s(shutter_s: float) -> float:
    """Return how long a shutter is open that is to be so for *shutter_s*.

    Examples
    --------
    >>> open_s(1 / 60)
    0.01875
    """
    return MOMENTS * steps(shutter_s / MOMENTS) / STEPS_S


def apart_s(shutter_s: float, wanted_s: float) -> float:
    """Return how far pictures are apart that are to be so by *wanted_s*, with a shutter of *shutter_s*."""
    return open_s(shutter_s) + steps(wanted_s - shutter_s) / STEPS_S
