"""What the finder of the floor learns from: small empty trays, where their floor is, and how both are altered."""

import json
import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.find_tray.witness import LARGEST
from vision.lens import plain_lens
from vision.render.setup import SMALL, make_setup

ROWS, COLUMNS = LARGEST * 3 // 4, LARGEST
MIDDLE = np.array([COLUMNS / 2 - 0.5, ROWS / 2 - 0.5])
ALONG = 12
"""Places along each side at which a floor's outline is told, the first at its corner."""

FINE = 16
"""Parts of a pixel in which OpenCV is told where a polygon is."""

Sample = tuple[np.ndarray, np.ndarray]
"""A picture, uint8, (ROWS, COLUMNS, 3), and the outline of the floor in it, (4 * ALONG, 2)."""


def of_drawn(first: int, last: int) -> Iterator[Sample]:
    """Yield the empty trays of these tables of `vision.render`."""
    for seed in range(first, last):
        setup = make_setup(seed, is_good=seed % 2 == 0, size=SMALL)
        small = cv2.resize(setup.empty()[0], (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
        corners = (np.array(setup.corners_px) + 0.5) * COLUMNS / SMALL[0] - 0.5
        share = np.arange(ALONG)[:, None] / ALONG
        after = np.roll(corners, -1, axis=0)
        yield small, np.concatenate([one + share * (other - one) for one, other in zip(corners, after, strict=True)])


def of_traced(folder: str) -> Iterator[Sample]:
    """Yield what `scripts/traced --trays` drew into *folder*."""
    for line in Path(folder, "trays.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        yield cv2.imread(str(Path(folder, told["file"]))), np.array(told["outline"]) - 0.5


def floor_of(outline: np.ndarray) -> np.ndarray:
    """Return which part of every square of two by two pixels is floor: (ROWS / 2, COLUMNS / 2), 0 to 1."""
    drawn = np.zeros((2 * ROWS, 2 * COLUMNS), np.uint8)
    cv2.fillPoly(drawn, [np.round(((outline + 0.5) * 2 - 0.5) * FINE).astype(np.int32)], 255, shift=4)
    return cv2.resize(drawn, (COLUMNS // 2, ROWS // 2), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def altered(picture: np.ndarray, outline: np.ndarray, chance: np.random.Generator) -> Sample:
    """Return *picture*, float32, as another lens, lamp or sensor would have made it, and the outline in it."""
    seen, floor = _moved(*_mirrored(picture, outline, chance), chance)
    if chance.random() < 0.4:
        seen, floor = _bent(seen, floor, chance.uniform(-0.48, 0.12))
    lit = seen.astype(np.float32)
    if chance.random() < 0.35:
        lit = _shaded(lit, floor[::ALONG], chance)
    lit *= np.exp(chance.normal(0, 0.12, 3)) * math.exp(chance.normal(0, 0.35))
    if chance.random() < 0.3:
        across, down = chance.normal(0, 0.3, 2)
        y, x = np.mgrid[-1 : 1 : ROWS * 1j, -1 : 1 : COLUMNS * 1j]
        lit *= np.exp(across * x + down * y)[..., None]
    if chance.random() < 0.3:
        lit = lit[..., list(chance.permutation(3))]
    if chance.random() < 0.4:
        lit = cv2.GaussianBlur(lit, (0, 0), chance.uniform(0.3, 1.2))
    lit += chance.normal(0, chance.uniform(0, 4), lit.shape)
    return np.clip(lit, 0, 255).astype(np.float32), floor


def _mirrored(picture: np.ndarray, outline: np.ndarray, chance: np.random.Generator) -> Sample:
    """Return both mirrored by chance, the outline still clockwise from the corner at the top left."""
    if chance.random() < 0.5:
        picture, outline = picture[:, ::-1], outline * [-1, 1] + [COLUMNS - 1, 0]
        outline = np.roll(outline[::-1], 1 - 3 * ALONG, axis=0)
    if chance.random() < 0.5:
        picture, outline = picture[::-1], outline * [1, -1] + [0, ROWS - 1]
        outline = np.roll(outline[::-1], 1 - ALONG, axis=0)
    return np.ascontiguousarray(picture), outline


def _moved(picture: np.ndarray, outline: np.ndarray, chance: np.random.Generator) -> Sample:
    """Return both turned, scaled and shifted a little, all of the floor in the picture."""
    turn, scale, wider = chance.normal(0, 0.03), math.exp(chance.normal(0, 0.1)), math.exp(chance.normal(0, 0.05))
    change = scale * np.array([[wider * math.cos(turn), -math.sin(turn)], [wider * math.sin(turn), math.cos(turn)]])
    moved = (outline - MIDDLE) @ change.T
    low, high = np.maximum(4 - MIDDLE - moved.min(axis=0), -25), np.minimum(MIDDLE - 4 - moved.max(axis=0), 25)
    shift = np.where(low < high, chance.uniform(np.minimum(low, high), np.maximum(low, high)), (low + high) / 2)
    matrix = np.column_stack([change, MIDDLE + shift - change @ MIDDLE])
    seen = cv2.warpAffine(picture, matrix, (COLUMNS, ROWS), borderMode=cv2.BORDER_REFLECT_101)
    return seen, moved + MIDDLE + shift


def _bent(picture: np.ndarray, outline: np.ndarray, bend: float) -> Sample:
    """Return both as a lens shows them that bends by *bend*, in the unit of the picture's width."""
    lens = plain_lens((COLUMNS, ROWS), bend)
    x, y = np.mgrid[:COLUMNS, :ROWS]
    flat = lens.undistort(np.stack([x.T, y.T], axis=2)).astype(np.float32)
    seen = cv2.remap(picture, flat, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return seen, lens.distort(outline)


def _shaded(lit: np.ndarray, corners: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Return *lit* with shade along one wall, or along two that meet: on the floor, and on the wall."""
    y, x = np.mgrid[:ROWS, :COLUMNS]
    middle, first = corners.mean(axis=0), int(chance.integers(4))
    hidden = np.zeros((ROWS, COLUMNS), np.float32)
    for side in (first, (first + 1) % 4)[: chance.integers(1, 3)]:
        one, other = corners[side], corners[(side + 1) % 4]
        along = (other - one) / np.linalg.norm(other - one)
        inward = np.array([-along[1], along[0]])
        inward = inward if inward @ (middle - one) > 0 else -inward
        place = np.stack([x, y], axis=2) - one
        far = place @ inward + chance.normal(0, 0.03) * (place @ along)
        hidden[(far < chance.uniform(2, 16)) & (far > chance.uniform(-9, 0))] = 1
    near = np.zeros((ROWS, COLUMNS), np.uint8)
    cv2.fillPoly(near, [np.int32(middle + 1.07 * (corners - middle))], 1)
    hidden = cv2.GaussianBlur(hidden * near, (0, 0), chance.uniform(0.4, 4))
    return lit * (1 - hidden * (1 - chance.uniform(0.1, 0.65)))[..., None]
