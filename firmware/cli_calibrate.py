"""``mexico-table --calibrate``: from photographs without questions, or step by step with the camera."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import click

from firmware.cli_common import Common, say, the_common
from firmware.cli_options import Wanted
from firmware.cli_table import camera_name
from firmware.errors import FileError, TableError
from firmware.folder import write_whole
from hardware.cameras import open_camera
from hardware.devices import LockableCamera
from hardware.pictures import load_picture, shown
from vision.calibration import Calibration, calibrate
from vision.types import Frame

logger = logging.getLogger(__name__)

DIE_MM = 16.0
WARM_UP_FRAMES = 30
EMPTY_FRAMES = 10


def calibrate_tray(wanted: Wanted) -> int:
    """Set the camera up for this tray and save the calibration."""
    common = the_common()
    common.log()
    return _from_pictures(wanted, common) if wanted.from_ else _step_by_step(wanted, common)


def _from_pictures(wanted: Wanted, common: Common) -> int:
    if wanted.tray_mm is None:
        raise click.UsageError("how large is the floor of the tray inside? say it with --tray-mm, such as 300x220")
    frames = [load_picture(name) for name in wanted.from_]
    made = calibrate(frames, tray_mm=wanted.tray_mm, die_mm=wanted.die_mm or DIE_MM, corners=wanted.corners)
    _save(made, wanted.out, common)
    return 0


def _step_by_step(wanted: Wanted, common: Common) -> int:
    """Look at the empty tray with the table's camera; its exposure, white balance and focus are held from now on."""
    settings = common.settings()
    tray_mm = wanted.tray_mm or (settings.tray.width_mm, settings.tray.depth_mm)
    camera = open_camera(camera_name(settings))
    try:
        if not sys.stdin.isatty():
            raise TableError(
                "calibrating step by step needs a terminal; run it in one, "
                "or give pictures of the empty tray with --from"
            )
        say(f"1. The tray is {tray_mm[0]:g} x {tray_mm[1]:g} mm inside? If not: --tray-mm, or [tray] in the settings.")
        click.prompt("2. Take everything out of the tray, set the light as it will be, then press Enter",
                     default="", show_default=False, prompt_suffix=" ")  # fmt: skip
        for _ in range(WARM_UP_FRAMES):
            camera.capture()
        held = camera.lock() if isinstance(camera, LockableCamera) else {}
        frames: list[Frame] = [camera.capture().image for _ in range(EMPTY_FRAMES)]
    finally:
        camera.close()
    die_mm = wanted.die_mm or settings.tray.die_mm
    made = calibrate(frames, tray_mm=tray_mm, die_mm=die_mm, corners=wanted.corners)
    _save(made, wanted.out, common)
    write_whole(common.folder.camera_held, json.dumps(dict(held)).encode())
    say("3. Done: the table can be used. Calibrate again when camera, tray or lamp are moved.")
    return 0


def _save(made: Calibration, out: Path | None, common: Common) -> None:
    """Save *made* where it was asked for, else as the calibration of this table."""
    path = common.folder.calibration if out is None else out
    try:
        if out is None:
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{shown(path.parent)}: cannot be made ({error.strerror}); name a file with --out") from error
    made.save(path)
    corners = "  ".join(f"{x:.0f},{y:.0f}" for x, y in made.corners_px)
    say(f"saved {shown(path)}")
    say(f"  picture {made.size[0]} x {made.size[1]} px, tray {made.tray_mm[0]:g} x {made.tray_mm[1]:g} mm, "
        f"dice {made.die_mm:g} mm")  # fmt: skip
    say(f"  corners {corners}")
    say(f"  camera about {made.camera_height_mm / 10:.0f} cm above the tray")
