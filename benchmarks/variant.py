"""A picture as another die, lamp or camera would have made it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.types import Frame, as_uint8

OFF_PX = 0.3
"""Standard deviation of `Variant.off_px`: a tenth of a millimetre on the floor. So little had two of the 22 stills that
are to be read refused, one of them every other time."""


@dataclass(frozen=True)
class Variant:
    """What is done to a picture, in this order.

    Attributes
    ----------
    size
        Width and height in those of the picture.
    mirrored
        Whether left and right are exchanged.
    channels
        Blue, green and red are taken from these.
    blur_px
        Standard deviation of a blur, in its pixels; 0 for none.
    gamma, gain, tint
        Contrast; by what all channels are multiplied then, and by what each one.
    noise
        Standard deviation, in grey levels, of what is added.
    quality
        Of JPEG, 0 to 100; None where it is not packed.
    off_px
        By how much the corners of the tray are known wrongly, x and y of each, in pixels of the picture.
    """

    size: float
    mirrored: bool
    channels: tuple[int, ...]
    blur_px: float
    gamma: float
    gain: float
    tint: tuple[float, ...]
    noise: float
    quality: int | None
    off_px: tuple[float, ...]

    @classmethod
    def by(cls, number: int) -> Variant:
        """Return variant *number*: always the same for a number."""
        chance = random.Random(number)
        return cls(
            size=chance.choice((0.5, 0.66, 0.8, 1.0, 1.0, 1.2)),
            mirrored=chance.random() < 0.5,
            channels=tuple(chance.sample(range(3), 3)),
            blur_px=chance.choice((0.0, 0.0, 0.5, 0.8)),
            gamma=chance.uniform(0.8, 1.3),
            gain=chance.uniform(0.5, 1.1),
            tint=tuple(chance.uniform(0.8, 1.1) for _ in range(3)),
            noise=chance.choice((0.0, 1.0, 2.0, 4.0)),
            quality=chance.choice((70, 85, 92)),
            off_px=tuple(chance.gauss(0, OFF_PX) for _ in range(8)),
        )

    def picture(self, frame: Frame, seed: int) -> Frame:
        """Return *frame* changed, its noise by *seed*."""
        if self == UNCHANGED:
            return frame
        way = cv2.INTER_AREA if self.size < 1 else cv2.INTER_CUBIC
        seen = cv2.resize(frame, None, fx=self.size, fy=self.size, interpolation=way)
        seen = np.ascontiguousarray(seen[:, :: -1 if self.mirrored else 1, list(self.channels)])
        if self.blur_px:
            seen = cv2.GaussianBlur(seen, (0, 0), self.blur_px)
        lit = 255 * (seen / 255.0) ** self.gamma * self.gain * np.array(self.tint)
        lit += np.random.default_rng(seed).normal(0, self.noise, lit.shape)
        seen = as_uint8(lit.round().clip(0, 255))
        if self.quality is None:
            return seen
        _, packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def corners(self, corners: Sequence[tuple[float, float]], width: int) -> list[tuple[float, float]]:
        """Return where *corners* of a tray are, back left first and clockwise, that were in a picture so wide."""
        if self.mirrored:
            left_back, right_back, right_front, left_front = ((width - 1 - x, y) for x, y in corners)
            corners = (right_back, left_back, left_front, right_front)
        off = zip(self.off_px[::2], self.off_px[1::2], strict=True)
        return [
            ((x + dx + 0.5) * self.size - 0.5, (y + dy + 0.5) * self.size - 0.5)
            for (x, y), (dx, dy) in zip(corners, off, strict=True)
        ]


UNCHANGED = Variant(1.0, False, (0, 1, 2), 0.0, 1.0, 1.0, (1.0, 1.0, 1.0), 0.0, None, 8 * (0.0,))

EMPTY = 1_000_000
"""Seed of the noise in the picture of an empty tray."""
