"""The command ``pin``: sets the PIN with which bartenders come to the panel."""

from __future__ import annotations

import sys

import click

from firmware.cli_common import common, complain, say, the_common
from firmware.errors import TableError
from firmware.folder import make_for
from firmware.pin import LONGEST, SHORTEST, PinFile, Tries, refused

TIMES = 3
"""So often a person may mistype."""


@click.command(short_help="Set the PIN of the panel.")
@common
def pin() -> int:
    """Set the PIN with which bartenders come to the panel of the page, in place of the one before.

    It is asked for twice and not shown. Works while a table is running: who is logged in has to log in again.
    """
    the_common().log()
    if not sys.stdin.isatty():
        raise TableError("a PIN is typed in a terminal, so that nobody reads it in a list of commands; run it in one")
    folder = the_common().folder
    chosen = _asked()
    if chosen is None:
        return 1
    make_for("--state", folder.path)
    PinFile.of(chosen).save(folder.pin)
    Tries(folder.pin_tries).right()
    say(f"the PIN is set, in {folder.pin}; the panel is at /panel of the page")
    return 0


def _asked() -> str | None:
    """Return the PIN a person has typed twice, None where he did not come to it."""
    for _ in range(TIMES):
        first = _typed(f"the new PIN, {SHORTEST} to {LONGEST} digits (it is not shown)")
        why = refused(first)
        if why is None and _typed("the same once more") == first:
            return first
        complain(why or "these were two different PINs; type it again")
    complain("no PIN was set, the one before still holds")
    return None


def _typed(question: str) -> str:
    answer: str = click.prompt(question, hide_input=True, default="", show_default=False)
    return answer.strip()
