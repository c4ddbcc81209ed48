"""``mexico-table doctor``: tests every part and says what to do."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import click

from firmware.cli_common import common, say, say_json, the_common
from firmware.cli_table import camera_name, on_a_pi
from firmware.doctor import Check, State, examine, real_parts
from hardware.board import load_board
from hardware.cameras import open_camera
from hardware.clock import MonotonicClock
from hardware.speech import trial


@click.command(short_help="Test every part of the table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: each part's state, what was found, what to do.")
@common
def doctor(as_json: bool) -> int:
    """Test camera, light, buttons, lamps, display, sound, caller and storage; exit with 1 if one of them has failed."""
    shared = the_common()
    shared.log()
    settings = shared.settings()
    board = load_board(settings.table.board)
    parts = real_parts(board, MonotonicClock(), lambda: open_camera(camera_name(settings)))
    if settings.sound.caller:
        parts = replace(parts, say=partial(trial, settings.sound.voice, settings.sound.words_per_minute))
    checks: list[Check] = []
    with shared.folder.held() as folder:
        for check in examine(parts, folder, expected=on_a_pi()):
            checks.append(check)
            if not as_json:
                say(f"{check.name:<8} {check.state:<7} {check.found}")
                if check.do and check.state is not State.OK:
                    say(f"{'':<16} -> {check.do}")
    if as_json:
        say_json({check.name: {"state": check.state, "found": check.found, "do": check.do} for check in checks})
    return 1 if any(check.state is State.FAILED for check in checks) else 0
