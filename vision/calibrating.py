"""Measure camera, tray and light from pictures of the empty tray, and say what is not as it should be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import cv2
import numpy as np

from vision.calibration import Calibration, CalibrationError
from vision.calibration.checks import (
    Finding,
    before_search,
    floor_mask,
    not_empty,
    of_corners,
    of_light,
    of_margin,
    of_series,
    of_sharpness,
    of_things,
)
from vision.calibration.geometry import check_geometry, check_sizes, four
from vision.find_tray import find_floor
from vision.geometry import floor_rectangle
from vision.lens import Lens, lens_from_edges
from vision.tray.dice_in import die_that_lies_in
from vision.types import Frame, Point, as_uint8

NARROWEST_MM = 400.0
"""Width of what a picture shows, at least, when it shows a whole tray."""

MIN_NOISE = 0.5
ONE_PICTURE_NOISE = 2.0
"""Standard deviation of a pixel where only one picture was given: more than most cameras have."""

ELSEWHERE_MM = 8.0
"""How far from a corner that a person gave the floor's must be found to say so. Of 71 drawn and photorealistic trays
whose floor is found by itself it is so within 2.2 mm, of one by 6.5."""

LEAST_DIE_PX = 16
"""How wide a die must be in the picture to be surely read. Of 60 drawn throws of two in good light all are read with 16
pixels and more, 50 to 56 with 12 to 14, and 44 with 11; of a dozen one with 9, and none with 8."""

MISFIT = 4 / 1280
"""How far corners may lie, in widths of the picture, from those of a floor of that size as the likeliest camera sees
it. On 107 such trays it is 0.9 of 1280 at most; with one side moved by 20 mm 18 in the middle, and by 10 mm 8."""


def calibrate(
    empty_frames: Sequence[Frame],
    *,
    tray_mm: tuple[float, float],
    die_mm: float = 16.0,
    corners: Sequence[Point] | None = None,
    lens: Lens | None = None,
) -> Calibration:
    """Measure camera, tray and light from pictures of the empty tray.

    Parameters
    ----------
    empty_frames : sequence of ndarray of uint8, shape (M, N, 3)
        One or more pictures, all of one size, nothing in the tray.
    tray_mm : (float, float)
        Width and depth of the floor as the picture shows them: the first along the top edge.
    die_mm : float
        Side of a die.
    corners : four points, optional
        Inside corners of the floor in pixels, clockwise from the top left; found when left out.
    lens : Lens, optional
        As measured with the printed target; what the straight edges of the tray tell when left out.

    Raises
    ------
    CalibrationError
        When the pictures, the sizes or the corners cannot be right; says what was seen and what to do.
    """
    size = _one_size(empty_frames)
    _refuse(before_search(empty_frames))
    empty = middle_of(empty_frames)
    if corners is None:
        check_sizes(tray_mm, die_mm)
        corners = find_floor(empty, tray_mm)
        if corners is None:
            raise CalibrationError(_why_not_found(empty))
    quad = four(corners)
    check_geometry(quad, size, tray_mm, die_mm)
    made = Calibration(
        size, tray_mm, die_mm, quad, empty, _noise(empty_frames, quad), lens or lens_from_edges(empty, quad)
    )
    _refuse(findings(made, empty_frames))
    return made


def _why_not_found(empty: Frame) -> str:
    """Return what is wrong with a picture in which no tray was found: its light, its sharpness, or nothing of that."""
    rows, columns = empty.shape[:2]
    left, right, top, bottom = columns / 4, columns * 3 / 4, rows / 4, rows * 3 / 4
    middle = ((left, top), (right, top), (right, bottom), (left, bottom))
    light = of_light(empty, middle, die_px=rows / 20)
    found = [*light, *of_sharpness(empty, middle, px_per_mm=columns / NARROWEST_MM)]
    if fatal := [finding for finding in found if finding.fatal]:
        return fatal[0].words
    why = found[0].words if found else "its four edges do not stand out"
    return f"the tray floor was not found: {why}; show all of it, nothing in it, or give its corners with --corners"


def findings(made: Calibration, frames: Sequence[Frame], *, by_hand: bool = False) -> list[Finding]:
    """Return what is not as it should be in *frames*, all of the empty tray of *made*: the fatal ones first.

    Where its corners were given *by hand* the floor is looked for as well, which takes a second.
    """
    die_px = made.die_mm * made.px_per_mm
    found = [
        *of_light(made.empty, made.corners_px, die_px),
        *of_sharpness(made.empty, made.corners_px, made.px_per_mm),
        *of_margin(made.size, made.corners_px),
        *of_corners(made.empty, made.mm_to_px, made.tray_mm),
        *of_series(frames, made.corners_px, die_px),
        *of_things(made.empty, made.corners_px, made.tray_mm, made.die_mm),
        *_of_view(made),
        *_of_shape(made),
        *_of_scale(made),
    ]
    if not any(finding.fatal for finding in found):
        found += _of_dice(made)
        found += _elsewhere(made) if by_hand else []
    return sorted(found, key=lambda finding: not finding.fatal)


def _of_view(made: Calibration) -> list[Finding]:
    """Return a finding if dice that lie at the rim would not be wholly in the picture."""
    corners = made.mm_to_px(floor_rectangle(made.tray_mm), made.die_mm)
    width, height = made.size
    cut = [(float(x), float(y)) for x, y in corners if not (0 <= x <= width - 1 and 0 <= y <= height - 1)]
    if not cut:
        return []
    x, y = (min(max(value, 0.0), side - 1.0) for value, side in zip(cut[0], made.size, strict=True))
    return [
        Finding(f"dice near the corner at {x:.0f},{y:.0f} will not be wholly in the picture; move the camera", (x, y))
    ]


def _elsewhere(made: Calibration) -> list[Finding]:
    """Return a finding if the floor is found by itself, and not where it was given."""
    floor = find_floor(made.empty, made.tray_mm)
    if floor is None:
        return []
    given = np.array(made.corners_px)
    apart = np.hypot(*(given - floor).T) / made.px_per_mm
    worst = int(apart.argmax())
    if apart[worst] < ELSEWHERE_MM:
        return []
    (x, y), (found_x, found_y) = given[worst], floor[worst]
    return [
        Finding(
            f"the floor has a corner at {found_x:.0f},{found_y:.0f}, as it seems, {apart[worst]:.0f} mm from "
            f"{x:.0f},{y:.0f}, which was given; look whether the corners are right",
            floor[worst],
        )
    ]


def _of_shape(made: Calibration) -> list[Finding]:
    """Return a finding if no camera above a floor of its size sees its corners where they are."""
    apart = np.hypot(*(made.mm_to_px(floor_rectangle(made.tray_mm)) - made.corners_px).T)
    worst = int(apart.argmax())
    if apart[worst] < MISFIT * made.size[0]:
        return []
    wide, deep = made.tray_mm
    words = (
        f"the corners do not fit a floor of {wide:g} x {deep:g} mm by {apart[worst] / made.px_per_mm:.0f} mm; "
        "look whether they and --tray-mm are right"
    )
    return [Finding(words, made.corners_px[worst])]


def _of_scale(made: Calibration) -> list[Finding]:
    """Return a finding if dice are so small in the picture that their pips cannot be told."""
    wide = int(made.die_mm * made.px_per_mm)
    if wide >= LEAST_DIE_PX:
        return []
    return [
        Finding(
            f"a die of {made.die_mm:g} mm is {wide} pixels wide in this picture: too few to be surely read, at least "
            f"{LEAST_DIE_PX} are needed; bring the camera nearer, or check --die-mm"
        )
    ]


def _of_dice(made: Calibration) -> list[Finding]:
    """Return a finding if a die lies in the tray of *made*, told by its pips: its colour may be that of the felt."""
    at = die_that_lies_in(made)
    return [] if at is None else [not_empty("the size of dice", at)]


def _refuse(found: Iterable[Finding]) -> None:
    for finding in found:
        if finding.fatal:
            raise CalibrationError(finding.words)


def _one_size(frames: Sequence[Frame]) -> tuple[int, int]:
    """Return width and height of *frames*."""
    if not frames:
        raise CalibrationError("no picture of the empty tray was given; give at least one with --from")
    sizes = {frame.shape[:2] for frame in frames}
    if len(sizes) > 1:
        listed = " and ".join(f"{w}x{h}" for h, w in sorted(sizes))
        raise CalibrationError(
            f"the pictures of the empty tray are of different sizes ({listed}); take all with one camera"
        )
    height, width = sizes.pop()
    return width, height


def middle_of(frames: Sequence[Frame]) -> Frame:
    """Return the median of each pixel of *frames*, rounded down: `np.median` takes ten times as long."""
    rising = list(frames)
    for turn in range(len(rising)):
        for k in range(turn % 2, len(rising) - 1, 2):
            one, other = rising[k : k + 2]
            rising[k : k + 2] = as_uint8(cv2.min(one, other)), as_uint8(cv2.max(one, other))
    low, high = rising[(len(rising) - 1) // 2], rising[len(rising) // 2]
    # Of one picture its own copy: who took it may write into it afterwards.
    return low.copy() if low is high else low + (high - low) // 2


def _noise(frames: Sequence[Frame], corners: Sequence[Point]) -> float:
    """Return the standard deviation of a pixel of the floor, in grey levels.

    From the differences of pictures that follow each other: what drifts slowly is no noise. The largest two in a
    hundred are left out.
    """
    if len(frames) < 2:
        return ONE_PICTURE_NOISE
    inside = floor_mask(frames[0], corners)[::2, ::2] > 0
    squares = []
    for one, other in pairwise(frames):
        apart = (other[::2, ::2].astype(np.float32) - one[::2, ::2])[inside]
        apart -= apart.mean(axis=0)
        kept = np.abs(apart) <= np.quantile(np.abs(apart), 0.98)
        squares.append(float((apart[kept] ** 2).mean()))
    # Without its outermost two in a hundred the variance of a normal distribution is 0.863 of what it was.
    return max(MIN_NOISE, float(np.sqrt(np.median(squares) / 2 / 0.863)))
