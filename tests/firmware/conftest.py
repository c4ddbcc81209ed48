"""A table without hardware: simulated devices, a clock that is cranked by hand, and readings put before the reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware import cli, settings
from firmware.controller import Controller
from firmware.events import Pressed, TrayRead, TrayStirred
from firmware.journal import Journal
from firmware.match import Stored
from firmware.table import Table
from firmware.views import Phase
from hardware.devices import SEAT_KEYS, Key, Screen
from hardware.rig import SimulatedRig, simulated_rig
from vision.types import Die, Fault, TrayReading


@dataclass
class Bench:
    """A table, the fingers on it, and what was stored, with the screen shown at that moment."""

    rig: SimulatedRig
    journal: Journal
    controller: Controller = field(init=False)
    stored: list[Stored] = field(default_factory=list)
    expected: list[int] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    shown_when_told: list[Screen | None] = field(default_factory=list)

    @staticmethod
    def reading(*faces: int) -> TrayReading:
        """Return what the reader answers to dice that show *faces*."""
        square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
        return TrayReading.read(tuple(Die(face, (0.5, 0.5), None, 0.0, 1.0, square) for face in faces))

    def again(self, journal: Journal) -> Bench:
        """Return the same table after a power cut: new devices, the journal opened anew."""
        return Bench(simulated_rig(), journal).begin()

    def begin(self, text: str = "", *, self_test: bool = False) -> Bench:
        """Switch the table on, with settings in *text*."""

        def told(stored: Stored) -> None:
            self.stored.append(stored)
            self.shown_when_told.append(self.rig.display.shown)

        told_of = (self.expected.append, self.asked.append, (told,))
        table = Table(self.rig, self.journal, settings.parse(text), "real", *told_of, self_test=self_test)
        self.controller = Controller(table)
        return self

    def press(self, *keys: Key) -> None:
        """Tap *keys*, one after the other."""
        for key in keys:
            self.controller.handle(Pressed(key, True, self.rig.clock.now()))
            self.controller.handle(Pressed(key, False, self.rig.clock.now()))

    def seat(self, *numbers: int) -> None:
        """Tap the buttons of the seats *numbers*."""
        self.press(*(SEAT_KEYS[number - 1] for number in numbers))

    def throw(self, *faces: int) -> None:
        """Let dice with *faces* come to rest and be read."""
        self.controller.handle(TrayStirred("moving"))
        self.controller.handle(TrayRead(self.reading(*faces), b"jpeg"))

    def lose(self, *, stop: bool = True) -> None:
        """Let the player on turn lead and lose a round against one other."""
        self.throw(3, 1)
        if stop:
            self.press(Key.STOP)
        self.throw(6, 6)

    def refuse(self, fault: Fault) -> None:
        """Let a throw come to rest that the reader refuses."""
        self.controller.handle(TrayStirred("moving"))
        self.controller.handle(TrayRead(TrayReading.refused(fault), b"jpeg"))

    def wait(self, seconds: float) -> None:
        """Let time pass, a tenth of a second at a time."""
        for _ in range(round(seconds * 10)):
            self.rig.clock.advance(0.1)
            self.controller.tick(self.rig.clock.now())

    @property
    def screen(self) -> Screen:
        """What can be read on the display."""
        shown = self.rig.display.shown
        assert shown is not None
        return shown

    def phase(self) -> Phase:
        """Return where the evening is."""
        return self.controller.view.phase

    def sit(self, players: int = 2, *dice: int) -> None:
        """Seat players and roll for the lead with *dice*."""
        self.seat(*range(1, players + 1))
        self.press(Key.STOP)
        for die in dice:
            self.throw(die)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as opened:
        yield opened


@pytest.fixture
def bench(journal: Journal) -> Bench:
    return Bench(simulated_rig(), journal)


@dataclass(frozen=True)
class Answer:
    """What the command line answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[dict[str, object]]:
        """The lines of standard output as JSON objects."""
        return [json.loads(line) for line in self.out.splitlines()]


Call = Callable[..., Answer]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call the command line in this process, in a home of its own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)

    def run(*arguments: object) -> Answer:
        capsys.readouterr()
        code = cli.run_command_line([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return run
