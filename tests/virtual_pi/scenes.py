"""What the virtual Pi's camera sees: trays of the project's own renderer, in the format that libcamera gives.

Run as ``python -m tests.virtual_pi.scenes FOLDER``, it draws what the calibration is made from.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.render import RenderedDie, Table
from vision.render.throw import ThrowKind, throw
from vision.types import Frame

SEED: Final = 7
"""Where the camera hangs and what the felt looks like."""

APART_MM: Final = 30.0
"""How far a die lands from where one lay before: one in the same place with the same face would be the old one."""


class Tray:
    """The tray before the virtual Pi's camera."""

    def __init__(self, seed: int = SEED) -> None:
        self._table = Table(seed=seed)
        self._rng = random.Random(f"virtual-pi {seed}")
        self._lay: tuple[RenderedDie, ...] = ()

    def empty(self) -> bytes:
        """Return the tray with nothing in it."""
        return nv12(self._table.clean(()))

    def dark(self) -> bytes:
        """Return the tray when the lamp is out."""
        return nv12(np.asarray(self._table.clean(()) // 24, np.uint8))

    def thrown(self, *faces: int) -> bytes:
        """Return a throw that shows *faces*, its dice elsewhere than those of the throw before."""
        while True:
            dice = throw(self._rng, len(faces))
            if all(abs(new.x_mm - old.x_mm) + abs(new.y_mm - old.y_mm) > APART_MM for new in dice for old in self._lay):
                break
        return self._shown([replace(die, top=face) for die, face in zip(dice, faces, strict=True)])

    def cocked(self) -> bytes:
        """Return a throw of two of which one leans."""
        return self._shown(throw(self._rng, 2, ThrowKind.COCKED))

    def frame(self, picture: bytes) -> Frame:
        """Return an earlier picture as the program gets it: blue-green-red."""
        return bgr(picture)

    def _shown(self, dice: Sequence[RenderedDie]) -> bytes:
        self._lay = tuple(dice)
        return nv12(self._table.clean(dice))

    def write(self, folder: Path) -> None:
        """Draw four pictures of the empty tray, and the JPEG that libcamera's virtual camera wants to begin with."""
        (folder / "empty").mkdir(parents=True)
        (folder / "frames").mkdir()
        for seed in range(4):
            noise = np.random.default_rng(seed).integers(-1, 2, (2, 960, 1280)).sum(axis=0)
            picture = np.frombuffer(self.empty(), np.uint8).copy()
            picture[: 960 * 1280] += noise.astype(np.uint8).reshape(-1)
            cv2.imwrite(str(folder / "empty" / f"{seed}.png"), bgr(picture.tobytes()))
        cv2.imwrite(str(folder / "frames" / "0.jpg"), bgr(self.empty()))


def nv12(frame: Frame) -> bytes:
    """Return *frame* as NV12, its brightness kept where noise of 2 neither over- nor underflows."""
    rows, columns = frame.shape[:2]
    planes = cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).reshape(-1)
    y, chroma = planes[: rows * columns], planes[rows * columns :].reshape(2, -1)
    return np.clip(y, 4, 251).tobytes() + np.ascontiguousarray(chroma.T).tobytes()


def bgr(picture: bytes, size: tuple[int, int] = (1280, 960)) -> Frame:
    """Return an NV12 picture as blue-green-red."""
    planes = np.frombuffer(picture, np.uint8).reshape(size[1] * 3 // 2, size[0])
    return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_NV12), np.uint8)


if __name__ == "__main__":
    Tray().write(Path(sys.argv[1]))
