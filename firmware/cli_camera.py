"""Commands that look: ``read`` still pictures, ``watch`` a moving one."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from firmware.cli_common import Named, Whole, common, complain, say, say_json, the_common
from firmware.drawings import may_replace, write_drawing
from firmware.errors import FileError
from firmware.folder import make_for
from firmware.seeing import open_table_camera
from hardware.devices import EndOfStream, LockableCamera
from hardware.pictures import PictureError, load_picture, shown
from vision import evidence, motion, prepare, read_tray
from vision.calibration import Calibration
from vision.geometry import LONGEST
from vision.read import SMALLEST, may_show_dice
from vision.types import Die, Frame, TrayReading

_calibration = click.option("--calibration", type=Named(), metavar="CAL.json",
                            help="What is known of camera and tray.")  # fmt: skip
_dice = click.option("--dice", type=Whole(1, 30), metavar="N", help="How many dice there must be.")
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")


@click.command(short_help="Read still pictures.")
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True, type=click.Path(readable=False))
@_calibration
@_dice
@_json
@click.option("--overlay", "overlay_dir", type=Named(), metavar="DIR",
              help="Write each picture with what was seen drawn on it, and every die as it was read.")  # fmt: skip
@common
def read(
    images: tuple[str, ...], calibration: Path | None, dice: int | None, as_json: bool, overlay_dir: Path | None
) -> int:
    """Read still pictures; without a calibration any picture of dice, the tray unknown."""
    the_common().log()
    known = None if calibration is None else Calibration.load(calibration)
    if overlay_dir is not None:
        make_for("--overlay", overlay_dir)
    wrong, undrawn, taken = 0, 0, {os.path.realpath(name) for name in images}
    width = max(len(shown(name)) for name in images)
    prepare(known)
    for name in images:
        try:
            frame = _of_size(load_picture(name), known, name)
        except (PictureError, FileError) as error:
            wrong += 1
            say_json({"file": name, "error": str(error)}) if as_json else complain(error)
            continue
        begun_s = time.perf_counter()
        reading = read_tray(frame, known, dice)
        ms = (time.perf_counter() - begun_s) * 1000
        if as_json:
            say_json({"file": name, **reading_json(reading), "ms": round(ms, 1)})
        else:
            say(f"{shown(name):<{width}}  {_in_words(reading):<24} {ms:7.1f} ms  {reading.note}".rstrip())
        if overlay_dir is not None:
            try:
                _write_overlay(overlay_dir, name, frame, reading, taken)
            except FileError as error:
                undrawn += 1
                complain(error)
    if wrong and as_json:
        complain(f"{wrong} of {len(images)} pictures could not be read; see their lines")
    return 2 if wrong or undrawn else 0


def _of_size(frame: Frame, known: Calibration | None, name: str) -> Frame:
    """Return *frame* if dice can be seen in it, and *known* is a calibration for pictures of its size."""
    size = (frame.shape[1], frame.shape[0])
    if not may_show_dice(size):
        raise FileError(
            f"{shown(name)}: is {size[0]} x {size[1]} pixels, in which no die can be seen; take a picture of "
            f"{SMALLEST} x {SMALLEST} at least, and at most {LONGEST} times as long as wide"
        )
    if known is not None and size != known.size:
        raise FileError(
            f"{shown(name)}: is {size[0]} x {size[1]} pixels, the calibration is for {known.size[0]} x "
            f"{known.size[1]}; take a picture with the calibrated camera, or leave --calibration out"
        )
    return frame


def reading_json(reading: TrayReading) -> dict[str, object]:
    """Return a reading as ``read --json`` has it."""
    return {
        "verdict": "read" if reading.faces is not None else "refused",
        "faces": None if reading.faces is None else list(reading.faces),
        "fault": None if reading.fault is None else str(reading.fault),
        "dice": [_die_json(die) for die in reading.dice],
    }


def _die_json(die: Die) -> dict[str, object]:
    return {
        "face": die.face,
        "centre_px": [round(value, 1) for value in die.centre_px],
        "centre_mm": None if die.centre_mm is None else [round(value, 1) for value in die.centre_mm],
        "yaw_deg": round(die.yaw_deg, 1) % 90.0,
        "confidence": round(die.confidence, 3),
    }


def _in_words(reading: TrayReading) -> str:
    if reading.faces is None:
        return f"refused  {reading.fault}"
    return f"read     {' '.join(map(str, reading.faces))}"


def _write_overlay(folder: Path, name: str, frame: Frame, reading: TrayReading, taken: set[str]) -> None:
    """Write the picture under its own name, with a number where one of *taken*, or another picture, has it."""
    source = Path(name)
    suffix = source.suffix.lower() if source.suffix.lower() in (".jpg", ".jpeg", ".png") else ".png"
    target, number = folder / f"{source.stem}{suffix}", 1
    while os.path.realpath(target) in taken or not may_replace(target):
        number += 1
        target = folder / f"{source.stem}-{number}{suffix}"
    taken.add(os.path.realpath(target))
    write_drawing("--overlay", target, evidence.sheet(frame, reading))


@click.command(short_help="Read a moving picture.")
@click.argument("video", metavar="VIDEO|camera", type=Named(str))
@_calibration
@_dice
@_json
@common
def watch(video: str, calibration: Path | None, dice: int | None, as_json: bool) -> int:
    """Say when dice roll, rest, are covered, and what they show; *camera* is the table's own."""
    the_common().log()
    known = None if calibration is None else Calibration.load(calibration)
    camera = open_table_camera(video, the_common().folder)
    prepare(known)
    state, number, first_s = motion.start(), -1, 0.0
    try:
        if known is not None and isinstance(camera, LockableCamera):
            camera.restore(known.held)
        while True:
            seen = camera.capture()
            number += 1
            first_s = seen.time_s if number == 0 else first_s
            frame = _of_size(seen.image, known, video)
            state, happened = motion.step(state, frame, known, dice)
            for event in happened:
                _show_event(event, number, seen.time_s - first_s, as_json)
    except EndOfStream:
        return 0
    finally:
        camera.close()


def _show_event(event: motion.WatchEvent, number: int, time_s: float, as_json: bool) -> None:
    reading = event.reading
    faces = None if reading is None or reading.faces is None else list(reading.faces)
    fault = None if reading is None or reading.fault is None else str(reading.fault)
    if as_json:
        line = {"frame": number, "t_s": round(time_s, 2), "event": str(event.kind), "faces": faces, "fault": fault}
        say_json(line | ({"touched": True} if event.touched else {}))
        return
    said = " ".join(map(str, faces)) if faces else fault or ("touched, not thrown" if event.touched else "")
    say(f"{time_s:8.2f} s  frame {number:5d}  {event.kind!s:<10} {said}".rstrip())
