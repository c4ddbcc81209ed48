"""The benchmark of what the table costs beside reading: a reading that is never shown counts as the slowest."""

import pytest

from benchmarks import limits


def test_a_reading_that_is_never_shown_counts_as_late_as_was_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "THROWS", 2)
    monkeypatch.setattr(limits, "LONGEST_S", 0.01)
    monkeypatch.setattr(limits._Timed, "show", lambda *_: None)

    assert limits.delays_ms() == [10.0, 10.0]
