"""A camera before which things happen, picture by picture, at a table that may take its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

import pytest

from firmware import cli_table
from hardware.devices import CameraFrame, EndOfStream, Key
from hardware.rig import SimulatedRig
from hardware.simulated import SimulatedCamera
from vision.types import Frame

SHOWN_WITHIN_S = 60.0

ASKED, ROLLED = "A: throw ONE die", "A rolled"
"""Titles of the display from which on a throw of the first guest is awaited, and one of the second."""


class Step(NamedTuple):
    """What is done to the camera, and how long that lasts.

    Attributes
    ----------
    do
        Done to the camera.
    pictures
        So many pictures, or tries to take one.
    shown
        The title that the display must have shown by then: a table that does not await a throw yet reads nothing.
    """

    do: Callable[[SimulatedCamera], None]
    pictures: int
    shown: str = ""


def seeing(scene: Frame, pictures: int, shown: str = "") -> Step:
    return Step(lambda camera: camera.look_at(scene), pictures, shown)


class ScriptedCamera(SimulatedCamera):
    """A camera before which two guests sit down; then *steps* happen, and the recording is over."""

    def __init__(self, rig: SimulatedRig, steps: list[Step]) -> None:
        super().__init__()
        self._rig = rig
        self._steps = iter(steps)
        self._step: Step | None = None
        self._left = 0
        self._until_s = 0.0
        self.restored: dict[str, float] = {}

    def capture(self) -> CameraFrame:
        if self._step is None:
            for key in (Key.SEAT_1, Key.SEAT_2, Key.STOP):
                self._rig.buttons.press(key)
                self._rig.buttons.release(key)
        if self._step is None or (self._left <= 0 and self._has_shown(self._step.shown)):
            self._step = next(self._steps, None)
            if self._step is None:
                raise EndOfStream("the evening is over")
            self._left, self._until_s = self._step.pictures, monotonic() + SHOWN_WITHIN_S
            self._step.do(self)
        self._left -= 1
        return super().capture()

    def restore(self, held: Any) -> None:
        super().restore(held)
        self.restored = dict(held)

    def _has_shown(self, title: str) -> bool:
        titles = [screen.title for screen in tuple(self._rig.display.screens)]
        return not title or title in titles or monotonic() > self._until_s


def play_before(camera: ScriptedCamera, rig: SimulatedRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `mexico-table --hardware` have *rig*, and *camera* on it."""

    @contextmanager
    def simulated(kind: object, wiring: object) -> Iterator[Any]:
        yield replace(rig, camera=camera)

    monkeypatch.setattr(cli_table, "open_rig", simulated)
