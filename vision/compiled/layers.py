"""Windows of a convolution, side by side, so that one product of matrices does it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.compiled import compiled
from vision.types import Floats


@compiled("void(f4[:,:,:,::1],f4[:,:,:,:,::1])")
def lay_windows(layers: Floats, into: npt.NDArray[np.float32]) -> None:
    """Write what a convolution sees at every second pixel; beyond the edge that is 0.

    Parameters
    ----------
    layers : ndarray of float32, shape (K, N, N, C)
        N even.
    into : ndarray of float32, shape (K, N / 2, N / 2, size, size * C)
        Becomes the windows, of odd *size*. Given by the caller, because what is allocated here, and is as large, comes
        in new pages every time: that takes four times as long as filling it.
    """
    count, rows, columns, channels = layers.shape
    size = into.shape[3]
    edge, run, line = size // 2, size * channels, columns * channels
    flat = layers.reshape(count, rows, line)
    # One row of a window, its pixels with their channels, lies together: a few long copies instead of many.
    for k in range(count):
        for row in range(rows // 2):
            for y in range(size):
                seen = 2 * row + y - edge
                for column in range(columns // 2):
                    window = into[k, row, column, y]
                    first = (2 * column - edge) * channels
                    if not 0 <= seen < rows:
                        window[:] = 0
                    elif first < 0 or first + run > line:
                        for at in range(run):
                            window[at] = flat[k, seen, first + at] if 0 <= first + at < line else np.float32(0)
                    else:
                        # Indices that cannot be negative are copied four times as fast.
                        for at in range(run):
                            window[np.uint64(at)] = flat[k, seen, np.uint64(first + at)]
