"""The command line as a person or a script meets it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import weakref
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from firmware import cli_common
from firmware.folder import StateFolder
from firmware.journal import Journal
from mexico import gamefile

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

GAME: dict[str, Any] = {
    "format": 1,
    "game": "mexico",
    "house_rules": {},
    "players": ["A", "B"],
    "start": {"units": {"A": 2, "B": 2}, "pot": 6, "lead": "A", "unit_value": 1},
    "events": [
        {"type": "roll", "player": "A", "faces": [2, 1]},
        {"type": "stop", "player": "B", "refused": True},
        {"type": "roll", "player": "B", "faces": [6, 2]},
    ],
    "expect": [{"after_event": 3, "facts": {"turn": "B", "scores": {"A": "21", "B": "62"}}}],
}

SETUP = {key: GAME[key] for key in ("format", "game", "house_rules", "players")}


def written(path: Path, **changed: object) -> Path:
    path.write_text(json.dumps(GAME | changed))
    return path


def played(folder: Path, *events: dict[str, object], begun: int = 1) -> None:
    """Store a game of A and B with *events*."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(Journal.open(StateFolder(folder).journal)) as journal:
        for _ in range(begun):
            number = journal.begin(SETUP, seats=(1, 2), table_kind="virtual")
        for place, event in enumerate(events, start=1):
            journal.append(number, place, event)


DICE = ({"type": "die", "player": "A", "face": 3}, {"type": "die", "player": "B", "face": 5})


# --- the call itself ---


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["replai"], "did you mean replay?", id="an unknown command"),
        pytest.param(["--palyers", "3"], "--players", id="an unknown option"),
        pytest.param(
            ["--players", "9"], "9 is out of range; wanted is a whole number from 2 to 8;", id="too many players"
        ),
        pytest.param(["--virtual", "--hardware"], "exclude one another", id="two tables"),
        pytest.param(["--hardware", "--auto"], "--auto goes with --virtual", id="real dice do not throw themselves"),
        pytest.param(["--out", "x.json"], "--out goes with --calibrate", id="half a calibration"),
        pytest.param(["--virtual", "--json"], "--json goes with --auto", id="JSON for a person"),
        pytest.param(["--json", "status"], "--json does not go with status", id="an option before its command"),
        pytest.param(["--calibrate", "--from", "a.jpg"], "--tray-mm", id="a tray of unknown size"),
        pytest.param(["--calibrate", "--tray-mm", "big"], "'big' is no size", id="a size in words"),
        pytest.param(["--calibrate", "--corners", "1,2 3,4"], "not four corners", id="two corners"),
        pytest.param(["read"], "Missing argument", id="nothing to read"),
        pytest.param(
            ["read", "--dice", "0", "a.jpg"], "0 is out of range; wanted is a whole number from 1 to 30;", id="no dice"
        ),
        pytest.param(["watch", "--dice", "-1", "a.avi"], "-1 is out of range; wanted is a whole", id="less than none"),
        pytest.param(["stats", "--game", "0"], "0 is out of range; wanted is a whole number from 1 on;", id="no game"),
        pytest.param(["status", "--settings", "none.toml", "extra"], "extra", id="one word too many"),
        pytest.param(["--hardware"], "no calibration", id="a real table that was never calibrated"),
        pytest.param(["--virtual", "--auto", "--settings", "none.toml"], "none.toml", id="no such settings"),
    ],
)
def test_a_wrong_call_is_one_line_and_two(call: Call, arguments: list[str], said: str) -> None:
    answer = call(*arguments)

    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("mexico-table: ")
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        pytest.param(["--nonsense"], "", id="of the table"),
        pytest.param(["raed"], "", id="of a command that is none"),
        pytest.param(["read"], "read ", id="what is missing"),
        pytest.param(["watch", "--dice", "x", "a.avi"], "watch ", id="what is wrong"),
        pytest.param(["status", "--nonsense"], "status ", id="what is unknown"),
    ],
)
def test_who_calls_a_command_wrongly_is_led_to_its_own_help(call: Call, arguments: list[str], where: str) -> None:
    assert call(*arguments).err.endswith(f"; see mexico-table {where}--help\n")


@pytest.mark.parametrize("command", ["", "read", "watch", "replay", "export", "odds", "status", "doctor"])
def test_every_command_explains_itself_and_its_version(call: Call, command: str) -> None:
    words = [command] if command else []
    help_, version = call(*words, "--help"), call(*words, "--version")

    assert help_.code == version.code == 0
    assert all(option in help_.out for option in ("--settings", "--state", "--verbose", "--version", "--help"))
    assert re.fullmatch(r"mexico-table, version \d+\.\d+\.\d+\n", version.out)


def test_common_options_stand_before_or_after_the_command(call: Call, tmp_path: Path) -> None:
    played(tmp_path / "state", *DICE)

    before = call("--state", tmp_path / "state", "status", "--json")
    after = call("status", "--json", "--state", tmp_path / "state")
    assert before.out == after.out
    assert before.json[0]["game"] == 1


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program as its own process."""
    command = [sys.executable, "-m", "firmware", *map(str, arguments)]
    return subprocess.run(command, check=False, text=True, timeout=60, **{"capture_output": True, **options})


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as closed:
        ended = run("odds", capture_output=False, stdout=closed, stderr=subprocess.PIPE)

    assert ended.returncode == 141
    assert ended.stderr == ""


def test_a_full_disk_behind_standard_output_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        ended = run("odds", capture_output=False, stdout=full, stderr=subprocess.PIPE)

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1


# --- odds ---


def test_the_odds_are_the_exact_fractions(call: Call) -> None:
    head, *rows = call("odds", "--csv").out.splitlines()
    by_score = {row.split(",")[0]: row.split(",")[1:] for row in rows}

    assert head == "score,rank,ways,exceed_1,exceed_2,exceed_3"
    assert len(rows) == 21
    assert by_score["31"] == ["1", "2", "17/18", "323/324", "5831/5832"]
    assert by_score["21"] == ["21", "2", "0", "0", "0"]
    assert all(Fraction(one) <= Fraction(two) for _, _, one, two, _ in by_score.values())


def test_the_odds_for_people_are_aligned(call: Call) -> None:
    lines = call("odds").out.splitlines()

    assert len(lines) == 22
    assert len({len(line) for line in lines[1:]}) == 1


# --- replay ---


def test_a_replay_prints_the_facts_after_each_event(call: Call, tmp_path: Path) -> None:
    path = written(tmp_path / "game.json")

    answer = call("replay", "--json", path)
    assert answer.code == 0
    assert [set(line) for line in answer.json] == [{"file", "event", "accepted", "why", "facts"}] * 3
    assert [(line["event"], line["accepted"]) for line in answer.json] == [(1, True), (2, False), (3, True)]
    assert "not rolled" in str(answer.json[1]["why"])


def test_a_difference_is_told_and_one(call: Call, tmp_path: Path) -> None:
    path = written(tmp_path / "game.json", expect=[{"after_event": 3, "facts": {"pot": 7}}])

    answer = call("replay", path)
    assert answer.code == 1
    assert "after event 3: pot is 6, expected 7" in answer.err


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        pytest.param({"house_rules": {"tie.cup": "one"}}, "tie.cap", id="an unknown rule"),
        pytest.param({"events": [{"type": "roll", "player": "A", "faces": [7, 1]}]}, "7", id="a die of seven"),
        pytest.param({"events": [{"type": "stop", "player": "Z"}]}, "the players are A, B", id="a stranger"),
    ],
)
def test_a_wrong_game_file_is_told_and_the_rest_still_played(
    call: Call, tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    wrong, right = written(tmp_path / "wrong.json", **changed), written(tmp_path / "right.json")

    answer = call("replay", wrong, tmp_path, tmp_path / "none.json", right)
    assert answer.code == 2
    assert len(answer.err.splitlines()) == 3
    assert said in answer.err.splitlines()[0]
    assert "right.json: 3 events, as expected" in answer.out


class Facts(dict[str, object]):
    """Facts of which it can be seen whether somebody keeps them."""


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_long_game_file_is_replayed_without_keeping_the_facts_after_every_event(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: list[str]
) -> None:
    kept: list[weakref.ref[Facts]] = []
    most, plain = 0, gamefile.replay

    def watched(file: gamefile.GameFile) -> Iterator[gamefile.Step]:
        nonlocal most
        for step in plain(file):
            facts = Facts(step.facts)
            kept.append(weakref.ref(facts))
            yield gamefile.Step(step.event, step.accepted, step.why, facts)
            del facts
            most = max(most, sum(facts() is not None for facts in kept))

    monkeypatch.setattr(gamefile, "replay", watched)
    path = tmp_path / "long.json"
    events = [*GAME["events"], *({"refused": True} for _ in range(40))]
    path.write_text(json.dumps({**GAME, "events": events, "expect": [{"after_event": 43, "facts": {"turn": "A"}}]}))
    answer = call("replay", *form, path)

    assert (answer.code, len(kept)) == (1, 43)
    assert 'after event 43: turn is "B", expected "A"' in answer.err
    assert most <= 3


# --- status and export ---


def test_status_says_which_folder_or_settings_file_is_not_there(call: Call, tmp_path: Path) -> None:
    nowhere = tmp_path / "nothing"
    assert call("status", "--state", nowhere).out == f"no game was played yet: there is no folder {nowhere}\n"
    assert call("status", "--state", tmp_path).out == "no game was played yet\n"
    refused = call("status", "--state", tmp_path, "--settings", nowhere)

    assert refused.code == 2
    assert f"{nowhere}: there is no such settings file" in refused.err


def test_what_is_no_number_is_refused_in_words(call: Call) -> None:
    refused = call("--seed", "x")

    assert refused.code == 2
    assert "'x' is no whole number; wanted is one from 0" in refused.err


def test_a_command_is_told_with_its_path_where_the_shell_would_not_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["a house/bin/mexico-table", "status"])
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert cli_common.called() == "'a house/bin/mexico-table'"
    monkeypatch.setattr(sys, "argv", ["/somewhere/pytest"])

    assert cli_common.called() == "mexico-table"


def test_status_before_the_first_game_creates_nothing(call: Call, tmp_path: Path) -> None:
    answer = call("status", "--json", "--state", tmp_path / "nothing")

    assert (answer.code, answer.json) == (0, [{"game": None}])
    assert not (tmp_path / "nothing").exists()
    assert "no game" in call("status", "--state", tmp_path / "nothing").out


def test_status_tells_every_fact_of_the_last_game(call: Call, tmp_path: Path) -> None:
    played(tmp_path, *DICE, begun=3)

    (line,) = call("status", "--json", "--state", tmp_path).json
    head = {"game": 3, "name": "mexico", "players": ["A", "B"], "units": {"A": 5, "B": 5}, "pot": 0, "events": 2}
    assert {name: line[name] for name in head} == head
    assert line["lead"] == "B"
    assert set(line) >= {"turn", "cap", "order", "scores", "stake", "out", "winner", "rounds_played"}


def test_status_reads_beside_a_running_table(call: Call, tmp_path: Path) -> None:
    folder = StateFolder(tmp_path)
    with folder.held(), closing(Journal.open(folder.journal)) as journal:
        number = journal.begin(
            {key: GAME[key] for key in ("format", "game", "players")}, seats=(1, 2), table_kind="real"
        )
        journal.append(number, 1, DICE[0])

        assert call("status", "--json", "--state", tmp_path).json[0]["events"] == 1
        assert call("export", "--state", tmp_path).code == 0


def test_an_exported_game_replays_to_the_same_facts(call: Call, tmp_path: Path) -> None:
    played(tmp_path / "state", *DICE)
    (status,) = call("status", "--json", "--state", tmp_path / "state").json

    assert call("export", "--state", tmp_path / "state", "--out", tmp_path / "game.json").code == 0
    last = call("replay", "--json", tmp_path / "game.json").json[-1]
    assert last["facts"] == {name: status[name] for name in last["facts"]}  # type: ignore[attr-defined]
    assert gamefile.parse(call("export", "--state", tmp_path / "state").out).events == DICE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--game", "7"], "there is no game 7; there are 1 to 2", id="no such game"),
        pytest.param(["--out", "/nowhere/game.json"], "/nowhere/game.json: cannot be written", id="no such folder"),
    ],
)
def test_what_cannot_be_exported_is_told(call: Call, tmp_path: Path, arguments: list[str], said: str) -> None:
    played(tmp_path, *DICE, begun=2)

    answer = call("export", "--state", tmp_path, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_a_broken_journal_is_one_line(call: Call, tmp_path: Path) -> None:
    StateFolder(tmp_path).journal.write_bytes(b"no database at all" * 100)
    for command in (["status"], ["export"], ["--virtual", "--auto"]):
        answer = call(*command, "--state", tmp_path)

        assert answer.code == 2
        assert len(answer.err.splitlines()) == 1
        assert "damaged" in answer.err


def test_two_programs_on_one_folder_the_second_says_so_and_leaves(call: Call, tmp_path: Path) -> None:
    with StateFolder(tmp_path).held():
        answer = call("--virtual", "--auto", "--state", tmp_path)

    assert answer.code == 2
    assert f"another mexico-table is running on the folder {tmp_path}" in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_game_of_real_dice_is_not_gone_on_with_by_the_virtual_table(call: Call, tmp_path: Path) -> None:
    with closing(Journal.open(StateFolder(tmp_path).journal)) as journal:
        journal.begin(SETUP, seats=(1, 2), table_kind="real")

    answer = call("--virtual", "--auto", "--state", tmp_path)
    assert answer.code == 2
    assert "game 1 of the real table is interrupted" in answer.err


def test_the_virtual_table_for_people_wants_a_terminal_or_a_page(tmp_path: Path) -> None:
    ended = run("--virtual", "--no-page", "--state", tmp_path, stdin=subprocess.DEVNULL)

    assert ended.returncode == 2
    assert "needs a terminal" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


# --- doctor ---


def test_the_doctor_says_of_every_part_how_it_is(call: Call, tmp_path: Path) -> None:
    answer = call("doctor", "--json", "--state", tmp_path)

    (checks,) = answer.json
    assert answer.code == 0
    assert list(checks)[:8] == ["camera", "light", "buttons", "encoder", "lamps", "display", "sound", "storage"]
    assert checks["storage"]["state"] == "ok"  # type: ignore[index]
    assert all(check["found"] for check in checks.values())  # type: ignore[index]
