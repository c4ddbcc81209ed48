"""The deep network of the second opinion, which is run by OpenCV: residual (He et al. 2016), of 837,000 weights."""

from __future__ import annotations

import bz2
from collections import deque
from importlib import resources

import cv2
import numpy as np

from vision.types import Floats

_IDLE: deque[cv2.dnn.Net] = deque()
"""Networks that nobody asks just now. One of OpenCV holds what it is asked and what it answers, so that each is asked
by one thread at a time; taking one from here, or putting it back, is one step."""


def deep_answers(patches: Floats) -> Floats:
    """Return what the deep network makes of *patches*, as of `vision.tray.opinion.patch_of`.

    Parameters
    ----------
    patches : ndarray of float32, shape (K, PATCH, PATCH, CHANNELS)
        One at least: asked of none, OpenCV divides by their number, which ends the program.

    Returns
    -------
    ndarray of float32, shape (K, FACES)
        Chances, 0 to 1.
    """
    try:
        network = _IDLE.pop()
    except IndexError:
        network = _unpacked()
    network.setInput(np.ascontiguousarray(patches.transpose(0, 3, 1, 2)))
    chances = np.array(network.forward(), np.float32)
    _IDLE.append(network)
    return chances


def have_deep_network_ready() -> None:
    """Unpack the network, which takes a tenth of a second, if none is."""
    if not _IDLE:
        _IDLE.append(_unpacked())


def _unpacked() -> cv2.dnn.Net:
    stored = resources.files("vision.tray").joinpath("doubted.onnx.bz2").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(bz2.decompress(stored), np.uint8))
