"""A rendered camera's weaknesses: lens, mount, exposure, white balance, focus, noise, sharpening, JPEG."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.render.camera import Doubles
from vision.types import Floats, Frame, Point, as_uint8

_GAMMA = 2.2


@dataclass(frozen=True, slots=True)
class Shot:
    """What differs from one picture of a camera to the next.

    Attributes
    ----------
    gain
        Exposure; 1 as it was set.
    balance_bgr
        What the white balance does to the three colours.
    shift_px, turn_deg
        How the camera moved on its mount since the tray was drawn.
    blur_px
        Softness beyond that of the lens: a knocked focus.
    seed
        Chooses the noise.
    """

    gain: float = 1.0
    balance_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shift_px: Point = (0.0, 0.0)
    turn_deg: float = 0.0
    blur_px: float = 0.0
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Sensor:
    """A camera with weaknesses: clean pictures go in, what it stores comes out.

    Attributes
    ----------
    size
        Width and height of its pictures.
    barrel
        Distortion of the lens: how much nearer to the middle a point half a picture's width away is drawn, as a part
        of that distance.
    blur_px
        Softness of the lens, as a standard deviation in pixels.
    noise
        Standard deviation of the noise of a middle grey, in steps of 255.
    sharpen
        How much of the difference to its surroundings the camera adds to every pixel.
    quality
        Of the JPEG, 0 to 100.
    seed
        Chooses the pattern of the noise.
    """

    size: tuple[int, int] = (1280, 960)
    barrel: float = 0.0
    blur_px: float = 0.5
    noise: float = 2.0
    sharpen: float = 0.3
    quality: int = 90
    seed: int = 0
    _maps: tuple[Floats, Floats] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Work out the lens once."""
        x, y = np.meshgrid(np.arange(self.size[0], dtype=np.float32), np.arange(self.size[1], dtype=np.float32))
        middle = self._middle.astype(np.float32)
        away = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / np.float32((self.size[0] / 2) ** 2)
        scale = 1 + np.float32(self.barrel) * away
        maps = (middle[0] + (x - middle[0]) * scale, middle[1] + (y - middle[1]) * scale)
        object.__setattr__(self, "_maps", tuple(np.asarray(part, np.float32) for part in maps))

    @property
    def _middle(self) -> Doubles:
        return (np.array(self.size, np.float64) - 1) / 2

    def seen_at(self, point: Point, shot: Shot | None = None) -> Point:
        """Return where in its pictures the sensor has what a camera without weaknesses has at *point*."""
        place = np.array(point, np.float64) - self._middle
        if shot is not None:
            turn = np.radians(shot.turn_deg)
            across = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            place = across @ place + shot.shift_px
        out = place.copy()
        for _ in range(8):
            out = place / (1 + self.barrel * float(out @ out) / (self.size[0] / 2) ** 2)
        x, y = out + self._middle
        return float(x), float(y)

    def take(self, clean: Frame, shot: Shot) -> Frame:
        """Return what is stored of *clean*, shape (height, width, 3)."""
        frame = self._through_lens(clean, shot)
        frame = as_uint8(cv2.LUT(frame, _exposed(shot)))
        sigma = float(np.hypot(self.blur_px, shot.blur_px))
        if sigma > 0.2:
            frame = as_uint8(cv2.GaussianBlur(frame, (0, 0), sigma))
        frame = self._noisy(frame, shot)
        if self.sharpen:
            soft = cv2.GaussianBlur(frame, (0, 0), 1.2)
            frame = as_uint8(cv2.addWeighted(frame, 1 + self.sharpen, soft, -self.sharpen, 0))
        _, stored = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)

    def _through_lens(self, clean: Frame, shot: Shot) -> Frame:
        if not self.barrel and not shot.turn_deg and not any(shot.shift_px):
            return clean
        x, y = self._maps
        middle = self._middle
        turn = np.radians(-shot.turn_deg)
        cosine, sine = np.float32(np.cos(turn)), np.float32(np.sin(turn))
        x0, y0 = (np.float32(part) for part in middle + shot.shift_px)
        maps = (
            cosine * (x - x0) - sine * (y - y0) + np.float32(middle[0]),
            sine * (x - x0) + cosine * (y - y0) + np.float32(middle[1]),
        )
        return as_uint8(cv2.remap(clean, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))

    def _noisy(self, frame: Frame, shot: Shot) -> Frame:
        strength = self.noise * (0.5 + 0.5 * np.sqrt(np.arange(256) / 110)) * (shot.gain**-0.5 if shot.gain < 1 else 1)
        weight = np.asarray(cv2.LUT(frame, np.rint(np.minimum(strength, 30) * 16).astype(np.int16)), np.int16)
        more = np.multiply(_noise([self.seed, shot.seed % (1 << 32)], self.size), weight, dtype=np.int32) >> 10
        return as_uint8(cv2.add(frame, more.astype(np.int16), dtype=cv2.CV_8U))


def _noise(seeds: list[int], size: tuple[int, int]) -> npt.NDArray[np.int16]:
    """Return noise of standard deviation 64, fresh for *seeds*, shape (height, width, 3).

    Colours are smeared into each other by a filter over the sensor, brightness is not. Each value is a sum of four
    random bytes, which is nearly normal and quick.
    """
    rng = np.random.default_rng([*seeds, 5])
    width, height = size
    fine, grey = (_four_bytes(rng, (height, width * channels)) for channels in (3, 1))
    smeared = cv2.GaussianBlur(fine.reshape(height, width, 3), (0, 0), 0.8)
    mixed = [plane * np.int16(15) + grey * np.int16(5) >> 4 for plane in cv2.split(smeared)]
    return np.asarray(cv2.merge(mixed), np.int16)


def _four_bytes(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.int16]:
    """Return values of mean 0 and standard deviation 148, shape *shape*."""
    one, two, three, four = np.frombuffer(rng.bytes(4 * shape[0] * shape[1]), np.uint8).reshape(4, *shape)
    sums = [np.asarray(cv2.add(a, b, dtype=cv2.CV_16S), np.int16) for a, b in ((one, two), (three, four))]
    return np.asarray(sums[0] + sums[1] - 510, np.int16)


def _exposed(shot: Shot) -> Frame:
    """Return the table from clean values to exposed ones, shape (256, 1, 3)."""
    light = (np.arange(256) / 255) ** _GAMMA
    parts = [np.clip(light * shot.gain * part, 0, 1) ** (1 / _GAMMA) * 255 for part in shot.balance_bgr]
    return np.asarray(np.rint(np.stack(parts, axis=1)).astype(np.uint8).reshape(256, 1, 3), np.uint8)
