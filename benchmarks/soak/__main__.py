"""Soak the table and print a Markdown page: ``python -m benchmarks.soak [FILE]`` also writes it to FILE."""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

from benchmarks.soak import kills, rolls
from benchmarks.soak.ledger import Broken

KILLS = 1_000
ROLLS = 10_000
SEED = 1

INTRODUCTION = """# The table, soaked

Written by `make soak`. The whole program on simulated devices: state folder, journal, controller, loop, buttons, lamps,
display; readings come in where the reader's answer does. Four people play, stop, doubt throws, leave, buy in again, and
meanwhile the display and the camera are unplugged, the disk takes nothing, the encoder and a button chatter.

Troubles in any combination are drawn by Hypothesis in `tests/firmware/test_evenings.py`; those of the camera come with
pictures in `tests/firmware/test_camera_troubles.py`."""


def page(folder: Path) -> str:
    """Return the whole page."""
    killed = kills.soak(folder / "kills", KILLS, SEED)
    played = rolls.soak(folder / "rolls", ROLLS, SEED)
    where = f"Python {platform.python_version()}, {platform.system()}, {platform.machine()}"
    return "\n\n".join((INTRODUCTION, where, killed_part(killed), played_part(played))) + "\n"


def killed_part(tally: kills.Tally) -> str:
    """Return what became of the kills."""
    return f"""## kill -9 at random instants

| kills | while a commit was under way | before anything was shown | games | events | screens checked |
|---|---|---|---|---|---|
| {tally.kills} | {tally.in_commit} | {tally.before_play} | {tally.games} | {tally.events} | {tally.shown} |

After each kill the journal is read and worked out a second time: everything that was told or shown is in it and says
the same, nothing that was stored before is gone or changed, every event follows the rules, every unit that was brought
is in a hand, in the pot, thrown away or taken home. While a table lives a second one is refused its folder; the next
one is let in at once and goes on with the game. Anything else ends the run with an error and writes no page."""


def played_part(endurance: rolls.Endurance) -> str:
    """Return what became of the memory."""
    marks = range(0, len(endurance.resident_kib), 4)
    step = endurance.rolls // len(endurance.resident_kib)
    rows = "\n".join(f"| {(mark + 1) * step} | {endurance.resident_kib[mark] / 1024:.1f} |" for mark in marks)
    last = f"| {endurance.rolls} | {endurance.resident_kib[-1] / 1024:.1f} |"
    return f"""## Memory over {endurance.rolls} rolls

{endurance.games} games, {endurance.events} events, {endurance.seconds:.0f} seconds, one process;
a picture of 0.5 to 12 kB goes with every throw.

| rolls | resident, MiB |
|---|---|
{rows}
{last}

From the fifth part of the way on it grew by {endurance.grown_kib / 1024:.1f} MiB."""


def main() -> int:
    """Soak, print, and write."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            text = page(Path(folder))
        except Broken as error:
            print(f"soak: {error}", file=sys.stderr)
            return 1
    print(text, end="")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
