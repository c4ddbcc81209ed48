"""The real table with simulated devices in the place of the Pi's: started, played through the camera, ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware import computer
from hardware.rig import simulated_rig
from tests.firmware.scripted import ASKED, ROLLED, ScriptedCamera, play_before, seeing
from tests.rendered import calibrated
from vision import calibrate
from vision.render import RenderedDie, Table

NOT_OURS = "192.0.2.7:8021"
"""An address that is kept for documents (RFC 5737): no computer has it."""

if TYPE_CHECKING:
    from tests.firmware.conftest import Call


def test_an_evening_with_real_dice_is_played_stored_and_ended(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rig = Table(seed=1), simulated_rig()
    frames = [table.empty(seed) for seed in range(3)]
    made = calibrate(frames, tray_mm=table.tray_mm, corners=table.corners_px)
    replace(made, held={"exposure_us": 8000.0}).save(tmp_path / "calibration.json")
    throws = [table.picture([die]) for die in (RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 3))]
    empty = frames[0]
    script = [seeing(empty, 3, shown=ASKED), seeing(throws[0], 10), seeing(empty, 2, shown=ROLLED)]
    camera = ScriptedCamera(rig, [*script, seeing(throws[1], 10), seeing(empty, 2)])
    play_before(camera, rig, monkeypatch)

    answer = call("--hardware", "--state", tmp_path)
    (status,) = call("status", "--json", "--state", tmp_path).json
    assert answer.code == 0
    assert (status["events"], status["lead"], status["turn"]) == (2, "A", "A")
    assert camera.restored == {"exposure_us": 8000.0}
    assert "A rolls 5" in answer.err
    again = call("--virtual", "--auto", "--state", tmp_path)
    assert "of the real table is interrupted" in again.err


def guests_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two guests sit down at a calibrated table, and nothing else happen."""
    calibrated(Table(seed=1)).save(tmp_path / "calibration.json")
    rig = simulated_rig()
    play_before(ScriptedCamera(rig, []), rig, monkeypatch)


def test_a_table_whose_page_has_no_address_yet_is_still_a_table(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a power cut, when the router is not there yet."""
    guests_only(tmp_path, monkeypatch)
    (tmp_path / "settings.toml").write_text(f'[page]\ntable_address = "{NOT_OURS}"')
    answer = call("--hardware", "--state", tmp_path)

    assert answer.code == 0
    assert f"no page can be served at {NOT_OURS}" in answer.err
    assert "seat 1 joins" in answer.err


def test_who_asks_for_a_page_where_there_can_be_none_is_told_so(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guests_only(tmp_path, monkeypatch)
    answer = call("--hardware", "--state", tmp_path, "--page-address", NOT_OURS)

    assert answer.code == 2
    assert f"no page can be served at {NOT_OURS}" in answer.err


def test_a_raspberry_pi_is_known_by_its_model(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")

    assert computer.on_a_pi(tmp_path / "model")
    assert not computer.on_a_pi(tmp_path / "none")
