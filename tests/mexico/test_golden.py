"""Golden playthroughs: ``tests/golden/*.txt`` show what the table says to every event.

A transcript is a line ``## ...`` that says what it shows, then games: a setup and events as JSON, one a line. What
starts with a single ``#`` is the table's answer. ``pytest --regold`` writes the answers anew; review them in the diff.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from mexico.catalogue import GAMES
from mexico.gamefile import IllegalAction, Legal, Playing, begin, setup
from mexico.house import HouseRule

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
NOTHING: tuple[object, ...] = (None, {}, [])
"""What a fact says that says nothing."""
TRANSCRIPTS = sorted(GOLDEN.glob("*.txt"))


def asked(text: str) -> Iterator[str]:
    """Yield the lines of a transcript that are not answers."""
    return (line for line in text.splitlines() if line.startswith(("##", "{")))


def answered(text: str) -> str:
    """Return the transcript with all its answers as the rules give them now."""
    lines: list[str] = []
    game: Playing | None = None
    for line in asked(text):
        said = {} if line.startswith("##") else json.loads(line)
        if "game" in said:
            game = begin(setup(said))
            lines += ["", line, *answers(game, {})]
        elif said and game is not None:
            before = game.facts()
            game, refused = take(game, said)
            assert bool(refused) == said.get("refused", False), line
            lines += [line, *(refused or answers(game, before))]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def take(game: Playing, event: dict[str, Any]) -> tuple[Playing, list[str]]:
    """Return the game after *event*, and the answer when it was refused."""
    try:
        return game.take(event), []
    except IllegalAction as refused:
        return game, [f"# refused: {refused}"]


def answers(game: Playing, before: dict[str, object]) -> list[str]:
    """Return what is told, which facts have changed since *before*, and what may be done next."""
    told = [f"# {fact}" for fact in game.told]
    facts = game.facts().items()
    new = [(name, value) for name, value in facts if (value != before[name] if before else value not in NOTHING)]
    changed = [f"{name} {json.dumps(value)}" for name, value in new]
    now = game.legal()
    can = "over" if now.player is None else ", ".join(possible(now))
    return [*told, f"#   {', '.join(changed) or 'nothing has changed'}", f"#   legal: {can}"]


def possible(now: Legal) -> Iterator[str]:
    """Yield what may be done, each kind of press with how many of them there are."""
    if now.blind:
        yield "blind"
    if now.dice:
        yield f"{now.player} rolls {now.dice}"
    presses = Counter((str(choice["player"]), str(choice["type"])) for choice in now.choices)
    for (player, kind), ways in presses.items():
        yield f"{player} {kind}" + (f" in {ways} ways" if ways > 1 else "")
    for (seat, what), asks in groupby(now.asks, lambda ask: (ask.seat, ask.what)):
        counts = [ask.dice for ask in asks]
        many = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
        yield f"seat {seat + 1} may let {many} dice be seen: {what}"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_table_answers_as_in_the_transcript(path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")
    if request.config.getoption("--regold"):
        path.write_text(answered(text), encoding="utf-8")
        return

    assert answered(text) == text


def setups() -> list[dict[str, Any]]:
    """Return the setups of all transcripts."""
    lines = [line for path in TRANSCRIPTS for line in asked(path.read_text(encoding="utf-8")) if line.startswith("{")]
    return [said for said in map(json.loads, lines) if "game" in said]


@pytest.mark.parametrize(
    ("game", "rule"),
    [pytest.param(name, rule, id=f"{name} {rule.name}") for name, entry in GAMES.items() for rule in entry.house.rules],
)
def test_every_house_rule_and_every_value_occurs_in_some_transcript(game: str, rule: HouseRule) -> None:
    agreed = [said["house_rules"] for said in setups() if said["game"] == game]
    played = {json.dumps(rules[rule.name]) for rules in agreed if rule.name in rules}
    if rule.least is None:
        missing = {json.dumps(value) for value in rule.values} - played
    else:
        missing = {json.dumps(value) for value in rule.values if isinstance(value, str)} - played
        assert played - {json.dumps(rule.default)}

    assert missing == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_event_of_every_game_occurs_in_some_transcript(name: str) -> None:
    game, types = None, set()
    for path in TRANSCRIPTS:
        for line in asked(path.read_text(encoding="utf-8")):
            said = json.loads(line) if line.startswith("{") else {}
            game = said.get("game", game)
            if game == name:
                types.add(said.get("type"))

    assert set(GAMES[name].words.EVENTS) <= types
