"""What calibrating asks of the camera, in a terminal and from a phone alike: the empty tray, and a throw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hardware.devices import Camera, CameraLost, LockableCamera
from vision import read_tray
from vision.calibrating import calibrate
from vision.calibration import Calibration
from vision.lens import Lens
from vision.motion.lying import was_thrown
from vision.types import Die, Fault, Frame, Point, TrayReading

WARM_UP_FRAMES = 30
EMPTY_FRAMES = 10
STILL_FRAMES = 3
"""So many pictures of a throw must read alike."""

LEARN_THROWS = 3
"""So many throws teach the dice at least."""

PROOFS = 3
"""So many throws are to be read right."""

NOT_THROWN = "That is no new throw: dice lie where they lay before. Throw all of them."


def empty_tray(camera: Camera) -> tuple[dict[str, float], list[Frame]]:
    """Return how the camera is held from now on, and pictures of the empty tray; it has to find its light first."""
    for _ in range(WARM_UP_FRAMES):
        camera.capture()
    held = dict(camera.lock()) if isinstance(camera, LockableCamera) else {}
    return held, [camera.capture().image for _ in range(EMPTY_FRAMES)]


def measured(
    frames: Sequence[Frame],
    held: dict[str, float],
    sizes: tuple[tuple[float, float], float],
    corners: Sequence[Point] | None,
    lens_of: Callable[[Frame], Lens | None],
) -> Calibration:
    """Return what pictures of the empty tray tell; *sizes* are those of the tray and of a die in millimetres.

    Raises
    ------
    CalibrationError
        Where something is wrong: what, and what to do.
    """
    tray_mm, die_mm = sizes
    made = calibrate(frames, tray_mm=tray_mm, die_mm=die_mm, corners=corners, lens=lens_of(frames[0]))
    return replace(made, held=held)


def thrown(camera: Camera, made: Calibration) -> tuple[Frame, TrayReading]:
    """Return a picture of what lies there and how it reads; refused unless several pictures read alike.

    Raises
    ------
    CameraLost
        Where the pictures have another size than the calibration.
    """
    for _ in range(STILL_FRAMES):
        camera.capture()
    frames = [camera.capture().image for _ in range(STILL_FRAMES)]
    # A camera may change it between two pictures, as when another program sets it.
    if any(frame.shape != made.empty.shape for frame in frames):
        raise CameraLost("the camera has changed the size of its pictures; begin again")
    readings = [read_tray(frame, made) for frame in frames]
    refused = next((reading for reading in readings if reading.faces is None), None)
    if refused is None and len({reading.faces for reading in readings}) > 1:
        refused = TrayReading.refused(Fault.UNSURE, "the same throw reads one way and another")
    return frames[0], refused or readings[0]


def is_another(reading: TrayReading, before: Sequence[Die]) -> bool:
    """Return whether the dice of *reading* were thrown since those *before* lay there, as a game would have it."""
    # Nobody watched: they may have been under a cup, or out of the tray.
    return was_thrown(reading.dice, before, number=len(reading.dice), hidden=True, gone=True)


def faces_in_words(reading: TrayReading) -> str:
    """Return what was read."""
    return " ".join(map(str, reading.faces or ()))


def refusal_in_words(reading: TrayReading) -> str:
    """Return why nothing was read."""
    return f"Refused, {reading.fault}" + (f": {reading.note}" if reading.note else "")
