"""One rendered table and its calibration for all tests of this folder, and what plays films of another."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.vision.films import Asked, Picture, Screening, Studio, Watcher
from vision import Calibration, calibrate, motion
from vision.render import Table
from vision.types import Frame, TrayReading
from vision.zone import Part


@pytest.fixture(scope="session")
def table() -> Table:
    """A tray, a camera, a lamp."""
    return Table(seed=3)


@pytest.fixture(scope="session")
def calibration(table: Table) -> Calibration:
    """What is measured from its empty tray."""
    empty = [table.empty(seed=k) for k in range(3)]
    return calibrate(empty, tray_mm=table.tray_mm, die_mm=16.0, corners=table.corners_px)


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take tables as they are calibrated: looking through them for what is wrong takes as long as reading a throw."""
    monkeypatch.setattr("vision.calibrating.findings", lambda _made, _frames: [])


@pytest.fixture(scope="module")
def studio() -> Studio:
    """What films are taken in."""
    return Studio()


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watcher:
    """Play films to the automaton, with a reader that knows the truth."""

    def play(
        film: Sequence[Picture], calibration: Calibration | None, dice: int | None = 2, zone: Part | None = None
    ) -> Screening:
        screening, state = Screening([], []), motion.start()

        def reader(frame: Frame, calibration: Calibration | None, dice: int | None, **how: Any) -> TrayReading:
            screening.read.append(number)
            screening.asked.append(Asked(calibration, dice, **how))
            return film[number].truth

        monkeypatch.setattr("vision.motion.automaton.read_tray", reader)
        for number, picture in enumerate(film):
            state, happened = motion.step(state, picture.frame, calibration, dice, zone=zone)
            screening.events += [(number, event) for event in happened]
        screening.state = state
        return screening

    return play
