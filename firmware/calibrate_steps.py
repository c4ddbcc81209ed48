"""Calibrating step by step in a terminal: each step says what it sees, what is wrong, and what to do.

Nothing is saved here: whoever ends half way through has the calibration of before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from firmware import calibrate_learn
from firmware.calibrate_looking import (
    LEARN_THROWS,
    NOT_THROWN,
    PROOFS,
    empty_tray,
    faces_in_words,
    is_another,
    measured,
    refusal_in_words,
    thrown,
)
from firmware.calibrate_words import held_in_words, look
from firmware.cli_common import say
from firmware.drawings import write_drawing
from firmware.folder import make_for
from hardware.devices import Camera
from hardware.pictures import shown
from vision.calibrating import findings
from vision.calibration import Calibration, CalibrationError
from vision.calibration.checks import Finding
from vision.lens import Lens
from vision.types import Die, Frame, Point, TrayReading

ESC, ENTER, END_OF_INPUT = "\x1b", "\r", "\x04"
YES, NO, SKIP, DONE = "y", "n", "s", "d"


class Ended(Exception):
    """The person ended it, or the answer is no: the message says so."""


def ask(question: str, keys: str = "") -> str:
    """Return the key a person answers *question* with: ENTER or one of *keys*.

    Raises
    ------
    Ended
        At the escape key, and where nobody can answer any more: what nobody saw is not saved.
    """
    while True:
        click.echo(f"{question} ", nl=False)
        key = _key().lower()
        click.echo(key if key.isprintable() else "")
        if key in (ESC, END_OF_INPUT):
            raise Ended("Ended: nothing was saved, the calibration is as it was before.")
        key = ENTER if key == "\n" else key
        if key in tuple(keys):
            return key


def agrees(question: str) -> bool:
    """Return whether a person says yes to *question*; only y and n are answers."""
    return ask(f"{question} y / n", YES + NO) == YES


def _key() -> str:
    """Return one key; from something that only looks like a terminal the first character of a line."""
    try:
        sys.stdin.fileno()
    except (OSError, ValueError):
        line = sys.stdin.readline()
        return line[:1] if line else END_OF_INPUT
    try:
        return click.getchar() or END_OF_INPUT
    except EOFError:
        return END_OF_INPUT


class Steps:
    """The steps of one calibration.

    Parameters
    ----------
    open_camera
        Opens the table's camera; called again when its exposure has to be found anew.
    folder
        Where pictures for the person are put.
    tray_mm, die_mm
        Sizes of tray and dice.
    """

    def __init__(
        self, open_camera: Callable[[], Camera], folder: Path, tray_mm: tuple[float, float], die_mm: float
    ) -> None:
        self._open_camera = open_camera
        self._camera: Camera = open_camera()
        self._folder = folder
        self._tray_mm = tray_mm
        self._die_mm = die_mm
        self._lying: tuple[Die, ...] = ()

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()

    def empty_tray(self, corners: Sequence[Point] | None, lens_of: Callable[[Frame], Lens | None]) -> Calibration:
        """Return what the empty tray tells, its floor confirmed by the person where it was found by itself."""
        say(f"1. The tray is {self._tray_mm[0]:g} x {self._tray_mm[1]:g} mm inside, the dice {self._die_mm:g} mm? "
            "If not: Esc, then --tray-mm and --die-mm, or [tray] in the settings.")  # fmt: skip
        question = "2. Take everything out of the tray, set the light as it will be, then press Enter (Esc: end)"
        while True:
            ask(question, ENTER)
            try:
                made, frames = self._measure(corners, lens_of)
            except CalibrationError as error:
                say(f"   Not yet: {error}")
                question = "   Put it right, then press Enter (Esc: end)"
                self._camera.close()
                self._camera = self._open_camera()
                continue
            self._tell(made, findings(made, frames, by_hand=corners is not None))
            if corners is not None or self._is_right(made):
                return made
            say("   Then give the corners with --corners, in pixels, clockwise from the top left.")
            raise Ended("Ended: the floor was not found; nothing was saved, the calibration is as it was before.")

    def _measure(
        self, corners: Sequence[Point] | None, lens_of: Callable[[Frame], Lens | None]
    ) -> tuple[Calibration, list[Frame]]:
        """Return what the empty tray tells, and its pictures; exposure, white balance and focus are held from then."""
        held, frames = empty_tray(self._camera)
        return measured(frames, held, (self._tray_mm, self._die_mm), corners, lens_of), frames

    def _tell(self, made: Calibration, notes: Sequence[Finding]) -> None:
        say(f"   The camera is held: {held_in_words(made.held) or 'it has nothing that can be held'}.")
        for note in notes:
            say(f"   Note: {note.words}")

    def _is_right(self, made: Calibration) -> bool:
        """Ask whether the floor that was found is the floor."""
        path = self._show("calibration.look.png", look(made))
        say(f"   The floor was found: look at {shown(path)}; green is its edge, yellow where the tops of dice can be.")
        return agrees("   Is the green line on the edge of the floor all around?")

    def dice(self, made: Calibration) -> Calibration:
        """Return *made* with the dice of the house, learned from throws, or without where the person skips it."""
        frames: list[Frame] = []
        while True:
            more = "" if len(frames) < LEARN_THROWS else ", d: these are enough"
            asked = ask(
                f"3. The dice: throw them, then press Enter (s: skip{more}, Esc: end)",
                ENTER + SKIP + (DONE if more else ""),
            )
            if asked == SKIP:
                return made
            if asked == DONE:
                lesson = calibrate_learn.learn(made, frames)
                if self._are_these(made, lesson):
                    return lesson.learned
                frames = []
                continue
            if (throw := self._thrown(made)) is None:
                continue
            if agrees(f"   I read {faces_in_words(throw[1])}. Is this right?"):
                frames.append(throw[0])
                say(f"   Good, that is {len(frames)}.")
            else:
                say("   Then this one is not learned from; throw again.")

    def _are_these(self, made: Calibration, lesson: calibrate_learn.Lesson) -> bool:
        for die in lesson.dice:
            say(f"   Dice: {calibrate_learn.in_words(die)}")
        for doubt in calibrate_learn.doubts(made, lesson):
            say(f"   Note: {doubt}")
        path = self._show("calibration.dice.png", calibrate_learn.picture(lesson))
        say(f"   What was understood is in {shown(path)}.")
        return agrees("   Are these the dice, and every pip ringed (n: learn them again)?")

    def prove(self, made: Calibration) -> Calibration:
        """Return *made* when three throws were read right, or when the person skips the proof."""
        right = 0
        while right < PROOFS:
            asked = ask(
                f"4. The proof, {right + 1} of {PROOFS}: throw, then press Enter (s: skip, Esc: end)", ENTER + SKIP
            )
            if asked == SKIP:
                say("   Not proved: keep an eye on the first readings.")
                return made
            if (throw := self._thrown(made)) is None:
                continue
            if not agrees(f"   I read {faces_in_words(throw[1])}. Is this right?"):
                raise Ended("Ended: a throw was read wrong, so nothing was saved; calibrate again, with more light.")
            right += 1
        say(f"   {PROOFS} throws were read right.")
        return made

    def _thrown(self, made: Calibration) -> tuple[Frame, TrayReading] | None:
        """Return a picture of a new throw and how it reads; None where there is none, and it was said why."""
        frame, reading = thrown(self._camera, made)
        if reading.faces is None:
            say(f"   {refusal_in_words(reading)}; throw again.")
            if not made.dice and (size := calibrate_learn.other_size(made, [frame])):
                say(f"   Note: {size}")
            return None
        if not is_another(reading, self._lying):
            say(f"   {NOT_THROWN}")
            return None
        self._lying = reading.dice
        return frame, reading

    def _show(self, name: str, picture: Frame) -> Path:
        """Put *picture* where the person can look at it."""
        path = self._folder / name
        make_for("--state", self._folder)
        write_drawing("--state", path, picture)
        return path
