"""Find pips of any colour: round spots in the weakest and in the strongest of the three colours, on one colour each."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np

from vision.pips import Pip, find_pips, without_echoes
from vision.types import Floats, Frame, Gray, as_uint8

SHADOW_GAMMA = 0.6
"""Lifts the shadows, so that a dim die gets as many grey levels as a bright one."""

BRIGHTEST_PERCENT = 99.98
"""What is brighter is glint. Dice may be the brightest hundredth of a picture and must not be clipped."""

RING = 0.75
"""Radius, in diameters of a pip, at which a face is still face and the next pip has not begun."""

RING_SAMPLES = 16
RING_ALIKE = 0.6
"""So much of the ring must have one colour: pips close by, glints and shade may take the rest."""


def pips_of_any_colour(frame: Frame, *, diameters: tuple[float, float]) -> tuple[Pip, ...]:
    """Find the round spots of either polarity that lie in one colour, the clearest first.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        Smoothed by about one pixel.
    diameters : (float, float)
        Smallest and largest diameter in pixels.

    Returns
    -------
    tuple of Pip
        Each spot once, as the picture shows it that shows it at the most levels.

    Notes
    -----
    Dark pips on a saturated body stand out in the strongest of the three colours of each pixel; light ones on it, and
    red ones on white, in the weakest; black and white on each other in both.
    """
    blue, green, red = cv2.split(frame)
    weakest, strongest = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    found = [pip for view in (weakest, strongest) for pip in find_pips(lift(as_uint8(view)), diameters=diameters)]
    found = _on_one_colour(frame, found)
    once = [*without_echoes([p for p in found if p.dark]), *without_echoes([p for p in found if not p.dark])]
    return tuple(sorted(_without_bodies(once), key=lambda p: -p.levels))


def lift(gray: Gray) -> Gray:
    """Spread *gray* over the whole range without clipping what is bright, and lift its shadows.

    Parameters
    ----------
    gray : ndarray of uint8, shape (M, N)

    Returns
    -------
    ndarray of uint8, shape (M, N)
    """
    low, high = np.percentile(gray[::2, ::2], [0.5, BRIGHTEST_PERCENT])
    ramp = np.clip((np.arange(256) - low) / max(high - low, 20.0), 0.0, 1.0) ** SHADOW_GAMMA
    return as_uint8(cv2.LUT(gray, np.round(255 * ramp).astype(np.uint8)))


def circles(frame: Frame, places: Floats, radius: float, count: int) -> Floats:
    """Return colours on circles.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
    places : ndarray of float32, shape (K, 3)
        x, y and diameter of each spot in pixels.
    radius : float
        Of the circles, in diameters of the spot.
    count : int
        Samples per circle.

    Returns
    -------
    ndarray of float32, shape (K, count, 3)
    """
    turn = np.arange(count, dtype=np.float32) * np.float32(2 * np.pi / count)
    x = np.rint(places[:, :1] + radius * places[:, 2:] * np.cos(turn)).astype(np.intp).clip(0, frame.shape[1] - 1)
    y = np.rint(places[:, 1:2] + radius * places[:, 2:] * np.sin(turn)).astype(np.intp).clip(0, frame.shape[0] - 1)
    return np.asarray(frame[y, x], np.float32)


def grounds(lab: Frame, places: Floats) -> Floats:
    """Return the colour on which each spot lies: shape (K, 3), CIE Lab; *places* as for `circles`."""
    return np.asarray(np.median(circles(lab, places, RING, RING_SAMPLES), axis=1), np.float32)


def spots(lab: Frame, places: Floats) -> Floats:
    """Return the colour of each spot, glints apart: shape (K, 3), CIE Lab; *places* as for `circles`."""
    return np.asarray(np.median(circles(lab, places, 0.22, 7), axis=1), np.float32)


def places_of(pips: Sequence[Pip]) -> Floats:
    """Return x, y and diameter of *pips*: float32, shape (len(pips), 3)."""
    return np.array([(p.x, p.y, p.diameter) for p in pips], np.float32).reshape(-1, 3)


def _on_one_colour(frame: Frame, pips: Sequence[Pip]) -> list[Pip]:
    """Return those of *pips* that most of a ring of one colour surrounds, and that stand out from it."""
    places = places_of(pips)
    ring = circles(frame, places, RING, RING_SAMPLES)
    ground = np.median(ring, axis=1)
    away = np.abs(ring - ground[:, None]).max(axis=2)
    grain = np.median(away, axis=1)
    apart = np.abs(spots(frame, places) - ground).max(axis=1)
    alike = (away < 24 + 0.2 * ground.max(axis=1)[:, None]).mean(axis=1)
    good = (alike >= RING_ALIKE) & (apart > 10 + 2 * grain)
    return [pip for pip, keep in zip(pips, good, strict=True) if keep]


def _without_bodies(pips: Sequence[Pip]) -> list[Pip]:
    """Return *pips* without light spots that hold a clear dark one: those are whole dice, not pips.

    A dark spot that holds a light one is left: that is a pip with a glint.
    """
    dark = [p for p in pips if p.dark and p.roundness > 0.7]
    return [
        pip
        for pip in pips
        if pip.dark
        or not any(
            0.1 < p.diameter / pip.diameter < 0.45
            and hypot(p.x - pip.x, p.y - pip.y) < 0.45 * pip.diameter
            and p.levels >= max(4.0, 0.5 * pip.levels)
            for p in dark
        )
    ]
