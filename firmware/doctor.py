"""Tests every part of the table and says what is wrong and what to do."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import cv2

from firmware import computer
from firmware.checks import BRIGHT, DARK, Check, State, storage, warmth
from firmware.computer import Run
from firmware.folder import StateFolder
from hardware.board import Board, Oled, SevenSegment
from hardware.devices import (
    Buttons,
    Camera,
    CameraFrame,
    Clock,
    Display,
    Encoder,
    HardwareError,
    Key,
    Lamps,
    LockableCamera,
    Screen,
    Sound,
)
from vision import read_tray
from vision.calibration import Calibration
from vision.calibration.checks import blur_px, floor_mask, of_flicker
from vision.glance import Glance, glance
from vision.types import Fault, Frame, VisionError

AGAIN: Final = "calibrate: mexico-table --calibrate"
FREE: Final = "nothing is held of it: exposure, gain, white balance and focus change with the light"
HOLD: Final = "if it can hold any, calibrate with it, not from photographs: mexico-table --calibrate"
WARM_UP_FRAMES: Final = 15
SERIES: Final = 8
"""So many of the last pictures are asked for flicker, when the exposure has settled."""

LOOKS: Final = 25
LOOK_S: Final = 0.01
"""How often, and how far apart in seconds, buttons are looked at: a loose contact is not down all the time."""

SLOW_S: Final = 0.05
"""A screen that takes longer than so many seconds comes late: at 400 kHz it takes half of them, at 100 kHz twice."""

QUIET_S: Final = 0.3
"""So long the knob must be still with nobody turning it."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """What there should be, and how each device is opened; one that cannot be opened raises `HardwareError`."""

    board: Board
    camera: Callable[[], Camera]
    buttons: Callable[[], Buttons]
    encoder: Callable[[], Encoder]
    lamps: Callable[[], Lamps]
    display: Callable[[], Display]
    sound: Callable[[], Sound]
    wait: Callable[[float], None] = field(default=time.sleep)
    run: Run = field(default=computer.run)
    # Speaks, and returns what went wrong; None for a table without a caller.
    say: Callable[[], str | None] | None = None


def real_parts(board: Board, clock: Clock, open_camera: Callable[[], Camera]) -> Parts:
    """Return the devices that *board* says are there."""

    def buttons() -> Buttons:
        from hardware.pi_buttons import PiButtons

        return PiButtons(board.buttons, clock)

    def encoder() -> Encoder:
        from hardware.pi_encoder import PiEncoder

        return PiEncoder(*board.encoder, clock)

    def lamps() -> Lamps:
        from hardware.pi_lamps import PiLamps

        return PiLamps(board.lamps)

    def display() -> Display:
        from hardware.pi_display import PiOled, PiSegments

        return PiOled(board.display) if isinstance(board.display, Oled) else PiSegments(board.display)

    def sound() -> Sound:
        from hardware.pi_sound import PiSound

        return PiSound(board.buzzer)

    return Parts(board, open_camera, buttons, encoder, lamps, display, sound)


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
    yield from camera_and_light(parts, folder, missing)
    yield _device("buttons", parts.buttons, lambda buttons: _buttons(buttons, parts), missing)
    yield _device("encoder", parts.encoder, lambda encoder: _encoder(encoder, parts), missing)
    yield _device("lamps", parts.lamps, lambda lamps: _lamps(lamps, parts), missing)
    yield _device("display", parts.display, lambda display: _display(display, parts.board), missing)
    yield _device("sound", parts.sound, lambda sound: _sound(sound, parts), missing)
    if parts.say is not None:
        yield _caller(parts.say)
    yield from around(parts, folder)


def around(parts: Parts, folder: StateFolder) -> Iterator[Check]:
    """Yield a check of what is no device: the disk and the computer."""
    yield storage(folder)
    warm = warmth(parts.run)
    if warm.state is not State.ABSENT:
        yield warm


def _device(name: str, opener: Callable[[], T], examined: Callable[[T], Check], missing: State) -> Check:
    """Return the check of one device, or why it cannot be opened."""
    try:
        device = opener()
    except HardwareError as error:
        return told(name, error, missing)
    try:
        return examined(device)
    except HardwareError as error:
        return told(name, error, State.FAILED)
    finally:
        close = getattr(device, "close", None)
        if callable(close):
            close()


def told(name: str, error: HardwareError, state: State) -> Check:
    """Return the check of the device called *name* that *error* was raised for."""
    found, _, do = str(error).removeprefix(f"{name}: ").partition("; ")
    return Check(name, state, found, do or "check its cable")


def camera_and_light(parts: Parts, folder: StateFolder, missing: State) -> Iterator[Check]:
    """Yield a check of the camera, its calibration included, and one of the light."""
    frames: list[Frame] = []
    calibration, trouble = _calibration(folder, missing)

    def look(camera: Camera) -> Check:
        # As the table holds it: left to itself a camera makes up for a lamp that is out.
        free = False
        if calibration is not None and isinstance(camera, LockableCamera):
            camera.restore(calibration.held)
            free = not calibration.held
        taken = [camera.capture() for _ in range(WARM_UP_FRAMES)]
        frames.extend(frame.image for frame in taken)
        return Check("camera", State.OK, _pictures(taken), HOLD if free else "")

    seen = _device("camera", parts.camera, look, missing)
    if seen.state is not State.OK:
        yield seen
        yield Check("light", State.ABSENT, "not seen without a camera", "see to the camera first")
        return
    if calibration is not None:
        calibration, trouble = _still_true(calibration, frames[-1])
    if trouble is not None:
        yield Check("camera", trouble.state, f"{seen.found}; {trouble.found}", trouble.do)
    else:
        since = "" if calibration is None else f"; {_since_calibrated(folder, frames[-1], calibration)}"
        yield Check("camera", State.OK, f"{seen.found}{since}{f'; {FREE}' if seen.do else ''}", seen.do)
    yield _light(frames, calibration)


def _pictures(taken: Sequence[CameraFrame]) -> str:
    """Return size, rate and sharpness of the pictures in words."""
    rows, columns = taken[-1].image.shape[:2]
    seconds = taken[-1].time_s - taken[0].time_s
    rate = f"{(len(taken) - 1) / seconds:.0f} pictures a second" if seconds > 0 else "pictures"
    width = blur_px(taken[-1].image)
    sharp = "" if width is None else f", sharp to {width:.1f} pixels"
    return f"gives {rate} of {columns} x {rows} pixels{sharp}"


def _since_calibrated(folder: StateFolder, frame: Frame, calibration: Calibration) -> str:
    """Return how old the calibration is, and how far the tray lies from where it was, in words."""
    days = (time.time() - folder.calibration.stat().st_mtime) / 86_400
    seen = glance(frame, calibration)
    away = f", the tray {math.hypot(*seen.shift):.1f} pixels off" if isinstance(seen, Glance) else ""
    return f"calibrated {max(days, 0):.0f} days ago{away}"


def _calibration(folder: StateFolder, missing: State) -> tuple[Calibration | None, Check | None]:
    """Return the saved calibration, or what is wrong with it."""
    if not folder.calibration.is_file():
        return None, Check("camera", missing, "there is no calibration", AGAIN)
    try:
        return Calibration.load(folder.calibration), None
    except VisionError as error:
        return None, Check("camera", State.FAILED, str(error), AGAIN)


def _still_true(known: Calibration, frame: Frame) -> tuple[Calibration | None, Check | None]:
    """Return *known* if *frame* can be compared with it, and what is not as it was."""
    if known.size != (frame.shape[1], frame.shape[0]):
        return None, Check("camera", State.FAILED, f"was calibrated with {known.size[0]} x {known.size[1]}", AGAIN)
    if read_tray(frame, known).fault is Fault.CAMERA_MOVED:
        return known, Check("camera", State.FAILED, "the tray is not where it was calibrated", AGAIN)
    return known, None


def _light(frames: Sequence[Frame], calibration: Calibration | None) -> Check:
    frame = frames[-1]
    mean = float(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).mean())
    found = f"the picture has a mean grey of {mean:.0f} of 255"
    if mean < DARK:
        return Check("light", State.FAILED, f"{found}: too dark", "switch the lamp on, or bring it nearer")
    if mean > BRIGHT:
        return Check("light", State.FAILED, f"{found}: too bright", "turn the lamp down, or away from the lens")
    if calibration is not None and read_tray(frame, calibration).fault is Fault.LIGHT:
        return Check("light", State.FAILED, f"{found}: not as it was calibrated", "set the lamp back, or calibrate")
    if calibration is not None:
        finding = of_flicker(frames[-SERIES:], calibration.corners_px)
        if finding is not None:
            said, _, do = str(finding.words).partition("; ")
            return Check("light", State.FAILED, said, do or "see to the light")
        found += f", {_swing(frames[-SERIES:], calibration):.1%} between pictures: no flicker"
    return Check("light", State.OK, found)


def _swing(frames: Sequence[Frame], calibration: Calibration) -> float:
    """Return by which part the brightness of the tray differs between *frames*."""
    floor = floor_mask(frames[0], calibration.corners_px)
    means = [cv2.mean(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), floor)[0] for frame in frames]
    return (max(means) - min(means)) / max(means)


def _buttons(buttons: Buttons, parts: Parts) -> Check:
    """Look at all buttons many times: each must be up every time."""
    looks = []
    for _ in range(LOOKS):
        looks.append(buttons.held())
        parts.wait(LOOK_S)
    stuck, loose = frozenset.intersection(*looks), frozenset.union(*looks)
    if stuck:
        return Check("buttons", State.FAILED, f"down with nobody pressing: {_on(parts.board.buttons, stuck)}",
                     "free them, or check their wires")  # fmt: skip
    if loose:
        return Check("buttons", State.FAILED, f"up and down with nobody pressing: {_on(parts.board.buttons, loose)}",
                     "check their wires for a loose contact")  # fmt: skip
    names = ", ".join(parts.board.buttons)
    return Check("buttons", State.OK, f"up in {LOOKS} of {LOOKS} looks: {names}; to press each: doctor --walk")


def _on(pins: Mapping[Key, int], keys: Iterable[Key]) -> str:
    """Return *keys* with the GPIO of each, in words."""
    return ", ".join(f"{key} (GPIO {pins[key]})" for key in sorted(keys))


def _encoder(encoder: Encoder, parts: Parts) -> Check:
    heard: list[int] = []
    encoder.listen(lambda steps, _time_s: heard.append(steps))
    parts.wait(QUIET_S)
    where = f"GPIO {parts.board.encoder[0]} and {parts.board.encoder[1]}"
    if heard:
        return Check("encoder", State.FAILED, f"{len(heard)} steps on {where} with nobody turning",
                     "check its wires, and the one from its common to ground")  # fmt: skip
    return Check("encoder", State.OK, f"still for {QUIET_S:g} seconds on {where}; to turn it: doctor --walk")


def _lamps(lamps: Lamps, parts: Parts) -> Check:
    for on in (True, False):
        for lamp in parts.board.lamps:
            lamps.set(lamp, on)
        parts.wait(1.0 if on else 0.0)
    names = ", ".join(parts.board.lamps)
    return Check("lamps", State.OK, f"lit for a second: {names}; one that stayed dark needs its wire checked")


def _display(display: Display, board: Board) -> Check:
    screen = Screen("MEXICO", "12345", ("the display", "is", "well"), "8888")
    display.show(screen)
    shown_on = board.display
    if isinstance(shown_on, SevenSegment):
        pins = len(shown_on.segments) + len(shown_on.digits)
        found = f"8888 was sent on {pins} GPIOs; it cannot answer: to look at it: doctor --walk"
        return Check("display", State.OK, found)
    began_s = time.perf_counter()
    display.show(screen)
    took_s = time.perf_counter() - began_s
    where = f"I2C bus {shown_on.i2c_port}, address 0x{shown_on.i2c_address:02X}"
    found = f"answers on {where} as {shown_on.driver}; a screen takes {1000 * took_s:.0f} ms"
    if took_s > SLOW_S:
        return Check("display", State.FAILED, found, "let the bus run at 400 kHz: docs/install.md, i2c_arm_baudrate")
    return Check("display", State.OK, found)


def _sound(sound: Sound, parts: Parts) -> Check:
    sound.tone(440.0)
    parts.wait(0.3)
    sound.tone(None)
    where = f"GPIO {parts.board.buzzer}"
    return Check("sound", State.OK, f"440 Hz on {where} for a moment; if you heard nothing, check the buzzer's wires")


def _caller(say: Callable[[], str | None]) -> Check:
    wrong = say()
    if wrong is None:
        return Check("caller", State.OK, "said a word; if you heard nothing, turn the loudspeaker up")
    found, _, do = wrong.partition("; ")
    return Check("caller", State.FAILED, found, do)
