"""The command ``install-service``: lets systemd start the table with the computer, and again when it hangs."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

import click

from firmware.cli_common import PROGRAM, Named, common, complain, say, the_common
from firmware.errors import FileError
from firmware.folder import write_for
from hardware.pictures import shown

UNIT: Final = Path("/etc/systemd/system/mexico-table.service")
STATE: Final = Path("/var/lib/mexico-table")


@click.command(name="install-service", short_help="Let systemd start the table with the computer.")
@click.option("--print", "print_only", is_flag=True, help="Print the unit and write nothing.")
@click.option("--unit", type=Named(), default=UNIT, metavar="FILE", help=f"Where to write: {UNIT}.")
@common
def install_service(print_only: bool, unit: Path) -> int:
    """Write the unit of the service and say what to do next; on the Raspberry Pi, with sudo."""
    the_common().log()
    command = program()
    text = unit_text(command)
    if print_only:
        say(text.removesuffix("\n"))
        return 0
    if not command.is_file():
        raise FileError(f"{shown(command)} is not there; install mexico-table into a virtual environment and call that")
    write_for("--unit, or call it with sudo", unit, text.encode())
    say(f"written: {shown(unit)}")
    if Path("/home") in command.parents or Path("/root") in command.parents:
        complain(f"{shown(command)} lies in a home folder, which the service may not be able to enter; /opt is better")
    say(f"calibrate:  sudo {command} --calibrate --state {STATE}")
    say("start:      sudo systemctl daemon-reload && sudo systemctl enable --now mexico-table")
    say("listen:     journalctl -u mexico-table -f")
    return 0


def program() -> Path:
    """Return the program that runs, as systemd must call it."""
    return Path(sys.executable).parent / PROGRAM


def unit_text(command: Path) -> str:
    """Return the unit that runs *command*."""
    template = (files("firmware") / "mexico-table.service").read_text(encoding="utf-8")
    return Template(template).substitute(command=_quoted(command))


def _quoted(path: Path) -> str:
    """Return *path* as systemd reads it: percent signs doubled, in quotes where there is a space."""
    text = str(path).replace("%", "%%").replace("$", "$$")
    return f'"{text}"' if " " in text else text
