"""Tests every part of the table and says what is wrong and what to do."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Final, TypeVar

import cv2

from firmware.errors import FirmwareError
from firmware.folder import StateFolder, write_whole
from firmware.journal import reading
from hardware.board import Board, Oled
from hardware.devices import Buttons, Camera, Clock, Display, HardwareError, Lamp, Lamps, Screen, Sound
from vision import read_tray
from vision.calibration import Calibration
from vision.types import Fault, Frame, VisionError

LEAST_FREE_BYTES: Final = 50_000_000
DARK: Final = 25.0
BRIGHT: Final = 235.0
WARM_UP_FRAMES: Final = 15

T = TypeVar("T")


class State(StrEnum):
    """How a part is."""

    OK = auto()
    FAILED = auto()
    ABSENT = auto()


@dataclass(frozen=True, slots=True)
class Check:
    """One part: how it is, what was found, and what to do (empty when nothing is)."""

    name: str
    state: State
    found: str
    do: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """How each device is opened; one that cannot be opened raises `HardwareError`."""

    camera: Callable[[], Camera]
    buttons: Callable[[], Buttons]
    lamps: Callable[[], Lamps]
    display: Callable[[], Display]
    sound: Callable[[], Sound]
    wait: Callable[[float], None] = field(default=time.sleep)


def real_parts(board: Board, clock: Clock, open_camera: Callable[[], Camera]) -> Parts:
    """Return the devices that *board* says are there."""

    def buttons() -> Buttons:
        from hardware.pi_buttons import PiButtons

        return PiButtons(board.buttons, clock)

    def lamps() -> Lamps:
        from hardware.pi_lamps import PiLamps

        return PiLamps(board.lamps)

    def display() -> Display:
        from hardware.pi_display import PiOled, PiSegments

        return PiOled(board.display) if isinstance(board.display, Oled) else PiSegments(board.display)

    def sound() -> Sound:
        from hardware.pi_sound import PiSound

        return PiSound(board.buzzer)

    return Parts(open_camera, buttons, lamps, display, sound)


def examine(parts: Parts, folder: StateFolder, *, expected: bool) -> Iterator[Check]:
    """Yield a check of every part.

    Parameters
    ----------
    parts
        How the devices are opened.
    folder
        The state folder; hold it meanwhile.
    expected
        Whether the devices must be there, as on a Raspberry Pi: a missing one has failed, elsewhere it is absent.
    """
    missing = State.FAILED if expected else State.ABSENT
    yield from _camera_and_light(parts, folder, missing)
    yield _device("buttons", parts.buttons, _buttons, missing)
    yield _device("lamps", parts.lamps, lambda lamps: _lamps(lamps, parts.wait), missing)
    yield _device("display", parts.display, _display, missing)
    yield _device("sound", parts.sound, lambda sound: _sound(sound, parts.wait), missing)
    yield _storage(folder)


def _device(name: str, opener: Callable[[], T], examined: Callable[[T], Check], missing: State) -> Check:
    """Return the check of one device, or why it cannot be opened."""
    try:
        device = opener()
    except HardwareError as error:
        found, _, do = str(error).removeprefix(f"{name}: ").partition("; ")
        return Check(name, missing, found, do)
    try:
        return examined(device)
    except HardwareError as error:
        found, _, do = str(error).partition("; ")
        return Check(name, State.FAILED, found, do or "check its cable")
    finally:
        close = getattr(device, "close", None)
        if callable(close):
            close()


def _camera_and_light(parts: Parts, folder: StateFolder, missing: State) -> Iterator[Check]:
    frames: list[Frame] = []

    def look(camera: Camera) -> Check:
        for _ in range(WARM_UP_FRAMES):
            frames.append(camera.capture().image)
        rows, columns = frames[-1].shape[:2]
        return Check("camera", State.OK, f"gives pictures of {columns} x {rows} pixels")

    seen = _device("camera", parts.camera, look, missing)
    if seen.state is not State.OK:
        yield seen
        yield Check("light", State.ABSENT, "not seen without a camera", "see to the camera first")
        return
    calibration, trouble = _calibration(folder, frames[-1], missing)
    yield trouble or seen
    yield _light(frames[-1], calibration)


def _calibration(folder: StateFolder, frame: Frame, missing: State) -> tuple[Calibration | None, Check | None]:
    """Return the saved calibration if it is good for *frame*, and what is wrong with it."""
    again = "calibrate: mexico-table --calibrate"
    if not folder.calibration.is_file():
        return None, Check("camera", missing, "gives pictures, but there is no calibration", again)
    try:
        known = Calibration.load(folder.calibration)
    except VisionError as error:
        return None, Check("camera", State.FAILED, str(error), again)
    if known.size != (frame.shape[1], frame.shape[0]):
        return None, Check("camera", State.FAILED, "gives pictures of another size than was calibrated", again)
    if read_tray(frame, known).fault is Fault.CAMERA_MOVED:
        return known, Check("camera", State.FAILED, "the tray is not where it was calibrated", again)
    return known, None


def _light(frame: Frame, calibration: Calibration | None) -> Check:
    mean = float(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).mean())
    found = f"the picture has a mean grey of {mean:.0f} of 255"
    if mean < DARK:
        return Check("light", State.FAILED, f"{found}: too dark", "switch the lamp on, or bring it nearer")
    if mean > BRIGHT:
        return Check("light", State.FAILED, f"{found}: too bright", "turn the lamp down, or away from the lens")
    if calibration is not None and read_tray(frame, calibration).fault is Fault.LIGHT:
        return Check("light", State.FAILED, f"{found}: not as it was calibrated", "set the lamp back, or calibrate")
    return Check("light", State.OK, found)


def _buttons(buttons: Buttons) -> Check:
    held = buttons.held()
    if held:
        names = ", ".join(sorted(held))
        return Check("buttons", State.FAILED, f"down with nobody pressing: {names}", "free them, or check their wires")
    return Check("buttons", State.OK, "none is stuck; press each at the table to see that it joins and leaves")


def _lamps(lamps: Lamps, wait: Callable[[float], None]) -> Check:
    for on in (True, False):
        for lamp in Lamp:
            lamps.set(lamp, on)
        wait(1.0 if on else 0.0)
    return Check("lamps", State.OK, "all were lit for a second; one that stayed dark needs its wire checked")


def _display(display: Display) -> Check:
    display.show(Screen("MEXICO", "12345", ("the display", "is", "well"), "8888"))
    return Check("display", State.OK, "answers")


def _sound(sound: Sound, wait: Callable[[float], None]) -> Check:
    sound.tone(440.0)
    wait(0.3)
    sound.tone(None)
    return Check("sound", State.OK, "440 Hz sounded for a moment; if you heard nothing, check the buzzer's wires")


def _storage(folder: StateFolder) -> Check:
    trial = folder.path / "doctor.tmp"
    try:
        write_whole(trial, b"well")
        trial.unlink()
        with reading(folder.journal) as archive:
            games = archive.count()
        free = shutil.disk_usage(folder.path).free
    except FirmwareError as error:
        found, _, do = str(error).partition("; ")
        return Check("storage", State.FAILED, found, do)
    except OSError as error:
        return Check("storage", State.FAILED, f"{folder.path}: {error.strerror}", "make room, or name another --state")
    if free < LEAST_FREE_BYTES:
        return Check("storage", State.FAILED, f"{free // 1_000_000} MB are free", "make room on the disk")
    return Check("storage", State.OK, f"{games} games in {folder.path}, {free // 1_000_000} MB free")
