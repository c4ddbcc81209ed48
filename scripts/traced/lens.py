"""The small camera: where it stands, its lens, a mount that gives a little, its sensor."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from rests import FLOOR_CM, Doubles, Floats

WIDTH, HEIGHT = 1280, 960
OVERSCAN = 1.07
"""So much wider is drawn than is seen: a lens that bends inwards, and a mount that gives, need it."""

JITTER = (6e-4, 6e-4, 3e-4)
"""Standard deviations by which the mount turns between two pictures, radians: half a pixel."""

GAIN = 0.03
"""Part by which the light of a throw is another than that of the empty tray, as a standard deviation."""


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera above the tray.

    Attributes
    ----------
    at_cm, axes
        Where it is; to its right, up and backwards as the rows of (3, 3).
    focal_px, bend
        Of the lens; the radius r in half widths becomes r (1 + bend r²), after Brown (1966).
    """

    at_cm: Doubles
    axes: Doubles
    focal_px: float
    bend: float

    @classmethod
    def by_chance(cls, rng: random.Random, floor_cm: tuple[float, float] = FLOOR_CM) -> Lens:
        """Return a camera 36 to 58 cm up, tilted by up to 10 degrees, that sees all of the tray."""
        height, tilt, way = rng.uniform(36, 58), math.radians(rng.uniform(0, 10)), rng.uniform(0, 2 * math.pi)
        middle = np.array((floor_cm[0] / 2 + rng.gauss(0, 1), floor_cm[1] / 2 + rng.gauss(0, 1), 0.0))
        off = math.tan(tilt) * height
        at = middle + np.array((off * math.cos(way), off * math.sin(way), height))
        back = (at - middle) / np.linalg.norm(at - middle)
        right = np.cross((0.0, 1.0, 0.0), back)
        right /= np.linalg.norm(right)
        roll = math.radians(rng.gauss(0, 1.5))
        up = np.cross(back, right)
        turned = math.cos(roll) * right + math.sin(roll) * up
        axes = np.stack([turned, np.cross(back, turned), back])
        return cls(at, axes, rng.uniform(880, 960) / floor_cm[0] * height, rng.uniform(-0.06, 0.02))

    def straight_px(self, points_cm: Iterable[Iterable[float]], turn: Doubles | None = None) -> Doubles:
        """Return where a lens that does not bend shows points, the mount turned by *turn*: pixels, (N, 2)."""
        seen = (np.array(list(map(list, points_cm))).reshape(-1, 3) - self.at_cm) @ self.axes.T
        flat = np.column_stack([-seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2], np.ones(len(seen))])
        if turn is not None:
            flat = flat @ np.linalg.inv(turn).T
        return np.asarray(flat[:, :2] / flat[:, 2:] * self.focal_px)

    def pixels(self, points_cm: Iterable[Iterable[float]], turn: Doubles) -> Doubles:
        """Return where the points are in the picture, the first pixel's middle at (0.5, 0.5): (N, 2)."""
        flat = self.straight_px(points_cm, turn) / (WIDTH / 2)
        bent = flat * (1 + self.bend * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * WIDTH / 2 + (WIDTH / 2, HEIGHT / 2))

    def through(self, drawn: Floats, turn: Doubles) -> Floats:
        """Return what is seen of a picture that was *drawn* without bend and `OVERSCAN` as wide."""
        x, y = np.meshgrid(
            (np.arange(WIDTH) + 0.5 - WIDTH / 2) / (WIDTH / 2), (np.arange(HEIGHT) + 0.5 - HEIGHT / 2) / (WIDTH / 2)
        )
        flat_x, flat_y = x.copy(), y.copy()
        for _ in range(8):
            factor = 1 + self.bend * (flat_x**2 + flat_y**2)
            flat_x, flat_y = x / factor, y / factor
        focal = self.focal_px / (WIDTH / 2)
        ways = np.stack([flat_x / focal, flat_y / focal, np.ones_like(x)], axis=-1) @ turn.T
        at = ways[..., :2] / ways[..., 2:] * focal / OVERSCAN * WIDTH / 2 + (WIDTH / 2 - 0.5, HEIGHT / 2 - 0.5)
        seen = cv2.remap(
            drawn,
            at[..., 0].astype(np.float32),
            at[..., 1].astype(np.float32),
            cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REFLECT,
        )
        return np.asarray(seen.clip(0, None), np.float32)


def given(rng: random.Random) -> Doubles:
    """Return by what the mount is turned now: (3, 3)."""
    a, b, c = (rng.gauss(0, sigma) for sigma in JITTER)
    return np.array([[1, -c, b], [c, 1, -a], [-b, a, 1]])


@dataclass(frozen=True)
class Sensor:
    """What light becomes: exposure, white balance (blue, green, red), blur in pixels, noise, quality of the JPEG."""

    exposure: float
    balance: tuple[float, float, float]
    blur_px: float
    noise: float
    quality: int

    @classmethod
    def by_chance(cls, rng: random.Random, lamp: tuple[float, float, float]) -> Sensor:
        """Return a sensor that has got used to a *lamp* of a colour (red, green, blue), not quite."""
        exposure = rng.uniform(1.6, 3.6) * (0.45 if rng.random() < 0.2 else 1)
        usual = rng.uniform(0.6, 1)
        blue, green, red = (rng.uniform(0.92, 1.08) / max(part, 0.55) ** usual for part in lamp[::-1])
        noise = rng.uniform(0.002, 0.008) / math.sqrt(exposure)
        return cls(exposure, (blue, green, red), rng.uniform(0.5, 0.9), noise, rng.choice((85, 90, 94)))

    def take(self, light: Floats, rng: random.Random) -> npt.NDArray[np.uint8]:
        """Return the picture of linear *light*, shape (rows, columns, 3)."""
        seen = cv2.GaussianBlur(light * np.float32(self.exposure) * np.float32(self.balance), (0, 0), self.blur_px)
        chance = np.random.default_rng(rng.getrandbits(32))
        grain = np.sqrt(0.3 * self.noise**2 + 0.02 * self.noise * seen.clip(0, None))
        seen = (seen + chance.normal(0, 1, seen.shape) * grain).clip(0, 1)
        curve = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055).astype(np.float32)
        sharp = curve + 0.3 * (curve - cv2.GaussianBlur(curve, (0, 0), 1.0))
        return np.asarray((255 * sharp).round().clip(0, 255), np.uint8)

    def write(self, path: Path, light: Floats, rng: random.Random) -> npt.NDArray[np.uint8]:
        """Write the picture of linear *light* to *path*, as a JPEG, and return it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        picture = self.take(light, rng)
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return picture
