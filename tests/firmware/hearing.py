"""Plays a transcript of the caller at a table: each line is done there, and what is said of it is written below it."""

from __future__ import annotations

from collections.abc import Callable

from firmware.errors import DiskError
from firmware.events import CameraState, CupSeen, Event, Pressed, TrayRead, Turned
from hardware.devices import SEAT_KEYS, Key
from tests.firmware.conftest import TURNS_S, Bench
from vision.blind import CupState
from vision.types import Fault

NAMES = 'names = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]'
ON = f"[table]\n{NAMES}\n[sound]\ncaller = true\n"


def settings(*words: str) -> str:
    """Return the settings of a table with a caller: *words* are house rules, ``end=2``, and what game is played."""
    games = [word for word in words if "=" not in word]
    rules = [quoted(word) for word in words if "=" in word]
    return "\n".join([ON, *(f'[game]\nname = "{game}"' for game in games), "[game.house_rules]", *rules])


def hold(bench: Bench, key: Key) -> None:
    bench.controller.handle(Pressed(key, True, bench.rig.clock.now()))
    bench.wait(2.1)
    bench.controller.handle(Pressed(key, False, bench.rig.clock.now()))


def turn(bench: Bench, steps: int) -> None:
    for _ in range(abs(steps)):
        bench.controller.handle(Turned(1 if steps > 0 else -1, next(TURNS_S)))


class Full:
    """A journal whose disk takes nothing while it is switched on."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._append = bench.journal.append

    def __call__(self, on: bool) -> None:
        def refuse(*_arguments: object, **_more: object) -> None:
            raise DiskError("the disk is full")

        self._bench.journal.append = refuse if on else self._append  # type: ignore[method-assign]


def lifted(bench: Bench) -> None:
    """Let a cup that stands in the tray be lifted."""
    for state in (CupState.COVERED, CupState.LIFTED):
        bench.controller.handle(CupSeen(state))


def do(bench: Bench, line: str, full: Full) -> None:
    """Do what *line* says."""
    what, *rest = line.split()
    now_s = bench.rig.clock.now()
    doings: dict[str, Callable[[], object]] = {
        "begin": lambda: bench.begin(settings(*rest)),
        "seat": lambda: bench.seat(*map(int, rest)),
        "hold": lambda: hold(bench, SEAT_KEYS[int(rest[0]) - 1]),
        "stop": lambda: bench.press(Key.STOP),
        "doubt": lambda: hold(bench, Key.STOP),
        "push": lambda: bench.press(Key.CONFIRM),
        "turn": lambda: turn(bench, int(rest[0])),
        "throw": lambda: bench.throw(*map(int, rest)),
        "again": lambda: bench.controller.handle(read_again(bench, *map(int, rest))),
        "refuse": lambda: bench.refuse(Fault(rest[0])),
        "wait": lambda: bench.wait(float(rest[0])),
        "camera": lambda: bench.controller.handle(CameraState("no pictures" if rest == ["lost"] else None)),
        "disk": lambda: full(rest == ["full"]),
        "chord": lambda: chord(bench, now_s),
        "shake": bench.shake,
        "choose": lambda: bench.choose(int(rest[0])),
        "lift": lambda: lifted(bench),
        "peek": lambda: bench.controller.handle(CupSeen(CupState.PEEKING)),
    }
    doings[what]()


def quoted(rule: str) -> str:
    name, _, value = rule.partition("=")
    return f'"{name}" = {value}'


def read_again(bench: Bench, *faces: int) -> Event:
    return TrayRead(bench.reading(*faces), b"jpeg")


def chord(bench: Bench, now_s: float) -> None:
    bench.controller.handle(Pressed(Key.CONFIRM, True, now_s))
    bench.press(Key.STOP)
    bench.controller.handle(Pressed(Key.CONFIRM, False, now_s))


def heard(bench: Bench, text: str) -> str:
    """Return the transcript *text* with all that is said as the caller says it now."""
    bench.rig.voice.word_s = 0.0
    full = Full(bench)
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("# ") or not line:
            continue
        if line.startswith("##"):
            lines += [*([""] if lines else []), line]
            continue
        known = len(bench.rig.voice.said)
        do(bench, line, full)
        lines += [line, *(f"# {sentence}" for _, sentence in list(bench.rig.voice.said)[known:])]
    return "\n".join(lines) + "\n"
