"""How much moves between two pictures: local, blind to soft shadows and to flicker, against the stream's own noise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Calibration
from vision.types import Floats, Frame, Gray

Small: TypeAlias = npt.NDArray[np.int16]
"""A picture to compare: int16, shape (rows, columns), `UNIT`-ths of a percent of brightness on a logarithmic scale."""

UNIT = 32

LONG_SIDE = 320
"""Longer side in pixels of a `Small`, about: pictures are shrunk by whole numbers, which is quick."""

DARK = 32.0
"""Grey levels added before the logarithm: the noise of dark pixels is not to look like motion."""

LOGARITHM = np.round(100 * UNIT * np.log(np.arange(256) + DARK)).astype(np.int16)

SURROUND = 9
"""Side in pixels of the square whose mean change is light and not motion: a little less than a die."""

BLOCK = 4
"""Side in pixels of the squares over which change is averaged: about the diameter of two pips."""

FLOOR = 6.0
"""Percent of change that is never called motion: what compression alone does to a still picture."""

NOISE_FACTOR = 2.8
MAX_NOISE = 5.5
OF_MEANS = 0.62
"""How much less the noise is of the mean of three pictures; compression keeps it above the square root of a third."""

HISTORY = 30
"""Of how many pictures the noise is remembered."""

JUMP = 6.0
"""Percent by which half of the picture must change at once for the exposure to have changed."""

AFTER_JUMP = 3.0
"""How many times as much must change for motion where the exposure changed: one blown out channel of three is not
seen in the brightness, and changes the tones of coloured things."""

BLOWN = 240
"""Grey level from which a pixel may have been brighter still."""

TONES = np.linspace(0, 100, 33)
"""At which percentiles the tones of two exposures are compared."""

QUIET = 0.25
"""A picture that differs from the last by less than this part of what the noise makes differ is the last one again."""

KNOWN = 4
"""From so many pictures at rest on the noise of the stream is known."""

LONGEST_QUIET = 30
"""After so many such pictures in a row that are not the same to the last bit, the noise itself has become less."""

OFTEN = 1 / 3
"""So many pictures of a stream with noise are not the one before once more, though all may come twice; of a film that
copies what is still, only its key frames."""

UNPROVEN = 60
"""A stream of which the noise is not known yet and which gives so many pictures alike to the last bit has none."""

RIM = 1.08
"""How much larger than the floor the part of the picture is in which motion counts."""


def shrink(frame: Frame, low: Gray | None = None) -> Small:
    """Return what of *frame* motion is told from.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
    low : ndarray of uint8, shape (rows, columns), or None
        The same picture in grey and smaller, where the camera gives that as well: there is less of it to look through.

    Returns
    -------
    ndarray of int16, shape (rows, columns)
        The logarithm of the brightness, smoothed, the longer side about `LONG_SIDE` pixels.
    """
    by = max(1, round(max(frame.shape[:2]) / LONG_SIDE))
    rows, columns = frame.shape[0] // by, frame.shape[1] // by
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)[: rows * by, : columns * by] if low is None else low
    small = cv2.resize(gray, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.LUT(small, LOGARITHM), (3, 3), 0), np.int16)


def change(now: Small, before: Small, tray: Gray | None, *, jump: bool | None = None) -> Floats:
    """Return how much each block differs between two pictures of one size.

    Parameters
    ----------
    now, before : Small
    tray : ndarray of uint8, shape (rows // 2, columns // 2), or None
        255 where motion counts, from `tray_mask`.
    jump : bool or None
        Whether the exposure changed, where that is known already; None: found out here.

    Returns
    -------
    ndarray of float32, shape (rows // 2, columns // 2), or one-dimensional with a *tray*
        Mean absolute change within `BLOCK` pixels, in percent, less the mean change of the surroundings.
    """
    delta = cv2.subtract(now, before)
    if jumped(now, before) if jump is None else jump:
        delta = _but_exposure(now, before)
    sharp = cv2.absdiff(delta, cv2.blur(delta, (SURROUND, SURROUND)))
    half = cv2.resize(sharp, (sharp.shape[1] // 2, sharp.shape[0] // 2), interpolation=cv2.INTER_AREA)
    blocks = cv2.blur(half, (BLOCK // 2, BLOCK // 2))
    return np.asarray(blocks if tray is None else blocks[tray > 0], np.float32) / np.float32(UNIT)


def jumped(now: Small, before: Small) -> bool:
    """Return whether the exposure changed from one picture to the other."""
    changes = cv2.subtract(now[::8, ::8], before[::8, ::8]).reshape(-1)
    middle = changes.size // 2  # np.median looks for NaN first, which takes longer than all the rest
    return bool(abs(np.partition(changes, middle)[middle]) > JUMP * UNIT)


def _but_exposure(now: Small, before: Small) -> Small:
    """Return how *now* differs from *before*, the exposure apart: its tones, ordered, take the place of the other's.

    Nothing is said of what is blown out in either: what is lost there did not move.
    """
    here, there = (np.percentile(picture[::2, ::2], TONES) for picture in (now, before))
    delta = np.asarray(np.interp(now, here, there), np.int16) - before
    blown = (cv2.max(now, before) >= LOGARITHM[BLOWN]).astype(np.uint8)
    delta[cv2.dilate(blown, np.ones((5, 5), np.uint8)) > 0] = 0
    return delta


def noise_of(blocks: Floats) -> float:
    """Return the change that 98 of 100 blocks stay below, in percent."""
    flat = blocks.reshape(-1)[::2]
    rank = int(0.98 * (flat.size - 1))
    return float(np.partition(flat, rank)[rank])


def is_grainy(blocks: Floats) -> bool:
    """Return whether most of a picture differs from the one before, if only by the noise of a sensor."""
    return 2 * int(np.count_nonzero(blocks)) > blocks.size


def threshold(noises: Sequence[float]) -> float:
    """Return the change in percent above which something moves.

    Parameters
    ----------
    noises : sequence of float
        `noise_of` the last pictures. The lower quartile of those that did not just come twice is the noise of the
        stream, also while a hand moves.
    """
    fresh = sorted(noise for noise in noises if noise > 0)
    quiet = fresh[len(fresh) // 4] if fresh else 0.0
    return max(FLOOR, NOISE_FACTOR * min(quiet, MAX_NOISE))


def differs(now: Small, before: Small, tray: Gray | None, limit: float) -> bool:
    """Return whether something is elsewhere in *now* than in *before*: more than *limit* percent, light apart."""
    allowed = limit * AFTER_JUMP if jumped(now, before) else limit
    return bool(change(now, before, tray).max() > allowed)


def is_alike(now: Small, before: Small, tray: Gray | None, limit: float) -> bool:
    """Return whether nothing differs by more than *limit* percent, the light apart; every second pixel mostly tells."""
    here, there = (np.ascontiguousarray(small[::2, ::2]) for small in (now, before))
    # Halved by `change`, of which an odd row is no part.
    rows, columns = here.shape[0] // 2, here.shape[1] // 2
    mask = None if tray is None else tray[::2, ::2][:rows, :columns]
    if change(here, there, mask).max() > 2 * limit:
        return False
    return bool(change(now, before, tray).max() <= limit)


def threshold_of_means(noises: Sequence[float]) -> float:
    """Return `threshold` for means of three pictures each: what creeps shows sooner."""
    return max(FLOOR, OF_MEANS * threshold(noises))


def is_double(
    noise: float, grain: Sequence[float], doubled: int, noises: Sequence[float] = (), grainy: Sequence[bool] = ()
) -> bool:
    """Return whether a still picture is the one before once more, and no evidence that anything rests.

    Parameters
    ----------
    noise : float
        `noise_of` its difference to the one before.
    grain : sequence of float
        The same of the last pictures at rest that were none. A stream without noise, as of drawn pictures, has none.
    doubled : int
        How many doubles came just before.
    noises : sequence of float
        As *grain*, of the last pictures of all: of a stream that has not been at rest they tell whether it has noise.
    grainy : sequence of bool
        `is_grainy` of the same pictures.

    Notes
    -----
    A camera that stalls gives its last picture over and over; so do films brought to another rate. Noise tells: no
    two pictures of a sensor are alike.
    """
    fresh = sorted(one for one in grain if one > 0)
    mostly = len(fresh) >= OFTEN * len(grain)
    if mostly and len(fresh) >= KNOWN:
        return noise < QUIET * fresh[len(fresh) // 4] and (noise == 0 or doubled < LONGEST_QUIET)
    if not mostly and len(grain) >= KNOWN:
        return False
    was_never_alike = max(noises, default=0.0) > 0 and 0 not in grain
    has_noise = was_never_alike or sum(grainy) >= max(KNOWN, OFTEN * len(grainy))
    return has_noise and noise == 0 and doubled < UNPROVEN


def tray_mask(calibration: Calibration, small: Small) -> Gray:
    """Return where in blocks of *small* motion counts: 255 on the floor and a little of the rim, 0 elsewhere."""
    return _mask(calibration.corners_px, calibration.size, (small.shape[0] // 2, small.shape[1] // 2))


@lru_cache(maxsize=4)
def _mask(corners_px: tuple[tuple[float, float], ...], size: tuple[int, int], shape: tuple[int, int]) -> Gray:
    """Return `tray_mask`, made once for a stream: it is asked for with every picture."""
    rows, columns = shape
    width, height = size
    corners = np.array(corners_px) * (columns / width, rows / height)
    middle = corners.mean(axis=0)
    mask = np.zeros((rows, columns), np.uint8)
    cv2.fillConvexPoly(mask, np.round(middle + RIM * (corners - middle)).astype(np.int32), 255)
    mask.setflags(write=False)
    return mask
