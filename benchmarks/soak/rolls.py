"""Ten thousand rolls through the whole table, and how much memory it holds meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.soak.evening import Watch, evening
from benchmarks.soak.kills import forks
from benchmarks.soak.ledger import Broken, Ledger
from firmware.folder import StateFolder
from firmware.match import Stored

SAMPLES = 20
"""How often memory is measured, evenly over all rolls."""

WARM_UP = 0.2
"""The part of all rolls after which everything that is kept on purpose is there: past screens, pages, odds."""

THROWS = ("roll", "die")


@dataclass(frozen=True, slots=True)
class Endurance:
    """How a long evening went.

    Attributes
    ----------
    rolls
        How many throws were counted, those for the lead among them.
    events, games
        What the journal holds.
    resident_kib
        Memory of the process, evenly over all rolls, in KiB.
    seconds
        How long it took.
    """

    rolls: int
    events: int
    games: int
    resident_kib: tuple[int, ...]
    seconds: float

    @property
    def grown_kib(self) -> int:
        """Return how much more memory is held at the end than after the warm-up, in KiB."""
        return self.resident_kib[-1] - self.resident_kib[round(len(self.resident_kib) * WARM_UP)]


class Counting(Watch):
    """Counts throws, and tells how much memory is held every so often."""

    def __init__(self, every: int, tell: Callable[[int], None]) -> None:
        self._every = every
        self._tell = tell
        self.rolls = 0

    def stored(self, stored: Stored) -> None:
        """Count *stored* if it is a throw."""
        if stored.event.get("type") in THROWS:
            self.rolls += 1
            if self.rolls % self._every == 0:
                self._tell(resident_kib())


def resident_kib() -> int:
    """Return the memory that this process holds, in KiB; Linux only."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def play(state: Path, seed: int, rolls: int, pipe: Connection) -> None:
    """Play *rolls* throws and send the memory held meanwhile into *pipe*."""
    count = Counting(max(1, rolls // SAMPLES), pipe.send)
    with evening(state, seed, count, over=lambda: count.rolls >= rolls) as begin:
        begin()


def soak(folder: Path, rolls: int, seed: int) -> Endurance:
    """Play *rolls* throws in a process of its own.

    Raises
    ------
    Broken
        If the table ends before, or its journal is not what it must be.
    """
    context, began_s = forks(), time.monotonic()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=play, args=(folder, seed, rolls, sender), daemon=True)
    process.start()
    sender.close()
    resident: list[int] = []
    with receiver:
        while True:
            try:
                resident.append(receiver.recv())
            except EOFError:
                break
    process.join()
    if process.exitcode != 0:
        raise Broken(f"the table died of itself, exit code {process.exitcode}; its last words are on standard error")
    process.close()
    ledger = Ledger(StateFolder(folder).journal)
    ledger.read()
    thrown = sum(event.get("type") in THROWS for book in ledger.books.values() for event in book.events)
    return Endurance(thrown, ledger.events, len(ledger.books), tuple(resident), time.monotonic() - began_s)
