"""The yardstick: a dice reader as dozens of hobby projects have it, written from scratch.

A median blur of 7, OpenCV's blob detector with an inertia ratio of 0.6 and all else as it comes, and blobs that are
nearer than a fixed distance to one another are one die. The number of blobs in a group is its face.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.types import Frame

NEAR_PX = 40.0
"""Blobs nearer than this belong to one die; so many pixels whatever the picture's size, hence `WIDTHS`."""

WIDTHS = (240, 320, 400, 480, 560, 640, 800, 1024, 1280)
"""Widths the picture is tried at: it is the reader's only adjustment."""


def read(frame: Frame, width: int, dice: int | None = None) -> tuple[int, ...] | None:
    """Read *frame*, shape (M, N, 3), scaled to *width*, as the hobby reader does.

    Returns
    -------
    tuple of int or None
        Faces from high to low. None where it finds another number of dice than *dice*, or a face above six: the
        usual reader shows these all the same; to its advantage they are not counted as answers.

    Examples
    --------
    >>> frame = np.full((200, 320, 3), 255, np.uint8)
    >>> for x, y in ((50, 50), (70, 70), (200, 100)):
    ...     _ = cv2.circle(frame, (x, y), 7, (0, 0, 0), -1)
    >>> read(frame, 320, dice=2)
    (2, 1)
    """
    height = round(frame.shape[0] * width / frame.shape[1])
    small = frame if width == frame.shape[1] else cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA)
    blobs = _detector().detect(cv2.medianBlur(small, 7))
    faces = tuple(sorted(_groups(np.array([blob.pt for blob in blobs]).reshape(-1, 2)), reverse=True))
    wrong = not faces or faces[0] > 6 or (dice is not None and len(faces) != dice)
    return None if wrong else faces


@cache
def _detector() -> cv2.SimpleBlobDetector:
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.filterByInertia = True
    wanted.minInertiaRatio = 0.6
    return cv2.SimpleBlobDetector.create(wanted)


def _groups(places: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[int]:
    """Return how many of *places*, shape (N, 2), are in each group of single linkage at `NEAR_PX`."""
    group = list(range(len(places)))
    for one in range(len(places)):
        for two in np.flatnonzero(np.linalg.norm(places[:one] - places[one], axis=1) < NEAR_PX):
            old, new = group[one], group[two]
            group = [new if name == old else name for name in group]
    return [group.count(name) for name in set(group)]
