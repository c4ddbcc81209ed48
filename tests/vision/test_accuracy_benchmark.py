"""The benchmark on pictures with truth: what an answer is counted as."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.accuracy import Case, kind_of

THROW = Case("easy, legible", Path("a.jpg"), 2, (5, 2))
FAULT = Case("fault: cocked", Path("b.jpg"), 2, None, ("cocked", "unsure"))


@pytest.mark.parametrize(
    ("case", "faces", "fault", "kind"),
    [
        pytest.param(THROW, (5, 2), "None", "right", id="the faces"),
        pytest.param(THROW, (5, 3), "None", "lie", id="wrong faces"),
        pytest.param(THROW, (5,), "None", "lie", id="one die of two"),
        pytest.param(THROW, None, "unsure", "refused", id="a refusal of what can be read"),
        pytest.param(THROW, None, "", "refused", id="no answer of the hobby reader"),
        pytest.param(FAULT, (5, 2), "None", "lie", id="anything read from a fault"),
        pytest.param(FAULT, None, "moving", "refused", id="a fault by a wrong name"),
        pytest.param(FAULT, None, "", "refused", id="a fault without a name"),
        pytest.param(FAULT, None, "cocked", "named", id="a fault by its name"),
        pytest.param(FAULT, None, "unsure", "named", id="a fault by a name that will do"),
    ],
)
def test_what_is_said_of_a_picture(case: Case, faces: tuple[int, ...] | None, fault: str, kind: str) -> None:
    assert kind_of(case, faces, fault) == kind
