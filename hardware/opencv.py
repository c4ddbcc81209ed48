"""OpenCV, told to print nothing: what goes wrong is said by this package, in one line."""

from __future__ import annotations

import os

import cv2

__all__ = ["cv2"]

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # read by OpenCV when it opens its first video
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
