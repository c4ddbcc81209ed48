"""The deep networks of the second opinion, which OpenCV runs: residual (He et al. 2016), of 837,000 weights each."""

from __future__ import annotations

import bz2
from collections import deque
from importlib import resources
from typing import Final

import cv2
import numpy as np

from vision.types import Floats

NETWORKS: Final = ("doubted", "moving", "middle")
"""By the names of their weights: the one that tells faces, and the one that tells motion."""

_IDLE: Final[dict[str, deque[cv2.dnn.Net]]] = {name: deque() for name in NETWORKS}
"""Networks that nobody asks just now. One of OpenCV holds what it is asked and what it answers, so that each is asked
by one thread at a time; taking one from here, or putting it back, is one step."""


def deep_answers(patches: Floats, name: str) -> Floats:
    """Return what the deep network called *name* makes of *patches*, as of `vision.tray.opinion.patch_of`.

    Parameters
    ----------
    patches : ndarray of float32, shape (K, PATCH, PATCH, CHANNELS)
        One at least: asked of none, OpenCV divides by their number, which ends the program.
    name : str
        One of `NETWORKS`.

    Returns
    -------
    ndarray of float32, shape (K, FACES), or (K, ANSWERS)
        Chances, 0 to 1.
    """
    try:
        network = _IDLE[name].pop()
    except IndexError:
        network = _unpacked(name)
    network.setInput(np.ascontiguousarray(patches.transpose(0, 3, 1, 2)))
    chances = np.array(network.forward(), np.float32)
    _IDLE[name].append(network)
    return chances


def have_deep_networks_ready() -> None:
    """Unpack those networks of which none is, which takes a tenth of a second each."""
    for name, idle in _IDLE.items():
        if not idle:
            idle.append(_unpacked(name))


def _unpacked(name: str) -> cv2.dnn.Net:
    stored = resources.files("vision.tray").joinpath(f"{name}.onnx.bz2").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(bz2.decompress(stored), np.uint8))
