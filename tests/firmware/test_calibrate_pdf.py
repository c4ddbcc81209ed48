"""``--calibrate --print-target``: the sheet that is laid into the tray."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware.calibrate_pdf import LEFT_MM, RULER_MM, target_pdf
from vision.calibration.target import black_rectangles

if TYPE_CHECKING:
    from tests.firmware.conftest import Call


def test_the_target_is_a_whole_pdf_of_a4_with_a_bar_of_the_length_it_says(call: Call, tmp_path: Path) -> None:
    answer = call("--calibrate", "--print-target", tmp_path / "target.pdf")
    data = (tmp_path / "target.pdf").read_bytes()

    assert (answer.code, answer.err) == (0, "")
    assert data == target_pdf(black_rectangles())
    boxes = [tuple(map(float, found)) for found in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re", data)]
    bar = max((box for box in boxes if box[3] < 1), key=lambda box: box[2])
    assert (bar[0] / 72 * 25.4, bar[2] / 72 * 25.4) == pytest.approx((LEFT_MM, RULER_MM), abs=0.01)
    width, height = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data).groups()  # type: ignore[union-attr]
    assert (float(width), float(height)) == pytest.approx((297 / 25.4 * 72, 210 / 25.4 * 72), abs=0.01)
    assert all(x >= 0 and y >= 0 and x + w <= float(width) and y + h <= float(height) for x, y, w, h in boxes)


def test_every_object_of_the_pdf_is_where_its_table_says() -> None:
    data = target_pdf([(0, 0, 20, 20)])
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n\Z", data)[1])  # type: ignore[index]
    places = [int(place) for place in re.findall(rb"^(\d{10}) 00000 n $", data[start:], re.MULTILINE)]
    length, stream = re.search(rb"/Length (\d+) >>\nstream\n(.*)\nendstream", data, re.DOTALL).groups()  # type: ignore[union-attr]

    assert data[start:].startswith(b"xref\n0 6\n")
    assert [data[place:].split()[0] for place in places] == [b"1", b"2", b"3", b"4", b"5"]
    assert len(stream) == int(length)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--print-target", "t.pdf"), "goes with --calibrate", id="not calibrating"),
        pytest.param(("--calibrate", "--print-target", "no/t.pdf"), "cannot be written", id="no such folder"),
        pytest.param(("--calibrate", "--print-target", "t.pdf", "--from", "e.png"), "another call", id="both"),
    ],
)
def test_a_target_that_cannot_be_written_is_told(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = call(*arguments)

    assert answer.code == 2
    assert said in answer.err
