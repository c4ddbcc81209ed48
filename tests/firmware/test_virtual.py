"""The virtual table: rendered dice, the real reader, the real rules, a real journal."""

from __future__ import annotations

import ast
import itertools
import json
import os
import pty
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from firmware import cli_table, virtual
from firmware.virtual import Hand, VirtualTray
from firmware.watching import Watching
from mexico import gamefile
from vision import motion
from vision.motion import Watch

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

ROOT = Path(cli_table.__file__).parent

SHORT = "[game.house_rules]\nbuy_in = 1\n[virtual]\nroll_s = 0.1\nthink_s = 0.01\n"
"""One round decides between two, and nobody thinks for long."""


def table(state: Path, *more: object, settings: str = SHORT) -> list[str]:
    state.mkdir(exist_ok=True)
    (state / "settings.toml").write_text(settings)
    words = ["--virtual", "--auto", "--state", state, *more]
    return [sys.executable, "-m", "firmware", *map(str, words)]


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


class Recorder(VirtualTray):
    """A tray that draws nothing and keeps what is put into it."""

    def __init__(self) -> None:
        self.thrown: list[tuple[Any, ...]] = []

    def put(self, dice: Any) -> None:
        self.thrown.append(tuple(dice))


# --- no face goes round the camera ---


def imported(module: str) -> set[str]:
    tree = ast.parse((ROOT / f"{module}.py").read_text())
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_only_the_virtual_tray_knows_how_dice_are_drawn() -> None:
    knowing = {
        path.stem
        for path in ROOT.rglob("*.py")
        if any(
            name.startswith(("vision.render", "random"))
            for name in imported(path.relative_to(ROOT).with_suffix("").as_posix())
        )
    }

    assert knowing == {"virtual", "virtual_cup", "bots_cup", "cli_virtual"}
    assert not any(name.startswith("vision.render") for part in ("cli_virtual", "bots_cup") for name in imported(part))


def test_faces_reach_the_controller_from_the_reader_only() -> None:
    makers = {
        path.stem
        for path in ROOT.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "TrayRead"
    }

    assert makers == {"eyes"}
    assert "firmware.virtual" not in imported("controller") | imported("eyes") | imported("bots")


def test_the_hand_says_nothing_of_what_it_threw() -> None:
    tray = Recorder()
    hand = Hand(tray, random.Random(1), odd_throws=0)
    hand.expect(Watching(2))

    assert hand.throw() is True  # that it threw, and no more
    assert len(tray.thrown[0]) == 2
    hand.expect(Watching(0))
    assert hand.throw() is False


# --- the hand ---


def thrown(seed: int, times: int, dice: int, odd: int) -> list[tuple[Any, ...]]:
    tray = Recorder()
    hand = Hand(tray, random.Random(seed), odd_throws=odd)
    hand.expect(Watching(dice))
    for _ in range(times):
        hand.throw()
    return tray.thrown


def test_the_same_seed_throws_the_same_dice() -> None:
    assert thrown(7, 20, 2, 12) == thrown(7, 20, 2, 12)
    assert thrown(7, 20, 2, 12) != thrown(8, 20, 2, 12)


def test_about_one_throw_in_twelve_goes_wrong() -> None:
    throws = thrown(3, 600, 2, 12)
    wrong = [dice for dice in throws if len(dice) != 2 or any(die.tilt_deg or die.lift_mm for die in dice)]

    assert 25 <= len(wrong) <= 80
    assert {len(dice) for dice in wrong} == {1, 2, 3}


def test_faces_are_fair_although_dice_never_land_where_one_lay() -> None:
    throws = thrown(5, 1500, 2, 0)
    faces = [die.top for dice in throws for die in dice]
    chi_square = sum((faces.count(face) - 500) ** 2 / 500 for face in range(1, 7))
    near = [
        (new, old)
        for before, after in itertools.pairwise(throws)
        for new in after
        for old in before
        if virtual._close(new, old)
    ]

    assert chi_square < 20.5  # 5 degrees of freedom, one in a thousand
    assert near == []


def test_nothing_is_thrown_when_nothing_is_wanted() -> None:
    assert thrown(1, 3, 0, 12) == []


@pytest.mark.long
@pytest.mark.slow
def test_every_throw_is_answered_however_it_lies() -> None:
    tray = VirtualTray(25, roll_s=0)
    calibration = tray.calibration()
    hand = Hand(tray, random.Random(25), odd_throws=1)
    hand.expect(Watching(2))
    state, said = motion.start(), []
    for _ in range(4):
        hand.throw()
        while not tray.ready:
            state, happened = motion.step(state, tray.capture().image, calibration, 2)
            for event in happened:
                if event.picture is not None and event.reading is not None:
                    tray.answered(event.picture, event.reading)
                    said.append(event.kind)

    assert said == [Watch.REFUSED] * 4


# --- whole games through renderer, camera, reader, rules and journal ---


@pytest.mark.long
@pytest.mark.slow
def test_the_same_seed_plays_the_same_game_waiting_or_not(tmp_path: Path) -> None:
    fast, slow = (
        subprocess.run(
            table(tmp_path / name, "--json", "--players", 2, "--seed", 12, "--games", 1, *more),
            capture_output=True, text=True, check=False, timeout=1200,
        )
        for name, more in (("fast", ["--fast"]), ("slow", []))
    )  # fmt: skip

    assert [fast.returncode, fast.stderr, slow.returncode, slow.stderr] == [0, "", 0, ""]
    assert fast.stdout == slow.stdout
    last = lines(fast.stdout)[-1]
    assert last["facts"]["winner"] in ("A", "B")
    assert set(last) == {"game", "file", "event", "accepted", "why", "facts"}


@pytest.mark.slow
def test_a_played_game_is_exported_and_replays_without_a_difference(call: Call, tmp_path: Path) -> None:
    state = tmp_path / "state"
    played = subprocess.run(
        table(state, "--json", "--fast", "--players", 2, "--seed", 4, "--games", 2),
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    told = lines(played.stdout)
    assert {line["game"] for line in told} == {1, 2}
    for number in (1, 2):
        mine = [line for line in told if line["game"] == number]
        assert call("export", "--state", state, "--game", number, "--out", tmp_path / "g.json").code == 0
        replayed = call("replay", "--json", tmp_path / "g.json").json

        assert [line["event"] for line in mine] == list(range(1, len(mine) + 1))
        assert [line["facts"] for line in replayed] == [line["facts"] for line in mine]
        assert mine[-1]["facts"]["winner"] is not None


@pytest.mark.slow
@pytest.mark.parametrize("kills", [2, pytest.param(6, marks=pytest.mark.long)])
def test_killed_at_any_instant_nothing_that_was_told_is_lost(call: Call, tmp_path: Path, kills: int) -> None:
    state, rng, told = tmp_path / "state", random.Random(kills), 0
    for _ in range(kills):
        with subprocess.Popen(
            table(state, "--json", "--fast", "--players", 4, "--seed", 3, settings=""),
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            first = lines(process.stdout.readline())
            time.sleep(rng.uniform(0.0, 1.5))
            process.kill()
            seen = first + lines(process.stdout.read().rpartition("\n")[0])
        (status,) = call("status", "--json", "--state", state).json
        facts: Any = status

        assert first[0]["event"] == told + 1
        assert facts["game"] == 1
        assert facts["events"] >= seen[-1]["event"]
        assert sum(facts["units"].values()) + facts["pot"] == 20
        told = facts["events"]
    exported = gamefile.parse(call("export", "--state", state).out)
    assert len(exported.events) == told


@pytest.mark.slow
def test_ctrl_c_is_one_line_that_says_how_to_go_on(tmp_path: Path) -> None:
    process = subprocess.Popen(
        table(tmp_path / "state", "--json", "--fast", "--seed", 3),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert len(err.splitlines()) == 1
    assert f"go on with: mexico-table --virtual --state {tmp_path / 'state'}" in err


@pytest.mark.slow
def test_a_disk_that_fills_up_is_told_and_what_it_took_goes_on_when_there_is_room(call: Call, tmp_path: Path) -> None:
    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    command = table(tmp_path / "state", "--json", "--fast", "--players", 2, "--seed", 4)
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, preexec_fn=little_room)
    (status,) = call("status", "--json", "--state", tmp_path / "state").json

    assert ended.returncode == 2
    first_line, last_line = ended.stderr.splitlines()
    assert "the game goes on in memory: cannot write the journal" in first_line
    assert "events were never stored" in last_line
    assert status["events"] == lines(ended.stdout)[-1]["event"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = lines(process.stdout.readline())
        process.kill()

    assert first[0]["event"] == int(str(status["events"])) + 1


@pytest.mark.long
@pytest.mark.slow
def test_a_reader_that_goes_away_ends_the_table_quietly(tmp_path: Path) -> None:
    command = " ".join(table(tmp_path / "state", "--json", "--fast", "--seed", 3))
    ended = subprocess.run(
        ["bash", "-c", f"{command} | head -1; echo ${{PIPESTATUS[0]}}"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    event, code = ended.stdout.splitlines()
    assert json.loads(event)["event"] == 1
    assert (code, ended.stderr) == ("141", "")


@pytest.mark.slow
def test_a_person_sits_down_throws_and_finds_the_picture(call: Call, tmp_path: Path) -> None:
    state = tmp_path / "state"
    settings = SHORT + "odd_throws = 0\n"
    command = [word for word in table(state, "--seed", 3, settings=settings) if word != "--auto"]
    terminal, program = pty.openpty()
    with subprocess.Popen(command, stdin=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        os.close(program)
        assert process.stdout is not None
        until(process.stdout, "press a seat")
        os.write(terminal, b"12s")
        until(process.stdout, "ONE die")
        os.write(terminal, b" ")
        until(process.stdout, "B: throw")
        os.write(terminal, b"q")
        process.communicate(timeout=60)

    assert process.returncode == 0
    assert (state / "tray.png").stat().st_size > 10_000
    assert call("status", "--json", "--state", state).json[0]["events"] == 1


def until(stream: Any, words: str) -> None:
    """Read lines until one says *words*."""
    for line in stream:
        if words in line:
            return
    raise AssertionError(f"{words!r} was never said")
