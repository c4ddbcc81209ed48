"""The benchmark on rendered throws: any throw by its number, and no verdict better than it is."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks import throws
from benchmarks.throws import case_of, dump, read_throw, setup_of, thrown, tier_of
from benchmarks.throws_report import PER_SETUP, Record, write_report
from vision import Die, Fault, TrayReading
from vision.render.case import Tier


def _number(tier: Tier) -> int:
    return next(number for number in range(3 * PER_SETUP) if tier_of(number) is tier)


def _reading(faces: tuple[int, ...]) -> TrayReading:
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    return TrayReading.read(tuple(Die(face, (0.0, 0.0), None, 0.0, 0.9, corners) for face in faces))


def test_every_tier_has_its_share_of_three_tables() -> None:
    shares = Counter(tier_of(number) for number in range(3 * PER_SETUP))

    assert shares == {Tier.EASY: 28, Tier.NORMAL: 28, Tier.HARD: 46, Tier.MANY: 14, Tier.FAULTS: 34}


def test_from_the_millionth_throw_on_a_die_leans_in_half_of_them_by_little() -> None:
    setup = setup_of(1_000_000)
    tilts = [max(die.tilt_deg for die in thrown(setup, number).dice) for number in range(1_000_000, 1_000_008)]

    assert [8 <= tilt <= 17 for tilt in tilts] == 4 * [True, False]
    assert max(tilts) <= 40


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("tier", "answer", "verdict"),
    [
        pytest.param(Tier.EASY, "truth", "right", id="the faces"),
        pytest.param(Tier.EASY, "wrong", "lie", id="wrong faces"),
        pytest.param(Tier.EASY, "refusal", "refused", id="a refusal of what can be read"),
        pytest.param(Tier.FAULTS, "wrong", "lie", id="anything read from a fault"),
        pytest.param(Tier.FAULTS, "refusal", "refused", id="a fault by a wrong name"),
        pytest.param(Tier.FAULTS, "truth", "named", id="a fault by its name"),
    ],
)
def test_what_is_said_of_a_throw(monkeypatch: pytest.MonkeyPatch, tier: Tier, answer: str, verdict: str) -> None:
    number = _number(tier)
    _, case, _ = case_of(number)
    wrong = tuple(face % 6 + 1 for face in case.faces or (1, 2))
    right = _reading(case.faces) if case.faces else TrayReading.refused(case.faults[0])
    answers = {"truth": right, "wrong": _reading(wrong), "refusal": TrayReading.refused(Fault.UNSURE)}
    monkeypatch.setattr(throws, "read_tray", lambda *_: answers[answer])

    assert read_throw(number)["verdict"] == verdict


def test_a_throw_is_dumped_as_it_is_read(tmp_path: Path) -> None:
    number = _number(Tier.NORMAL)
    dump(number, tmp_path)
    truth = json.loads((tmp_path / f"{number:05d}.json").read_text(encoding="utf-8"))
    _, case, picture = case_of(number)

    assert np.array_equal(np.asarray(cv2.imread(str(tmp_path / f"{number:05d}.png"))), picture)
    assert tuple(truth["faces"]) == case.faces
    assert {"tray_mm", "die_mm", "empty_corners_px"} <= set(truth)


def test_throws_that_were_read_are_not_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    results = tmp_path / "throws.jsonl"
    known = _record(7, "right")
    results.write_text(json.dumps(known) + "\n" + '{"number": 8, "torn off', encoding="utf-8")
    asked: list[int] = []

    def read(numbers: list[int], size: tuple[int, int]) -> list[Record]:
        asked.extend(numbers)
        return [_record(number, "lie") for number in numbers]

    monkeypatch.setattr(throws, "_read_all", read)
    monkeypatch.setattr(throws, "ProcessPoolExecutor", ThreadPoolExecutor)

    assert [record["verdict"] for record in throws.run([7, 8], results, 1)] == ["right", "lie"]
    assert asked == [8]


def test_throws_that_another_reader_read_are_not_counted(tmp_path: Path) -> None:
    results = tmp_path / "throws.jsonl"
    results.write_text(json.dumps(_record(7, "right") | {"reader": "another"}) + "\n", encoding="utf-8")

    with pytest.raises(ValueError, match="another reader"):
        next(throws.run([7], results, 1))
    assert json.loads(results.read_text(encoding="utf-8"))["reader"] == "another"


def _record(number: int, verdict: str) -> Record:
    return {
        "number": number,
        "light": "panel",
        "tier": "easy",
        "kind": "sep",
        "legible": True,
        "bodies": ["marble", "opaque"],
        "truth": [5, 2],
        "verdict": verdict,
        "said": "(5, 2)",
        "ms": 4.0,
        "dice": [(5, 5, 0.99), (2, 2 if verdict == "right" else 3, 0.97)],
        "note": "",
        "reader": throws.reader_mark(),
    }


def _report() -> str:
    """Return the report on two throws read right and one read wrongly, one that is faint and one of a fault."""
    fault = _record(4, "named") | {"tier": "faults", "kind": "hand", "ms": 0.0, "dice": []}
    faint = _record(5, "refused") | {"legible": False, "ms": 8.0, "dice": []}
    slow = _record(2, "right") | {"ms": 20.0}
    return write_report([_record(1, "right"), slow, _record(3, "lie"), fault, faint], None, case_of)


def test_the_report_counts_and_names_every_lie() -> None:
    text = _report()

    assert "**1 lies**" in text
    assert "| easy | 3 | 2 (66.7%) | 0 (0.0%) | 0 (0.0%) | 1 (33.3%) |" in text
    assert "| easy, faint | 1 | 0 (0.0%) | 0 (0.0%) | 1 (100.0%) | 0 (0.0%) |" in text
    assert "| faults | 1 | 0 (0.0%) | 1 (100.0%) | 0 (0.0%) | 0 (0.0%) |" in text
    assert "Lie: throw 3 (easy, sep): read (5, 2), truth [5, 2]" in text
    assert "| **2** |  | 2 | 1 |  |  |  |" in text


def test_by_light_and_by_dice_only_what_can_be_read_is_counted() -> None:
    text = _report()

    assert "| panel | 3 | 2 (66.7%) | 0 (0.0%) | 0 (0.0%) | 1 (33.3%) |" in text
    assert "| easy: marble and opaque | 3 | 2 (66.7%) | 0 (0.0%) | 0 (0.0%) | 1 (33.3%) |" in text


def test_the_report_tells_how_far_confidence_is_to_be_trusted() -> None:
    text = _report()

    assert "| 0.95 to 0.98 | 3 | 2 | 66.67% |" in text
    assert "| 0.99 to 1.00 | 3 | 3 | 100.00% |" in text


def test_times_are_of_the_throws_that_were_read() -> None:
    assert "`read_tray`: median 6.0 ms, p95 18.2 ms." in _report()


@pytest.mark.parametrize(
    ("kind", "none_is_slight"), [("cocked_wall", True), ("slight_wall", False), ("slight_die", False)]
)
def test_the_report_knows_whether_dice_lean_by_little(kind: str, none_is_slight: bool) -> None:
    leaning = _record(4, "named") | {"tier": "faults", "kind": kind}
    text = write_report([_record(1, "right"), leaning], None, case_of)

    assert ("dice that lean do so by 17 degrees and more" in text) == none_is_slight
