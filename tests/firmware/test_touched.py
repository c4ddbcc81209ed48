"""Dice that somebody touched after they were read: told, and not counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from firmware.events import TOUCHED, TrayRead, TrayStirred
from firmware.views import Note
from hardware.devices import Key
from vision import calibrate
from vision.render import RenderedDie, Table
from vision.types import Frame

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench, Call

DICE = (RenderedDie(90, 90, 20, 5), RenderedDie(200, 130, 65, 2))
PUSHED = (DICE[0], replace(DICE[1], x_mm=208.0))


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=1)


@pytest.fixture(scope="module")
def calibration(table: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("calibrated") / "cal.json"
    frames = [table.empty(seed) for seed in range(3)]
    calibrate(frames, tray_mm=table.tray_mm, corners=table.corners_px).save(path)
    return path


def film(folder: Path, *scenes: tuple[Table, tuple[RenderedDie, ...], int]) -> Path:
    """Write pictures of *scenes*, each with noise of its own."""
    folder.mkdir()
    number = 0
    for table, dice, times in scenes:
        for _ in range(times):
            cv2.imwrite(str(folder / f"{number:03d}.png"), table.picture(dice, seed=number))
            number += 1
    return folder


@pytest.mark.slow
def test_the_watch_says_that_dice_were_touched(call: Call, table: Table, calibration: Path, tmp_path: Path) -> None:
    pictures = film(tmp_path / "film", (table, (), 4), (table, DICE, 14), (table, PUSHED, 14))
    answer = call("watch", "--json", "--dice", 2, "--calibration", calibration, pictures)
    touched = [line for line in answer.json if "touched" in line]

    assert [line["faces"] for line in answer.json if line["event"] == "read"] == [[5, 2]]
    assert [(line["event"], line["touched"], line["faces"]) for line in touched] == [("settled", True, None)]
    assert {"moving", "settled", "read"} == {line["event"] for line in answer.json if int(str(line["frame"])) > 7}


@pytest.mark.long
@pytest.mark.slow
def test_the_watch_says_it_in_words(call: Call, table: Table, calibration: Path, tmp_path: Path) -> None:
    pictures = film(tmp_path / "film", (table, DICE, 14), (table, PUSHED, 14))
    answer = call("watch", "--dice", 2, "--calibration", calibration, pictures)

    assert answer.out.splitlines()[-1].endswith("settled    touched, not thrown")


def test_the_overlay_shows_every_die_above_the_picture(
    call: Call, table: Table, calibration: Path, tmp_path: Path
) -> None:
    picture: Frame = table.picture(DICE, seed=3)
    cv2.imwrite(str(tmp_path / "roll.png"), picture)
    answer = call("read", "--overlay", tmp_path / "seen", "--calibration", calibration, tmp_path / "roll.png")
    drawn = cv2.imread(str(tmp_path / "seen" / "roll.png"))

    assert answer.code == 0
    assert drawn is not None
    assert drawn.shape == (144 + 960, 1280, 3)
    assert np.abs(drawn[144:].astype(int) - picture).mean() < 3


def note(bench: Bench) -> Note:
    """Return what the table says besides the game."""
    return bench.controller.view.note


def test_the_table_says_it_and_counts_nothing(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.throw(6, 2)
    before = list(bench.stored)
    bench.controller.handle(TrayStirred("moving"))
    bench.controller.handle(TrayStirred(TOUCHED))

    assert note(bench) is Note.NOT_NOW
    assert "not counted" in " ".join(bench.screen.lines)
    assert bench.stored == before
    bench.wait(10)
    assert note(bench) is Note.NONE
    bench.controller.handle(TrayRead(bench.reading(5, 4)))
    assert len(bench.stored) == len(before) + 1


def test_what_is_paid_is_not_hidden_by_a_finger(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.throw(6, 5)
    bench.press(Key.STOP)
    bench.throw(3, 1)
    assert note(bench) is Note.ROUND_OVER
    bench.controller.handle(TrayStirred(TOUCHED))

    assert note(bench) is Note.ROUND_OVER
