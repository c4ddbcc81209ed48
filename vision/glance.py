"""A look at the whole picture, coarse and quick: is the tray where it was, how bright is it, where is something new."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.backdrop import Backdrop, backdrop_of, colours_at, shrunk
from vision.calibration import Calibration
from vision.types import Fault, Floats, Frame, Gray, Indices, as_uint8

GAIN_RANGE = (0.35, 2.4)
"""How far the light may have changed since the calibration."""

DARKER = 0.97
"""Factor of the brightest channel below which a pixel is darker than the empty tray."""

DARK = np.float32(6)
"""Grey levels that are added before two are divided: of dark ones noise makes any factor."""

DIM = np.float32(0.25)
TREMBLE = np.float32(8)
"""A channel with less than such a part of the brightest, which differs by no more grey levels, is not asked."""

MEANS = (6.0, 247.0)
"""Mean brightness of the floor below and above which nothing can be told."""

STEP = 8.0
"""Grey levels, at the light of the calibration, by which something must differ from the empty tray."""

STEP_PER_LEVEL = 0.12
"""The same as a part of the brightness of what is there: bright felt trembles more."""


@dataclass(frozen=True, eq=False)
class Glance:
    """What is new in the tray, at one `Backdrop.shrink`-th of the picture's size.

    Attributes
    ----------
    shift
        By how many pixels of the picture, (x, y), it is shifted against the calibration.
    gain
        How much brighter the floor is than at the calibration, per channel: float32, shape (3,).
    changed
        uint8, 0 or 255, shape (rows, columns): where floor or rim differ from the empty tray, shadows included.
    body
        uint8, 0 or 255: the same without what may be a shadow.
    """

    shift: tuple[float, float]
    gain: Floats
    changed: Gray
    body: Gray


def glance(frame: Frame, calibration: Calibration) -> Glance | tuple[Fault, str]:
    """Return what is new in *frame*, or why that cannot be told: the light, or a camera that moved.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        Of the size of the calibration.
    calibration : Calibration
    """
    backdrop = backdrop_of(calibration)
    small = shrunk(frame, backdrop.shrink)
    gain, lit, mean = _gain(small, backdrop)
    if not GAIN_RANGE[0] < lit < GAIN_RANGE[1] or not MEANS[0] < mean < MEANS[1]:
        return Fault.LIGHT, f"the tray is {lit:.2f} times as bright as it was calibrated, {mean:.0f} of 255"
    shift = backdrop.pattern.shift_of(small)
    if shift is None:
        return Fault.CAMERA_MOVED, "the tray is not where it was calibrated; put the camera back or calibrate again"
    part = backdrop.part
    empty = _shifted(backdrop.small, shift)[part]
    changes = differences(np.ascontiguousarray(small[part]), np.ascontiguousarray(empty), gain, calibration.noise)
    changed, body = np.zeros((2, *small.shape[:2]), np.uint8)
    for mask, new in ((changed, changes.changed), (body, changes.body)):
        mask[part] = cv2.min(new, backdrop.seen[part])
    by = backdrop.shrink
    return Glance((shift[0] * by, shift[1] * by), gain, changed, body)


def _shifted(small: Frame, shift: tuple[float, float]) -> Frame:
    if max(map(abs, shift)) < 0.1:
        return small
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    moved = cv2.warpAffine(small, matrix, small.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return as_uint8(moved)


def _gain(small: Frame, backdrop: Backdrop) -> tuple[Floats, float, float]:
    """Return `Glance.gain`, that of all light, and the mean brightness of the floor; medians: dice do not matter."""
    now, then = (colours_at(p, backdrop.probes) for p in (small, backdrop.small))
    # `np.median` takes five times as long.
    middle = now.shape[1] // 2
    ratio = np.partition((now + 4) / (then + 4), middle, axis=1)[:, middle]
    # Of a channel that was dark, as red on green felt, what remains in the dark is noise.
    lit, was = (float(np.partition(light.sum(axis=0), middle)[middle]) for light in (now, then))
    return ratio, lit / max(was, 1.0), float(now.mean())


@dataclass(frozen=True, eq=False)
class Changes:
    """Where a picture differs from the empty tray, and how; every array uint8, of shape (rows, columns).

    Attributes
    ----------
    changed
        0 or 255: where it differs at all.
    body
        0 or 255: where it differs, and not as a shadow on the felt does.
    darker
        0 or 255: where it differs, and is darker in every channel: a shadow of any colour, or something dark.
    delta
        The largest difference of the three channels in grey levels.
    """

    changed: Gray
    body: Gray
    darker: Gray
    delta: Gray


def differences(now: Frame, then: Frame, gain: Floats, noise: float) -> Changes:
    """Return where *now* differs from *then*.

    Parameters
    ----------
    now, then : ndarray of uint8, shape (rows, columns, 3)
        The picture and the empty tray, pixel on pixel.
    gain : ndarray of float32, shape (3,)
        How much brighter the floor is now, per channel.
    noise : float
        Of a pixel, in grey levels.
    """
    levels = np.arange(256, dtype=np.float32)[:, None]
    lit = as_uint8(cv2.LUT(then, np.clip(levels * gain + 0.5, 0, 255).astype(np.uint8)[:, None]))
    delta = _largest(cv2.absdiff(now, lit))
    floor = max(STEP, 4 * noise) * min(1.0, float(gain.mean()))
    least = np.minimum(floor + STEP_PER_LEVEL * levels, 255).astype(np.uint8)
    changed = as_uint8(cv2.compare(delta, cv2.LUT(_largest(lit), least), cv2.CMP_GT))
    body, darker = changed.copy(), changed.copy()
    new = np.flatnonzero(changed.view(np.bool_))  # of bytes that takes many times as long
    low, high = _ratios(now, lit, new)
    darker.reshape(-1)[new[high >= DARKER]] = 0
    body.reshape(-1)[new[(high < DARKER) & (low > 0.2) & (high - low < 0.14)]] = 0
    return Changes(changed, body, darker, delta)


def _ratios(now: Frame, then: Frame, where: Indices) -> tuple[Floats, Floats]:
    """Return by what factor the pixels *where*, shape (N,), are brighter now, least and most of the three channels.

    A channel that is dark in both, as red on green felt, says nothing: what it trembles by would be a large factor.
    """
    planes = [p.reshape(-1)[where].astype(np.float32) for p in (*cv2.split(now), *cv2.split(then))]
    dim = DIM * np.maximum(np.maximum(planes[3], planes[4]), planes[5])
    least, most = np.full(len(where), np.inf, np.float32), np.zeros(len(where), np.float32)
    for a, b in zip(planes[:3], planes[3:], strict=True):
        ratio = (a + DARK) / (b + DARK)
        says = (b > dim) | (np.abs(a - b) > TREMBLE)
        np.minimum(least, ratio, out=least, where=says)
        np.maximum(most, ratio, out=most, where=says)
    return least, most


def _largest(picture: cv2.typing.MatLike) -> Gray:
    """Return the largest of the three channels; numpy's own maximum over a short last axis is ten times slower."""
    blue, green, red = cv2.split(picture)
    return as_uint8(cv2.max(cv2.max(blue, green), red))
