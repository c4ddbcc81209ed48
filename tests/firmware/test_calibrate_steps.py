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

    def calibrated(*steps: Step, die_mm: float = 16) -> Answer:
        person = Person(ENTER, *steps)
        monkeypatch.setattr("sys.stdin", person)
        sizes = "--tray-mm", "300x220", "--die-mm", die_mm
        answer = call("--calibrate", "--corners", corners, *sizes, "--out", tmp_path / "cal.json")
        assert not person.steps
        return answer

    return calibrated


def throw(table: Table, number: int, seed: int = 0) -> Frame:
    """Return a throw of two dice; with each *number* they lie elsewhere, and *seed* is that of the camera's noise."""
    dice = [RenderedDie(90, 80 + 20 * number, 20.0 * number, 1 + number), RenderedDie(200, 120, 33, 6 - number)]
    return table.picture(dice, seed=seed)


@pytest.mark.one_in(2)
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


NOT_THROWN = "That is no new throw: dice lie where they lay before. Throw all of them."


def test_dice_that_lie_where_they_lay_prove_nothing_more(
    calibrates: Callable[..., Answer], camera: Camera, table: Table
) -> None:
    def lies(number: int, seed: int) -> Callable[[], None]:
        return lambda: camera.look_at(throw(table, number, seed))

    again = [(lies(0, 2), ENTER), (lies(0, 3), ENTER)]
    answer = calibrates("s", (lies(0, 1), ENTER), "y", *again, (lies(1, 4), ENTER), "y", (lies(2, 5), ENTER), "y")

    assert (answer.code, answer.out.count("Is this right?"), answer.out.count(NOT_THROWN)) == (0, 3, 2)
    assert answer.out.count("4. The proof, 2 of 3") == 3
    assert "3 throws were read right" in answer.out


def test_dice_that_lie_where_they_lay_teach_nothing_more_and_do_not_prove_what_they_taught(
    calibrates: Callable[..., Answer], camera: Camera, table: Table
) -> None:
    camera_sees = [lambda seed=seed: camera.look_at(throw(table, 0, seed)) for seed in range(3)]
    taught = [(camera_sees[0], ENTER), "y", (camera_sees[1], ENTER), "s"]
    answer = calibrates(*taught, (camera_sees[2], ENTER), "s")

    assert (answer.code, answer.out.count("Good, that is"), answer.out.count(NOT_THROWN)) == (0, 1, 2)


@pytest.mark.parametrize("die_mm", [16, 24])
def test_a_refused_throw_says_that_the_dice_are_of_another_size(
    calibrates: Callable[..., Answer], camera: Camera, table: Table, die_mm: float
) -> None:
    dice = [RenderedDie(80, 80, 20, 5), RenderedDie(200, 130, 65, 2)]
    leaning = [*dice, RenderedDie(140, 160, 10, 4, tilt_deg=25)]
    picture = table.picture(dice if die_mm == 24 else leaning)
    answer = calibrates((lambda: camera.look_at(picture), ENTER), "s", "s", die_mm=die_mm)

    assert answer.code == 0
    assert "Refused, cocked" in answer.out
    assert ("Note: dice look about 1" in answer.out) is (die_mm == 24)
    assert ("mm wide, not 24; check --die-mm" in answer.out) is (die_mm == 24)
