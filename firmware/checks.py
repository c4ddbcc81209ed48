"""How a part of the table is, and what can be told of disk and computer whether a table runs or not."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Final

from firmware import computer
from firmware.computer import Run
from firmware.errors import FirmwareError
from firmware.folder import StateFolder, write_whole
from firmware.journal import reading

LEAST_FREE_BYTES: Final = 50_000_000
HOT: Final = 80.0
DARK, BRIGHT = 25.0, 235.0
"""Mean grey of a picture, of 255, below and above which no die is read."""


class State(StrEnum):
    """How a part is."""

    OK = auto()
    FAILED = auto()
    ABSENT = auto()
    SKIPPED = auto()


@dataclass(frozen=True, slots=True)
class Check:
    """One part: how it is, what was found, and what to do (empty when nothing is); one that is OK may be better."""

    name: str
    state: State
    found: str
    do: str = ""


def storage(folder: StateFolder) -> Check:
    """Return whether the state folder takes what is written, and how much room is left."""
    trial = folder.path / "doctor.tmp"
    try:
        write_whole(trial, b"well")
        trial.unlink()
        with reading(folder.journal) as archive:
            games = archive.count()
        free = shutil.disk_usage(folder.path).free
    except FirmwareError as error:
        found, _, do = str(error).partition("; ")
        return Check("storage", State.FAILED, found, do)
    except OSError as error:
        return Check("storage", State.FAILED, f"{folder.path}: {error.strerror}", "make room, or name another --state")
    if free < LEAST_FREE_BYTES:
        return Check("storage", State.FAILED, f"{free // 1_000_000} MB are free", "make room on the disk")
    return Check("storage", State.OK, f"{games} games in {folder.path}, {free // 1_000_000} MB free")


def warmth(run: Run) -> Check:
    """Return how warm the computer is, and whether a Raspberry Pi has slowed down or lacks power."""
    degrees = computer.celsius()
    if degrees is None:
        return Check("computer", State.ABSENT, "does not say how warm it is")
    found = f"{degrees:.0f} degrees Celsius"
    said = computer.throttled(run)
    low = computer.undervolted() if said is None else None
    now = computer.UNDER_VOLTAGE if low else said or 0
    for flags, since in ((now, ""), (now >> computer.SINCE_START, " since it was started")):
        if flags & computer.UNDER_VOLTAGE:
            words = f"{found}, too little voltage{since}"
            return Check("computer", State.FAILED, words, "take the Pi's own power supply and a short cable")
        if flags & computer.SLOWED or (not since and degrees > HOT):
            return Check("computer", State.FAILED, f"{found}, slowed down by heat{since}", "give it air, or a fan")
    if said is not None:
        return Check("computer", State.OK, f"{found}, never throttled since it was started")
    if low is not None:
        return Check("computer", State.OK, f"{found}, enough voltage at this moment")
    if computer.on_a_pi():
        do = "run: sudo vcgencmd get_throttled; for a service of an older program: mexico-table install-service"
        return Check(
            "computer", State.SKIPPED, f"{found}; vcgencmd does not answer: nothing is known of its voltage", do
        )
    return Check("computer", State.OK, found)
