"""The dice of the house, learned from throws, and a picture of what was understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision import read_tray
from vision.calibration import Calibration, CalibrationError
from vision.calibration.dice import DieModel, Specimen, kinds, measure, models
from vision.calibration.geometry import check_sizes
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.motion.lying import side_of, were_touched
from vision.tray.height import hung_as_dice_tell
from vision.types import Frame, TrayReading

INK, PAPER, MARK = (40, 40, 40), (245, 245, 245), (60, 160, 30)
GAP = 12
LINE = 22
SIDE_SPREAD = 0.1
"""By how much the outline of a die may differ from the size that was given: it is measured to some 5 %."""


@dataclass(frozen=True, eq=False)
class Lesson:
    """What was learned from some throws.

    Attributes
    ----------
    readings
        Of each throw.
    again
        Of each throw whether its dice lie where they lay in one before: nothing is learned from it, for what a throw
        tells of the camera's height would count twice.
    specimens
        The dice whose pips could be measured.
    hung
        The calibration that was known, with the height of its camera as the dice tell it.
    """

    readings: tuple[TrayReading, ...]
    again: tuple[bool, ...]
    specimens: tuple[Specimen, ...]
    hung: Calibration

    @property
    def dice(self) -> tuple[DieModel, ...]:
        """The kinds of dice."""
        return models(self.specimens)

    @property
    def learned(self) -> Calibration:
        """The calibration with all that was learned."""
        return replace(self.hung, dice=self.dice)


def learn(known: Calibration, frames: Sequence[Frame], dice: int | None = None) -> Lesson:
    """Return what *frames*, throws in the tray of *known*, tell of the dice.

    Parameters
    ----------
    known : Calibration
    frames : sequence of ndarray of uint8, shape (M, N, 3)
        Of the size of the calibration.
    dice : int or None
        How many dice lie in each; None for any number.
    """
    readings = tuple(read_tray(frame, known, dice) for frame in frames)
    again = _again(readings)
    throws = [
        (frame, reading.dice)
        for frame, reading, known_already in zip(frames, readings, again, strict=True)
        if reading.faces is not None and not known_already
    ]
    hung = hung_as_dice_tell(known, [frame for frame, _ in throws])
    below = hung.mm_to_px(hung.viewpoint.position_mm[None, :2])[0]
    measured = (
        measure(frame, die, known.die_mm, np.array(die.centre_px) - below) for frame, lying in throws for die in lying
    )
    return Lesson(readings, again, tuple(specimen for specimen in measured if specimen is not None), hung)


def _again(readings: Sequence[TrayReading]) -> tuple[bool, ...]:
    """Return of each of *readings* whether its dice lie where they lay in one before."""
    before = (readings[:number] for number in range(len(readings)))
    return tuple(
        reading.faces is not None
        and any(one.faces is not None and not were_touched(reading.dice, one.dice) for one in earlier)
        for reading, earlier in zip(readings, before, strict=True)
    )


def other_size(known: Calibration, refused: Sequence[Frame]) -> str | None:
    """Return that dice are of another size than *known* has them, if *refused* throws show it; None if they do not.

    Notes
    -----
    Without a calibration a picture tells the scale of its dice, by the layout of their pips and so not exactly. It is
    believed where the calibrated reader, given that size, reads the same faces; and then the outlines are measured.
    """
    rim = round(MARGIN_MM * PX_PER_MM)
    for frame in refused:
        # The felt alone: what lies beside the tray may look like pips.
        scene = read_tray(known.straightened(frame)[rim:-rim, rim:-rim], None)
        if scene.faces is None:
            continue
        side_mm = float(np.median([side_of(die) for die in scene.dice])) / PX_PER_MM
        try:
            check_sizes(known.tray_mm, side_mm)
        except CalibrationError:  # a giant, whose pips are dice
            continue
        lesson = learn(replace(known, die_mm=side_mm), [frame])
        if lesson.readings[0].faces != scene.faces or not lesson.specimens:
            continue
        measured_mm = float(np.median([specimen.side_mm for specimen in lesson.specimens]))
        return _other_size(measured_mm, known) if _is_other(measured_mm, known) else None
    return None


def _is_other(side_mm: float, known: Calibration) -> bool:
    return abs(side_mm / known.die_mm - 1) > SIDE_SPREAD


def _other_size(side_mm: float, known: Calibration) -> str:
    return f"dice look about {side_mm:.1f} mm wide, not {known.die_mm:g}; check --die-mm"


def in_words(die: DieModel) -> str:
    """Return one line on *die* for a person."""
    said = [f"body {_colour(die.body_bgr)}", f"pips {_colour(die.pip_bgr)}", f"about {die.side_mm:.1f} mm"]
    if die.pip is not None:
        said.append(f"pips {die.pip:.2f} of a side")
    if die.six_long is not None and die.six_short is not None:
        said.append(f"six {die.six_long:.2f} x {die.six_short:.2f}")
    said.append(f"layout {die.layout}")
    return ", ".join(said) + f" (from {' '.join(map(str, die.seen))})"


def doubts(known: Calibration, lesson: Lesson) -> list[str]:
    """Return what is odd about the dice that were learned, and what else they told."""
    odd = []
    for die in lesson.dice:
        if _is_other(die.side_mm, known):
            odd.append(_other_size(die.side_mm, known))
    before, now = known.camera_height_mm, lesson.hung.camera_height_mm
    if lesson.hung is not known:
        odd.append(f"by the sides of the dice the camera hangs {now:.0f} mm above the floor, not {before:.0f}: kept so")
    missing = sorted(set(range(1, 7)) - {specimen.face for specimen in lesson.specimens})
    if lesson.specimens and missing:
        odd.append(f"no {' '.join(map(str, missing))} was seen; a few throws more would show them")
    return odd


def picture(lesson: Lesson) -> Frame:
    """Return a picture of the dice as they were understood: each kind in a row, its pips ringed, its face below.

    Returns
    -------
    ndarray of uint8, shape (M, N, 3)
    """
    groups = kinds(lesson.specimens)
    tile = lesson.specimens[0].crop.shape[0] if lesson.specimens else 60
    widest = max([len(group) for group in groups], default=1)
    width = max(760, GAP + widest * (tile + GAP))
    height = GAP + max(len(groups), 1) * (tile + 2 * LINE + GAP)
    drawn = np.full((height, width, 3), PAPER, np.uint8)
    for row, (group, die) in enumerate(zip(groups, lesson.dice, strict=True)):
        top = GAP + row * (tile + 2 * LINE + GAP)
        for column, specimen in enumerate(sorted(group, key=lambda s: s.face)):
            left = GAP + column * (tile + GAP)
            drawn[top : top + tile, left : left + tile] = _ringed(specimen)
            _write(drawn, str(specimen.face), (left + tile // 2 - 5, top + tile + LINE - 6))
        _write(drawn, in_words(die), (GAP, top + tile + 2 * LINE - 6))
    if not groups:
        _write(drawn, "no die was understood", (GAP, GAP + LINE))
    return drawn


def _ringed(specimen: Specimen) -> Frame:
    drawn = specimen.crop.copy()
    scale = drawn.shape[0] / 1.6
    for x, y in specimen.pips:
        centre = (round((x + 0.8) * scale), round((y + 0.8) * scale))
        cv2.circle(drawn, centre, round(specimen.diameter / 2 * scale), MARK, 1, cv2.LINE_AA)
    return drawn


def _write(drawn: Frame, text: str, at: tuple[int, int]) -> None:
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)


def _colour(bgr: tuple[int, int, int]) -> str:
    blue, green, red = bgr
    return f"#{red:02x}{green:02x}{blue:02x}"
