"""What passed on the emulated Arm is remembered only as long as none of its files is another."""

from pathlib import Path

import pytest

from tests.aarch64 import passed


def test_a_part_that_passed_is_known_until_a_file_of_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(passed, "user_cache_path", lambda _: tmp_path)
    (tmp_path / "aarch64").mkdir()
    assert not passed.is_known(["vision"])

    passed.remember(["vision"])
    assert passed.is_known(["vision"])
    assert "not run again" in capsys.readouterr().out
    assert not passed.is_known(["vision", "Makefile"]), "another set of files"

    passed.remember(["Makefile"])
    assert not passed.is_known(["vision"]), "only what passed last is kept"


def test_other_contents_are_another_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passed, "user_cache_path", lambda _: tmp_path / "cache")
    (tmp_path / "cache" / "aarch64").mkdir(parents=True)
    monkeypatch.setattr(passed, "ROOT", tmp_path)
    file = tmp_path / "one.py"
    file.write_text("1")
    monkeypatch.setattr(passed, "_names", lambda _: ["one.py"])
    passed.remember(["one.py"])
    assert passed.is_known(["one.py"])

    file.write_text("2")
    assert not passed.is_known(["one.py"])
