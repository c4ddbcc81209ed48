"""A table that begins without its display or its camera has them as soon as they are there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from hardware import pi_display
from hardware.board import Board, load_board
from hardware.devices import Camera, CameraLost, DeviceMissing, HardwareError, LockableCamera, Screen
from hardware.late import LateCamera
from hardware.rig import Wiring, open_rig
from hardware.simulated import SimulatedCamera, SimulatedDisplay

ANNA = Screen("ANNA rolls", "65", ("roll 2 of 3", "pot 4"), "P165")
NO_CAMERA = "camera: none found; check its cable"
NO_DISPLAY = "display: none on the I2C bus 1; check its cable"


@dataclass
class Shop:
    """Gives a camera and a display when it has them."""

    camera: SimulatedCamera | None = None
    display: SimulatedDisplay | None = None
    asked: list[str] = field(default_factory=list)

    def open_camera(self) -> Camera:
        self.asked.append("camera")
        if self.camera is None:
            raise DeviceMissing(NO_CAMERA)
        return self.camera

    def open_display(self, _display: object) -> SimulatedDisplay:
        self.asked.append("display")
        if self.display is None:
            raise DeviceMissing(NO_DISPLAY)
        return self.display


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A shop that has nothing yet, to which the rig of a Pi goes."""
    shop = Shop()
    monkeypatch.setattr(pi_display, "PiOled", shop.open_display)
    monkeypatch.setattr(pi_display, "PiSegments", shop.open_display)
    return shop


def wiring(shop: Shop, board: Board | None = None, *, patient: bool = True) -> Wiring:
    return Wiring(board=board or load_board("standard"), open_camera=shop.open_camera, patient=patient)


@pytest.mark.parametrize("board", ["standard", "compact"])
def test_a_display_that_comes_later_shows_the_next_screen(shop: Shop, board: str, pins: Any) -> None:
    shop.camera = SimulatedCamera()
    with open_rig("pi", wiring(shop, load_board(board))) as table:
        for _ in range(2):
            with pytest.raises(HardwareError, match=f"^{NO_DISPLAY}$"):
                table.display.show(ANNA)
        shop.display = SimulatedDisplay()
        table.display.show(ANNA)
        table.display.show(ANNA)

        assert list(shop.display.screens) == [ANNA, ANNA]

    assert shop.display.shown is None
    assert shop.asked.count("display") == 4, "at the start, twice in vain, and once when it was there"


def test_a_camera_that_comes_later_holds_what_it_was_calibrated_with(shop: Shop, pins: Any) -> None:
    shop.display = SimulatedDisplay()
    with open_rig("pi", wiring(shop)) as table:
        assert isinstance(table.camera, LockableCamera)
        table.camera.restore({"exposure_us": 8000.0})
        with pytest.raises(CameraLost, match=f"^{NO_CAMERA}$"):
            table.camera.capture()
        with pytest.raises(CameraLost, match=f"^{NO_CAMERA}$"):
            table.camera.lock()
        shop.camera = SimulatedCamera()

        assert table.camera.capture().image.shape == (960, 1280, 3)
        assert shop.camera.lock() == {"exposure_us": 8000.0}
        assert table.camera.lock() == {"exposure_us": 8000.0}

    with pytest.raises(CameraLost, match="closed"):
        shop.camera.capture()


def test_what_is_there_at_the_start_stands_in_the_rig_itself(shop: Shop, pins: Any) -> None:
    shop.camera, shop.display = SimulatedCamera(), SimulatedDisplay()
    with open_rig("pi", wiring(shop)) as table:
        assert table.camera is shop.camera
        assert table.display is shop.display


@pytest.mark.parametrize("missing", ["camera", "display"])
def test_nobody_waits_at_a_terminal(shop: Shop, missing: str, pins: Any) -> None:
    shop.camera, shop.display = SimulatedCamera(), SimulatedDisplay()
    setattr(shop, missing, None)

    with pytest.raises(DeviceMissing, match=f"^{missing}: none"), open_rig("pi", wiring(shop, patient=False)):
        pytest.fail("the block must not be entered")


def test_a_table_without_pins_has_neither_buttons_nor_lamps_and_does_not_wait(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise DeviceMissing("GPIO pins: this computer has none")

    monkeypatch.setattr("hardware.pi_buttons.pin_factory", none)

    with pytest.raises(DeviceMissing, match=r"^GPIO pins"), open_rig("pi", wiring(shop)):
        pytest.fail("the block must not be entered")


def test_a_camera_that_is_found_while_the_table_ends_is_closed_too() -> None:
    found = SimulatedCamera()

    def slowly() -> Camera:
        camera.close()
        return found

    camera = LateCamera(slowly)
    with pytest.raises(CameraLost, match="closed"):
        camera.capture()
    with pytest.raises(CameraLost, match="closed"):
        found.capture()
    with pytest.raises(CameraLost, match="closed"):
        camera.capture()


def test_a_late_camera_that_is_let_go_finds_everything_by_itself() -> None:
    found = SimulatedCamera()
    camera = LateCamera(lambda: found)
    camera.restore({"exposure_us": 8000.0})
    camera.release()
    camera.capture()

    assert found.lock() != {"exposure_us": 8000.0}

    camera.restore({"exposure_us": 5000.0})

    assert found.lock() == {"exposure_us": 5000.0}
