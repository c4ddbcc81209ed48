"""Power comes back and a device does not: as a service the table plays on what is there, at a terminal it says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import numpy as np
import pytest

from firmware import cli_table, eyes
from hardware import pi_display
from hardware.devices import Camera, CameraFrame, DeviceMissing, EndOfStream
from hardware.simulated import SimulatedCamera
from tests.hardware.mock_pins import mock_pins
from tests.hardware.oled_bus import Bus
from tests.rendered import calibrated
from tests.virtual_pi.display import words_on
from vision import Calibration
from vision.render import Table

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

# luma.core still asks Pillow in a way that Pillow 13 warns about
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

SEEN_WITHIN_S = 20.0
MISSED = 3
"""So often a camera is looked for in vain: at the start, for the first picture, and when its being lost can be seen."""
NO_CAMERA = "camera: no Raspberry Pi camera found; check its cable"
NO_DISPLAY = "display: none on the I2C bus 1, address 0x3C (I2C device not found on address: 0x3C); check its cable"


@dataclass
class World:
    """The table's parts: pins, a bus with a display, a camera; what is missing is put back after it was missed."""

    bus: Bus = field(default_factory=Bus)
    camera: bool = True
    titles: list[str] = field(default_factory=list)
    asked: int = 0
    connected: int = 0

    def connect(self) -> Bus:
        self.connected += 1
        return self.bus.connect()

    def plug_the_display_in(self) -> None:
        """Put it back once a screen has not been taken: two addresses are tried at the start, and for that screen."""
        until_s = monotonic() + SEEN_WITHIN_S
        while not self.bus.plugged and self.connected < 4 and monotonic() < until_s:
            sleep(0.02)
        self.bus.put_back()

    def title(self) -> str:
        shown = self.bus.picture()
        return "" if shown is None else words_on(np.array(shown))[0]

    def sees(self, title: str) -> None:
        """Wait until the display has shown *title*."""
        until_s = monotonic() + SEEN_WITHIN_S
        while title not in self.titles and monotonic() < until_s:
            self.titles.append(self.title())
            sleep(0.02)

    def open_camera(self, _name: str, _fps: float) -> Camera:
        self.asked += 1
        if not self.camera:
            if self.asked == MISSED:
                self.plug_the_display_in()
                self.sees("NO CAMERA")
                self.camera = True
            raise DeviceMissing(NO_CAMERA)
        return Lens(self)


class Lens(SimulatedCamera):
    """A camera that gives pictures until the table has asked for guests; then its film is over."""

    def __init__(self, world: World) -> None:
        super().__init__(Table(seed=1).empty(1))
        self._world = world

    def capture(self) -> CameraFrame:
        if self._taken < 3:
            return super().capture()
        self._world.plug_the_display_in()
        self._world.sees("MEXICO: press a seat")
        raise EndOfStream("the evening is over")


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    """What is known of the tray."""
    return calibrated(Table(seed=1))


@pytest.fixture
def world(calibration: Calibration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A Pi with a calibrated table, on mock pins."""
    world = World()
    monkeypatch.setattr(pi_display, "_i2c_opener", lambda _display: world.connect)
    monkeypatch.setattr(cli_table, "open_camera", world.open_camera)
    monkeypatch.setattr(eyes, "_RETRY_S", 0.01)
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    calibration.save(tmp_path / "calibration.json")
    (tmp_path / "settings.toml").write_text("[table]\nself_test = false\n[timing]\ndisplay_retry_s = 0.1\n")
    with mock_pins():
        yield world

    assert world.bus.open == 0


def take_away(world: World, missing: str) -> None:
    if "camera" in missing:
        world.camera = False
    if "display" in missing:
        world.bus.pull()


@pytest.mark.parametrize("missing", ["display", "camera", "camera and display"])
def test_a_service_begins_without_a_device_says_so_and_has_it_when_it_is_back(
    missing: str, world: World, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    take_away(world, missing)
    answer = call("--hardware", "--state", tmp_path)

    assert answer.code == 0, answer.err
    assert "MEXICO: press a seat" in world.titles
    assert ("NO CAMERA" in world.titles) == ("camera" in missing)
    assert (NO_CAMERA in answer.err) == ("camera" in missing)
    assert (NO_DISPLAY in answer.err) == ("display" in missing)


@pytest.mark.parametrize("missing", ["display", "camera"])
def test_at_a_terminal_a_missing_device_is_an_error_of_one_line(
    missing: str, world: World, call: Call, tmp_path: Path
) -> None:
    take_away(world, missing)
    answer = call("--hardware", "--state", tmp_path)
    (line,) = answer.err.splitlines()

    assert answer.code == 2
    assert line.startswith(f"mexico-table: {NO_CAMERA if missing == 'camera' else NO_DISPLAY}")
