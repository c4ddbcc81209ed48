"""``mexico-table doctor``: tests every part and says what to do; with ``--walk`` a person helps."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

import click

from firmware.checks import Check, State
from firmware.cli_both import camera_name
from firmware.cli_common import common, complain, say, say_json, the_common
from firmware.computer import on_a_pi
from firmware.doctor import Parts, around, camera_and_light, examine, real_parts
from firmware.errors import TableError
from firmware.folder import StateFolder
from firmware.seeing import open_table_camera
from firmware.walk import Ended, Walk
from hardware.board import load_board
from hardware.clock import MonotonicClock
from hardware.keyboard import TypedKeys
from hardware.speech import trial


@click.command(short_help="Test every part of the table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: each part's state, what was found, what to do.")
@click.option("--walk", is_flag=True, help="Ask for every button, lamp and sign of life, one after the other.")
@common
def doctor(as_json: bool, walk: bool) -> int:
    """Test camera, light, buttons, knob, lamps, display, sound, caller, storage; exit with 1 if one of them fails."""
    if walk and as_json:
        raise click.UsageError("--walk asks a person and --json answers a program; take one of them")
    shared = the_common()
    shared.log()
    settings = shared.settings()
    board = load_board(settings.table.board)
    name, fps = camera_name(settings), settings.camera.frames_per_s
    parts = real_parts(board, MonotonicClock(), lambda: open_table_camera(name, shared.folder, fps))
    if settings.sound.caller:
        parts = replace(parts, say=partial(trial, settings.sound.voice, settings.sound.words_per_minute))
    if walk and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TableError("the walk asks questions and needs a terminal; run it in one, or leave --walk out")
    with shared.folder.held() as folder:
        if walk:
            return _walked(parts, folder)
        checks = _said(examine(parts, folder, expected=on_a_pi()), aloud=not as_json)
    if as_json:
        say_json({check.name: {"state": check.state, "found": check.found, "do": check.do} for check in checks})
    return _exit_code(checks)


def _walked(parts: Parts, folder: StateFolder) -> int:
    """Measure what needs nobody, walk round with a person, and sum up."""
    missing = State.FAILED if on_a_pi() else State.ABSENT
    checks = _said(camera_and_light(parts, folder, missing)) + _said(around(parts, folder))
    say("")
    say("Now you are needed. Esc or Ctrl-C ends the walk.")
    try:
        with closing(TypedKeys()) as keys, closing(Walk(parts, keys, MonotonicClock(), say, missing).checks()) as asked:
            checks += _said(asked, indent="   ", width=15)
    except Ended as ended:
        complain(ended)
        return 1
    say("")
    _sum_up(checks)
    return _exit_code(checks)


def _said(checks: Iterable[Check], *, aloud: bool = True, indent: str = "", width: int = 8) -> list[Check]:
    """Return *checks*, each said as soon as it is there."""
    done: list[Check] = []
    for check in checks:
        same = next((before.name for before in done if before.do and _said_of(before) == _said_of(check)), None)
        done.append(check)
        if not aloud:
            continue
        say(f"{indent}{check.name:<{width}} {check.state:<7} {check.found if same is None else f'the same as {same}'}")
        if check.do and same is None:
            say(f"{indent}{'':<{width + 8}} -> {check.do}")
    return done


def _said_of(check: Check) -> tuple[State, str, str]:
    """Return what is said of a part besides its name."""
    return check.state, check.found, check.do


def _sum_up(checks: Sequence[Check]) -> None:
    """Say how many there are of each state, and once more what is to be done."""
    counts = ((state, sum(check.state is state for check in checks)) for state in State)
    say(", ".join(f"{count} {state}" for state, count in counts if count))
    for check in checks:
        if check.state is State.FAILED:
            say(f"{check.name}: {check.found} -> {check.do}")


def _exit_code(checks: Sequence[Check]) -> int:
    return 1 if any(check.state is State.FAILED for check in checks) else 0
