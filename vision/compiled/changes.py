"""What is new in a picture of the tray, pixel by pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vision.compiled import Array, compiled, part
from vision.types import Floats

DARKER = np.float32(0.97)
"""Factor of the brightest channel below which a pixel is darker than the empty tray."""

DARK = np.float32(6)
"""Grey levels that are added before two are divided: of dark ones noise makes any factor."""

DIM = np.float32(0.25)
TREMBLE = np.float32(8)
"""A channel with less than such a part of the brightest, which differs by no more grey levels, is not asked."""

STEP_PER_LEVEL = np.float32(0.12)
"""By what part of the brightness of what is there something must differ more: bright felt trembles more."""

DEEPEST = np.float32(0.2)
OF_ONE_COLOUR = np.float32(0.14)
"""A shadow leaves more than the first of the felt's light, and less of one channel than of another by no more."""

_HALF = np.float32(0.5)
_MOST = np.float32(255)


@compiled("void(u1[:,:,::1],u1[:,:,::1],f4[::1],f4,u1[:,:,::1])")
def changes_between(
    now: npt.NDArray[np.uint8],
    then: npt.NDArray[np.uint8],
    gain: Floats,
    floor: np.float32,
    into: npt.NDArray[np.uint8],
) -> None:
    """Write where *now* differs from *then*, and how.

    Parameters
    ----------
    now, then : ndarray of uint8, shape (3, M, N)
        The channels of the picture and of the empty tray, pixel on pixel.
    gain : ndarray of float32, shape (3,)
        How much brighter the floor is now, per channel.
    floor : float32
        Grey levels by which something black must differ.
    into : ndarray of uint8, shape (4, M, N)
        Becomes `vision.glance.Changes`: changed, body, darker, 0 or 255, and delta in grey levels.
    """
    for row in range(now.shape[1]):
        # By itself without a branch: so it goes through many pixels at once.
        for at in range(now.shape[2]):
            lit0 = _lit(then[0, row, at], gain[0])
            lit1 = _lit(then[1, row, at], gain[1])
            lit2 = _lit(then[2, row, at], gain[2])
            by0 = np.int16(now[0, row, at]) - lit0
            by1 = np.int16(now[1, row, at]) - lit1
            by2 = np.int16(now[2, row, at]) - lit2
            brighter = max(max(by0, by1), by2)
            delta = max(max(abs(by0), abs(by1)), abs(by2))
            bright = np.float32(max(max(lit0, lit1), lit2))
            is_new = delta > np.int16(min(floor + STEP_PER_LEVEL * bright, _MOST))
            into[0, row, at] = into[1, row, at] = 255 if is_new else 0
            # What is clearly brighter in one channel is neither a shadow nor dark; most of a light die is told so.
            into[2, row, at] = 255 if is_new and brighter <= TREMBLE else 0
            into[3, row, at] = delta
        for at in range(now.shape[2]):
            if into[2, row, at]:
                _judge(now, then, gain, into, row, at)


@part
def _lit(level: int, gain: float) -> Any:
    """Return what becomes of a grey level under so much more light."""
    return np.int16(min(np.float32(level) * gain + _HALF, _MOST))


@part
def _judge(now: Array, then: Array, gain: Array, into: Array, row: int, at: int) -> None:
    """Take one pixel out of what is darker, or out of the bodies, by what its channels lost; least and most of them.

    A channel that is dark in both, as red on green felt, says nothing: what it trembles by would be a large factor.
    """
    brightest = np.float32(0)
    for k in range(3):
        brightest = max(brightest, np.float32(_lit(then[k, row, at], gain[k])))
    low, high = np.float32(np.inf), np.float32(0)
    for k in range(3):
        a, b = np.float32(now[k, row, at]), np.float32(_lit(then[k, row, at], gain[k]))
        if b > DIM * brightest or abs(a - b) > TREMBLE:
            ratio = (a + DARK) / (b + DARK)
            low, high = min(low, ratio), max(high, ratio)
    if high >= DARKER:
        into[2, row, at] = 0
    elif low > DEEPEST and high - low < OF_ONE_COLOUR:
        into[1, row, at] = 0
