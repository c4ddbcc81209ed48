"""The dice of the house: size, colours and layout, learned from dice that were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.calibration import plain
from vision.types import Bgr, Die, Doubles, Floats, Frame, as_uint8

SIDE_PX = 70
"""Side of a die in the crop in which it is measured."""

MARGIN = 0.3
"""How much of the die's side the crop shows around it."""

NEAR = 0.13
"""How far, in sides, a pip may be from where the layout has it."""

ONE_BODY = 26.0
"""CIE Lab distance below which two bodies are of one colour: light differs over the tray."""

LARGE_ONE = 1.3
"""How much larger than the other pips the pip of a one is on asian dice."""

OTHER_INK = 40.0
"""CIE Lab distance between the pips of ones and fours and the others: red on asian dice."""

PIP_SIDES = (0.06, 0.5)
"""Diameters of pips in sides that are believed."""


@dataclass(frozen=True, slots=True)
class DieModel:
    """One kind of dice; lengths of the layout in sides of the die, None where no such face was seen.

    Attributes
    ----------
    body_bgr, pip_bgr
        Colours in the light of the calibration.
    side_mm
        Side as the outline shows it, millimetres.
    pip
        Diameter of a pip, not that of a one.
    one
        Diameter of the pip of a one.
    span
        Distance of the corner pips of a two to five along a side.
    six_long, six_short
        Length of a row of three pips of a six; distance of its two rows.
    layout
        ``western``, ``asian`` (a large or red one), or ``unknown`` when no one and no four was seen.
    seen
        Faces it was learned from, sorted.
    """

    body_bgr: Bgr
    pip_bgr: Bgr
    side_mm: float
    pip: float | None
    one: float | None
    span: float | None
    six_long: float | None
    six_short: float | None
    layout: str
    seen: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: _plain(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DieModel:
        """Return what `to_json` gave, or raise ValueError or KeyError."""
        lengths = {name: _length(data[name]) for name in ("pip", "one", "span", "six_long", "six_short")}
        if data["layout"] not in ("western", "asian", "unknown"):
            raise ValueError(f"dice of the layout {data['layout']!r}")
        seen = tuple(plain.whole(face) for face in plain.listed(data["seen"]))
        if not all(1 <= face <= 6 for face in seen):
            raise ValueError(f"dice with the faces {seen}")
        side = plain.number(data["side_mm"])
        if not 4 <= side <= 60:
            raise ValueError(f"dice of {side:g} mm")
        return cls(_bgr(data["body_bgr"]), _bgr(data["pip_bgr"]), side, **lengths, layout=data["layout"], seen=seen)


@dataclass(frozen=True, eq=False)
class Specimen:
    """One die as it was measured.

    Attributes
    ----------
    face
        What it shows.
    crop
        The die upright: uint8, shape (rows, columns, 3), `SIDE_PX` pixels a side and `MARGIN` around.
    body, ink
        Colours of body and pips: float64, (3,), blue-green-red.
    pips
        Middles of its pips in sides from the middle of the face: float64, (N, 2).
    diameter
        Mean diameter of the pips in sides.
    side_mm
        Side as the outline shows it.
    """

    face: int
    crop: Frame
    body: Doubles
    ink: Doubles
    pips: Doubles
    diameter: float
    side_mm: float


def measure(frame: Frame, die: Die, die_mm: float, away_px: Doubles) -> Specimen | None:
    """Return the measures of *die* in *frame*; None where its pips are not where they were read.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
    die : Die
        As the reader saw it, with a face.
    die_mm : float
        Side that the reader took for it.
    away_px : ndarray of float64, shape (2,)
        Direction in the picture from the point below the camera to the die: the sides of the die that face the other
        way hide behind its top, whose edge is then the outline.
    """
    if die.face is None or len(die.pips_px) != die.face:
        return None
    to_crop = _upright(die)
    size = round(SIDE_PX * (1 + 2 * MARGIN))
    crop = as_uint8(cv2.warpPerspective(frame, to_crop, (size, size), flags=cv2.INTER_LINEAR))
    lab = cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    places = cv2.perspectiveTransform(np.array([die.pips_px], np.float64), to_crop)[0] / SIDE_PX - MARGIN - 0.5
    rows, columns = (np.mgrid[:size, :size] + 0.5) / SIDE_PX - MARGIN - 0.5
    distances = np.stack([np.hypot(columns - x, rows - y) for x, y in places])
    beside, nearest = distances.min(axis=0), distances.argmin(axis=0)
    plain = (beside > 0.2) & (np.maximum(np.abs(columns), np.abs(rows)) < 0.4)
    body_lab = np.median(lab[plain], axis=0)
    apart = np.linalg.norm(lab - body_lab, axis=2).astype(np.float32)
    noise = float(np.median(apart[plain]))
    found = [_pip(np.where(nearest == k, apart, 0), columns - x, rows - y, noise) for k, (x, y) in enumerate(places)]
    if any(pip is None for pip in found):
        return None
    measured = np.array([pip for pip in found if pip is not None])
    inked = np.min([np.hypot(columns - x, rows - y) for x, y in places + measured[:, :2]], axis=0)
    ink = np.median(crop[inked < 0.25 * float(measured[:, 2].mean())], axis=0)
    away = np.asarray(np.linalg.solve(_turn(to_crop), away_px), np.float64)
    side = 2 * _outline(apart, away, noise) * die_mm
    return Specimen(
        die.face,
        crop,
        np.median(crop[plain], axis=0),
        ink,
        places + measured[:, :2],
        float(measured[:, 2].mean()),
        side,
    )


def models(specimens: Sequence[Specimen]) -> tuple[DieModel, ...]:
    """Return the kinds of dice among *specimens*, told apart by the colour of their bodies."""
    return tuple(_model(group) for group in kinds(specimens))


def kinds(specimens: Sequence[Specimen]) -> list[list[Specimen]]:
    """Return *specimens* in groups of one colour of body, in the order in which they were first seen."""
    groups: list[list[Specimen]] = []
    for specimen in specimens:
        near = [group for group in groups if _lab_distance(group[0].body, specimen.body) < ONE_BODY]
        if near:
            near[0].append(specimen)
        else:
            groups.append([specimen])
    return groups


def _model(group: Sequence[Specimen]) -> DieModel:
    ones = [s.diameter for s in group if s.face == 1]
    others = [s for s in group if s.face != 1]
    plain = [s for s in others if s.face != 4] or others or list(group)
    sixes = [_six(s.pips) for s in group if s.face == 6]
    spans = [span for s in group for span in _spans(s)]
    return DieModel(
        _as_bgr([s.body for s in group]),
        _as_bgr([s.ink for s in plain]),
        round(float(np.median([s.side_mm for s in group])), 2),
        _middle([s.diameter for s in others]),
        _middle(ones),
        _middle(spans),
        _middle([long for long, _ in sixes]),
        _middle([short for _, short in sixes]),
        _layout(group, _middle([s.diameter for s in others]), _middle(ones)),
        tuple(sorted({s.face for s in group})),
    )


def _layout(group: Sequence[Specimen], pip: float | None, one: float | None) -> str:
    plain = [s.ink for s in group if s.face not in (1, 4)]
    red = [s.ink for s in group if s.face in (1, 4)]
    if pip is not None and one is not None and one > LARGE_ONE * pip:
        return "asian"
    if red and plain and _lab_distance(np.median(red, axis=0), np.median(plain, axis=0)) > OTHER_INK:
        return "asian"
    return "unknown" if one is None or pip is None else "western"


def _spans(specimen: Specimen) -> Iterator[float]:
    """Yield the distance of corner pips along the sides, in sides, of a two to five."""
    across = specimen.pips.max(axis=0) - specimen.pips.min(axis=0)
    if specimen.face in (2, 3, 4, 5):
        yield float(across.mean())


def _six(pips: Doubles) -> tuple[float, float]:
    """Return the length of a row of three pips of a six, and how far its two rows are apart."""
    across = pips.max(axis=0) - pips.min(axis=0)
    middles = (np.abs(pips - pips.mean(axis=0)) < 0.1).sum(axis=0)
    along = int(middles.argmax())
    return float(across[along]), float(across[1 - along])


def _upright(die: Die) -> Doubles:
    """Return the homography from the picture to the crop."""
    low, high = MARGIN * SIDE_PX, (1 + MARGIN) * SIDE_PX
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(np.array(die.corners_px, np.float32), square), np.float64)


def _turn(to_crop: Doubles) -> Doubles:
    """Return the directions in the picture, as columns, of the crop's axes at its middle, shape (2, 2)."""
    middle = (0.5 + MARGIN) * SIDE_PX
    points = np.array([[[middle, middle], [middle + 1, middle], [middle, middle + 1]]])
    zero, x, y = cv2.perspectiveTransform(points, np.linalg.inv(to_crop))[0]
    return np.column_stack([x - zero, y - zero])


def _pip(apart: Floats, x: Doubles, y: Doubles, noise: float) -> tuple[float, float, float] | None:
    """Return how far a pip is from where it is looked for, (x, y), and its diameter, in sides; None without one."""
    middle = np.hypot(x, y) < NEAR / 2
    strongest = float(np.quantile(apart[middle], 0.9))
    if strongest < 3 * noise + 6:
        return None
    ink = ((apart > strongest / 2) & (np.hypot(x, y) < 2.2 * NEAR)).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink)
    counts = np.bincount(labels[middle & (ink > 0)], minlength=len(stats))
    label = int(counts.argmax())
    inside = labels == label
    diameter = float(2 * np.sqrt(stats[label, cv2.CC_STAT_AREA] / np.pi) / SIDE_PX)
    dx, dy = float(x[inside].mean()), float(y[inside].mean())
    if label == 0 or not PIP_SIDES[0] < diameter < PIP_SIDES[1] or np.hypot(dx, dy) > NEAR:
        return None
    return dx, dy, diameter


def _outline(apart: Floats, away: Doubles, noise: float) -> float:
    """Return how far, in sides, the die's outline is from its middle, where its own sides do not show."""
    middle = round((0.5 + MARGIN) * SIDE_PX)
    band = SIDE_PX // 6
    rows = []
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
        if away[axis] * sign > 0.35 * np.hypot(*away):
            lines = apart if axis == 0 else apart.T
            across = lines[middle - band : middle + band]
            rows.append(across[:, middle:] if sign > 0 else across[:, middle - 1 :: -1])
    profile = np.median(np.concatenate(rows), axis=0) if rows else np.zeros(middle)
    first = round(0.38 * SIDE_PX)
    steps = np.convolve(np.diff(profile), np.ones(3), "same")[first : round(0.64 * SIDE_PX)]
    if not len(steps) or steps.max() < 2 * noise + 4:
        return 0.5
    return (first + int(steps.argmax()) + 1) / SIDE_PX


def _lab_distance(one: Doubles, other: Doubles) -> float:
    both = np.array([[one, other]], np.float32) / 255
    lab = cv2.cvtColor(both, cv2.COLOR_BGR2LAB)[0]
    return float(np.linalg.norm((lab[0] - lab[1]) * (0.6, 1, 1)))


def _middle(values: Sequence[float]) -> float | None:
    return round(float(np.median(values)), 4) if values else None


def _as_bgr(colours: Sequence[Doubles]) -> Bgr:
    blue, green, red = np.median(np.stack(colours), axis=0)
    return round(blue), round(green), round(red)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _length(value: Any) -> float | None:
    if value is None:
        return None
    length = plain.number(value)
    if not 0.02 < length < 1.2:
        raise ValueError(f"dice with a length of {length:g} sides")
    return length


def _bgr(value: Any) -> Bgr:
    blue, green, red = (plain.whole(v) for v in plain.listed(value, 3))
    if not all(0 <= v <= 255 for v in (blue, green, red)):
        raise ValueError(f"dice of the colour {value}")
    return blue, green, red
