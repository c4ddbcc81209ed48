"""Where a small network sees the floor of a tray: a witness that knows nothing of edges, cameras and rims."""

from __future__ import annotations

import gzip
from importlib import resources
from itertools import product

import cv2
import numpy as np

from vision.find_tray.edges import DARK
from vision.types import Floats, Frame

LARGEST = 320
"""Longer side in pixels of the picture that it is shown; it answers for every second of them."""

MULTIPLE = 16
"""It halves a picture four times, so sides are multiples of this."""

HUE = 1.2
"""How much differences of colour count, beside those of light."""


def tones_of(picture: Frame) -> Floats:
    """Return light, red less green, and blue less yellow of *picture*, all in logarithms: shape (M, N, 3)."""
    blue, green, red = np.moveaxis(np.log(picture.astype(np.float32) + DARK), 2, 0)
    return np.stack([(blue + green + red) / 3, HUE * (red - green), HUE * (blue - (red + green) / 2)], axis=2)


def floor_chances(picture: Frame) -> Floats:
    """Return how likely each pixel of *picture* is the floor of the tray: float32, shape (M, N), 0 to 1.

    Notes
    -----
    A U-Net (Ronneberger et al. 2015) of 260,000 weights, trained on empty trays that `vision.render` and
    `scripts/traced` drew: `scripts/train_floor.py`. The mean over four mirrorings is taken: where it is not sure, these
    differ.
    """
    stored = resources.files("vision.find_tray").joinpath("floor.onnx.gz").read_bytes()
    network = cv2.dnn.readNetFromONNX(np.frombuffer(gzip.decompress(stored), np.uint8))
    rows, columns = picture.shape[:2]
    size = (max(1, round(side * LARGEST / max(rows, columns) / MULTIPLE)) * MULTIPLE for side in (columns, rows))
    tones = tones_of(np.asarray(cv2.resize(picture, tuple(size), interpolation=cv2.INTER_AREA)))
    tones[..., 0] -= tones[..., 0].mean()
    chances = np.zeros((tones.shape[0] // 2, tones.shape[1] // 2), np.float32)
    for down, right in product((1, -1), (1, -1)):
        network.setInput(np.ascontiguousarray(tones[::down, ::right].transpose(2, 0, 1))[None])
        chances += 0.125 * (1 + np.tanh(network.forward()[0, 0, ::down, ::right] / 2))
    return np.asarray(cv2.resize(chances, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)
