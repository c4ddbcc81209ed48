"""What all commands of the command line share: the common options, output, and errors as one line."""

from __future__ import annotations

import errno
import json
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from firmware import __version__

if TYPE_CHECKING:
    from firmware.folder import StateFolder
    from firmware.settings import Settings

PROGRAM = "mexico-table"

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Common:
    """The common options as they were given, before or after the command."""

    settings_file: Path | None = None
    state: Path | None = None
    verbosity: int = 0

    @property
    def folder(self) -> StateFolder:
        """Return the state folder; nothing is created."""
        from firmware.folder import StateFolder

        return StateFolder.default() if self.state is None else StateFolder(self.state)

    def check_settings(self) -> None:
        """Refuse a settings file that was named and is not there, also where nothing in it is needed."""
        from firmware.errors import FileError

        if self.settings_file is not None and not self.settings_file.is_file():
            raise FileError(f"{self.settings_file}: there is no such settings file; name another, or leave it out")

    @property
    def own_settings(self) -> Path:
        """Return the file that holds what the house has set, whether it is there or not."""
        return self.folder.settings if self.settings_file is None else self.settings_file

    def settings(self) -> Settings:
        """Return the settings: the file that was named, else that of the state folder, else the defaults."""
        from firmware import settings

        if self.settings_file is not None:
            return settings.load(self.settings_file)
        return settings.load(self.folder.settings if self.folder.settings.is_file() else None)

    def log(self, least: int = 0) -> None:
        """Begin to log, at least as much as *least* says."""
        from firmware import log

        log.configure(self.verbosity + least)


class Named(click.Path):
    """A file or folder that has a name: an empty one, as of a variable that is not set, is not the folder at hand."""

    def __init__(self, path_type: type[Path | str] = Path) -> None:
        super().__init__(path_type=path_type)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or refuse an empty name."""
        if value == "":
            self.fail("the name is empty; name a file or folder, or leave it out", param, ctx)
        return super().convert(value, param, ctx)


def common(command: F) -> F:
    """Give a command the common options; the nearest to the command's name wins."""

    def kept(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
        def keep(context: click.Context, _parameter: click.Parameter, value: Any) -> None:
            if value not in (None, 0):
                setattr(context.ensure_object(Common), name, value)

        return keep

    path = Named()
    options = (
        click.option("--settings", type=path, metavar="FILE", expose_value=False, callback=kept("settings_file"),
                     help="Settings file (TOML)."),
        click.option("--state", type=path, metavar="DIR", expose_value=False, callback=kept("state"),
                     help="Folder of calibration, journal and pictures."),
        click.option("--verbose", "-v", count=True, expose_value=False, callback=kept("verbosity"),
                     help="Tell more on standard error; twice for every detail."),
        click.version_option(__version__, "--version", prog_name=PROGRAM),
        click.help_option("--help", "-h"),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


class Whole(click.IntRange):
    """A whole number on the command line; anything else is refused in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return *value* as a number in the range."""
        last = " on" if self.max is None else f" to {self.max}"
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is no whole number; wanted is one from {self.min}{last}", param, ctx)
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            self.fail(f"{number} is out of range; wanted is a whole number from {self.min}{last}", param, ctx)
        return number


def called() -> str:
    """Return how this program is called from here, to be copied into a shell: with its path where it is not found."""
    own = Path(sys.argv[0])
    known = shutil.which(PROGRAM)
    if own.name != PROGRAM or (known is not None and own.is_file() and own.samefile(known)):
        return PROGRAM
    return shlex.quote(sys.argv[0])


def the_common() -> Common:
    """Return the common options of the running command; a settings file that was named and is not there is refused."""
    given = click.get_current_context().ensure_object(Common)
    given.check_settings()
    return given


def say(line: str) -> None:
    """Print one line on standard output at once.

    Raises
    ------
    FileError
        If it is closed.
    """
    if sys.stdout is None:
        from firmware.errors import FileError

        raise FileError("standard output is closed, and what was asked for has nowhere to go; leave it open")
    click.echo(line)


def say_json(value: Mapping[str, object]) -> None:
    """Print one JSON object on a line of its own at once, as `say` does."""
    say(json.dumps(value))


def complain(message: object) -> None:
    """Print one line on standard error, and nothing where that is full or unread.

    What a terminal would obey is a question mark.
    """
    line = "".join(letter if letter.isprintable() else "?" for letter in " ".join(str(message).split()))
    try:
        click.echo(f"{PROGRAM}: {line}", err=True)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EPIPE, errno.EIO):
            raise
