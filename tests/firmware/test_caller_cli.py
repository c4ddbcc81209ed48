"""The caller from the command line: the doctor asks for its program, and the virtual table speaks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.firmware.conftest import Call


@pytest.fixture
def on(tmp_path: Path) -> Path:
    """Settings with the caller on, for a short and quick game."""
    path = tmp_path / "on.toml"
    path.write_text(
        "[sound]\ncaller = true\n"
        "[virtual]\nroll_s = 0.05\nthink_s = 0.05\nodd_throws = 0\n"
        "[game.house_rules]\nbuy_in = 1\nmax_rolls = 1\n"
    )
    return path


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a stand-in for espeak-ng was told to say."""
    folder = tmp_path / "bin"
    folder.mkdir()
    words = tmp_path / "heard"
    (folder / "espeak-ng").write_text(f"#!/bin/sh\n{{ cat; echo; }} >> '{words}'\n")
    (folder / "espeak-ng").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return words


def without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let there be no espeak-ng."""
    monkeypatch.setenv("PATH", str(tmp_path))


def test_the_doctor_lets_the_caller_speak(call: Call, on: Path, heard: Path, tmp_path: Path) -> None:
    (checks,) = call("doctor", "--json", "--settings", on, "--state", tmp_path / "state").json

    assert checks["caller"]["state"] == "ok"  # type: ignore[index]
    assert heard.read_text() == "Mexico\n"


def test_the_doctor_says_what_to_install(call: Call, on: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, tmp_path)
    answer = call("doctor", "--settings", on, "--state", tmp_path / "state")

    assert answer.code == 1
    assert "caller   failed  espeak-ng is not installed" in answer.out
    assert "-> install it: sudo apt install espeak-ng" in answer.out


def test_the_doctor_asks_for_no_caller_where_the_house_has_none(call: Call, heard: Path, tmp_path: Path) -> None:
    (checks,) = call("doctor", "--json", "--state", tmp_path / "state").json

    assert "caller" not in checks
    assert not heard.exists()


@pytest.mark.long
@pytest.mark.slow
def test_the_virtual_table_speaks_and_plays_on_when_its_voice_fails(
    call: Call, on: Path, heard: Path, tmp_path: Path
) -> None:
    program = tmp_path / "bin" / "espeak-ng"
    program.write_text(f"{program.read_text()}! grep -q 'game begins' '{heard}' || exit 3\n")
    words = ["--virtual", "--auto", "--players", 2, "--seed", 1, "--settings", on, "--state", tmp_path / "state"]

    answer = call(*words)

    assert answer.code == 0
    assert "WINS" in answer.out
    assert "The game begins. Players: A, B. Units each: 1. A: throw one die for the lead." in heard.read_text()
    assert "To beat: " in heard.read_text()
    assert answer.err.count("the caller is silent: espeak-ng ended with exit code 3") == 1
