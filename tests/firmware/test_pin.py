"""The PIN of the panel: typed in a terminal, kept as a hash that its owner alone can read."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware import cli_pin, pin
from firmware.pin import PinFile, Tries

if TYPE_CHECKING:
    from tests.firmware.conftest import Call


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hashing take no time."""
    monkeypatch.setattr(pin, "COST", 2)


def test_a_pin_is_asked_for_twice_and_only_its_hash_is_stored(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["12x4", "1234", "270319", "270318", "270319", "270319"])
    monkeypatch.setattr(cli_pin, "_typed", lambda _question: next(typed))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(cli_pin, "TIMES", 4)

    answer = call("pin", "--state", tmp_path / "state")

    assert answer.code == 0, answer.err
    assert [line.partition("; ")[0] for line in answer.err.splitlines()] == [
        "mexico-table: a PIN has 4 to 12 digits, and nothing but digits",
        "mexico-table: a PIN of digits that are all alike, or follow one another, is guessed at once",
        "mexico-table: these were two different PINs",
    ]
    path = tmp_path / "state" / "panel.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "270319" not in path.read_text()
    stored = PinFile.load(path)
    assert stored is not None
    assert stored.is_of("270319")
    assert not stored.is_of("270318")
    assert [file.name for file in path.parent.iterdir()].count("panel.json") == 1


def test_who_mistypes_too_often_keeps_the_pin_of_before(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_pin, "_typed", lambda _question: "1111")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    PinFile.of("4711").save(tmp_path / "panel.json")

    answer = call("pin", "--state", tmp_path)

    assert answer.code == 1
    stored = PinFile.load(tmp_path / "panel.json")
    assert stored is not None
    assert stored.is_of("4711")


def test_a_pin_is_not_taken_from_a_pipe(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)

    answer = call("pin")

    assert answer.code == 2
    assert "typed in a terminal" in answer.err


def test_two_hashes_of_one_pin_differ() -> None:
    assert PinFile.of("4711").hash != PinFile.of("4711").hash


def test_a_new_pin_forgives_the_wrong_ones(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_pin, "_typed", lambda _question: "4711")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    Tries(tmp_path / "panel-tries.json", wrong=9).count(2e9)

    assert call("pin", "--state", tmp_path).code == 0
    assert Tries.load(tmp_path / "panel-tries.json").wrong == 0


def test_the_hash_costs_what_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    stored = PinFile.of("4711")

    assert (stored.n, stored.r, stored.p) == (2**15, 8, 1)
    assert stored.is_of("4711")
