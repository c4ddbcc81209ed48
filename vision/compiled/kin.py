"""Which pixels have the colour of a die, in light or shade."""

from __future__ import annotations

from math import sqrt

import numpy as np

from vision.compiled import compiled
from vision.types import Frame, Gray


@compiled("u1[:,::1](u1[:,:,::1],f4,f4,f4,f4,f4)")
def like_colour(lab: Frame, light: float, a: float, b: float, error: float, lightest: float) -> Gray:
    """Return where the colours of a picture lie between black and one colour, going on beyond that.

    Parameters
    ----------
    lab : ndarray of uint8, shape (M, N, 3)
        CIE Lab as in OpenCV's 8-bit scale.
    light, a, b : float
        The colour on that scale.
    error : float
        How far from the line, in a and b together, a colour may be.
    lightest : float
        How light it may be.

    Returns
    -------
    ndarray of uint8, 0 or 255, shape (M, N)
    """
    rows, columns = lab.shape[:2]
    like = np.empty((rows, columns), np.uint8)
    middle = np.float32(128)
    # Between black and the colour, a and b go with the light.
    per_a, per_b = (middle - a) / light, (middle - b) / light
    for row in range(rows):
        for column in range(columns):
            shade = np.float32(lab[row, column, 0])
            off_a = np.float32(lab[row, column, 1]) + shade * per_a - middle
            off_b = np.float32(lab[row, column, 2]) + shade * per_b - middle
            near = sqrt(off_a * off_a + off_b * off_b) <= error
            like[row, column] = 255 if near and shade <= lightest else 0
    return like


@compiled("f8(u1[:,::1],u1[:,::1])")
def median_within(values: Gray, mask: Gray) -> float:
    """Return the median of *values* where *mask*, of their shape (M, N), is not 0; somewhere it must not be.

    As `numpy.median`, the mean of the two in the middle of an even number.
    """
    levels = np.zeros(256, np.int64)
    count = 0
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            if mask[row, column]:
                levels[values[row, column]] += 1
                count += 1
    below, lower = 0, -1
    for level in range(256):
        below += levels[level]
        if lower < 0 and 2 * below >= count:
            lower = level
        if 2 * below > count:
            return (lower + level) / 2
    return 0.0
