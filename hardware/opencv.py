"""OpenCV, told to print nothing: what goes wrong is said by this package, in one line."""

from __future__ import annotations

import os

import cv2

__all__ = ["cv2"]

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # read by OpenCV when it opens its first video
_SILENT = 0


def _be_silent() -> None:
    """Switch OpenCV's log off, under the name it has in this version: 4.7 moved it."""
    logging = getattr(cv2.utils, "logging", None)
    set_level = logging.setLogLevel if logging else getattr(cv2, "setLogLevel", None)
    if set_level is not None:
        set_level(_SILENT)


_be_silent()
