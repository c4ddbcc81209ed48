"""A game as JSON: set it up, take events, say the facts; read, write and replay game files.

Text in, text out: no file is opened here.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from mexico.catalogue import GAMES, Entry
from mexico.errors import GameFileError, IllegalAction
from mexico.game import Ask, Fact
from mexico.reading import (
    a_list,
    a_text,
    a_word,
    an_object,
    names,
    no_near_miss,
    only,
    the_field,
)
from mexico.say import did_you_mean, seen
from mexico.strict_json import parsed

__all__ = [
    "GameFile",
    "GameFileError",
    "IllegalAction",
    "Legal",
    "Playing",
    "Setup",
    "Step",
    "begin",
    "differences",
    "dump",
    "parse",
    "replay",
    "setup",
]

Event = Mapping[str, object]
Expected = tuple[int, Mapping[str, object]]

FORMAT = 1
FEWEST, MOST = 2, 8
LONGEST_NAME = 40
KEYS = ("format", "game", "house_rules", "players", "start", "events", "expect")


@dataclass(frozen=True, slots=True)
class Setup:
    """What is agreed before the first event; *players* sit clockwise, *start* is as it was given."""

    game: str
    house_rules: Mapping[str, str | int | bool]
    players: tuple[str, ...]
    start: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Legal:
    """Who may do what now: *seat* counts from 0 and is None when the game is over; *dice* a roll must show.

    *choices* are the events that a press may bring, *asks* the presses that let the camera look once. While *blind*
    hidden dice lie on the table, and nothing may be read.
    """

    seat: int | None
    player: str | None
    dice: int
    choices: tuple[Event, ...] = ()
    asks: tuple[Ask, ...] = ()
    blind: bool = False

    @property
    def may_stop(self) -> bool:
        """Whether the seat on turn may keep what lies there."""
        return any(choice["type"] == "stop" for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Playing:
    """A game being played: its setup and the events accepted so far, exactly as they were given.

    *told* is what followed from the last event, as the game's own facts with seats counted from 0.

    Examples
    --------
    >>> game = begin(setup({"game": "mexico", "players": ["Ann", "Bob"], "start": {"lead": "Ann"}}))
    >>> game = game.take({"type": "roll", "player": "Ann", "faces": [6, 5]})
    >>> game.take({"type": "stop", "player": "Bob"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mexico.errors.IllegalAction: it is the turn of Ann, not of Bob (rule: MEXICO 9 / A21; source: ...)
    >>> game.take({"type": "stop", "player": "Ann"}).facts()["cap"]
    1
    """

    setup: Setup
    events: tuple[Event, ...]
    _state: Any
    told: tuple[Fact, ...] = ()

    def take(self, event: Event, number: int | None = None) -> "Playing":
        """Return the game after *event*, which an error names by its *number*; left out, as the next one accepted.

        Raises
        ------
        IllegalAction
            If the rules refuse it.
        GameFileError
            If it is no event of this game.
        """
        where = f"event {len(self.events) + 1 if number is None else number}"
        action = _action(self.setup, event, where)
        try:
            state, told = self._entry.rules.apply(self._state, action)
        except IllegalAction as refused:
            raise refused.named(self.setup.players) from None
        return Playing(self.setup, (*self.events, deepcopy(dict(event))), state, told)

    def facts(self) -> dict[str, object]:
        """Return every fact that all may know now, in JSON values and with players' names; None is unknown."""
        public = self._entry.rules.redact(self._state, None)
        return self._entry.words.facts(public, self.setup.players)

    def chance(self) -> dict[str, object] | None:
        """Return how likely what stands now is beaten, or true, for somebody who knows nothing hidden.

        Returns
        -------
        dict or None
            In JSON values, chances as exact fractions such as ``"11/18"``; what each means: docs/statistics.md.
            Of Mexico ``{"kind": "beaten", "players", "score", "next", "rolls", "rolling", "by_next", "by_anyone",
            "by_everybody"}``; of a game with a cup ``{"kind": "claim", "player", "chance"}``. None where nothing
            stands, or where what lies there is somebody's choice as much as chance.

        Examples
        --------
        >>> game = begin(setup({"game": "mexico", "players": ["Ann", "Bob"], "start": {"lead": "Ann"}}))
        >>> game.chance() is None, game.take({"type": "roll", "player": "Ann", "faces": [5, 2]}).chance()["by_next"]
        (True, '11/18')
        """
        public = self._entry.rules.redact(self._state, None)
        return self._entry.words.chance(public, self.setup.players)

    def legal(self) -> Legal:
        """Return whose turn it is and what he may do."""
        entry, players = self._entry, self.setup.players
        now, event = entry.rules.legal(self._state), entry.words.event
        player = None if now.seat is None else players[now.seat]
        choices = tuple(event(choice, players) for choice in now.choices)
        return Legal(now.seat, player, now.dice, choices, now.asks, now.blind)

    def read(self, faces: Sequence[int], ask: Ask | None = None) -> Event:
        """Return the event of dice that were read: those due now, or those that *ask* let the camera see."""
        return self._entry.words.read(self._state, self.setup.players, faces, ask)

    @property
    def rules(self) -> Any:
        """Return the house rules of this game, presets and defaults filled in."""
        return self._entry.house.check(self.setup.house_rules)

    @property
    def fingerprint(self) -> str:
        """Return the few letters that stand for the house rules of this game."""
        return self._entry.house.fingerprint(self.rules)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.legal().seat is None

    @property
    def _entry(self) -> Entry:
        return GAMES[self.setup.game]


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game file: a setup, the events to try, and the facts *expect*-ed after some of them (counted from 1)."""

    setup: Setup
    events: tuple[Event, ...]
    expect: tuple[Expected, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one event of a game file, counted from 1."""

    event: int
    accepted: bool
    why: str | None
    facts: dict[str, object]


# --- setting up ---


def setup(data: Mapping[str, object]) -> Setup:
    """Return the checked setup in *data*, an object as in a game file.

    Raises
    ------
    GameFileError
        If the game cannot be played so: one line that says why.
    """
    data = an_object(data, "the game")
    game = a_word(the_field(data, "game", "the game file"), "game", GAMES)
    players = _players(the_field(data, "players", "the game file"))
    given = data.get("start")
    result = Setup(
        game=game,
        house_rules=_house_rules(data.get("house_rules")),
        players=players,
        start=deepcopy(dict(an_object({} if given is None else given, "start"))),
    )
    begin(result)
    return result


def _players(value: object) -> tuple[str, ...]:
    players = tuple(a_text(name, "a player's name") for name in a_list(value, "players"))
    if not FEWEST <= len(players) <= MOST:
        raise GameFileError(f"players has {len(players)} names; a game has {FEWEST} to {MOST} players")
    for name in players:
        if len(name) > LONGEST_NAME:
            raise GameFileError(f"a player's name is {seen(name)}; at most {LONGEST_NAME} characters fit the table")
        if players.count(name) > 1:
            raise GameFileError(f"players has {seen(name)} twice: {names(players)}; give everybody another name")
    return players


def _house_rules(value: object) -> dict[str, str | int | bool]:
    rules = an_object({} if value is None else value, "house_rules")
    words = {name: "none" if rule is None else rule for name, rule in rules.items()}
    for name, rule in words.items():
        if not isinstance(rule, str | int):
            raise GameFileError(
                f"house rule {seen(name)} is {seen(rule)}; wanted is a word, a whole number, true or false"
            )
    return {name: rule for name, rule in words.items() if isinstance(rule, str | int)}


def begin(setup: Setup) -> Playing:
    """Return the game of *setup* before its first event."""
    words = GAMES[setup.game].words
    return Playing(setup, (), words.begin(setup.house_rules, setup.players, setup.start))


def played(setup: Setup, events: Iterable[Event]) -> Playing:
    """Return the game of *setup* after *events*; raises what `Playing.take` does."""
    playing = begin(setup)
    for event in events:
        playing = playing.take(event)
    return playing


def _action(setup: Setup, event: object, where: str) -> object:
    checked = an_object(event, where)
    words = GAMES[setup.game].words
    a_word(the_field(checked, "type", where), f"the type of {where}", words.EVENTS)
    return words.action(checked, setup.players, where)


# --- reading and writing ---


def parse(text: str) -> GameFile:
    """Return the game file in *text*; its events are well-formed, if not all legal.

    Raises
    ------
    GameFileError
        If *text* is no game file: one line that says what was found, what is allowed and what to do.
    """
    data = an_object(parsed(text), "a game file")
    no_near_miss(data, KEYS, "the game file")
    number = the_field(data, "format", "the game file")
    if type(number) is not int or number != FORMAT:
        raise GameFileError(f"format is {seen(number)}; this program reads format {FORMAT}")
    agreed = setup(data)
    events = tuple(_event(agreed, event, f"event {n}") for n, event in enumerate(_list(data, "events"), 1))
    known = begin(agreed).facts()
    expect = tuple(_expected(item, len(events), known) for item in _list(data, "expect"))
    return GameFile(agreed, events, expect)


def _list(data: Mapping[str, object], key: str) -> Sequence[object]:
    return a_list([] if data.get(key) is None else data[key], key)


def _event(agreed: Setup, event: object, where: str) -> Event:
    """Return *event* if the game could take it; one that is to be refused may say anything."""
    checked = an_object(event, where)
    if type(checked.get("refused", False)) is not bool:
        raise GameFileError(f"refused of {where} is {seen(checked['refused'])}; allowed are true, false")
    if not checked.get("refused"):
        _action(agreed, checked, where)
    return checked


def _expected(item: object, events: int, known: Iterable[str]) -> Expected:
    checked = an_object(item, "an entry of expect")
    only(checked, ("after_event", "facts"), "an entry of expect")
    after = the_field(checked, "after_event", "an entry of expect")
    if type(after) is not int or not 1 <= after <= events:
        raise GameFileError(f"after_event is {seen(after)}; the file has the events 1 to {events}")
    facts = an_object(the_field(checked, "facts", "an entry of expect"), "facts of expect")
    for name in facts:
        if name not in known:
            raise GameFileError(
                f"expect names the unknown fact {seen(name)}{did_you_mean(name, known)}; known are {', '.join(known)}"
            )
    return after, facts


def dump(game: GameFile | Playing) -> str:
    """Return *game* as the text of a game file, one event a line; it parses back equal."""
    events, agreed = game.events, game.setup
    expect = game.expect if isinstance(game, GameFile) else ()
    head = {
        "format": FORMAT,
        "game": agreed.game,
        "house_rules": dict(agreed.house_rules),
        "players": list(agreed.players),
        "start": dict(agreed.start),
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    lines.append(_lines("events", events))
    if expect:
        lines.append(_lines("expect", [{"after_event": after, "facts": facts} for after, facts in expect]))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _lines(key: str, items: Sequence[object]) -> str:
    if not items:
        return f' "{key}": []'
    return f' "{key}": [\n' + ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in items) + "\n ]"


# --- replaying ---


def replay(file: GameFile) -> Iterator[Step]:
    """Play the events of *file* in turn; a refused one changes nothing and the rest go on."""
    playing = begin(file.setup)
    for number, event in enumerate(file.events, 1):
        why = None
        try:
            playing = playing.take(event, number)
        except (IllegalAction, GameFileError) as refused:
            why = str(refused)
        yield Step(number, why is None, why, playing.facts())


def differences(file: GameFile, steps: Iterable[Step]) -> list[str]:
    """Return, one line each, where *steps* are not what *file* wants: refusals and expected facts; none is kept."""
    refusals: list[str] = []
    facts: list[str] = []
    wanted = sorted(file.expect, key=lambda expected: expected[0], reverse=True)
    for step, event in zip(steps, file.events, strict=True):
        refused = bool(event.get("refused", False))
        if step.accepted and refused:
            refusals.append(f"event {step.event}: accepted, but the file wants it refused")
        elif not step.accepted and not refused:
            refusals.append(f"event {step.event}: refused: {step.why}")
        while wanted and wanted[-1][0] == step.event:
            facts.extend(_other_facts(step, wanted.pop()[1]))
    return refusals + facts


def _other_facts(step: Step, wanted: Mapping[str, object]) -> Iterator[str]:
    """Yield a line for each fact after *step* that is not as *wanted*."""
    for name, value in wanted.items():
        if not _same(step.facts[name], value):
            is_now = json.dumps(step.facts[name])
            yield f"after event {step.event}: {name} is {is_now}, expected {json.dumps(value)}"


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are equal, true and 1 being different."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
