"""The plug pulled, again and again: the table is killed at random instants and goes on with the same journal."""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from random import Random

from benchmarks.soak.evening import Watch, evening
from benchmarks.soak.ledger import Broken, Ledger
from firmware.errors import StateFolderError
from firmware.folder import StateFolder
from firmware.match import Stored
from hardware.devices import Screen

BIRTH_S = 0.08
"""One in four is killed within so many seconds of its start: while the journal is made, or opened after a kill."""

LIFE_S = 0.12
"""The others play for up to so many seconds: some twenty events."""

KILLS_PER_FOLDER = 20


class Telling(Watch):
    """Writes everything that happens into a pipe at once, so that it is known after the kill."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe.fileno()

    def shown(self, screen: Screen, game: int, event: int, facts: Mapping[str, object], unsaved: int) -> None:
        """Tell what is about to be seen."""
        self._tell({"shown": screen.title, "game": game, "event": event, "facts": facts, "unsaved": unsaved})

    def stored(self, stored: Stored) -> None:
        """Tell what is on disk."""
        self._tell({"stored": stored.event, "game": stored.game, "event": stored.number, "facts": stored.facts})

    def committing(self, begun: bool) -> None:
        """Tell when a commit begins and ends."""
        self._tell({"committing": begun})

    def _tell(self, line: Mapping[str, object]) -> None:
        os.write(self._pipe, json.dumps(line).encode() + b"\n")


def play(state: Path, seed: int, pipe: Connection) -> None:
    """Play for ever: the process that is killed."""
    with evening(state, seed, Telling(pipe), over=lambda: False) as begin:
        begin()


@dataclass(slots=True)
class Tally:
    """What was found in all the kills so far.

    Attributes
    ----------
    kills
        How often the table was killed.
    in_commit
        How many of those came while a commit was under way.
    before_play
        How many came before anything was shown: while the journal was opened or made.
    events, games
        What all the journals hold.
    shown
        How many screens were checked against the journal.
    """

    kills: int = 0
    in_commit: int = 0
    before_play: int = 0
    events: int = 0
    games: int = 0
    shown: int = 0


def forks() -> ForkServerContext:
    """Return where processes come from that have everything imported when they begin."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def soak(folder: Path, kills: int, seed: int) -> Tally:
    """Kill a table *kills* times and check its journal after each.

    Raises
    ------
    Broken
        If anything that was shown or told is lost, or the journal is not what it must be.
    """
    rng, tally, context = Random(seed), Tally(), forks()
    while tally.kills < kills:
        state = folder / f"table-{tally.kills}"
        ledger = Ledger(StateFolder(state).journal)
        for number in range(min(KILLS_PER_FOLDER, kills - tally.kills)):
            born = number > 0 and rng.random() < 0.75
            lives_s = rng.uniform(0.0, LIFE_S if born else BIRTH_S)
            compare(ledger, _killed(context, state, rng.getrandbits(32), lives_s, born=born), tally)
            tally.kills += 1
        tally.events, tally.games = tally.events + ledger.events, tally.games + len(ledger.books)
    return tally


def _killed(
    context: ForkServerContext, state: Path, seed: int, lives_s: float, *, born: bool
) -> list[dict[str, object]]:
    """Let a table live for *lives_s* seconds, kill it, and return what it told until then.

    Its life is counted from the first it tells when it is to be *born* first, else from the start of the process.
    """
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=play, args=(state, seed, sender), daemon=True)
    process.start()
    sender.close()
    with receiver:
        told = os.read(receiver.fileno(), 1 << 16) if born else b""
        told += _heard(receiver, until_s=time.monotonic() + lives_s)
        if told and process.is_alive():
            _alone(state)
        process.kill()
        told += _heard(receiver, until_s=None)
    process.join()
    if process.exitcode != -signal.SIGKILL:
        raise Broken(f"the table died of itself, exit code {process.exitcode}; its last words are on standard error")
    process.close()
    return [json.loads(line) for line in told.split(b"\n")[:-1]]


def _heard(pipe: Connection, until_s: float | None) -> bytes:
    """Return what comes through *pipe* until that time, or until nobody holds its other end."""
    told = b""
    while True:
        wait_s = None if until_s is None else max(0.0, until_s - time.monotonic())
        ready, _, _ = select.select([pipe.fileno()], [], [], wait_s)
        part = os.read(pipe.fileno(), 1 << 16) if ready else b""
        told += part
        if not part or (until_s is not None and time.monotonic() >= until_s):
            return told


def _alone(state: Path) -> None:
    """Try to run a second table on the folder of the one that lives: it must be refused."""
    try:
        with StateFolder(state).held():
            raise Broken("a second table was let in on the same folder")
    except StateFolderError:
        pass


def compare(ledger: Ledger, heard: list[dict[str, object]], tally: Tally) -> None:
    """Hold what the table told against what its journal says after the kill."""
    before = ledger.events
    ledger.read()
    stored = [line for line in heard if "stored" in line]
    for line in stored:
        _same(ledger, line)
        book = ledger.books[_int(line, "game")]
        if book.events[_int(line, "event") - 1] != line["stored"]:
            raise Broken(f"the journal has another event than was told: {line}")
    for line in heard:
        if "shown" in line and not line["unsaved"]:
            _same(ledger, line)
            tally.shown += 1
    if not 0 <= ledger.events - before - len(stored) <= 1:
        raise Broken(f"{len(stored)} events were told, {ledger.events - before} are new in the journal")
    tally.in_commit += bool(heard) and heard[-1].get("committing") is True
    tally.before_play += not heard


def _same(ledger: Ledger, line: Mapping[str, object]) -> None:
    known = ledger.facts(_int(line, "game"), _int(line, "event"))
    if line["facts"] != json.loads(json.dumps(known)):
        raise Broken(f"the journal says something else than {line}")


def _int(line: Mapping[str, object], name: str) -> int:
    value = line[name]
    if not isinstance(value, int):
        raise Broken(f"{name} is {value!r} in {line}")
    return value
