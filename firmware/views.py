"""What the table shows at one moment, before it is laid out: facts for everybody's eyes and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Any, Final, Protocol, TypedDict

from firmware.card import Card
from firmware.dispute import Dispute
from firmware.events import IT_SEES, CameraState
from firmware.four import Four
from firmware.menu import Menu, menu, the_show
from firmware.self_test import SelfTest
from firmware.settings import TimingSettings
from firmware.texts import Text
from firmware.watching import BLIND, LENT, NOTHING, Watching
from hardware.devices import SEAT_LAMPS, Lamp
from mexico.game import Ask
from mexico.gamefile import Playing
from vision.types import Fault
from vision.zone import Part, Share, Zone

MEXICO: Final = (2, 1)


class Phase(StrEnum):
    """Where the evening is."""

    SITTING = auto()
    PLAYING = auto()
    DISPUTED = auto()
    PAUSED = auto()
    OVER = auto()


class Note(StrEnum):
    """What just happened and is shown for a while."""

    NONE = auto()
    ROLLED = auto()
    MEXICO = auto()
    BAD_ROLL = auto()
    ROUND_OVER = auto()
    TIED = auto()
    LEAD = auto()
    REFUSED = auto()
    NOT_NOW = auto()
    DECIDED = auto()
    LEAVING = auto()
    BUYING_IN = auto()
    UNSAVED = auto()


@dataclass(frozen=True, slots=True)
class View:
    """One moment of the table.

    Attributes
    ----------
    phase, note
        Where the evening is, and what just happened.
    game
        Which game is played, or is going to be.
    seats
        Name of each seat that has joined, by seat number from 1.
    facts
        The facts of the game, as `replay --json` prints them; empty before the first.
    chance
        How likely what stands now is beaten, or true (`Playing.chance`); None where nothing stands or nobody can tell.
    player, dice, may_stop
        Whose action is awaited, how many dice a roll must show, whether STOP is allowed.
    most_rolls
        How many rolls the player may take in this turn.
    blind
        Whether hidden dice lie on the table, so that the camera must not see.
    in_place
        Whether everybody's dice are shown where they lie, each in the part of the tray before his seat.
    wild_aces
        Whether an ace counts as the face that is bid.
    menu
        What the seat on turn may claim or do with the knob.
    callers
        Who may call what was claimed with his seat button.
    may_show
        Whether the seat on turn may let everybody see what he has, with STOP.
    ask
        What the camera was let look at, once; None for nothing.
    faces
        What the last throw showed, None before it or when it was refused.
    fault
        Why the last throw was refused.
    words
        What goes with the note: a sentence, or who rolled.
    card
        The house rule on display.
    rules
        Fingerprint of the house rules that were agreed on.
    mark
        What the house calls a penalty: ``"mark"``, ``"drink"`` or a word of its own.
    specials
        What the house calls the specials that need consent, by name; only those that it plays.
    camera
        Whether it gives pictures that can be used, and what it lacks when it does not.
    dispute
        The doubt about the last throw, None without one.
    trouble
        What four digits show of *words* while nobody plays, None where that is nothing they need to show.
    places
        The lamps of the seats that this board has.
    idle
        Steps since nobody sits at the table and nobody has touched it; 0 while somebody does.
    page_address
        Where phones find the page of the table, such as ``http://192.168.1.20:8021``; empty where they cannot, and
        while somebody is at the table.
    test
        The self-test, None when there is none.
    calibrating
        Whether a bartender calibrates at the panel: nobody can join meanwhile.
    unsaved
        How many events are in memory only, because the disk takes nothing.
    page
        How far the knob has turned the pages of the four-digit display: the turn, the pot, the stake, the units of each
        seat, the rules, and the turn again; in a doubt 0 what is offered, 1 what was read.
    moment
        Counts what happens, so that two things that look alike are two: a throw that is cocked, and then the next one.
    """

    phase: Phase = Phase.SITTING
    note: Note = Note.NONE
    game: str = "mexico"
    seats: Mapping[int, str] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)
    chance: Mapping[str, object] | None = None
    player: str | None = None
    dice: int = 0
    may_stop: bool = False
    most_rolls: int = 3
    blind: bool = False
    in_place: bool = False
    wild_aces: bool = False
    menu: Menu = field(default_factory=Menu)
    callers: tuple[str, ...] = ()
    may_show: bool = False
    ask: Ask | None = None
    faces: tuple[int, ...] | None = None
    fault: Fault | None = None
    words: Text = ""
    card: Card | None = None
    rules: str = ""
    mark: str = "mark"
    specials: Mapping[str, str] = field(default_factory=dict)
    camera: CameraState = IT_SEES
    dispute: Dispute | None = None
    trouble: Four | None = None
    places: tuple[Lamp, ...] = SEAT_LAMPS
    idle: int = 0
    page_address: str = ""
    test: SelfTest | None = None
    calibrating: bool = False
    unsaved: int = 0
    page: int = 0
    moment: int = 0

    def number(self, fact: str) -> int:
        """Return a fact that is a number, 0 when it is not known."""
        value = self.facts.get(fact)
        return value if isinstance(value, int) else 0

    def text(self, fact: str) -> str:
        """Return a fact that is a name or score, empty when it is not known."""
        value = self.facts.get(fact)
        return value if isinstance(value, str) else ""

    def table(self, fact: str) -> Mapping[str, object]:
        """Return a fact that goes by player, empty when it is not known."""
        value = self.facts.get(fact)
        return value if isinstance(value, Mapping) else {}

    @property
    def awaited(self) -> int:
        """Return how many dice the next reading must show."""
        return self.dice if self.ask is None else self.ask.dice

    @property
    def watching(self) -> Watching:
        """Return what the camera may do while this is shown."""
        if self.blind and (self.ask is None or self.phase is not Phase.PLAYING):
            return BLIND
        if self.calibrating:
            return LENT
        if self.phase is not Phase.PLAYING:
            return NOTHING
        return Watching(self.awaited, shown=self.showing, zone=self.zone_of(self.player))

    def zone_of(self, player: str | None) -> Part | None:
        """Return the part of the tray in which *player* shows what lay under a cup of his own; None for all of it."""
        seat = next((seat for seat, name in self.seats.items() if name == player), None)
        if seat is None or not self.has_cup or (self.phase is Phase.PLAYING and not self.revealing):
            return None
        if self.in_place:
            return Share(seat)
        return None if self.game != "liars_individual" else Zone.LEFT if seat == min(self.seats) else Zone.RIGHT

    @property
    def has_cup(self) -> bool:
        """Return True while a game with a cup is played, and not rolled for who begins."""
        return "to_beat" in self.facts and not self.rolling_for_lead

    @property
    def revealing(self) -> bool:
        """Return True while dice are to be read that lay under a cup."""
        return self.has_cup and bool(self.awaited)

    @property
    def showing(self) -> bool:
        """Return True while what lay under a cup is shown as it lies, and nothing is thrown."""
        return self.revealing and (self.ask is None or self.ask.what != "outside")

    @property
    def rolling_for_lead(self) -> bool:
        """Return True while single dice decide who leads."""
        return bool(self.facts.get("rolling_for_lead"))

    @property
    def seat(self) -> int | None:
        """Return the seat whose action is awaited."""
        return next((seat for seat, name in self.seats.items() if name == self.player), None)


class OnTable(Protocol):
    """A game as far as it was played, and who sits where."""

    @property
    def playing(self) -> Playing:
        """Return the game."""
        ...

    @property
    def sitting(self) -> Mapping[int, str]:
        """Return who sits at each seat."""
        ...

    @property
    def rules(self) -> Any:
        """Return the house rules."""
        ...

    @property
    def unsaved(self) -> int:
        """Return how many events are in memory only."""
        ...


@dataclass(frozen=True, slots=True)
class Labels:
    """What the house calls a penalty, and the specials that need consent, by name."""

    mark: str = "mark"
    specials: Mapping[str, str] = field(default_factory=dict)


class Shown(TypedDict, total=False):
    """What a note may show besides the game."""

    faces: tuple[int, ...] | None
    fault: Fault | None
    words: Text
    trouble: Four | None


def seen(match: OnTable, phase: Phase, note: Note, before: View, labels: Labels | None = None) -> View:
    """Return the view of *match* as it is stored, in the words of the house where *labels* has some.

    What is known of the camera is as *before*.
    """
    labels = labels or Labels()
    legal, facts = match.playing.legal(), match.playing.facts()
    cap = facts.get("cap")
    return View(
        phase=phase,
        note=note,
        game=match.playing.setup.game,
        seats=match.sitting,
        facts=facts,
        chance=match.playing.chance(),
        player=legal.player,
        dice=legal.dice,
        may_stop=legal.may_stop,
        most_rolls=cap if isinstance(cap, int) else getattr(match.rules, "max_rolls", 1),
        blind=legal.blind,
        in_place=getattr(match.rules, "reveal", None) == "in_place",
        wild_aces=getattr(match.rules, "wild_aces", False),
        menu=menu(legal),
        callers=tuple(str(choice["player"]) for choice in legal.choices if choice["type"] == "challenge"),
        may_show=the_show(legal) is not None,
        camera=before.camera,
        rules=match.playing.fingerprint,
        mark=labels.mark,
        specials={name: word for name, word in labels.specials.items() if getattr(match.rules, name, False)},
        unsaved=match.unsaved,
    )


def what_happened(before: View, facts: Mapping[str, object], faces: tuple[int, ...]) -> Note:
    """Return what a roll has led to, from the facts before and after it."""
    if before.rolling_for_lead:
        return Note.ROLLED if facts.get("rolling_for_lead") else Note.LEAD
    if facts.get("rounds_played") != before.facts.get("rounds_played"):
        return Note.ROUND_OVER
    if faces == MEXICO and facts.get("lead") != before.facts.get("lead"):
        return Note.MEXICO
    if facts.get("subround") and facts.get("subround") != before.facts.get("subround"):
        return Note.TIED
    return Note.ROLLED


def shown_s(note: Note, timing: TimingSettings) -> float | None:
    """Return for how many seconds *note* is shown, None for until something else happens."""
    if note in (Note.NONE, Note.ROLLED):
        return None
    brief = note in (Note.REFUSED, Note.BAD_ROLL, Note.NOT_NOW, Note.DECIDED)
    return timing.refusal_s if brief else timing.round_over_s
