"""What may be wrong with pictures of the empty tray: each finding in one line, with the place and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.calibration.sides import steps_at_sides
from vision.calibration.things import something_lies_there
from vision.geometry import LONGEST
from vision.types import Doubles, Floats, Frame, Gray, Mask, Point, VisionError, as_uint8

ALIKE = 0.15
"""Response of the phase correlation below which two pictures say nothing of a movement: noise alone gives 0.1."""

MIN_LIGHT = 8.0
"""Mean grey of the tray floor below which no die can be told from felt."""

DIM_LIGHT = 25.0
"""Mean grey of the tray floor below which noise begins to hide pips."""

SATURATED = 250
CLIPPED, TOO_BRIGHT = 0.15, 0.5
"""Share of the floor that may be saturated in a colour before it is worth telling, and before it is too much."""

WHITE_PX = 3
"""How far around its middle, in pixels, all of something is saturated that may be glare."""

GLARE_DICE = 0.15
"""Size of a white spot, in areas of a die, that is worth telling."""

BLUR_MM = 0.75
"""Standard deviation of the sharpest edges, millimetres of tray: twice what the worst of 20 sharp pictures had."""

SHARP_PX = 1.4
"""Standard deviation in pixels that is never too much: small pictures have hardly less. One of three films of 640x480
has 0.8, three quarters of what `BLUR_MM` allows there; another is read right when it is blurred by 1.2 more."""

TRAY_BLUR = 0.5
AROUND = 1.1
"""What the edges of the tray alone, so many times as wide as its floor, must come to of that for the picture to be
blurred: a cloth beside it may have soft stripes, stronger than any edge. Of eight trays, two of them on such a cloth,
none had more than 0.22; blurred by three pixels more none less than 0.74."""

SHARP_TRAY_PX = 1.0
"""What they may always come to: of 24 trays in pictures 640 pixels wide, two of them on such a cloth, none had more
than 0.85 but for one of these, 0.93; blurred by 1.5 pixels more eight of twelve had 1.2 and above."""

MIN_CONTRAST = 1.5
"""Standard deviation in grey levels of a picture that shows anything."""

BEATING, FLASHING = 0.04, 0.3
"""By which part the brightness may change between pictures taken one after the other: worth telling, too much."""

BANDS = 0.012
"""By which part rows may be brighter in one picture than in the others."""

STEPPED, MOVED = 1.5 / 1280, 5.0 / 1280
"""By which part of the width the tray may move between pictures: worth telling, too much."""

OTHER_COLOUR = 0.15
"""Logarithm by which one colour may change against the others between pictures of one tray in one light."""

ALIEN = 0.3
"""Difference of the logarithm of light between pictures that noise and flicker do not make."""


NO_EDGE, SOME, MOST = 0.12, 2, 3
"""Step across a side of the floor, in logarithms of light, below which no edge is there; of how many sides so it is
worth telling, and of how many too much. Of 360 drawn empty trays and 24 photorealistic ones two have two such sides,
none three; with the corners a tenth nearer to the middle all drawn ones have two, and nine of ten three."""

CUT_OFF = 3.0 / 1280
"""Part of the picture's width within which of its edge a corner of the floor is not all there: what is cut off by two
pixels has its corners, as they are given or found, where it is cut."""


class CalibrationError(VisionError, ValueError):
    """A calibration cannot be made, or a saved one cannot be used; the message is one line for a person."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be.

    Attributes
    ----------
    words
        One line: what was seen, where, and what to do.
    at
        Where in the picture, in pixels, or None.
    fatal
        Whether no calibration can be made of this.
    """

    words: str
    at: Point | None = None
    fatal: bool = False


LEAST_PX = 64
"""A picture with fewer rows or columns shows no tray: a die of a twentieth of it has three pixels."""


def before_search(frames: Sequence[Frame]) -> Iterator[Finding]:
    """Yield what is wrong with *frames* wherever the tray is in them."""
    height, width = frames[0].shape[:2]
    if min(width, height) < LEAST_PX:
        yield Finding(f"a picture of {width} x {height} pixels: too small for a tray; take one of 640 x 480 or more",
                      fatal=True)  # fmt: skip
    elif max(width, height) > LONGEST * min(width, height):
        yield Finding(f"a picture of {width} x {height} pixels: more than {LONGEST} times as long as wide; take one of "
                      "640 x 480 or more", fatal=True)  # fmt: skip
    for number, frame in enumerate(frames, 1):
        mean, deviation = cv2.meanStdDev(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))
        if deviation[0, 0] < MIN_CONTRAST:
            colour = ",".join(f"{value:.0f}" for value in frame.reshape(-1, 3).mean(axis=0)[::-1])
            which = "the picture" if len(frames) == 1 else f"picture {number}"
            dark, bright = mean[0, 0] < MIN_LIGHT, mean[0, 0] > SATURATED
            wrong = "too dark: " if dark else "too bright: " if bright else ""
            cure = "less light or less exposure" if bright else "uncover the lens, light the tray"
            yield Finding(f"{wrong}{which} is of one colour (red,green,blue {colour}): no tray is in it, and --corners "
                          f"would not help; {cure}", fatal=True)  # fmt: skip


def of_light(empty: Frame, corners: Sequence[Point], die_px: float) -> Iterator[Finding]:
    """Yield what is wrong with the light on the floor between *corners*."""
    floor = floor_mask(empty, corners)
    mean = float(cv2.mean(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY), floor)[0])
    if mean < MIN_LIGHT:
        yield Finding(f"too dark: the tray floor has a mean of {mean:.0f} of 255; more light or more exposure",
                      fatal=True)  # fmt: skip
    elif mean < DIM_LIGHT:
        yield Finding(f"dim: the tray floor has a mean of {mean:.0f} of 255; more light makes the reader surer")
    clipped = cv2.countNonZero(as_uint8(np.where((empty >= SATURATED).any(axis=2), floor, 0)))
    share = clipped / max(cv2.countNonZero(floor), 1)
    if share > CLIPPED:
        yield Finding(f"too bright: {share:.0%} of the tray floor is saturated; less light or less exposure",
                      fatal=share > TOO_BRIGHT)  # fmt: skip
        return
    white = as_uint8(np.where((empty >= SATURATED).all(axis=2), floor, 0))
    for size, (x, y) in spots(white):
        if size > GLARE_DICE * die_px**2:
            yield Finding(f"glare at {x:.0f},{y:.0f}: move the lamp or put a sheet of paper before it", (x, y))


def of_sharpness(empty: Frame, corners: Sequence[Point], px_per_mm: float) -> Iterator[Finding]:
    """Yield a finding if even the sharpest edges of the picture are blurred, those of the tray at *corners* as well."""
    sigma, limit = blur_px(empty), max(SHARP_PX, BLUR_MM * px_per_mm)
    if sigma is None or sigma <= limit:
        return
    middle = np.mean(corners, axis=0)
    x, y, wide, deep = cv2.boundingRect((middle + AROUND * (np.array(corners) - middle)).astype(np.float32))
    of_tray = blur_px(empty[max(y, 0) : y + deep, max(x, 0) : x + wide])
    if of_tray is None or of_tray > max(TRAY_BLUR * limit, SHARP_TRAY_PX):
        yield Finding(f"blurred: the sharpest edges are {2 * sigma:.0f} pixels wide; focus on the felt, clean the "
                      "lens, hold the camera still", fatal=True)  # fmt: skip


def of_margin(size: tuple[int, int], corners: Sequence[Point]) -> Iterator[Finding]:
    """Yield a finding if the edge of the picture cuts the tray off."""
    width, height = size
    near = [(x, y) for x, y in corners if min(x, y, width - 1 - x, height - 1 - y) < CUT_OFF * width]
    if near:
        x, y = near[0]
        yield Finding(f"the tray is cut off: the corner at {x:.0f},{y:.0f} is on the edge of the picture; move the "
                      "camera so that the whole floor and some of the rim are in view", near[0], True)  # fmt: skip


def of_corners(empty: Frame, mm_to_px: Callable[[Doubles], Doubles], tray_mm: tuple[float, float]) -> Iterator[Finding]:
    """Yield a finding if no edge is seen where the sides of the floor ought to be, as *mm_to_px* has them."""
    bare = int((steps_at_sides(empty, mm_to_px, tray_mm) < NO_EDGE).sum())
    if bare >= SOME:
        yield Finding(f"the corners do not fit: along {bare} of the four sides between them no edge of a tray is seen; "
                      "give the inside corners of the floor with --corners", fatal=bare >= MOST)  # fmt: skip


def of_things(empty: Frame, corners: Sequence[Point], tray_mm: tuple[float, float], die_mm: float) -> Iterator[Finding]:
    """Yield a finding if something lies on the floor: dice, a hand."""
    found = something_lies_there(empty, corners, tray_mm, die_mm)
    if found is not None:
        (x, y), area_mm2 = found
        size = "the size of dice" if area_mm2 < 6 * die_mm**2 else "as large as a hand"
        yield glare_or_thing(size, (x, y)) if _is_white(empty, (x, y)) else not_empty(size, (x, y))


def _is_white(picture: Frame, at: Point) -> bool:
    """Return whether all that lies just around *at* is saturated."""
    x, y = (round(value) for value in at)
    around = picture[max(0, y - WHITE_PX) : y + WHITE_PX + 1, max(0, x - WHITE_PX) : x + WHITE_PX + 1]
    return bool(around.size) and int(around.min()) >= SATURATED


def glare_or_thing(size: str, at: Point) -> Finding:
    """Return the finding that something white, of such a *size*, is seen in the tray *at* a place in the picture."""
    x, y = at
    return Finding(f"glare at {x:.0f},{y:.0f}, or something white {size}: move the lamp or put a sheet of paper "
                   "before it, take everything out of the tray, take the picture again", at, fatal=True)  # fmt: skip


def not_empty(size: str, at: Point) -> Finding:
    """Return the finding that something of such a *size* lies in the tray, *at* a place in the picture."""
    x, y = at
    return Finding(f"the tray is not empty: something {size} is at {x:.0f},{y:.0f}; take dice and hands out of the "
                   "tray and take the picture again", at, fatal=True)  # fmt: skip


def of_flicker(frames: Sequence[Frame], corners: Sequence[Point]) -> Finding | None:
    """Return how the light changes between *frames*, or within one, if it does; fatal where nothing can be measured."""
    rows = _rows(floor := floor_mask(frames[0], corners))
    light = np.array([_row_light(frame, floor)[rows] for frame in frames])
    means = light.mean(axis=1)
    if means.mean() < MIN_LIGHT:  # said of the first picture
        return None
    swing = float((means.max() - means.min()) / means.mean())
    if swing > FLASHING:
        return Finding(f"the pictures differ: the light changes by {swing:.0%} between them; let exposure and lamp be "
                       "the same in all", fatal=True)  # fmt: skip
    flicker = f"the light flickers: it changes by {swing:.0%} between pictures" if swing > BEATING else ""
    flicker = flicker or _bands(light)
    if not flicker:
        return None
    return Finding(f"{flicker}, as lamps on the mains do 100 or 120 times a second; take another lamp, or an "
                   "exposure of 10 or 20 ms (50 Hz mains), 8.3 or 16.7 ms (60 Hz)")  # fmt: skip


def of_series(frames: Sequence[Frame], corners: Sequence[Point], die_px: float) -> Iterator[Finding]:
    """Yield what changes between *frames*, all of one size, that were taken one after the other."""
    if len(frames) < 2:
        return
    flicker = of_flicker(frames, corners)
    if flicker is not None:
        yield flicker
        if flicker.fatal:
            return
    moved = _movement(frames)
    if moved > STEPPED * frames[0].shape[1]:
        yield Finding(f"the pictures differ: the tray moved by {moved:.1f} pixels between them; fix camera and tray",
                      fatal=moved > MOVED * frames[0].shape[1])  # fmt: skip
        if moved > MOVED * frames[0].shape[1]:
            return
    yield from _intruders(frames, floor_mask(frames[0], corners), die_px)


def floor_mask(frame: Frame, corners: Sequence[Point]) -> Gray:
    """Return 255 on the floor between *corners*, else 0: uint8, shape (rows, columns)."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(corners)).astype(np.int32), 255)
    return mask


def spots(mask: Gray) -> list[tuple[float, Point]]:
    """Return area and middle, in pixels, of each connected part of *mask*, the largest first."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    areas = stats[1:, cv2.CC_STAT_AREA]
    return [(float(areas[i]), (float(middles[i + 1][0]), float(middles[i + 1][1]))) for i in np.argsort(-areas)]


def blur_px(picture: Frame) -> float | None:
    """Return the standard deviation, in pixels, by which the sharpest edges are blurred; None without edges.

    Notes
    -----
    An edge blurred by s is, blurred again by a and by b, as steep as 1 / sqrt(s^2 + a^2) and 1 / sqrt(s^2 + b^2): their
    ratio gives s (after Zhuo and Sim, Defocus map estimation from a single image, 2011). Upright and level edges
    apart, for a camera that shakes blurs only one kind.
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    found = []
    for order in ((1, 0), (0, 1)):
        fine, coarse = (_steepness(gray, sigma, order) for sigma in (FINE, COARSE))
        kernel = np.ones((1, 7) if order[0] else (7, 1), np.uint8)
        crest: Mask = (fine >= cv2.dilate(fine, kernel)) & (fine > 1)
        crest[:8], crest[-8:], crest[:, :8], crest[:, -8:] = False, False, False, False
        if np.count_nonzero(crest) < MIN_EDGES:
            continue
        crest &= fine >= np.quantile(fine[crest], 0.9)
        ratio = (fine[crest] / np.maximum(coarse[crest], 1e-3)) ** 2
        squares = (COARSE**2 - ratio * FINE**2) / np.maximum(ratio - 1, 1e-3)
        found.append(float(np.sqrt(np.quantile(np.maximum(squares, 0), 0.25))))
    return max(found, default=None)


FINE, COARSE = 1.0, 2.5
MIN_EDGES = 400


def _steepness(gray: Floats, sigma: float, order: tuple[int, int]) -> Floats:
    return np.abs(cv2.Sobel(cv2.GaussianBlur(gray, (0, 0), sigma), cv2.CV_32F, *order, ksize=3)).astype(np.float32)


def _rows(floor: Gray) -> Mask:
    """Return which rows show much of the floor."""
    width = (floor > 0).sum(axis=1)
    return np.asarray(width > 0.5 * width.max())


def _row_light(frame: Frame, floor: Gray) -> Doubles:
    """Return the mean brightness of the floor in each row, shape (rows,)."""
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float64)
    inside = floor > 0
    return np.asarray((gray * inside).sum(axis=1) / np.maximum(inside.sum(axis=1), 1))


def _bands(light: Doubles) -> str:
    """Return words if rows of *light*, (pictures, rows), are brighter in one picture than in the others."""
    ratio = light / np.maximum(np.median(light, axis=0), 1)
    ratio /= ratio.mean(axis=1, keepdims=True)
    smooth = cv2.blur(ratio.astype(np.float32), (15, 1))
    depth = float((np.quantile(smooth, 0.95, axis=1) - np.quantile(smooth, 0.05, axis=1)).max()) / 2
    return f"the light flickers: bands of {depth:.1%} run over the picture" if depth > BANDS else ""


def _movement(frames: Sequence[Frame]) -> float:
    """Return by how many pixels the tray is shifted in the worst of *frames* against the first.

    A camera that is turned or lowered shifts every quarter of the picture another way, and the whole hardly; of the
    quarters the least but one counts: a hand may fill two.
    """
    scale = min(1.0, 640 / frames[0].shape[1])
    grays = (cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) for frame in frames)
    small = [cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) for gray in grays]
    first, *others = (np.asarray(gray, np.float32) for gray in small)
    rows, columns = (length // 2 for length in first.shape)
    quarters = [np.s_[y : y + rows, x : x + columns] for y in (0, rows) for x in (0, columns)]
    shifts = []
    for other in others:
        of_quarters = sorted(_shift(first[part], other[part]) for part in quarters)
        shifts += [_shift(first, other), of_quarters[1]]
    return float(max(shifts, default=0.0) / scale)


def _shift(before: Floats, after: Floats) -> float:
    """Return by how many pixels *after* is shifted against *before*; 0 where that cannot be told."""
    window = cv2.createHanningWindow(before.shape[::-1], cv2.CV_32F)
    # Copies, because phaseCorrelate may multiply the window into what it is given.
    (x, y), response = cv2.phaseCorrelate(before.copy(), after.copy(), window)
    return float(np.hypot(x, y)) if response > ALIKE else 0.0


def _intruders(frames: Sequence[Frame], floor: Gray, die_px: float) -> Iterator[Finding]:
    """Yield a finding for the first of *frames* in which something is on the *floor* that is not in the others."""
    sigma = max(die_px / 8, 1.0)
    # Of what is blurred every so many-th row and column tells as much.
    step = 1 + int(sigma / 2)
    floor = floor[::step, ::step]
    blurred = (cv2.GaussianBlur(frame, (0, 0), sigma)[::step, ::step] for frame in frames)
    logs = [np.log(frame.astype(np.float32) + 12) for frame in blurred]
    usual = np.median(np.stack(logs), axis=0)
    for number, log in enumerate(logs, 1):
        which = "the pictures differ: picture 1 and 2" if len(frames) == 2 else f"the pictures differ: picture {number}"
        change = log - usual
        light = np.median(change[floor > 0], axis=0)
        if float(np.ptp(light)) > OTHER_COLOUR:
            yield Finding(f"{which} show another colour of the floor; let tray, lamp and white balance be the same "
                          "in all", fatal=True)  # fmt: skip
            return
        apart = as_uint8(np.where(np.abs(change - light).max(axis=2) > ALIEN, floor, 0))
        for area, (column, row) in spots(apart)[:1]:
            if area * step**2 > 0.3 * die_px**2:
                x, y = column * step, row * step
                yield Finding(f"{which} at {x:.0f},{y:.0f}: something is there that was not there before; take dice "
                              "and hands out of the tray and take all again", (x, y), True)  # fmt: skip
                return
