"""The commands of docs/install.md, as a person would type them: what the virtual Pi is built and started with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "install.md"

NOT_BY_A_PROGRAM: Final = {
    "sudo reboot": "the Pi is switched on when it is built",
    "journalctl -u mexico-table -f": "follows the evening until somebody has seen enough",
    "sudo .venv/bin/mexico-table doctor --walk": "asks a person",
    "sudo .venv/bin/mexico-table --calibrate": "asks a person; here it is given pictures",
    "cd /opt/mexico-table && sudo git pull && sudo make venv": "there is no newer version",
}
"""The beginnings of lines that are left out, and why."""


OTHER_TABLE: Final = "sudo mkdir -p /var/lib/mexico-table"
"""What the commands for a table other than the standard one begin with."""


def sections(text: str) -> dict[str, list[str]]:
    """Return every section's commands, in order: a line each, with the lines that a ``<<'END'`` takes along.

    Examples
    --------
    >>> sections("# A page\\n## 1. First\\n```sh\\nls    # all of it\\ncat <<'END'\\nwords\\nEND\\n```\\n")
    {'1. First': ['ls', "cat <<'END'\\nwords\\nEND"]}
    """
    found: dict[str, list[str]] = {}
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        blocks = re.findall(r"^```sh\n(.*?)^```", body, re.MULTILINE | re.DOTALL)
        found[title] = [command for block in blocks for command in _commands(block)]
    return found


def commands(section: str, **names: str) -> list[str]:
    """Return the commands of *section* that a program can run, with *names* such as ADDRESS filled in.

    Raises
    ------
    LookupError
        If the page has no such section, or it has no commands: the page and the virtual Pi have drifted apart.
    """
    found = sections(PAGE.read_text("utf-8")).get(section)
    if not found:
        raise LookupError(f"docs/install.md has no commands under {section!r}; tests/virtual_pi runs them")
    kept = [command for command in found if not by_a_person(command)]
    for name, value in names.items():
        kept = [re.sub(rf"\b{name}\b", value, command) for command in kept]
    return kept


def by_a_person(command: str) -> bool:
    """Return whether *command* is one of those that a program cannot run, or not here."""
    return command.startswith(tuple(NOT_BY_A_PROGRAM))


def install(address: str) -> list[str]:
    """Return the commands that install the program from *address* on a table as it comes."""
    every = commands("2. The program", ADDRESS=address)
    return every[: every.index(OTHER_TABLE)]


def other_table() -> list[str]:
    """Return the commands that make another table of it: the compact one."""
    every = commands("2. The program")
    return every[every.index(OTHER_TABLE) :]


def _commands(block: str) -> list[str]:
    lines, found = iter(block.splitlines()), []
    for line in lines:
        command = re.sub(r"\s+# .*$", "", line).rstrip()
        if not command:
            continue
        if end := re.search(r"<<'(\w+)'$", command):
            for more in lines:
                command += "\n" + more
                if more == end[1]:
                    break
        found.append(command)
    return found
