"""The real table, whose camera is unplugged, hangs, goes black or is bumped between two throws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from firmware import eyes as eyes_module
from hardware.rig import simulated_rig
from hardware.simulated import SimulatedCamera
from tests.firmware.scripted import ASKED, ROLLED, ScriptedCamera, Step, play_before, seeing
from tests.rendered import calibrated
from vision.render import RenderedDie, Table
from vision.types import Frame

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

LOST = 4
REFUSED = 30
"""For so many pictures a trouble lasts: as often as a camera is asked again, and until a throw has been refused."""

FIVE, THREE = RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 3)


def bumped(scene: Frame) -> Frame:
    """Return *scene* as the camera sees it after somebody knocked against its arm."""
    return np.roll(scene, (25, 40), axis=(0, 1))


TROUBLES: dict[str, tuple[Callable[[Frame], list[Step]], str, str]] = {
    "unplugged": (
        lambda scene: [Step(SimulatedCamera.unplug, LOST), Step(SimulatedCamera.replug, 1)],
        "NO CAMERA",
        "",
    ),
    "stalled": (lambda scene: [Step(SimulatedCamera.stall, LOST), Step(SimulatedCamera.replug, 1)], "NO CAMERA", ""),
    "black": (
        lambda scene: [
            seeing(scene, 1),
            Step(lambda camera: camera.darken(0.02), REFUSED),
            Step(lambda camera: camera.darken(1.0), 1),
        ],
        "B: not counted",
        "LIGHT",
    ),
    "bumped": (lambda scene: [seeing(bumped(scene), REFUSED)], "B: not counted", "BUMP"),
}


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_camera_in_trouble_is_said_counts_nothing_and_the_next_throw_counts(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    steps, title, big = TROUBLES[trouble]
    table, rig = Table(seed=1), simulated_rig()
    empty, first, second = table.empty(1), table.picture([FIVE], seed=1), table.picture([THREE], seed=2)
    made = calibrated(table)
    replace(made, held={}).save(tmp_path / "calibration.json")
    before = [seeing(empty, 3, shown=ASKED), seeing(first, 10), seeing(empty, 2, shown=ROLLED)]
    after = [seeing(empty, 3), seeing(second, 10), seeing(empty, 2)]
    play_before(ScriptedCamera(rig, [*before, *steps(second), *after]), rig, monkeypatch)
    monkeypatch.setattr(eyes_module, "_RETRY_S", 0.01)

    answer = call("--hardware", "--state", tmp_path)
    (status,) = call("status", "--json", "--state", tmp_path).json
    shown = [(screen.title, screen.big) for screen in rig.display.screens]
    assert answer.code == 0
    assert any(was[0] == title and (not big or was[1] == big) for was in shown), shown
    assert (status["events"], status["lead"], status["turn"]) == (2, "A", "A"), answer.err
    assert "A rolls 5" in answer.err
    assert "B rolls 3" in answer.err
