"""What tells a covered middle learns from: stored samples of flat dice, bare and with something painted there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.tray.opinion import COVERED, PATCH, SIDES
from vision.types import Floats

CLEAR = 0

FACES = (2, 3, 4, 5)
"""Those that a pip more or less in the middle makes others."""

SIDE = PATCH / SIDES
"""Of a die in a patch, in its pixels."""

TOP = slice(PATCH // 2 - int(0.4 * SIDE), PATCH // 2 + int(0.4 * SIDE))
"""Rows, or columns, of a patch that are of the top."""

FINER = 8
"""So many times as fine as a patch what is painted is drawn."""

LEAST, SEEN = 0.12, 12
"""By how much, in units of a patch, a pixel must be another than before, and so many at least, to be learned from."""


@dataclass(frozen=True)
class Kind:
    """Something that lies on a top.

    Attributes
    ----------
    share
        How often it is painted.
    radius
        Least and most, in sides.
    narrowest
        How narrow it is at least, in its length.
    off
        How far its middle is from that of the top, one sigma, in sides.
    """

    share: float
    radius: tuple[float, float]
    narrowest: float
    off: float = 0.03


KINDS = {
    "thing": Kind(0.4, (0.09, 0.3), 0.4),
    "pale": Kind(0.15, (0.09, 0.3), 0.4),
    "glint": Kind(0.2, (0.12, 0.3), 0.4),
    "spot": Kind(0.15, (0.035, 0.12), 0.8),
    "rest": Kind(0.1, (0.07, 0.1), 0.8, 0.05),
}
"""A crumb of any colour, and of nearly that of the top; a lamp; what is like a pip but for its size or colour; and what
has the colour of the top and leaves a rest of the pip beneath."""

Sample = tuple[np.ndarray, int, int]


def of_stored(files: Sequence[str], seed: int) -> Iterator[Sample]:
    """Yield patch, answer (`CLEAR`, `COVERED`) and table of every flat die of `FACES` in *files*, bare and covered."""
    rng = np.random.default_rng(seed)
    for path in files:
        stored = np.load(path)
        patches, tables = stored["x"], stored["table"]
        for k in np.flatnonzero(np.isin(stored["y"], FACES)):
            yield patches[k], CLEAR, int(tables[k])
            covered = painted(patches[k].astype(np.float32), rng)
            if np.count_nonzero(np.linalg.norm((covered - patches[k])[..., :3], axis=2) > LEAST) >= SEEN:
                yield covered.astype(np.float16), COVERED, int(tables[k])


def painted(patch: Floats, rng: np.random.Generator) -> Floats:
    """Return *patch*, as of `vision.tray.opinion.patch_of`, with something in the middle of the top."""
    name = str(rng.choice(list(KINDS), p=[kind.share for kind in KINDS.values()]))
    radius = rng.uniform(*KINDS[name].radius)
    mask = _mask(KINDS[name], radius, rng, soft=2.0 if name == "glint" else 1.1)
    paint = np.empty_like(patch[..., :4])
    paint[..., :3] = _colour(name, radius, patch[TOP, TOP, :3].reshape(-1, 3), rng)
    paint[..., 0] += _shade(rng)
    paint[..., 3] = max(0.0, float(patch[TOP, TOP, 3].mean() + rng.normal(0, 0.6)))
    seen = patch.copy()
    seen[..., :4] += (rng.uniform(0.75, 1) if name == "glint" else 1) * mask[..., None] * (paint - patch[..., :4])
    return seen


def _colour(name: str, radius: float, top: Floats, rng: np.random.Generator) -> Floats:
    """Return the colour of what is called *name* on a *top* of such pixels, (N, 3), all in units of a patch."""
    body = np.median(top, axis=0)
    match name:
        case "glint":
            lightest = max(float(top[:, 0].max()) + 0.1, float(body[0]) + 0.4)
            return np.array([min(body[0] + rng.uniform(0.4, 3.0), lightest), *(body[1:] / 2)], np.float32)
        case "spot":
            off = np.linalg.norm(top - body, axis=1)
            pip = top[off >= np.quantile(off, 0.97)].mean(axis=0)
            # One as large as a pip is paler; a small one may be as clear.
            clear = rng.uniform(0.25, 0.8) if radius > 0.07 else rng.uniform(0.5, 1)
            return np.asarray(body + (pip - body) * clear + rng.normal(0, 0.08, 3), np.float32)
        case "rest":
            return np.asarray(body + rng.normal(0, 0.06, 3), np.float32)
    way = rng.normal(0, 1, 3) * (1.5, 0.6, 0.6)
    far = rng.uniform(0.15, 0.4) if name == "pale" else rng.uniform(0.4, 2.6)
    return np.asarray(body + far * way / np.linalg.norm(way), np.float32)


def _shade(rng: np.random.Generator) -> Floats:
    """Return light that is uneven over a patch: grain, and more of it on one side."""
    grain = cv2.GaussianBlur(rng.normal(0, 1, (PATCH, PATCH)).astype(np.float32), (0, 0), rng.uniform(0.6, 1.5))
    slope = np.linspace(-1, 1, PATCH)
    return np.asarray(rng.uniform(0, 0.12) * grain + rng.normal(0, 0.15) * slope + rng.normal(0, 0.15) * slope[:, None])


def _mask(kind: Kind, radius: float, rng: np.random.Generator, *, soft: float) -> Floats:
    """Return where one of *kind* lies in a patch: 0 to 1, its edge as *soft*, in pixels, at most."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rough = np.ones(24)
    if kind.narrowest < 0.5 and rng.random() < 0.6:
        uneven = np.tile(rng.uniform(0.6, 1.4, 24), 3)[None]
        rough = cv2.GaussianBlur(uneven, (0, 0), rng.uniform(0.5, 1.5))[0, 24:48]
    across = rng.uniform(kind.narrowest, 1)
    x, y = radius * rough * np.cos(turns), radius * across * rough * np.sin(turns)
    return _filled(
        _turned(np.stack([x, y]), rng.uniform(0, np.pi)) + rng.normal(0, kind.off, 2), rng.uniform(0.4, soft)
    )


def _turned(points: Floats, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray((np.array([[c, -s], [s, c]]) @ points).T)


def _filled(outline: Floats, blur: float) -> Floats:
    """Return what lies within *outline*, in sides from the middle of a patch, (N, 2)."""
    drawn = np.zeros((PATCH * FINER, PATCH * FINER), np.uint8)
    cv2.fillPoly(drawn, [np.round((outline * SIDE + PATCH / 2) * FINER).astype(np.int32)], 255)
    small = cv2.resize(drawn, (PATCH, PATCH), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return np.asarray(cv2.GaussianBlur(small, (0, 0), blur))
