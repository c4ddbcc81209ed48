"""Is a die blurred one way? What moved while the shutter was open is, and what is out of focus is not."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import cv2
import numpy as np

from vision.pips import Pip
from vision.types import Floats, Gray

ANGLES = 8
"""Ways in half a turn in which the edge of a pip is crossed."""

RADII = np.linspace(0.2, 0.55, 8, dtype=np.float32)
"""How far from its middle, in its diameters, the edge of a pip is looked for."""

MARGIN_PX = 4

_TURNS = np.arange(2 * ANGLES, dtype=np.float32) * np.float32(pi / ANGLES)
_WAYS = np.stack([np.cos(_TURNS), np.sin(_TURNS)])
_PLACES = _WAYS[:, :, None] * RADII


def one_way(light: Gray, pips: Sequence[Pip]) -> float:
    """Return how much less steep the edges of *pips* are one way than across it: 1 where they are as steep all round.

    Parameters
    ----------
    light : ndarray of uint8, shape (M, N)
        The lightness of a picture.
    pips : sequence of Pip
        Of one face, in its pixels; at least one.

    Notes
    -----
    A pip is round and its edge is as sharp on all sides: the mean over opposite sides leaves little of a lamp that
    lights it from one. Of 585 drawn dice at rest one was below 0.67; one that moved by 3.5 mm was at 0.66.
    """
    far = max(pip.diameter for pip in pips) * float(RADII[-1]) + MARGIN_PX
    all_x, all_y = [pip.x for pip in pips], [pip.y for pip in pips]
    left, top = max(0, int(min(all_x) - far)), max(0, int(min(all_y) - far))
    right, bottom = int(max(all_x) + far) + 1, int(max(all_y) + far) + 1
    part = light[top:bottom, left:right]
    across, down = (cv2.Sobel(part, cv2.CV_32F, *order) for order in ((1, 0), (0, 1)))
    at = np.array([(p.x - left, p.y - top, p.diameter) for p in pips], np.float32)
    x, y = (at[:, k, None, None] + at[:, 2, None, None] * _PLACES[k] for k in (0, 1))
    steep = _seen(across, x, y) * _WAYS[0][:, None] + _seen(down, x, y) * _WAYS[1][:, None]
    crossed = np.abs(steep).max(axis=2).sum(axis=0).reshape(2, ANGLES).sum(axis=0)
    smooth = crossed + np.roll(crossed, 1) + np.roll(crossed, -1)
    least = int(smooth.argmin())
    return float(smooth[least] / max(float(smooth[(least + ANGLES // 2) % ANGLES]), 1e-6))


def _seen(picture: cv2.typing.MatLike, x: Floats, y: Floats) -> Floats:
    """Return *picture* at the places *x*, *y*, of their shape (P, ANGLES * 2, RADII)."""
    rows = len(x)
    where = x.reshape(rows, -1), y.reshape(rows, -1)
    seen = cv2.remap(picture, *where, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(x.shape)
