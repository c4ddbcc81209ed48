"""What passed on an emulated machine is remembered only as long as none of its files is another."""

from pathlib import Path

import pytest

from tests import passed


@pytest.fixture(autouse=True)
def _kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passed, "user_cache_path", lambda _: tmp_path / "cache")


def test_what_passed_is_known_until_it_is_another_set_of_files() -> None:
    assert passed.when("arm", ["vision"]) is None

    passed.remember("arm", ["vision"])
    assert passed.when("arm", ["vision"]) is not None
    assert passed.when("arm", ["vision", "Makefile"]) is None, "another set of files"
    assert passed.when("pi", ["vision"]) is None, "something else"

    passed.remember("arm", ["Makefile"])
    assert passed.when("arm", ["vision"]) is None, "only what passed last is kept"


def test_other_contents_are_another_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passed, "ROOT", tmp_path)
    file = tmp_path / "one.py"
    file.write_text("1")
    monkeypatch.setattr(passed, "of_checkout", lambda _: ["one.py"])
    passed.remember("arm", ["one.py"])
    assert passed.when("arm", ["one.py"]) is not None

    file.write_text("2")
    assert passed.when("arm", ["one.py"]) is None
