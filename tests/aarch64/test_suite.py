"""All tests that can run on the emulated Arm do, in groups that are not run again while their files are the same."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import passed
from tests.aarch64 import suite
from tests.passed import ROOT


@pytest.mark.parametrize("marks", [suite.QUICK, suite.SLOW])
def test_every_test_is_in_a_group_or_it_is_said_why_not(marks: str) -> None:
    named = [
        *suite.UNFIT,
        *(folder for group in suite.GROUPS.values() if group.marks == marks for folder in group.where),
    ]
    files = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if marks == suite.QUICK or "mark.slow" in path.read_text(encoding="utf-8")
    ]

    assert [file for file in files if not any(Path(file).is_relative_to(name) for name in named)] == []


def test_a_group_that_passed_is_not_run_again_and_one_that_failed_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def passes(_: Path, words: Sequence[str | Path]) -> bool:
        ran.append(str(words[-1]))
        return "tests/vision" not in words[-1:]

    monkeypatch.setattr(passed, "user_cache_path", lambda _: tmp_path)
    monkeypatch.setattr(suite, "passes", passes)

    assert not suite.everything_passes(Path("python"))
    assert len(ran) == len(suite.GROUPS)
    ran.clear()
    assert not suite.everything_passes(Path("python"))
    assert ran == ["tests/vision"]
