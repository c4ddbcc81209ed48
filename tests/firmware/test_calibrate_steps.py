"""``--calibrate`` step by step in this process: what a person does and answers, and what the camera sees of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from firmware import calibrate_looking, cli_calibrate
from hardware.devices import CameraFrame
from hardware.simulated import SimulatedCamera
from vision.render import RenderedDie, Table
from vision.types import Frame

if TYPE_CHECKING:
    from tests.firmware.conftest import Answer, Call

Step: TypeAlias = "str | tuple[Callable[[], object], str]"
"""A key that is pressed, or what is done before it and the key."""

ENTER = ""


class Camera(SimulatedCamera):
    """A camera that can change the size of its pictures."""

    whole = -1

    def shrink(self, after: int) -> None:
        """Halve all pictures *after* so many more."""
        self.whole = after + 1

    def capture(self) -> CameraFrame:
        """Return the next picture."""
        seen = super().capture()
        self.whole -= self.whole > 0
        return CameraFrame(seen.image[::2, ::2].copy(), seen.time_s) if self.whole == 0 else seen


class Person:
    """Somebody at a terminal that takes lines, who does *steps*."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError

    def readline(self) -> str:
        step = self.steps.pop(0)
        if isinstance(step, str):
            return f"{step}\n"
        step[0]()
        return f"{step[1]}\n"


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=1, size=(640, 480))


@pytest.fixture
def camera(table: Table) -> Camera:
    return Camera(table.empty(2))


@pytest.fixture
def calibrates(
    call: Call, table: Table, camera: Camera, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Return what has a person calibrate the empty *table*, and then do some steps."""
    monkeypatch.setattr(calibrate_looking, "WARM_UP_FRAMES", 1)
    monkeypatch.setattr(calibrate_looking, "EMPTY_FRAMES", 2)
    monkeypatch.setattr(cli_calibrate, "open_table_camera", lambda *_: camera)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in table.corners_px)

    def calibrated(*steps: Step) -> Answer:
        person = Person(ENTER, *steps)
        monkeypatch.setattr("sys.stdin", person)
        answer = call("--calibrate", "--corners", corners, "--tray-mm", "300x220", "--out", tmp_path / "cal.json")
        assert not person.steps
        return answer

    return calibrated


def throw(table: Table, number: int, seed: int = 0) -> Frame:
    """Return a throw of two dice; with each *number* they lie elsewhere, and *seed* is that of the camera's noise."""
    dice = [RenderedDie(90, 80 + 20 * number, 20.0 * number, 1 + number), RenderedDie(200, 120, 33, 6 - number)]
    return table.picture(dice, seed=seed)


@pytest.mark.parametrize("whole", [0, 3, 4, 5])
def test_a_camera_that_changes_the_size_of_its_pictures_is_one_line(
    calibrates: Callable[..., Answer], camera: Camera, table: Table, tmp_path: Path, whole: int
) -> None:
    def thrown() -> None:
        camera.look_at(throw(table, 0))
        camera.shrink(whole)

    answer = calibrates("s", (thrown, ENTER))

    assert answer.code == 2
    assert answer.err == "mexico-table: the camera has changed the size of its pictures; begin again\n"
    assert not (tmp_path / "cal.json").exists()
