"""``mexico-table --calibrate``: from photographs without questions, or step by step with the camera."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import click
import numpy as np

from firmware import calibrate_learn
from firmware.calibrate_pdf import target_pdf
from firmware.calibrate_steps import Ended, Steps
from firmware.calibrate_words import look, what_was_made
from firmware.cli_both import camera_name
from firmware.cli_common import Common, say, the_common
from firmware.cli_options import Wanted
from firmware.drawings import may_replace, write_drawing
from firmware.errors import FileError, TableError
from firmware.folder import make_for, try_for, write_for
from firmware.seeing import open_table_camera
from hardware.pictures import load_picture, shown
from vision.calibrating import calibrate, findings
from vision.calibration import Calibration, beside
from vision.calibration.target import Sighting, black_rectangles, floor_by_target, lens_from_target, sight
from vision.lens import Lens
from vision.tray.height import hung_at
from vision.types import Frame

logger = logging.getLogger(__name__)

DIE_MM = 16.0

DRAWING = ".dice.png"
"""How the drawing of the dice ends that is written beside a calibration."""

LOOK = ".look.png"
"""How the drawing of a floor ends that was found by itself; step by step it has that name as well."""

FAR_OFF = 2.0
"""By what factor a ruler may say other than the corners: of lenses as different as those of the Camera Module 3 and its
wide one it is 1.9."""

NOT_HELD = (
    "photographs do not tell how the camera is to be held: exposure, gain, white balance and focus are found "
    "anew all evening; to have them held calibrate with the camera itself, without --from"
)

OFF_BY_TARGET = 0.02
"""By which part the floor may measure otherwise by the target than was said."""


def calibrate_tray(wanted: Wanted) -> int:
    """Set the camera up for this tray and save the calibration."""
    common = the_common()
    common.log()
    if wanted.print_target is not None:
        return _print_target(wanted, wanted.print_target)
    return _from_pictures(wanted, common) if wanted.from_ else _step_by_step(wanted, common)


def _print_target(wanted: Wanted, path: Path) -> int:
    if wanted.from_ or wanted.target or wanted.dice_from or wanted.out:
        raise click.UsageError("--print-target writes the sheet and ends; calibrate with another call")
    _check_out(path, "--print-target", ())
    write_for("--print-target", path, target_pdf(black_rectangles()))
    say(f"saved {shown(path)}: print it on A4 at 100 %, measure its bar, lay it flat into the tray, photograph it with "
        "the table's camera, then again three times or more, tilted this way and that; give the photographs with "
        "--target")  # fmt: skip
    return 0


def _check_out(path: Path, option: str, photographs: Sequence[str]) -> None:
    """Check that *path* names a file that can be written, and none of *photographs*."""
    if not path.name:
        raise click.UsageError(f"{option} names no file")
    lost = next((name for name in photographs if os.path.realpath(name) == os.path.realpath(path)), None)
    if lost is not None:
        raise click.UsageError(f"{option} {shown(path)} would replace the photograph {shown(lost)}; name another")
    try_for(option, path)


# --- from photographs ---


def _from_pictures(wanted: Wanted, common: Common) -> int:
    if wanted.tray_mm is None:
        raise click.UsageError("how large is the floor of the tray inside? say it with --tray-mm, such as 300x220")
    _check_place(wanted, common)
    drawing = beside(_place(wanted.out, common), DRAWING)
    if wanted.dice_from and not may_replace(drawing):
        raise click.UsageError(f"{shown(drawing)} is there, and was not drawn by this program; name another --out")
    frames, notes = _empty_trays(wanted.from_)
    lens, sightings = _lens(wanted.target, frames[0])
    made = calibrate(frames, tray_mm=wanted.tray_mm, die_mm=wanted.die_mm or DIE_MM, corners=wanted.corners, lens=lens)
    made = _hung(made, wanted)
    notes += [finding.words for finding in findings(made, frames, by_hand=wanted.corners is not None)]
    notes += [] if lens is None else _by_target(sightings, lens, made)
    lesson = _lesson(made, wanted.dice_from) if wanted.dice_from else None
    if lesson is not None:
        notes += calibrate_learn.doubts(made, lesson)
        made = lesson.learned
    if _is_of_the_table(wanted.out, common):
        notes.append(NOT_HELD)
    given = (*wanted.from_, *wanted.target, *wanted.dice_from)
    _save(made, wanted.out, common, {os.path.realpath(name) for name in given})
    if lesson is not None:
        write_drawing("--out", drawing, calibrate_learn.picture(lesson))
        say(f"look at {shown(drawing)}: are these the dice, and every pip ringed?")
    if wanted.corners is None:
        notes += _draw_floor(made, beside(_place(wanted.out, common), LOOK))
    for note in notes:
        say(f"  note: {note}")
    return 0


def _empty_trays(names: Sequence[str]) -> tuple[list[Frame], list[str]]:
    """Return the pictures called *names*, each of them once, and a note on those that are there again.

    A picture does not differ from itself, and so would say that the camera had no noise.
    """
    frames: list[Frame] = []
    again: list[str] = []
    for name in names:
        frame = load_picture(name)
        if any(np.array_equal(frame, other) for other in frames):
            again.append(f"{shown(name)} is there twice and counts once: take another picture of the empty tray")
        else:
            frames.append(frame)
    return frames, again


def _draw_floor(made: Calibration, drawing: Path) -> list[str]:
    """Put the floor of *made* where a person can look at it, or return a note that another picture is there."""
    if not may_replace(drawing):
        return [f"{shown(drawing)} is there, and was not drawn by this program: look at the corners above whether they "
                "are those of the floor"]  # fmt: skip
    write_drawing("--out", drawing, look(made))
    say(f"the floor was found by itself: look at {shown(drawing)}: is the green line on its edge all around?")
    return []


def _hung(made: Calibration, wanted: Wanted) -> Calibration:
    """Return *made* with its camera as high as a ruler says, if one does and the target does not."""
    if wanted.camera_mm is None:
        return made
    if made.lens is not None and made.lens.is_of_target:
        raise click.UsageError("the target tells how high the camera hangs; leave out --camera-mm")
    by_corners = made.camera_height_mm
    if not 1 / FAR_OFF < wanted.camera_mm / by_corners < FAR_OFF:
        say(f"note: by the corners the camera hangs some {by_corners / 10:.0f} cm above the felt, and not "
            f"{wanted.camera_mm / 10:.0f}; measure again, from the felt to its lens")  # fmt: skip
    return hung_at(made, wanted.camera_mm)


def _lens(names: Sequence[str], empty: Frame) -> tuple[Lens | None, list[Sighting]]:
    """Return the lens as photographs of the target tell it, None without any."""
    sightings = []
    for name in names:
        photograph = load_picture(name)
        if photograph.shape != empty.shape:
            seen, wanted = (f"{frame.shape[1]} x {frame.shape[0]}" for frame in (photograph, empty))
            raise FileError(f"{shown(name)}: is {seen} pixels, the empty tray is {wanted}; take all with one camera")
        sightings.append(sight(photograph, shown(name)))
    if not sightings:
        return None, []
    lens, error_px = lens_from_target(sightings)
    focal = "focal length not told: tilt the sheet more" if lens.focal_px is None else f"focal {lens.focal_px:.0f} px"
    say(f"target: seen in {len(sightings)}, k1 {lens.k1:.3f}, k2 {lens.k2:.3f}, {focal}, error {error_px:.2f} px")
    return lens, sightings


def _by_target(sightings: Sequence[Sighting], lens: Lens, made: Calibration) -> list[str]:
    """Return a note if the target says that the floor has another size."""
    for sighting in sightings:
        seen = floor_by_target(sighting, lens, made.corners_px)
        if seen is not None and any(abs(a / b - 1) > OFF_BY_TARGET for a, b in zip(seen, made.tray_mm, strict=True)):
            return [f"by the target the floor is {seen[0]:.0f} x {seen[1]:.0f} mm; check --tray-mm, the corners, and "
                    "that the sheet's bar is as long as it says"]  # fmt: skip
    return []


def _lesson(made: Calibration, names: Sequence[str]) -> calibrate_learn.Lesson:
    """Return what the throws called *names* teach of the dice, said line by line."""
    frames = []
    for name in names:
        frame = load_picture(name)
        if frame.shape != made.empty.shape:
            seen, wanted = (f"{f.shape[1]} x {f.shape[0]}" for f in (frame, made.empty))
            raise FileError(f"{shown(name)}: is {seen} pixels, the empty tray is {wanted}; take all with one camera")
        frames.append(frame)
    lesson = calibrate_learn.learn(made, frames)
    for name, reading, again in zip(names, lesson.readings, lesson.again, strict=True):
        said = (
            f"refused  {reading.fault}  {reading.note}" if reading.faces is None else " ".join(map(str, reading.faces))
        )
        once = ", which lie where they lay in a throw before and count once; take another throw" if again else ""
        say(f"{shown(name)}: {said}{once}")
    if not lesson.specimens:
        refused = [frame for frame, reading in zip(frames, lesson.readings, strict=True) if reading.faces is None]
        size = calibrate_learn.other_size(made, refused)
        what_to_do = f"; take others, with dice apart and at rest, or check --die-mm ({made.die_mm:g} mm)"
        raise FileError(f"no die was understood in the throws of --dice-from{f': {size}' if size else what_to_do}")
    for die in lesson.dice:
        say(f"dice: {calibrate_learn.in_words(die)}")
    return lesson


# --- step by step ---


def _step_by_step(wanted: Wanted, common: Common) -> int:
    """Look at the empty tray with the table's camera; its exposure, white balance and focus are held from now on."""
    settings = common.settings()
    if wanted.dice_from:
        raise click.UsageError("--dice-from goes with --from; step by step the dice are thrown before the camera")
    tray_mm = wanted.tray_mm or (settings.tray.width_mm, settings.tray.depth_mm)
    die_mm = wanted.die_mm or settings.tray.die_mm
    _check_place(wanted, common)
    name, fps = camera_name(settings), settings.camera.frames_per_s
    steps = Steps(lambda: open_table_camera(name, common.folder, fps), common.folder.path, tray_mm, die_mm)
    try:
        if not sys.stdin.isatty():
            raise TableError(
                "calibrating step by step needs a terminal; run it in one, "
                "or give pictures of the empty tray with --from"
            )
        made = steps.empty_tray(wanted.corners, lambda frame: _lens(wanted.target, frame)[0])
        made = steps.prove(steps.dice(_hung(made, wanted)))
    except Ended as ended:
        say(str(ended))
        return 1
    finally:
        steps.close()
    _save(made, wanted.out, common)
    say("Done: the table can be used. Calibrate again when camera, tray or lamp are moved.")
    return 0


# --- files ---


def _place(out: Path | None, common: Common) -> Path:
    """Return where a calibration is saved: where it was asked for, else as that of this table."""
    return common.folder.calibration if out is None else out


def _is_of_the_table(out: Path | None, common: Common) -> bool:
    """Return whether what is saved becomes the calibration that this table runs with."""
    return os.path.realpath(_place(out, common)) == os.path.realpath(common.folder.calibration)


def _check_place(wanted: Wanted, common: Common) -> None:
    """Find out before the work whether what comes of it can be saved."""
    if wanted.out is not None:
        _check_out(wanted.out, "--out", (*wanted.from_, *wanted.target, *wanted.dice_from))
    else:
        make_for("--state", common.folder.path)
        try_for("--state", common.folder.calibration)


def _save(made: Calibration, out: Path | None, common: Common, keep: Collection[str] = ()) -> None:
    """Save *made* in its place; the photographs to *keep* stay, also where one is the picture of the one of before."""
    path = _place(out, common)
    made.save(path, keep=keep)
    say(f"saved {shown(path)}")
    for line in what_was_made(made):
        say(f"  {line}")
