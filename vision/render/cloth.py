"""What the rendered tray is made of: felt with its fibres, the rim's wood or lacquer, the table under it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np

from vision.render.light import linear
from vision.render.pose import Colour
from vision.types import Floats


@dataclass(frozen=True, slots=True)
class Felt:
    """Colours of a tray: its cloth, its rim, and the table it stands on.

    `rough`: how rough the cloth is, 1 for felt; `sheen`: how much light glances off it, 0 for felt, 0.3 for lacquer.
    """

    cloth_bgr: Colour
    rim_bgr: Colour
    table: str
    table_bgr: tuple[Colour, Colour]
    lined: bool = True
    rough: float = 1.0
    sheen: float = 0.0


FELTS: Mapping[str, Felt] = MappingProxyType(
    {
        "green": Felt((62, 92, 22), (34, 34, 38), "checks", ((70, 120, 30), (206, 212, 208))),
        "red": Felt((44, 34, 138), (46, 50, 44), "stripes", ((96, 140, 40), (190, 214, 200))),
        "blue": Felt((112, 62, 30), (52, 84, 120), "wood", ((72, 104, 148), (48, 72, 108))),
        "sand": Felt((106, 152, 182), (58, 86, 124), "wood", ((54, 76, 138), (36, 52, 100)), lined=False),
        "grey": Felt((104, 98, 96), (40, 42, 46), "stripes", ((30, 44, 74), (40, 190, 226)), lined=False),
        "black": Felt((46, 42, 42), (70, 104, 142), "plain", ((196, 204, 208), (180, 190, 196))),
        "purple": Felt((104, 40, 78), (24, 26, 30), "wood", ((120, 150, 184), (88, 116, 150))),
    }
)
"""Trays by the colour of their felt."""


class Stuff(Enum):
    """What a face is made of."""

    TABLE = auto()
    FELT = auto()
    LINING = auto()
    RIM = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Cloths:
    """Colours and textures of one table.

    Attributes
    ----------
    felt, grain
        Textures with mean 1, four texels a millimetre, shape (M, N).
    sheen
        Gloss of the felt.
    felt_bgr, rim_bgr
        Linear colours, shape (3,).
    table
        Pattern of the table: plain, checks, stripes or wood.
    table_bgr
        Its two linear colours, shape (2, 3).
    """

    felt: Floats
    grain: Floats
    sheen: float
    felt_bgr: Floats
    rim_bgr: Floats
    table: str
    table_bgr: Floats

    def of(self, stuff: Stuff, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return colour, shape (3, M, N), and gloss, (M, N), of *stuff* at *u*, *v* millimetres, both (M, N)."""
        dull = np.zeros_like(u)
        match stuff:
            case Stuff.FELT:
                felt = _texels(self.felt, u, v)
                return _tint(self.felt_bgr, felt), np.asarray(self.sheen * felt, np.float32)
            case Stuff.LINING:
                return _tint(self.felt_bgr * np.float32(0.85), _texels(self.felt, u, v + 37)), dull
            case Stuff.RIM:
                grain = _grained(self.grain, u, v)
                return _tint(self.rim_bgr, grain), np.asarray(0.25 * grain**2, np.float32)
            case Stuff.TABLE:
                return self._table(u, v)

    def _table(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        one, two = self.table_bgr[..., None, None]
        share: Floats
        weave = _texels(self.felt, u * 1.3, v * 1.3) * np.float32(0.35) + np.float32(0.65)
        match self.table:
            case "checks":
                share = np.asarray((_stripe(u, 16) + _stripe(v, 16)) / 2, np.float32)
            case "stripes":
                share = _stripe(u + 0.28 * v, 26) * 0.8 + 0.2 * _stripe(u + 0.28 * v, 9)
            case "wood":
                share = np.clip(_grained(self.grain, v, u * 0.7) * 2.4 - 1.9, 0, 1) + 0.4 * _stripe(u, 88, 0.985)
            case _:
                share = np.full_like(u, 0.5)
        share = np.asarray(share, np.float32)
        gloss = np.full_like(u, 0.06 if self.table == "wood" else 0.0)
        return np.asarray((one + share * (two - one)) * weave, np.float32), gloss


@lru_cache(maxsize=1)
def weave(seed: int, felt: Felt) -> Cloths:
    """Return the textures of the table that *felt* describes, different for every *seed*.

    The last ones are kept: the virtual table is drawn in two sizes.
    """
    rng = np.random.default_rng([seed, 1])
    return Cloths(
        felt=_felt(rng, (1024, 1280), felt.rough),
        grain=_noise(rng, (512, 512), 22, 1.2, 0.09),
        sheen=felt.sheen,
        felt_bgr=linear(felt.cloth_bgr),
        rim_bgr=linear(felt.rim_bgr),
        table=felt.table,
        table_bgr=np.stack([linear(bgr) for bgr in felt.table_bgr]),
    )


def _felt(rng: np.random.Generator, shape: tuple[int, int], rough: float) -> Floats:
    """Return felt: clouds of wear, tufts, and fibres that lie in every direction; hairs if it is *rough*."""
    clouds = _noise(rng, (shape[0] // 16, shape[1] // 16), 4, 4, 0.08)
    tufts = _noise(rng, (shape[0] // 2, shape[1] // 2), 1.3, 1.3, 0.11)
    large = [cv2.resize(part, shape[::-1], interpolation=cv2.INTER_CUBIC) for part in (clouds, tufts)]
    felt = np.asarray(large[0] * large[1] * _noise(rng, shape, 0.8, 0.8, 0.16), np.float32)
    choice = cv2.resize(_noise(rng, (shape[0] // 4, shape[1] // 4), 2, 2, 1.0) - 1, shape[::-1])
    for level, kernel in zip((-0.9, -0.3, 0.3, 0.9), _fibre_kernels(), strict=True):
        fibres = cv2.filter2D(rng.standard_normal(shape, np.float32), -1, kernel)
        spread = fibres.std()
        # A few rows at a time stay in the processor's cache.
        for top in range(0, shape[0], 16):
            rows = np.s_[top : top + 16]
            felt[rows] *= 1 + 0.11 * fibres[rows] / spread * np.exp(-((choice[rows] - level) ** 2) * 3)
    felt = np.asarray(1 + np.float32(rough) * (felt / felt.mean() - 1), np.float32)
    if rough > 1:
        felt += _hairs(rng, shape, round(30 * (rough - 1)))
    return np.asarray(np.clip(felt, 0.2, 2.5), np.float32)


def _hairs(rng: np.random.Generator, shape: tuple[int, int], count: int) -> Floats:
    """Return *count* pale curls of lint, as what they add to a texture of that *shape*."""
    lint = np.zeros(shape, np.uint8)
    for _ in range(count):
        turns = np.cumsum(rng.normal(0, 0.25, 24)) + rng.uniform(0, 6.28)
        steps = np.stack([np.cos(turns), np.sin(turns)], axis=1) * rng.uniform(1, 2.5)
        line = np.cumsum(steps, axis=0) + rng.uniform(0, 1, 2) * shape[::-1]
        cv2.polylines(lint, [np.rint(line * 16).astype(np.int32)], False, int(rng.integers(60, 200)), 1, cv2.LINE_AA, 4)
    return np.asarray(lint / np.float32(160), np.float32)


def _fibre_kernels() -> list[Floats]:
    kernels = []
    for angle in (0.3, 1.1, 1.9, 2.7):
        kernel = np.zeros((11, 11), np.float32)
        way = np.array([np.cos(angle), np.sin(angle)]) * 3.5
        ends = [tuple(int(c) for c in np.rint((5 + sign * way) * 16)) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], (1.0,), 1, cv2.LINE_AA, 4)
        kernels.append(np.asarray(cv2.GaussianBlur(kernel, (0, 0), 0.5), np.float32))
    return kernels


def _noise(rng: np.random.Generator, shape: tuple[int, int], wide: float, high: float, strength: float) -> Floats:
    """Return smooth noise of mean 1 and standard deviation *strength*; *wide*, *high*: its grain in texels."""
    rough = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), sigmaX=wide, sigmaY=high)
    return np.asarray(1 + strength * (rough - rough.mean()) / rough.std(), np.float32)


def _texels(texture: Floats, u: Floats, v: Floats) -> Floats:
    """Return *texture* at *u*, *v* millimetres, mirrored beyond its borders."""
    places = (np.asarray(u * 4, np.float32), np.asarray(v * 4, np.float32))
    return np.asarray(cv2.remap(texture, *places, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32)


def _grained(grain: Floats, u: Floats, v: Floats) -> Floats:
    return _texels(grain, u * 0.35, v * 1.4)


def _tint(bgr: Floats, texture: Floats) -> Floats:
    return np.asarray(bgr[:, None, None] * texture, np.float32)


def _stripe(u: Floats, period_mm: float, share: float = 0.5) -> Floats:
    """Return 1 in the second part of every period, else 0, with soft edges."""
    phase = np.mod(u, np.float32(period_mm)) / np.float32(period_mm)
    return np.asarray(np.clip((np.abs(phase - 0.5) - share / 2) * period_mm / 0.35 + 0.5, 0, 1), np.float32)
