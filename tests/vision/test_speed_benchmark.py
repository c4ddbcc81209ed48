"""The benchmark of speed: it times what `read_tray` is made of, and nothing that it is not."""

from __future__ import annotations

import pytest

from benchmarks import speed


@pytest.mark.slow
def test_every_stage_that_is_named_is_a_part_of_a_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "ROUNDS", 2)

    rows = [line.split(" | ") for line in speed.stages_table().splitlines()[2:]]

    assert [row[0] for row in rows] == [f"| `{name}`" for _, name, _ in speed.STAGES]
    assert all(float(row[1]) > 0 for row in rows)
