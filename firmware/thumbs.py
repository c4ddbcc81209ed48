"""The dice of a stored throw as a small display can show them."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.devices import Bitmap
from vision import evidence
from vision.types import Frame, as_uint8

HIGH_PX = 34
GAP_PX = 6


def thumb(jpeg: bytes | None, dice: int) -> Bitmap | None:
    """Return the *dice* of a picture of the journal, side by side, in lit and dark pixels; None without a picture."""
    if not jpeg or not dice:
        return None
    sheet = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    cells = [] if sheet is None else evidence.cells_of(as_uint8(sheet), dice)
    if not cells:
        return None
    gap = np.zeros((HIGH_PX, GAP_PX), np.uint8)
    parts = [part for cell in cells for part in (_lit(as_uint8(cell)), gap)][:-1]
    row = np.concatenate(parts, axis=1)
    return Bitmap(row.shape[1], row.shape[0], row.tobytes())


def _lit(cell: Frame) -> Frame:
    """Return *cell* small, its lighter half lit: the body against its pips, whichever is the lighter (Otsu, 1979)."""
    gray = cv2.cvtColor(cell, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(gray, (HIGH_PX, HIGH_PX), interpolation=cv2.INTER_AREA)
    return as_uint8(cv2.threshold(small, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1])
