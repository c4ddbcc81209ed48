"""A part of the tray in which something lies, straightened: the picture, and what is new in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.backdrop import Backdrop, smoothed
from vision.calibration import Calibration
from vision.geometry import PX_PER_MM, homography, view_size
from vision.glance import Glance, differences
from vision.types import Doubles, Frame, Gray, as_uint8, planes

SMALLEST_PART = 0.1
"""Area in top faces below which nothing is looked at closely: dirt, and the seams of the rim."""

AROUND_MM = 4.5
"""How far around what is new the closeup reaches: the felt beside a die tells where the die ends."""

WHOLE = 0.45
"""Sides of a die over which what is new is joined: of a die of the felt's colour, pips and shadow may be all of it."""

LARGEST_HOLE = 0.2
"""Area, in top faces, up to which a hole in what is new is filled. Pips of the felt's colour are such: the red one of
asian dice has 0.08, and a row of a six whose pips touch 0.1 to 0.16."""

FLAT_PART = 320
"""Pixels of the view up to which a part is straightened by one homography, many times faster than point by point."""


@dataclass(frozen=True, eq=False)
class Closeup:
    """A rectangle of the straightened view of the plane of the dice's tops, `PX_PER_MM`.

    Attributes
    ----------
    x, y
        Its top left pixel in the view.
    picture
        uint8, shape (rows, columns, 3).
    lab
        The same in CIE Lab, smoothed: uint8, shape (rows, columns, 3).
    changed
        uint8, 0 or 255: where it differs from the empty tray, shadows included.
    body
        uint8, 0 or 255: the same without what may be a shadow on the felt.
    darker
        uint8, 0 or 255: where it is darker than the empty tray in every channel.
    delta
        By how many grey levels it differs, the most of the three channels: uint8, shape (rows, columns).
    side
        Side of a die in its pixels.
    feet
        Homography in its pixels, from where a flat die's top is seen to where its foot is: float64, shape (3, 3).
    lies_still
        Whether it is known that nothing in it moves: then what looks blurred only looks so.
    """

    x: int
    y: int
    picture: Frame
    lab: Frame
    changed: Gray
    body: Gray
    darker: Gray
    delta: Gray
    side: float
    feet: Doubles
    lies_still: bool = False

    @cached_property
    def layers(self) -> Frame:
        """`lab` and `delta` in one: uint8, shape (rows, columns, 4)."""
        return as_uint8(cv2.merge([self.lab, self.delta]))

    @cached_property
    def lit(self) -> Gray:
        """`body` without what is `darker`: uint8, 0 or 255."""
        return as_uint8(cv2.bitwise_and(self.body, cv2.bitwise_not(self.darker)))

    def part_of(self, view: Frame) -> Frame:
        """Return what of a straightened *view*, of the whole tray, it shows."""
        rows, columns = self.body.shape
        return view[self.y : self.y + rows, self.x : self.x + columns]

    def cut(self, x0: int, y0: int, x1: int, y1: int) -> Closeup:
        """Return the part of it from pixel (*x0*, *y0*) up to (*x1*, *y1*), these excluded."""
        here = np.s_[y0:y1, x0:x1]
        # Copies: what is compiled takes arrays whose rows lie together.
        layers = (self.picture, self.lab, self.changed, self.body, self.darker, self.delta)
        picture, lab, changed, body, darker, delta = (np.ascontiguousarray(layer[here]) for layer in layers)
        x, y = self.x + x0, self.y + y0
        feet = _from(x0, y0, self.feet)
        return Closeup(x, y, picture, lab, changed, body, darker, delta, self.side, feet, self.lies_still)

    def seen_from(self, feet: Doubles) -> Closeup:
        """Return the same, seen by a camera of another `Backdrop.feet`: *feet*, in pixels of the whole view."""
        return replace(self, feet=_from(self.x, self.y, feet))


def _from(x: int, y: int, feet: Doubles) -> Doubles:
    """Return the homography *feet* in the pixels of the part that begins at (*x*, *y*)."""
    there, back = (np.array([[1, 0, way * x], [0, 1, way * y], [0, 0, 1.0]]) for way in (1, -1))
    return np.asarray(back @ feet @ there, np.float64)


def closeups(
    frame: Frame, calibration: Calibration, backdrop: Backdrop, seen: Glance, around_mm: float = AROUND_MM
) -> list[Closeup]:
    """Return a closeup of every part of *frame* in which something lies, and *around_mm*; they do not overlap."""
    boxes = _merged(_boxes(seen, backdrop.shrink, calibration, around_mm))
    return [_closeup(frame, calibration, backdrop, seen, box) for box in boxes]


_Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the view, the last two excluded."""


def _boxes(seen: Glance, by: int, calibration: Calibration, around_mm: float) -> list[_Box]:
    """Return the boxes, in the view, around what is new."""
    least = SMALLEST_PART * (calibration.die_mm * calibration.px_per_mm / by) ** 2
    wide, deep = view_size(calibration.tray_mm)
    around, side = around_mm * PX_PER_MM, calibration.die_mm * PX_PER_MM
    close = max(1, round(WHOLE * calibration.die_mm * calibration.px_per_mm / by))
    joined = cv2.morphologyEx(seen.changed, cv2.MORPH_CLOSE, np.ones((close, close), np.uint8))
    contours = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    found = [cv2.boundingRect(contour) for contour in contours if cv2.contourArea(contour) >= least]
    if not found:
        return []
    corners = [((x, y), (x + w, y), (x + w, y + h), (x, y + h)) for x, y, w, h in found]
    bodies = np.array([_extent(seen.body[y : y + h, x : x + w]) for x, y, w, h in found])
    in_picture = np.array(corners, np.float64).reshape(-1, 2) * by
    boxes = []
    quads = calibration.px_to_view_points(in_picture - seen.shift).reshape(-1, 4, 2)
    for quad, body in zip(quads, bodies * (PX_PER_MM * by / calibration.px_per_mm), strict=True):
        low, high = quad.min(axis=0), quad.max(axis=0)
        # Of a die of the felt's colour only a part may look new, or nothing but its shadow.
        reach = around + np.maximum(side - body, 0)
        x0, y0 = np.maximum(np.floor(low - reach), 0)
        x1, y1 = np.minimum(np.ceil(high + reach), (wide, deep))
        if x1 - x0 > 2 * around and y1 - y0 > 2 * around:
            boxes.append((int(x0), int(y0), int(x1), int(y1)))
    return boxes


def _extent(mask: Gray) -> tuple[int, int]:
    """Return width and height of what is marked in *mask*."""
    _, _, wide, high = cv2.boundingRect(mask)
    return wide, high


def _merged(boxes: Sequence[_Box]) -> list[_Box]:
    """Return *boxes*, those that overlap made one."""
    apart: list[_Box] = []
    for box in boxes:
        grown, touching = box, True
        while touching:
            over = [other for other in apart if _overlap(grown, other)]
            apart = [other for other in apart if other not in over]
            joined = [grown, *over]
            grown = (
                min(b[0] for b in joined),
                min(b[1] for b in joined),
                max(b[2] for b in joined),
                max(b[3] for b in joined),
            )
            touching = bool(over)
        apart.append(grown)
    return apart


def _overlap(a: _Box, b: _Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _closeup(frame: Frame, calibration: Calibration, backdrop: Backdrop, seen: Glance, box: _Box) -> Closeup:
    x0, y0, x1, y1 = box
    picture = _straightened(frame, calibration, seen, box)
    empty = backdrop.view[y0:y1, x0:x1]
    new = differences(planes(smoothed(picture)), planes(empty), seen.gain, calibration.noise)
    lab = lab_of(picture)
    # As the channels of one picture, for the price of little more than one mask.
    changed, body, darker = planes(_cleaned(cv2.merge([new.changed, new.body, new.darker])))
    # Pips of the felt's colour are no holes in the die.
    for mask in (changed, body):
        _fill(mask, LARGEST_HOLE * calibration.die_mm**2 * PX_PER_MM**2)
    side = calibration.die_mm * PX_PER_MM
    return Closeup(x0, y0, picture, lab, changed, body, darker, new.delta, side, _from(x0, y0, backdrop.feet))


def lab_of(picture: Frame) -> Frame:
    """Return *picture* in CIE Lab, smoothed, as `Closeup.lab` is."""
    return as_uint8(cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_BGR2LAB))


def _straightened(frame: Frame, calibration: Calibration, seen: Glance, box: _Box) -> Frame:
    """Return the straightened picture of *box*: in so small a part the lens bends nothing, only shifts it."""
    x0, y0, x1, y1 = box
    if max(x1 - x0, y1 - y0) > FLAT_PART:
        where_x, where_y = cv2.split(calibration.view_map[y0:y1, x0:x1] + np.array(seen.shift, np.float32))
        return as_uint8(cv2.remap(frame, where_x, where_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
    here = homography(corners - (x0, y0), calibration.view_points_to_px(corners) + seen.shift)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (x1 - x0, y1 - y0)
    return as_uint8(cv2.warpPerspective(frame, here, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


_CROSS = np.ones((3, 3), np.uint8)
_PATCH = np.ones((5, 5), np.uint8)


def _fill(mask: Gray, largest: float) -> None:
    """Fill the holes in *mask*, in place, that are not larger than so many pixels."""
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    for k, contour in enumerate(contours):
        # Without any contour there is no tree either, and no turn of this loop.
        if tree[0, k, 3] >= 0 and cv2.contourArea(contour) < largest:
            cv2.drawContours(mask, contours, k, 255, cv2.FILLED)


def _cleaned(masks: cv2.typing.MatLike) -> cv2.typing.MatLike:
    opened = cv2.morphologyEx(masks, cv2.MORPH_OPEN, _CROSS)
    return cv2.morphologyEx(opened, cv2.MORPH_CLOSE, _PATCH)
