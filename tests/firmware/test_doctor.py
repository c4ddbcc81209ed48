"""What the doctor finds on a table that is well, and on one that is not."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware import checks, computer
from firmware.checks import Check, State
from firmware.cli_doctor import _said
from firmware.doctor import Parts, camera_and_light, examine
from firmware.folder import StateFolder
from hardware.board import load_board
from hardware.devices import Camera, CameraFrame, DeviceMissing, Display, HardwareError, Key, Lamp, Screen
from hardware.rig import SimulatedRig, simulated_rig
from hardware.simulated import SimulatedCamera, SimulatedDisplay
from vision import calibrate
from vision.calibration import Calibration
from vision.render import RenderedDie, Table
from vision.types import Frame


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=1)


@pytest.fixture(scope="module")
def calibrated(table: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the calibration of the tray, made once: that takes longer than any test."""
    folder = StateFolder(tmp_path_factory.mktemp("calibrated"))
    frames = [table.empty(seed) for seed in range(3)]
    made = calibrate(frames, tray_mm=table.tray_mm, corners=table.corners_px)
    replace(made, held={"exposure_us": 8000.0, "gain": 1.0}).save(folder.calibration)
    return folder.path


@pytest.fixture
def folder(calibrated: Path, tmp_path: Path) -> StateFolder:
    """A state folder with the calibration of the tray."""
    shutil.copytree(calibrated, tmp_path, dirs_exist_ok=True)
    return StateFolder(tmp_path)


@pytest.fixture(scope="module")
def empty(table: Table) -> Frame:
    """What the camera sees of the tray."""
    return table.empty(9)


@pytest.fixture
def rig(empty: Frame) -> SimulatedRig:
    rig = simulated_rig()
    rig.camera.look_at(empty)
    return rig


@pytest.fixture(autouse=True)
def cool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer of 45 degrees."""
    path = tmp_path / "thermal"
    path.write_text("45100\n")
    monkeypatch.setattr(computer, "THERMAL", path)
    monkeypatch.setattr(computer, "HWMON", tmp_path / "hwmon")
    monkeypatch.setattr(computer, "MODEL", tmp_path / "model")
    return path


def found(
    rig: SimulatedRig,
    folder: StateFolder,
    display: Display | None = None,
    board: str = "standard",
    wait: Callable[[float], None] | None = None,
) -> dict[str, tuple[State, str]]:
    shown = rig.display if display is None else display
    parts = Parts(
        load_board(board),
        lambda: rig.camera,
        lambda: rig.buttons,
        lambda: rig.encoder,
        lambda: rig.lamps,
        lambda: shown,
        lambda: rig.sound,
        wait or rig.clock.advance,
        lambda _command: None,
    )
    checks = list(examine(parts, folder, expected=True))
    assert all(check.do or check.state is State.OK for check in checks)
    return {check.name: (check.state, check.found) for check in checks}


class Recording:
    """A camera that has nothing to hold."""

    def __init__(self, scene: Frame) -> None:
        self._scene = scene

    def capture(self) -> CameraFrame:
        return CameraFrame(self._scene.copy(), 0.0)

    def close(self) -> None:
        pass


def parts_of(rig: SimulatedRig, camera: Camera | None = None) -> Parts:
    return Parts(
        load_board("standard"),
        lambda: rig.camera if camera is None else camera,
        lambda: rig.buttons,
        lambda: rig.encoder,
        lambda: rig.lamps,
        lambda: rig.display,
        lambda: rig.sound,
        rig.clock.advance,
    )


def camera_of(rig: SimulatedRig, folder: StateFolder, camera: Camera | None = None) -> Check:
    return next(camera_and_light(parts_of(rig, camera), folder, State.FAILED))


LATER = ["encoder", "lamps", "display", "sound", "storage", "computer"]


@pytest.mark.parametrize(
    ("wrong", "state", "said", "do"),
    [
        pytest.param(None, State.OK, "said a word", "", id="well"),
        pytest.param(
            "espeak-ng is not installed; install it", State.FAILED, "espeak-ng is not", "install it", id="not"
        ),
    ],
)
def test_the_caller_is_examined_where_there_is_one(
    rig: SimulatedRig, folder: StateFolder, wrong: str | None, state: State, said: str, do: str
) -> None:
    parts = replace(parts_of(rig), run=lambda _command: None, say=lambda: wrong)
    caller = next(check for check in examine(parts, folder, expected=True) if check.name == "caller")

    assert (caller.state, caller.do) == (state, do)
    assert caller.found.startswith(said)


def test_a_table_that_is_well_is_ok_in_every_part(rig: SimulatedRig, folder: StateFolder) -> None:
    checks = found(rig, folder)

    assert list(checks) == ["camera", "light", "buttons", *LATER]
    assert {state for state, _ in checks.values()} == {State.OK}
    assert {lamp for _, lamp, on in rig.lamps.changes if on} == set(Lamp)
    assert rig.lamps.lit == frozenset()
    assert 440.0 in [hz for _, hz in rig.sound.tones]
    assert not (folder.path / "journal.sqlite3").exists()


def test_a_stuck_button_is_named(rig: SimulatedRig, folder: StateFolder) -> None:
    rig.buttons.stick(Key.SEAT_3)

    assert found(rig, folder)["buttons"] == (State.FAILED, "down with nobody pressing: seat_3 (GPIO 6)")


def test_an_unplugged_camera_and_a_dark_display_are_found(rig: SimulatedRig, folder: StateFolder) -> None:
    rig.camera.unplug()
    rig.display.unplug()
    checks = found(rig, folder)

    assert checks["camera"][0] is State.FAILED
    assert checks["light"][0] is State.ABSENT
    assert checks["display"][0] is State.FAILED


@pytest.mark.parametrize(("level", "said"), [(3, "too dark"), (252, "too bright")])
def test_bad_light_is_found(rig: SimulatedRig, folder: StateFolder, level: int, said: str) -> None:
    rig.camera.look_at(np.full((960, 1280, 3), level, np.uint8))
    state, words = found(rig, folder)["light"]

    assert state is State.FAILED
    assert said in words


def other_size(rig: SimulatedRig, folder: StateFolder) -> None:
    rig.camera.look_at(np.full((480, 640, 3), 90, np.uint8))


def no_calibration(rig: SimulatedRig, folder: StateFolder) -> None:
    folder.calibration.unlink()


def broken_calibration(rig: SimulatedRig, folder: StateFolder) -> None:
    folder.calibration.write_text("{")


@pytest.mark.parametrize("trouble", [other_size, no_calibration, broken_calibration])
def test_a_camera_that_must_be_calibrated_is_found(
    rig: SimulatedRig, folder: StateFolder, trouble: Callable[[SimulatedRig, StateFolder], None]
) -> None:
    trouble(rig, folder)

    assert found(rig, folder)["camera"][0] is State.FAILED


def test_dice_left_in_the_tray_are_no_fault_of_the_camera(rig: SimulatedRig, folder: StateFolder, table: Table) -> None:
    rig.camera.look_at(table.picture([RenderedDie(90, 90, 20, 5)], seed=3))

    assert found(rig, folder)["camera"][0] is State.OK


def test_a_broken_journal_and_a_full_disk_are_found(
    rig: SimulatedRig, folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.journal.write_bytes(b"no database" * 100)
    assert found(rig, folder)["storage"][0] is State.FAILED
    folder.journal.unlink()
    monkeypatch.setattr(checks, "LEAST_FREE_BYTES", 10**18)

    assert "are free" in found(simulated_rig(), folder)["storage"][1]


def test_on_another_computer_what_is_not_there_is_absent(folder: StateFolder) -> None:
    def nothing() -> None:
        raise DeviceMissing("GPIO pins: this computer has none; use another")

    n: Any = nothing
    parts = Parts(load_board("standard"), n, n, n, n, n, n, lambda _s: None)
    states = {check.name: check.state for check in examine(parts, folder, expected=False)}

    assert states.pop("storage") is states.pop("computer") is State.OK
    assert set(states.values()) == {State.ABSENT}


class Deaf:
    """A display that fails in the middle of things."""

    def show(self, screen: Screen) -> None:
        raise HardwareError("no answer")

    def close(self, *, dark: bool = True) -> None:
        pass


def test_a_device_that_fails_while_it_is_tried_is_found(rig: SimulatedRig, folder: StateFolder) -> None:
    assert found(rig, folder, Deaf())["display"] == (State.FAILED, "no answer")


def test_the_camera_says_what_was_measured(rig: SimulatedRig, folder: StateFolder) -> None:
    _, said = found(rig, folder)["camera"]

    assert "1280 x 960 pixels, sharp to " in said
    assert "calibrated 0 days ago, the tray 0." in said


def test_a_camera_of_which_the_calibration_holds_nothing_is_told_and_no_failure(
    rig: SimulatedRig, folder: StateFolder
) -> None:
    known = json.loads(folder.calibration.read_text())
    folder.calibration.write_text(json.dumps(known | {"held": {}}))
    checked = camera_of(rig, folder)

    assert (checked.state, "nothing is held" in checked.found) == (State.OK, True)
    assert "mexico-table --calibrate" in checked.do


def test_of_a_camera_that_is_held_nothing_is_to_be_done(rig: SimulatedRig, folder: StateFolder) -> None:
    checked = camera_of(rig, folder)

    assert (checked.state, checked.do, "nothing is held" in checked.found) == (State.OK, "", False)


def test_a_camera_that_can_hold_nothing_is_not_asked_to(rig: SimulatedRig, folder: StateFolder, empty: Frame) -> None:
    known = json.loads(folder.calibration.read_text())
    folder.calibration.write_text(json.dumps(known | {"held": {}}))

    checked = camera_of(rig, folder, Recording(empty))

    assert (checked.state, checked.do) == (State.OK, "")


def test_what_is_to_be_done_is_said_of_a_part_that_is_ok(capsys: pytest.CaptureFixture[str]) -> None:
    _said([Check("camera", State.OK, "nothing is held", "calibrate"), Check("light", State.OK, "well")])

    assert capsys.readouterr().out.splitlines() == [
        "camera   ok      nothing is held",
        "                 -> calibrate",
        "light    ok      well",
    ]


def test_light_that_flickers_is_found(
    rig: SimulatedRig, folder: StateFolder, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    bright = table.empty(9)
    frames = itertools.cycle((bright, (bright * 0.93).astype(np.uint8)))

    monkeypatch.setattr(rig.camera, "capture", lambda: CameraFrame(next(frames), 0.0))
    state, said = found(rig, folder)["light"]

    assert state is State.FAILED
    assert "flickers" in said


@pytest.mark.parametrize(
    ("celsius", "throttled", "state", "said"),
    [
        ("45100", None, State.OK, "45 degrees Celsius"),
        ("45100", "throttled=0x0", State.OK, "never throttled"),
        ("45100", "throttled=0x50000", State.FAILED, "too little voltage since it was started"),
        ("45100", "throttled=0x80000", State.FAILED, "slowed down by heat since it was started"),
        ("45100", "error=1 error_msg=x", State.OK, "45 degrees Celsius"),
        ("45100", "throttled=0x50005", State.FAILED, "too little voltage"),
        ("70000", "throttled=0x8", State.FAILED, "slowed down by heat"),
        ("86000", None, State.FAILED, "slowed down by heat"),
        ("nothing", None, State.ABSENT, "does not say"),
    ],
)
def test_heat_and_power_of_the_computer(
    cool: Path, celsius: str, throttled: str | None, state: State, said: str
) -> None:
    cool.write_text(celsius)
    answer = checks.warmth(lambda _command: throttled)

    assert answer.state is state
    assert said in answer.found


@pytest.mark.parametrize(
    ("alarm", "state", "said"),
    [
        pytest.param("1", State.FAILED, "45 degrees Celsius, too little voltage", id="too little"),
        pytest.param("0", State.OK, "45 degrees Celsius, enough voltage at this moment", id="enough"),
        pytest.param("x", State.SKIPPED, "nothing is known of its voltage", id="nonsense"),
        pytest.param(None, State.SKIPPED, "nothing is known of its voltage", id="no answer at all"),
    ],
)
def test_a_pi_whose_firmware_does_not_answer_is_asked_otherwise(
    cool: Path, tmp_path: Path, alarm: str | None, state: State, said: str
) -> None:
    """As within a service that may not use the firmware's device."""
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    for number, name in enumerate(("cpu_thermal", "rpi_volt") if alarm else ("cpu_thermal",)):
        (tmp_path / "hwmon" / f"hwmon{number}").mkdir(parents=True)
        (tmp_path / "hwmon" / f"hwmon{number}" / "name").write_text(f"{name}\n")
        (tmp_path / "hwmon" / f"hwmon{number}" / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    answer = checks.warmth(lambda _command: None)

    assert answer.state is state
    assert said in answer.found
    assert (answer.do == "") == (state is State.OK)


def test_the_levels_of_all_buttons_are_named(rig: SimulatedRig, folder: StateFolder) -> None:
    _, said = found(rig, folder)["buttons"]

    assert said.startswith("up in 25 of 25 looks: ")
    assert all(key in said for key in Key)


def test_a_loose_contact_is_found_though_it_is_up_at_times(rig: SimulatedRig, folder: StateFolder) -> None:
    def shake(seconds: float) -> None:
        rig.clock.advance(seconds)
        rig.buttons.stick(Key.SEAT_2, closed=round(rig.clock.now() * 100) % 7 == 0)

    checks = found(rig, folder, wait=shake)

    assert checks["buttons"] == (State.FAILED, "up and down with nobody pressing: seat_2 (GPIO 5)")


def test_a_knob_that_turns_by_itself_is_found(rig: SimulatedRig, folder: StateFolder) -> None:
    def noise(seconds: float) -> None:
        rig.clock.advance(seconds)
        rig.encoder.turn(1)

    checks = found(rig, folder, wait=noise)

    assert checks["encoder"] == (State.FAILED, "1 steps on GPIO 21 and 26 with nobody turning")


def test_the_display_says_where_it_answers_if_it_can(rig: SimulatedRig, folder: StateFolder) -> None:
    answered = found(rig, folder)["display"][1]
    assert re.fullmatch(r"answers on I2C bus 1, address 0x3C as ssd1306; a screen takes \d+ ms", answered)
    compact = found(simulated_rig(), folder, board="compact")["display"][1]
    assert compact.startswith("8888 was sent on 11 GPIOs; it cannot answer")


class Automatic(SimulatedCamera):
    """A camera that makes up for a lamp that was turned down, until it is held as it was calibrated."""

    def restore(self, held: Mapping[str, float]) -> None:
        super().restore(held)
        self.darken(0.3)


def test_the_camera_is_held_as_it_was_calibrated(rig: SimulatedRig, folder: StateFolder, empty: Frame) -> None:
    held = {"exposure_us": 8000.0, "gain": 2.0}
    replace(Calibration.load(folder.calibration), held=held).save(folder.calibration)
    camera = Automatic(empty)
    checks = found(replace(rig, camera=camera), folder)

    assert camera.lock() == held
    assert checks["light"][0] is State.FAILED, "the table sees it so, and refuses to read"


class Sluggish(SimulatedDisplay):
    """A display on a bus as slow as it comes."""

    def show(self, screen: Screen) -> None:
        time.sleep(0.06)
        super().show(screen)


def test_a_display_on_a_slow_bus_is_found(rig: SimulatedRig, folder: StateFolder) -> None:
    state, said = found(rig, folder, Sluggish())["display"]

    assert state is State.FAILED
    took = re.search(r"a screen takes (\d+) ms$", said)
    assert took is not None
    assert int(took[1]) >= 60


def test_light_says_by_how_much_it_changes(rig: SimulatedRig, folder: StateFolder) -> None:
    assert "0.0% between pictures: no flicker" in found(rig, folder)["light"][1]


def test_a_camera_that_must_be_calibrated_still_says_what_was_measured(rig: SimulatedRig, folder: StateFolder) -> None:
    folder.calibration.unlink()
    _, said = found(rig, folder)["camera"]

    assert "1280 x 960 pixels, sharp to " in said
    assert said.endswith("; there is no calibration")


def test_the_free_space_is_named(rig: SimulatedRig, folder: StateFolder) -> None:
    assert "MB free" in found(rig, folder)["storage"][1]
