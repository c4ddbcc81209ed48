"""The real table with simulated devices in the place of the Pi's: started, played through the camera, ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from firmware import cli_table
from hardware.devices import CameraFrame, EndOfStream, Key
from hardware.rig import SimulatedRig, simulated_rig
from vision import calibrate
from vision.render import RenderedDie, Table

if TYPE_CHECKING:
    from tests.firmware.conftest import Call


class Evening:
    """A camera before which three people sit down and throw one die each; then it ends."""

    def __init__(self, rig: SimulatedRig, table: Table, throws: list[RenderedDie]) -> None:
        self._rig = rig
        empty = table.empty(1)
        self._frames = [empty] * 3
        for number, die in enumerate(throws):
            self._frames += [table.picture([die], seed=number)] * 10 + [empty] * 2
        self._taken = 0
        self.restored: dict[str, float] = {}

    def capture(self) -> CameraFrame:
        if self._taken == 0:
            for key in (Key.SEAT_1, Key.SEAT_2, Key.STOP):
                self._rig.buttons.press(key)
                self._rig.buttons.release(key)
        if self._taken == len(self._frames):
            raise EndOfStream("the evening is over")
        self._taken += 1
        return CameraFrame(self._frames[self._taken - 1], 0.0)

    def lock(self) -> dict[str, float]:
        return {}

    def restore(self, held: Any) -> None:
        self.restored = dict(held)

    def release(self) -> None:
        self.restored = {}

    def close(self) -> None:
        pass


def test_an_evening_with_real_dice_is_played_stored_and_ended(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rig = Table(seed=1), simulated_rig()
    frames = [table.empty(seed) for seed in range(3)]
    made = calibrate(frames, tray_mm=table.tray_mm, corners=table.corners_px)
    replace(made, held={"exposure_us": 8000.0}).save(tmp_path / "calibration.json")
    camera = Evening(rig, table, [RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 3)])

    @contextmanager
    def simulated(kind: object, wiring: object) -> Iterator[Any]:
        yield replace(rig, camera=camera)  # type: ignore[arg-type]

    monkeypatch.setattr(cli_table, "open_rig", simulated)

    answer = call("--hardware", "--state", tmp_path)
    (status,) = call("status", "--json", "--state", tmp_path).json
    assert answer.code == 0
    assert (status["events"], status["lead"], status["turn"]) == (2, "A", "A")
    assert camera.restored == {"exposure_us": 8000.0}
    assert "A rolls 5" in answer.err
    again = call("--virtual", "--auto", "--state", tmp_path)
    assert "of the real table is interrupted" in again.err


def test_a_raspberry_pi_is_known_by_its_model(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")

    assert cli_table.on_a_pi(tmp_path / "model")
    assert not cli_table.on_a_pi(tmp_path / "none")
