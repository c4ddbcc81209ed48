"""Calibrating with the camera that the table lends: the steps of `firmware.calibrate_steps`, asked for by a phone.

Every look runs on the camera's own thread (`Eyes.lend`), and only while the table is out of play. Nothing is saved
before the end.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

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
from firmware.calibrate_stages import Act, NotNow, Over, Stage, Standing
from firmware.calibrate_words import held_in_words, look, what_was_made
from firmware.eyes import Eyes
from firmware.folder import StateFolder
from firmware.settings import Settings
from hardware.devices import Camera, HardwareError, LockableCamera
from vision import evidence
from vision.calibrating import findings
from vision.calibration import Calibration, CalibrationError
from vision.types import Die, Frame, Point

logger = logging.getLogger(__name__)
T = TypeVar("T")

LOOK_S: Final = 60.0
"""So long one look may take at most."""

BEFORE: Final = "calibration.before.json"
TRIED: Final = "calibration.virtual.json"

THROW_NOW: Final = f"The proof: {PROOFS} throws must be read right. Throw."
OTHER_STEP: Final = "that is not what comes next; look at what the page asks now"

_ON_A_PHONE: Final = {
    "give its corners with --corners": "tap its corners",
    "check --tray-mm": "check [tray] in the settings",
    "check --die-mm": "check [tray] die_mm in the settings",
    "--corners": "the corners",
    "--tray-mm": "the size of the tray in the settings",
    "--die-mm": "die_mm in the settings",
}


class LentCalibration:
    """One calibration of the table whose *eyes* lend their camera.

    Parameters
    ----------
    eyes
        Own the camera.
    known
        The calibration that the table has now.
    folder, settings
        Of the table.
    real
        Whether this is a real table: the calibration of a virtual one is kept beside and never used.
    """

    def __init__(self, eyes: Eyes, known: Calibration, folder: StateFolder, settings: Settings, *, real: bool) -> None:
        self._eyes = eyes
        self._known = known
        self._folder = folder
        tray = settings.tray
        # The rendered tray of a virtual table has a size of its own, whatever the settings say of a real one.
        self._sizes = ((tray.width_mm, tray.depth_mm), tray.die_mm) if real else (known.tray_mm, known.die_mm)
        self._real = real
        self._made: Calibration | None = None
        self._untaught: Calibration | None = None
        self._frames: list[Frame] = []
        self._throw: Frame | None = None
        self._lying: tuple[Die, ...] = ()
        self.picture: Frame | None = None
        (wide, deep), die_mm = self._sizes
        self.standing = Standing(said=(
            f"The tray is {wide:g} x {deep:g} mm inside, the dice {die_mm:g} mm? If not: end this, then set [tray] in "
            "the settings.",
            "Take everything out of the tray, and set the light as it will be.",
        ))  # fmt: skip

    def act(self, act: Act, corners: Sequence[Point] | None = None) -> None:
        """Do *act*, or raise NotNow or Over."""
        match self.standing.stage, act:
            case (_, Act.YES | Act.NO):
                self._answered(yes=act is Act.YES)
            case (Stage.EMPTY | Stage.FLOOR, Act.LOOK):
                self._look(corners)
            case (Stage.DICE | Stage.PROOF, Act.THROWN):
                self._read()
            case (Stage.DICE, Act.ENOUGH) if len(self._frames) >= LEARN_THROWS:
                self._learn()
            case (Stage.DICE, Act.SKIP):
                self._at(Stage.PROOF, THROW_NOW)
            case (Stage.PROOF, Act.SKIP):
                self._at(Stage.READY, "Not proved: keep an eye on the first readings.")
            case _:
                raise NotNow(OTHER_STEP)

    def _answered(self, *, yes: bool) -> None:
        match self.standing.stage, yes:
            case (Stage.FLOOR, True):
                self._at(Stage.DICE, "The dice: throw them, so that they are learned; or skip that.")
            case (Stage.FLOOR, False):
                self._show(self._known_made().empty)
                self._at(Stage.EMPTY, "Then tap the corners of the floor, clockwise from the top left.")
            case (Stage.DICE_ASKED, True):
                self._learn_from()
            case (Stage.DICE_ASKED, False):
                self._at(Stage.DICE, "Then this one is not learned from; throw again.")
            case (Stage.KINDS, True):
                self._at(Stage.PROOF, THROW_NOW)
            case (Stage.KINDS, False):
                self._frames, self._made = [], self._untaught
                self.standing = replace(self.standing, learned=0)
                self._at(Stage.DICE, "Then they are learned again: throw them.")
            case (Stage.PROOF_ASKED, True):
                self._proved()
            case (Stage.PROOF_ASKED, False):
                raise Over("Ended: a throw was read wrong, so nothing was saved; calibrate again, with more light.")
            case _:
                raise NotNow(OTHER_STEP)

    def save(self) -> str:
        """Save what was made, the calibration of before beside it; return what is to be known of it."""
        if self.standing.stage is not Stage.READY:
            raise NotNow("it is not ready to be saved")
        made, path = self._known_made(), self._folder.calibration
        try:
            if not self._real:
                made.save(self._folder.path / TRIED)
                return f"Saved as {TRIED}. A virtual table needs no calibration, so it is not used; the table goes on."
            if path.is_file():
                _keep(path)
            made.save(path)
        except CalibrationError as error:
            raise NotNow(str(error)) from None
        logger.info("calibrated from the panel: %s", "; ".join(what_was_made(made)))
        return f"Saved; the calibration of before is {BEFORE}."

    # --- the empty tray ---

    def _look(self, corners: Sequence[Point] | None) -> None:
        known = self._known.lens

        def looked(camera: Camera) -> tuple[dict[str, float], list[Frame]]:
            if isinstance(camera, LockableCamera):
                camera.release()  # the light may be another than the one it is held for
            return empty_tray(camera)

        held, frames = self._with_camera(looked)
        made: Calibration | str
        try:
            made = measured(frames, held, self._sizes, corners, lambda _frame: None)
        except CalibrationError as error:
            made = _on_a_phone(str(error))
        size = (frames[0].shape[1], frames[0].shape[0])
        if isinstance(made, str):
            self._show(frames[0])
            self.standing = replace(self.standing, size=size)
            self._at(Stage.EMPTY, f"Not yet: {made}")
            return
        self._made, self._frames, self._lying = made, [], ()
        wrong = findings(made, frames, by_hand=corners is not None)
        notes = [f"Note: {_on_a_phone(finding.words)}" for finding in wrong]
        if known is not None and known.is_of_target:
            notes.append("Note: the lens was measured with the printed target before, and is not any more; calibrate "
                         "in a terminal with --target where that is wanted.")  # fmt: skip
        self._show(look(made))
        self.standing = replace(self.standing, size=size, corners=made.corners_px, learned=0, proved=0)
        self._at(
            Stage.FLOOR,
            f"The camera is held: {held_in_words(made.held) or 'it has nothing that can be held'}.",
            *notes,
            "Is the green line on the edge of the floor all around? Yellow is where the tops of dice can be.",
        )

    # --- throws ---

    def _read(self) -> None:
        made = self._known_made()
        frame, reading = self._with_camera(lambda camera: thrown(camera, made))
        self._show(evidence.sheet(frame, reading))
        if reading.faces is None:
            size = None if made.dice else calibrate_learn.other_size(made, [frame])
            note = () if size is None else (f"Note: {_on_a_phone(size)}.",)
            self._at(self.standing.stage, f"{refusal_in_words(reading)}; throw again.", *note)
            return
        if not is_another(reading, self._lying):
            self._at(self.standing.stage, NOT_THROWN)
            return
        self._throw, self._lying = frame, reading.dice
        asked = Stage.DICE_ASKED if self.standing.stage is Stage.DICE else Stage.PROOF_ASKED
        self._at(asked, f"I read {faces_in_words(reading)}. Is this right?")

    def _learn_from(self) -> None:
        if self._throw is not None:
            self._frames.append(self._throw)
        learned = len(self._frames)
        self.standing = replace(self.standing, learned=learned)
        more = "Throw again." if learned < LEARN_THROWS else "These are enough; more would show more of each die."
        self._at(Stage.DICE, f"Good, that is {learned}. {more}")

    def _learn(self) -> None:
        made = self._known_made()
        lesson = calibrate_learn.learn(made, self._frames)
        if not lesson.specimens:
            self._frames = []
            self.standing = replace(self.standing, learned=0)
            self._at(Stage.DICE, "No die was understood; throw again: dice apart, at rest, not at the rim.")
            return
        self._made, self._untaught = lesson.learned, made
        self._show(calibrate_learn.picture(lesson))
        told = [f"Dice: {calibrate_learn.in_words(die)}." for die in lesson.dice]
        told += [f"Note: {_on_a_phone(doubt)}." for doubt in calibrate_learn.doubts(made, lesson)]
        self._at(Stage.KINDS, *told, "Are these the dice, and every pip ringed?")

    def _proved(self) -> None:
        proved = self.standing.proved + 1
        self.standing = replace(self.standing, proved=proved)
        if proved < PROOFS:
            self._at(Stage.PROOF, f"Right: {proved} of {PROOFS}. Throw again.")
        else:
            self._at(Stage.READY, f"{PROOFS} throws were read right.")

    # --- what all of them need ---

    def _with_camera(self, work: Callable[[Camera], T]) -> T:
        """Return what *work* finds on the camera's thread; the table's thread never waits for it."""
        found = Future[T]()

        def job(camera: Camera | None) -> None:
            if camera is None:
                found.set_exception(NotNow("the camera is the table's again; begin again"))
                return
            try:
                found.set_result(work(camera))
            except Exception as error:  # raised on below, on the thread that waits for it
                found.set_exception(error)

        self._eyes.lend(job)
        try:
            return found.result(LOOK_S)
        except TimeoutError:
            raise NotNow("the camera does not answer; check its cable, then try again") from None
        except HardwareError as error:
            raise NotNow(str(error)) from None

    def _known_made(self) -> Calibration:
        if self._made is None:
            raise NotNow("the empty tray comes first")
        return self._made

    def _show(self, picture: Frame) -> None:
        self.picture = picture
        self.standing = replace(self.standing, picture=self.standing.picture + 1)

    def _at(self, stage: Stage, *said: str) -> None:
        self.standing = replace(self.standing, stage=stage, said=said)


def _keep(path: Path) -> None:
    """Keep the calibration that is at *path* beside it, with a picture of its own; one that is broken is not kept."""
    try:
        old = Calibration.load(path)
    except CalibrationError as error:
        logger.warning("the calibration of before is not kept: %s", error)
        return
    old.save(path.with_name(BEFORE))


def _on_a_phone(words: str) -> str:
    """Return what `vision` says to somebody at a terminal, for somebody with a phone."""
    for option, instead in _ON_A_PHONE.items():
        words = words.replace(option, instead)
    return words
