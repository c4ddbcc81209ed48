"""A table without hardware: simulated devices, a clock that is cranked by hand, and readings put before the reader."""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from benchmarks.soak.guests import reading
from firmware import catalogues, cli, gallery, gallery_cup, settings
from firmware.card import card
from firmware.controller import Controller
from firmware.dispute import Choice, Dispute
from firmware.events import CupSeen, Pressed, TrayRead, TrayStirred, Turned
from firmware.journal import Journal
from firmware.lamps import Look
from firmware.match import Stored
from firmware.screens import look
from firmware.staged import play
from firmware.table import Table
from firmware.texts import Kind, Names, Words, places
from firmware.views import Note, Phase, View
from firmware.watching import Watching
from hardware.devices import SEAT_KEYS, Key, Lamp, Screen
from hardware.rig import SimulatedRig, simulated_rig
from mexico.catalogue import GAMES
from mexico.errors import PLACES
from vision.blind import CupState
from vision.types import Fault, TrayReading

TURNS_S = itertools.count(1.0)
"""When the knob is turned: slowly."""


@dataclass
class Bench:
    """A table, the fingers on it, and what was stored, with the screen shown at that moment."""

    rig: SimulatedRig
    journal: Journal
    controller: Controller = field(init=False)
    stored: list[Stored] = field(default_factory=list)
    expected: list[Watching] = field(default_factory=list)
    asked: list[Watching] = field(default_factory=list)
    expect: Callable[[Watching], None] | None = None
    shown_when_told: list[Screen | None] = field(default_factory=list)
    page_address: str = ""

    reading = staticmethod(reading)

    def again(self, journal: Journal) -> Bench:
        """Return the same table after a power cut: new devices, the journal opened anew."""
        return Bench(simulated_rig(), journal).begin()

    def begin(self, text: str = "", *, self_test: bool = False, lamps: tuple[Lamp, ...] = tuple(Lamp)) -> Bench:
        """Switch the table on, with settings in *text*, on a board that has these *lamps*."""

        def told(stored: Stored) -> None:
            self.stored.append(stored)
            self.shown_when_told.append(self.rig.display.shown)

        def expect(watching: Watching) -> None:
            self.expected.append(watching)
            if self.expect is not None:
                self.expect(watching)

        told_of = (expect, self.asked.append, (told,))
        devices = (self.rig, self.journal, settings.parse(text), "real")
        table = Table(*devices, *told_of, self_test=self_test, lamps=lamps, page_address=lambda: self.page_address)
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

    def shake(self) -> None:
        """Let the cup be taken up, and stand again."""
        self.controller.handle(CupSeen(CupState.EMPTY))
        self.controller.handle(CupSeen(CupState.COVERED))

    def choose(self, steps: int) -> None:
        """Turn the knob by *steps* and push it."""
        self.controller.handle(Turned(steps, next(TURNS_S)))
        self.press(Key.CONFIRM)

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


def at_the(game: str, **rules: object) -> str:
    """Return the settings of a table at which *game* is played."""
    lines = [f'"{name}" = {value!r}'.replace("True", "true").replace("False", "false") for name, value in rules.items()]
    return "\n".join([f'[game]\nname = "{game}"', "[game.house_rules]", *lines])


@pytest.fixture
def changsha(bench: Bench) -> Bench:
    """Three seats at Changsha's Mexican, A opens."""
    bench.begin(at_the("mexican_changsha")).sit(3, 6, 2, 1)
    return bench


def types(bench: Bench) -> list[str]:
    """Return the types of all that was stored."""
    return [str(stored.event["type"]) for stored in bench.stored]


def events(bench: Bench) -> list[str]:
    """Return the types of what was stored after the roll for the opener."""
    return [kind for kind in types(bench) if kind != "die"]


@pytest.fixture
def game(bench: Bench) -> Bench:
    """Three seats at play: 1 leads and is on turn."""
    bench.begin().seat(1, 2, 3)
    bench.press(Key.STOP)
    for face in (6, 3, 2):
        bench.throw(face)
    return bench


def rows(bench: Bench) -> list[object]:
    stored = bench.journal.last()
    assert stored is not None
    return [event["type"] for event in stored.events]


def facts(bench: Bench) -> dict[str, object]:
    assert bench.controller.match is not None
    return bench.controller.match.playing.facts()


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
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, floors_are_kept: None
) -> Iterator[Call]:
    """Call the command line in this process, in a home of its own."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)

    def run(*arguments: object) -> Answer:
        capsys.readouterr()
        code = cli.run_command_line([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    yield run
    # What is logged after this test does not go to its standard error, which is closed then.
    root.handlers[:] = handlers
    root.setLevel(level)


LONGEST = "Benjamin"
"""A name of as many letters as a seat may have."""

NAMES = ("Annelies", LONGEST, "Clarissa", "Dorothea", "Ekkehard", "Ferdinan", "Giovanni", "Hildegar")
SEATS = dict(enumerate(NAMES, 1))
FACTS: dict[str, object] = {
    "scores": dict.fromkeys(SEATS.values(), "54"),
    "units": {LONGEST: 0},
    "paid": {LONGEST: 99},
    "loser": LONGEST,
    "winner": LONGEST,
    "winner_takes": 9999,
    "subround": list(SEATS.values()),
    "lead": LONGEST,
    "stake": 999,
    "pot": 9999,
    "rolls_used": 1,
}
FULL = View(
    phase=Phase.PLAYING,
    seats=SEATS,
    facts=FACTS,
    player=LONGEST,
    dice=2,
    may_stop=True,
    rules="93FA",
    words=LONGEST,
    unsaved=999,
)


def crowded() -> Iterator[tuple[str, Look]]:
    """Yield every state of a full table."""
    for note, stop, lead in itertools.product(Note, (True, False), ([], [LONGEST])):
        facts = FACTS | {"rolling_for_lead": lead}
        yield f"{note} {stop} {lead}", look(replace(FULL, note=note, may_stop=stop, facts=facts))
    for note, fault in itertools.product((Note.REFUSED, Note.BAD_ROLL), Fault):
        yield f"{note} {fault}", look(replace(FULL, note=note, fault=fault))
    richer = replace(FULL, note=Note.ROUND_OVER, facts=FACTS | {"units": {LONGEST: 1}})
    yield "end of a round, still in", look(richer)
    yield "before the first roll", look(replace(FULL, facts=FACTS | {"scores": {}}))
    for phase in Phase:
        yield str(phase), look(replace(FULL, phase=phase, words=""))
    for faces, seat, choice in itertools.product(((), (6,), (6, 5)), (None, 2), Choice):
        doubt = Dispute(LONGEST, faces, 2, seat, choice)
        yield f"doubt {faces} {seat} {choice}", look(replace(FULL, phase=Phase.DISPUTED, dispute=doubt, words=""))
    for game, entry in GAMES.items():
        for place, rule in enumerate(entry.house.rules, 1):
            yield from (
                (f"{game} {rule.name} {value}", look(View(card=card(game, place, value)))) for value in rule.values
            )


def cups() -> Iterator[tuple[str, Look]]:
    """Yield every kind of screen of the games with a cup: as in the gallery, and with the longest names."""
    names = dict(zip("ABC", (LONGEST, *NAMES[2:]), strict=False))
    for game in gallery_cup.CUP_GAMES:
        yield from ((f"{game}: {name}", shown) for name, shown in gallery.looks(game))
        yield from ((f"{game}, long: {name}", look(view)) for name, view in gallery_cup.views(game, names))
    for game, seats in (("liars_stanford", "AB"), ("liars_individual", "AB")):
        for number, view in enumerate(play(game, seats, "A", names).entries()):
            yield f"{game}, hand {number}", look(view)
    yield (
        "most dice",
        look(play("liars_common", "ABCDEFGH", "A", dict(zip("ABCDEFGH", NAMES, strict=True)), dice_each=10).view()),
    )
    marks = dict.fromkeys(NAMES, 12)
    evening: dict[str, object] = {"to_beat": None, "marks": marks, "finishes": dict.fromkeys(NAMES, 1), "fewest": NAMES}
    late = View(
        phase=Phase.PLAYING, game="mexican_wisconsin", seats=SEATS, facts=evening, player=LONGEST, mark="pushup"
    )
    yield "late in the evening", look(late)
    yield "late, paused", look(replace(late, phase=Phase.PAUSED))
    yield "late, closing time", look(replace(late, phase=Phase.OVER))
    for handed in (
        dict.fromkeys(NAMES, 1),
        {LONGEST: 12},
        {LONGEST: "finish"},
        {**dict.fromkeys(NAMES, 1), LONGEST: 2},
    ):
        for mark in ("mark", "drink", "pushup"):
            over = replace(late, note=Note.ROUND_OVER, mark=mark, facts={**evening, "drinks": handed})
            yield f"late, end of a round {handed} {mark}", look(over)


def sentences() -> Iterator[tuple[str, Look]]:
    """Yield every refusal of the rules, as the display says it to the longest name."""
    of = {place: Names((LONGEST,)) for place in PLACES}
    for text in catalogues.found():
        if text.where.startswith("mexico/") and text.kind is Kind.LINE:
            refused = Words(text.text, {place: of[place] for place in places(text.text)})
            yield text.where, look(replace(FULL, note=Note.NOT_NOW, words=refused))


@pytest.fixture
def full() -> View:
    """A table with the longest names and the highest amounts that are to be shown whole."""
    return FULL


@pytest.fixture(scope="session")
def every_look() -> list[tuple[str, Look]]:
    """Everything the displays can show, by name: the gallery, and a full table in every state."""
    return [*gallery.looks(), *crowded(), *cups(), *sentences()]
