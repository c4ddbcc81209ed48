"""The benchmark of speed: it times what `read_tray` is made of, and nothing that it is not."""

from __future__ import annotations

import pytest

from benchmarks import hobby, speed


@pytest.mark.slow
def test_every_stage_that_is_named_is_a_part_of_a_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "ROUNDS", 2)

    rows = [line.split(" | ") for line in speed.stages_table().splitlines()[2:]]

    assert [row[0] for row in rows] == [f"| `{name}`" for _, name, _ in speed.STAGES]
    assert all(float(row[1]) > 0 for row in rows)


def test_it_is_said_how_many_of_the_timed_pictures_the_hobby_reader_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = [tuple(sorted((die.top for die in dice), reverse=True)) for dice in speed.THROWN]
    monkeypatch.setattr(speed, "_pictures", lambda: (None, range(8)))
    monkeypatch.setattr(hobby, "read", lambda k, width, _: faces[k] if k < width / 200 else (0, 0))
    monkeypatch.setattr(hobby, "WIDTHS", (200, 600, 400))

    assert speed.hobby_line().startswith(
        "Of the 8 pictures that are timed the hobby reader reads 3, at the best of its 3"
    )
