"""``--calibrate --dice-from``: throws from which nothing, or nothing new, can be learned."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from firmware.calibrate_learn import learn
from vision import Calibration
from vision.render import RenderedDie, Table

if TYPE_CHECKING:
    from tests.firmware.conftest import Answer, Call

THROW = [RenderedDie(80, 80, 20, 5), RenderedDie(200, 130, 65, 2)]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=3, size=(640, 480))


def learned_from(call: Call, table: Table, folder: Path, *options: object) -> Answer:
    """Calibrate *table* from a picture of it empty, with dice as *options* have it, into ``cal.json`` in *folder*."""
    empty = folder / "empty.png"
    cv2.imwrite(str(empty), table.empty(1))
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in table.corners_px)
    told = "--from", empty, "--corners", corners, "--tray-mm", "300x220", "--out", folder / "cal.json"
    return call("--calibrate", *told, *options)


def test_a_throw_that_is_given_twice_is_learned_from_once(call: Call, table: Table, tmp_path: Path) -> None:
    frames = [table.picture(THROW, seed=seed) for seed in (0, 9)]
    for name, frame in zip(("throw.png", "again.png"), frames, strict=True):
        cv2.imwrite(str(tmp_path / name), frame)
    answer = learned_from(
        call, table, tmp_path, "--dice-from", tmp_path / "throw.png", "--dice-from", tmp_path / "again.png"
    )

    assert (answer.code, answer.err) == (0, "")
    assert "throw.png: 5 2\n" in answer.out
    assert "again.png: 5 2, which lie where they lay in a throw before and count once; take another" in answer.out
    assert len(learn(Calibration.load(tmp_path / "cal.json"), frames).specimens) == 2


@pytest.mark.one_in(2)
@pytest.mark.parametrize("die_mm", [24, 12.5])
def test_dice_of_another_size_than_was_said_are_told_by_their_size(
    call: Call, table: Table, tmp_path: Path, die_mm: float
) -> None:
    cv2.imwrite(str(tmp_path / "throw.png"), table.picture(THROW))
    answer = learned_from(call, table, tmp_path, "--die-mm", die_mm, "--dice-from", tmp_path / "throw.png")

    assert (answer.code, "throw.png: refused" in answer.out) == (2, True)
    said = r"no die was understood .*: dice look about ([\d.]+) mm wide, not ([\d.]+); check --die-mm\n"
    size = re.search(said, answer.err)
    assert size is not None, answer.err
    assert [float(mm) for mm in size.groups()] == pytest.approx([16, die_mm], abs=0.8)
    assert not (tmp_path / "cal.json").exists()


def test_where_no_dice_are_seen_at_all_their_size_is_one_of_what_to_check(
    call: Call, table: Table, tmp_path: Path
) -> None:
    cv2.imwrite(str(tmp_path / "throw.png"), table.empty(3))
    answer = learned_from(call, table, tmp_path, "--dice-from", tmp_path / "throw.png")

    assert answer.code == 2
    assert "take others, with dice apart and at rest, or check --die-mm (16 mm)\n" in answer.err
