"""A second opinion on every die: networks that know nothing of pips and layouts, and may only refuse.

Where nothing was proposed they say where to look (`vision.tray.surest`): what is laid there must show the pips of its
face.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.compiled.layers import lay_windows
from vision.layouts import FaceFit
from vision.tray.closeup import Closeup
from vision.tray.deep import NETWORKS, deep_answers
from vision.tray.silhouette import outline_of, softly_filled
from vision.types import Floats

PATCH = 64
"""Pixels of the square that is looked at."""

SIDES = 1.9
"""How many sides of the die it spans: the felt around it, and what sticks out of it, are part of the question."""

AT_ONCE = 8
"""So many patches go through the network together: more, and what a layer makes of them leaves the processor's cache.
Of 400 patches each took two thirds of what it takes in one go, or less, and a fiftieth of the memory."""

ALL_TURNS = (0, 1, 2, 3)
"""Quarter turns in which a top may be asked of."""

CHANNELS = 5
NONE, FACES = 0, 7
"""The answer that no whole die lies flat there; the others are the faces. And how many answers that are."""

MOVES, COVERED, ANSWERS = 1, 1, 2
"""The answer that it moves, by `Asked.OF_MOTION`; that something lies in its middle, by `Asked.OF_MIDDLE`; and how many
these have."""


class Asked(StrEnum):
    """Which network is asked, by the name of its weights."""

    OF_ALL = "opinion"
    OF_LEANING = "leaning"
    """Learned from dice that lean by 8 degrees and more, and doubts more of those that lie flat: only of dice that have
    something to lean on, at a quick look, and of what is blurred."""

    OF_DOUBTED = "doubted"
    """The deep one (`vision.tray.deep`): it knows best what lies flat, and takes eight times as long. Only of what
    takes a closer look."""

    OF_MOTION = "moving"
    """As deep, and knows no faces: does it move while the shutter is open? Of its two answers `MOVES` is the second.
    Only of what looks blurred."""

    OF_MIDDLE = "middle"
    """As deep, too: does something lie in the middle of the top that covers a pip, or that looks like one? Of its two
    answers `COVERED` is the second. Only of what is not plain there."""


_OF_TWO = (Asked.OF_MOTION, Asked.OF_MIDDLE)


def second_opinions(
    proposed: Sequence[tuple[Closeup, Candidate]], turns: Sequence[int] = (0,), asked: Asked = Asked.OF_ALL
) -> Floats:
    """Return what a network makes of candidates, each with the closeup it was proposed in.

    Parameters
    ----------
    proposed : sequence of (Closeup, Candidate)
    turns : sequence of int
        The mean is taken of what each is after so many quarter turns: on leaning dice a wrong answer is seldom the
        same from all sides, at the price of as many times the work.
    asked : Asked

    Returns
    -------
    ndarray of float32, shape (len(proposed), 7)
        Chances, 0 to 1: that no whole die lies flat there, and of the faces 1 to 6. Of `Asked.OF_MOTION`, shape
        (len(proposed), 2): that it lies still, and that it moves.

    Notes
    -----
    Four strided convolutions and two dense layers; the deep ones are residual (He et al. 2016). They were trained on
    dice that `vision.render` drew, flat ones, and leaning, stacked, moving and wrongly laid ones, and on photorealistic
    ones: `scripts/train_opinion.py`.
    """
    if not proposed:
        return np.zeros((0, ANSWERS if asked in _OF_TWO else FACES), np.float32)
    step = max(1, AT_ONCE // len(turns))
    return np.concatenate([_from_all(proposed[k : k + step], turns, asked) for k in range(0, len(proposed), step)])


def _from_all(proposed: Sequence[tuple[Closeup, Candidate]], turns: Sequence[int], asked: Asked) -> Floats:
    patches = np.stack([patch_of(closeup, candidate) for closeup, candidate in proposed])
    turned = np.concatenate([np.rot90(patches, k, axes=(1, 2)) for k in turns])
    return np.asarray(_answers(turned, asked).reshape(len(turns), len(patches), -1).mean(axis=0), np.float32)


def patch_of(closeup: Closeup, die: Candidate) -> Floats:
    """Return what the network sees of *die*: float32, shape (PATCH, PATCH, CHANNELS).

    Three channels of colour (CIE Lab, less the body's colour), how much it differs from the empty tray, and where a
    flat die must be seen from here; the face upright in the middle.
    """
    return _patch(closeup, die.fit, die.body.colour)


@lru_cache(maxsize=2 * AT_ONCE)
def _patch(closeup: Closeup, fit: FaceFit, colour: tuple[float, float, float]) -> Floats:
    """Return what `patch_of` does; the last ones are kept, as several networks are asked of the same dice."""
    half = PATCH / 2 - 0.5
    low, high = half - PATCH / SIDES / 2, half + PATCH / SIDES / 2
    upright = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    warp = cv2.getPerspectiveTransform(upright, np.array(fit.corners(closeup.side), np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (PATCH, PATCH)
    layers = cv2.warpPerspective(closeup.layers, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    hull = cv2.perspectiveTransform(outline_of(closeup, fit)[None], np.linalg.inv(warp))[0]
    outline = softly_filled(hull, size)
    # By whole rows: five channels at a time take three times as long.
    rows = cv2.merge([layers, outline]).reshape(PATCH, -1).astype(np.float32)
    rows -= np.tile(np.array([*colour, 0, 0], np.float32), PATCH)
    rows /= np.float32(64)
    rows.flags.writeable = False
    return rows.reshape(PATCH, PATCH, CHANNELS)


def _answers(patches: Floats, asked: Asked) -> Floats:
    if asked in NETWORKS:
        return deep_answers(patches, asked)
    weights = _weights(asked)
    seen = patches
    for layer in ("1", "2", "3", "4"):
        seen = _convolved(seen, weights["conv" + layer])
        seen += weights["bias" + layer]
        np.maximum(seen, 0, out=seen)
    hidden = np.maximum(seen.reshape(len(seen), -1) @ weights["dense1"] + weights["offset1"], 0)
    scores = hidden @ weights["dense2"] + weights["offset2"]
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32)


def _convolved(layers: Floats, kernels: Floats) -> Floats:
    """Return the convolution of *layers* at every second pixel.

    Parameters
    ----------
    layers : ndarray of float32, shape (K, N, N, C)
    kernels : ndarray of float32, shape (size, size, C, D)
        Of odd size.

    Returns
    -------
    ndarray of float32, shape (K, N / 2, N / 2, D)
    """
    size, _, channels, depth = kernels.shape
    count, rows, columns, _ = layers.shape
    windows = np.empty((count, rows // 2, columns // 2, size, size * channels), np.float32)
    lay_windows(layers, windows)
    flat = windows.reshape(-1, size * size * channels)
    return np.asarray(flat @ kernels.reshape(-1, depth)).reshape(count, rows // 2, columns // 2, depth)


@cache
def _weights(asked: Asked) -> dict[str, Floats]:
    with resources.files("vision.tray").joinpath(f"{asked}.npz").open("rb") as file, np.load(file) as stored:
        return {name: np.asarray(stored[name], np.float32) for name in stored.files}
