"""``mexico-table``: the command line, as docs/commands.md has it.

Nothing heavy is imported here: a command's own module is when it is called, so that even Ctrl-C during the first
moments is one line.
"""

from __future__ import annotations

import difflib
import importlib
import io
import logging
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

import click

from firmware.cli_common import PROGRAM, called, common, complain
from firmware.cli_options import Wanted, table_options

logger = logging.getLogger(__name__)

INTERRUPTED = 128 + signal.SIGINT
PIPE_CLOSED = 128 + signal.SIGPIPE
BUG = 70

COMMANDS = {
    "read": ("firmware.cli_camera", "Read still pictures."),
    "watch": ("firmware.cli_camera", "Read a moving picture: when dice roll, rest, are covered, what they show."),
    "replay": ("firmware.cli_games", "Play game files through the rules and compare."),
    "export": ("firmware.cli_games", "Write a played game as a game file."),
    "install-service": ("firmware.cli_service", "Let systemd start the table with the computer."),
    "journal": ("firmware.cli_journal", "Tell everything that happened in a game, and who did it."),
    "pin": ("firmware.cli_pin", "Set the PIN with which bartenders come to the panel."),
    "odds": ("firmware.cli_games", "Print the exact chances of Mexico."),
    "stats": ("firmware.cli_stats", "Say what an evening came to, by seat, and whether its dice were fair."),
    "status": ("firmware.cli_games", "Say where the last game stands."),
    "wiring": ("firmware.cli_wiring", "Print how the parts are wired to the Raspberry Pi, or draw it."),
    "doctor": ("firmware.cli_doctor", "Test camera, light, buttons, lamps, display, sound and storage."),
}
"""Where each command is, and what it does in a line: nothing is imported to say so."""


class Commands(click.Group):
    """The commands, each imported when it is needed: ``status`` need not wait for the page's server, nor for Numba."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order in which they are listed."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command called *cmd_name*, None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[cmd_name][0]), cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands and what they do."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that *args* call; refuse an unknown one with the nearest known."""
        if args and args[0] not in COMMANDS:
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            meant = f"did you mean {close[0]}?" if close else f"known are {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}; {meant}")
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, invoke_without_command=True, context_settings={"max_content_width": 110})
@table_options
@common
@click.pass_context
def cli(context: click.Context, /, **given: Any) -> int:
    """Run the table: the real one on a Raspberry Pi with a saved calibration, else the virtual one."""
    wanted = Wanted(**given)
    if context.invoked_subcommand is not None:
        wanted.refuse_before(context.invoked_subcommand)
        return 0
    wanted.check()
    from firmware.cli_table import run

    return run(wanted)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code: 0 done, 1 the answer is no, 2 the call or a file is wrong."""
    _make_streams_usable()
    code = run_command_line(list(sys.argv[1:] if arguments is None else arguments))
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _close(stream)
    sys.exit(code)


def _make_streams_usable() -> None:
    """Let a closed standard input be an empty one, and standard output write what its encoding does not have."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (as long as the program runs)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def run_command_line(arguments: list[str]) -> int:
    """Return the exit code of the command line called with *arguments*; every error a user can cause is one line."""
    try:
        with cli.make_context(PROGRAM, arguments) as context:
            code = cli.invoke(context)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        _close(sys.stdout)
        return PIPE_CLOSED
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return INTERRUPTED
    except click.ClickException as error:
        complain(f"{_without_stop(error.format_message())}; see {called()} {_command_of(error)}--help")
        return 2
    except Exception as error:
        return _told(error)


def _told(error: Exception) -> int:
    """Say in one line what a user has caused; only a bug shows where it is."""
    from firmware.errors import FirmwareError
    from hardware.devices import HardwareError
    from mexico.errors import RulesError
    from vision.types import VisionError

    if isinstance(error, (FirmwareError, HardwareError, RulesError, VisionError)):
        complain(error)
        return 2
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{error.strerror or error}; see that the disk has room and the file may be used")
        return 2
    logger.error("a bug in %s; please report it with these lines", PROGRAM, exc_info=error)
    return BUG


def _command_of(error: click.ClickException) -> str:
    """Return the name of the command whose call is wrong, with a space; nothing for that of the table."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return "" if context is None or context.parent is None else f"{context.info_name} "


def _without_stop(text: str) -> str:
    return text[:-1] if text.endswith(".") else text


def _close(stream: TextIO) -> None:
    """Let nothing be written to a closed pipe or a full disk when the interpreter ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
