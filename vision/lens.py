"""How a lens bends straight lines: the model, and its one parameter as the straight sides of a tray tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from vision.types import Doubles, Floats, Frame, Point

BENDS = np.round(np.arange(-0.26, 0.065, 0.02), 3)
"""Distortions that are tried, in the unit of the picture's width. Negative ones are barrels; others are not believed:
table lenses have none, and the edges of shadows feigned some."""

MIN_GAIN = 1.04
"""How much clearer the edges must become, as the mean of the four sides. On 20 rendered tables without a lens error and
with corners off by 2.5 pixels none became so; there bends of -0.07 were found in half the pictures, of -0.1 and more in
all, up to a fifth too small."""

MIN_SIDES, SIDE_GAIN = 2, 1.03
"""So many sides must become clearer by this much: one alone may be the edge of a shadow."""

SIDE_SAYS = 0.3
"""How much, as a logarithm, one side may say for or against."""

MAX_STEP = 0.5
"""Steps of the logarithm of light above this count as this: one hard edge is no proof."""

DARK = 12
"""Added to grey levels before the logarithm, so that noise in deep shadow is no contrast."""

ALONG, ACROSS = np.linspace(0.04, 0.96, 161), np.arange(-14.0, 72.0)
"""Where a side is looked at: in shares of its length; across it, outwards, in pixels of a picture 1280 wide."""

TURNS = np.linspace(-14, 14, 15)
"""By how much edges beside a floor's side may run askew to it: pixels over its length."""

Quad: TypeAlias = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion of a picture: r' = r (1 + k1 r^2 + k2 r^4), as OpenCV has it.

    Attributes
    ----------
    centre_px
        Where the optical axis meets the picture.
    unit_px
        What r is measured in: the focal length where a target told it, else the picture's width.
    k1, k2
        Coefficients; negative k1 is a barrel.
    focal_px
        Focal length in pixels, as a target or dice told it; None where it is not known.

    Examples
    --------
    >>> lens = Lens((639.5, 479.5), 1280.0, -0.1)
    >>> bent = lens.distort(np.array([[0.0, 0.0]]))
    >>> bent.round(2).tolist(), lens.undistort(bent).round(6).tolist()
    ([[24.94, 18.7]], [[0.0, 0.0]])
    """

    centre_px: Point
    unit_px: float
    k1: float
    k2: float = 0.0
    focal_px: float | None = None

    @property
    def is_of_target(self) -> bool:
        """Whether a printed target told its focal length: r is measured in that then."""
        return self.focal_px is not None and self.focal_px == self.unit_px

    def distort(self, points: Doubles) -> Doubles:
        """Return where the lens puts *points* of a picture without distortion, shape (..., 2), pixels."""
        x, y = self._from_centre(points)
        square = x * x + y * y
        stretch = 1 + square * (self.k1 + self.k2 * square)
        return self._in_picture(x * stretch, y * stretch)

    def undistort(self, points: Doubles) -> Doubles:
        """Return where *points* of the picture, shape (..., 2), would be without distortion, pixels."""
        bent_x, bent_y = x, y = self._from_centre(points)
        for _ in range(20):
            square = x * x + y * y
            stretch = 1 + square * (self.k1 + self.k2 * square)
            x, y = bent_x / stretch, bent_y / stretch
        return self._in_picture(x, y)

    # Along both axes by themselves: what goes over pairs takes numpy six times as long.
    def _from_centre(self, points: Doubles) -> tuple[Doubles, Doubles]:
        x, y = self.centre_px
        return (points[..., 0] - x) / self.unit_px, (points[..., 1] - y) / self.unit_px

    def _in_picture(self, x: Doubles, y: Doubles) -> Doubles:
        return np.stack([x * self.unit_px + self.centre_px[0], y * self.unit_px + self.centre_px[1]], axis=-1)

    def is_sane(self, size: tuple[int, int]) -> bool:
        """Return whether all of a picture of *size* is seen through such a lens once and not twice."""
        width, height = size
        x, y = self.centre_px
        if not np.isfinite([x, y, self.unit_px, self.k1, self.k2]).all() or self.unit_px < 0.2 * width:
            return False
        if not (0 <= x < width and 0 <= y < height):
            return False
        if self.focal_px is not None and not 0.2 * width < self.focal_px < 50 * width:
            return False
        far = np.hypot(width, height) / self.unit_px * 0.75
        r = np.linspace(0, far, 50)
        slope = 1 + 3 * self.k1 * r**2 + 5 * self.k2 * r**4
        return bool((slope > 0.2).all() and (slope < 4).all())


def plain_lens(size: tuple[int, int], bend: float) -> Lens:
    """Return a lens of one parameter: *bend* is k1 in the unit of the picture's width."""
    return Lens(((size[0] - 1) / 2, (size[1] - 1) / 2), float(size[0]), bend)


def lens_from_edges(picture: Frame, corners: Quad) -> Lens | None:
    """Return the lens that makes the edges along the sides of the tray straight, or None where none is needed.

    Parameters
    ----------
    picture : ndarray of uint8, shape (M, N, 3)
        The empty tray.
    corners : four points
        Inside corners of the floor in pixels, clockwise from the top left.

    Returns
    -------
    Lens or None
        One parameter, the axis in the middle of the picture, the focal length unknown. None when no lens makes the
        edges much clearer: then they are straight already, or too faint to tell.

    Notes
    -----
    Plumb-line calibration (Brown, Close-Range Camera Calibration, 1971), without looking for the lines: the picture
    beside each side is unrolled as each lens would have it, and the lens wins along whose straight lines the steps of
    light add up most.
    """
    size = (picture.shape[1], picture.shape[0])
    unit = size[0] / 1280
    tones = np.log(cv2.GaussianBlur(picture, (0, 0), max(unit, 0.3)).astype(np.float32) + DARK)
    quad = np.array(corners, np.float64)
    clear = np.array([_clearness(tones, quad, plain_lens(size, bend), unit) for bend in BENDS])
    gains = np.log((clear + 1e-9) / (clear[BENDS == 0.0] + 1e-9))
    says = np.clip(gains, -SIDE_SAYS, SIDE_SAYS).mean(axis=1)
    best = int(says.argmax())
    sides = int(np.count_nonzero(gains[best] > np.log(SIDE_GAIN)))
    if best == 0 or BENDS[best] >= 0 or says[best] < np.log(MIN_GAIN) or sides < MIN_SIDES:
        return None
    before, peak, after = says[best - 1 : best + 2]
    between = 0.5 * (before - after) / (before - 2 * peak + after)
    return plain_lens(size, float(BENDS[best] + between * (BENDS[1] - BENDS[0])))


def _clearness(tones: Floats, corners: Doubles, lens: Lens, unit: float) -> Doubles:
    """Return how clearly edges beside each of the four sides run along lines that *lens* makes straight, shape (4,)."""
    flat = lens.undistort(corners)
    clear = []
    for start, end in zip(flat, np.roll(flat, -1, axis=0), strict=True):
        along = end - start
        outwards = np.array([along[1], -along[0]]) / np.linalg.norm(along)
        places = start + ALONG[None, :, None] * along + (ACROSS * unit)[:, None, None] * outwards
        x, y = np.moveaxis(lens.distort(places).astype(np.float32), 2, 0)
        strip = cv2.remap(tones, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        step = np.zeros(strip.shape, np.float32)
        step[1:-1] = np.clip(strip[2:] - strip[:-2], -MAX_STEP, MAX_STEP)
        clear.append(_along_lines(step).max(axis=0).sum())
    return np.array(clear, np.float64)


def _along_lines(step: Floats) -> Doubles:
    """Return the squared mean of *step*, (M, N, 3), along the lines that leave each row by `TURNS`: (len(TURNS), M)."""
    rows, columns = step.shape[:2]
    around = np.zeros((len(_SHARES), rows + len(_OFFSETS) - 1, 3), np.float32)
    shares = _SHARES @ step.transpose(1, 0, 2).reshape(columns, -1)
    around[:, -_OFFSETS[0] : rows - _OFFSETS[0]] = shares.reshape(-1, rows, 3)
    # What a line has of the row so far from its own, of all rows at once: a step of offsets is one of rows, too.
    turn, row, channel = around.strides
    shape, strides = (len(TURNS), len(_OFFSETS), rows, 3), (turn * len(_OFFSETS), turn + row, row, channel)
    means = np.lib.stride_tricks.as_strided(around, shape, strides).sum(axis=1, dtype=np.float64)
    return np.asarray((means * means).sum(axis=2), np.float64)


def _shares_of_rows() -> Floats:
    """Return how much of each column of the row so many below its own is in the mean along a line.

    Shape (len(TURNS) * len(_OFFSETS), len(ALONG)): a line goes from one row to the next between two columns.
    """
    below = TURNS[:, None] * (np.arange(len(ALONG)) / (len(ALONG) - 1) - 0.5)
    shares = np.maximum(1 - np.abs(below[:, None] - _OFFSETS[:, None]), 0) / len(ALONG)
    return np.asarray(shares.reshape(-1, len(ALONG)), np.float32)


_FARTHEST = int(np.ceil(np.abs(TURNS).max() / 2))
_OFFSETS = np.arange(-_FARTHEST, _FARTHEST + 1)
_SHARES = _shares_of_rows()
