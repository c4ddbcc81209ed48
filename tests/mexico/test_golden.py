"""Golden playthroughs: ``tests/golden/*.txt`` show what the table says to every event.

A transcript is a line ``## ...`` that says what it shows, then games: a setup and events as JSON, one a line. What
starts with a single ``#`` is the table's answer. ``pytest --regold`` writes the answers anew; review them in the diff.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mexico.catalogue import GAMES
from mexico.gamefile import IllegalAction, Playing, begin, setup
from mexico.mexico_house import HOUSE

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
NOTHING: dict[str, Any] = {"scores": {}, "rolling_for_lead": [], "rerolling": [], "out": [], "left": []}
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
    changed = [f"{name} {json.dumps(value)}" for name, value in facts if value != before.get(name, NOTHING.get(name))]
    now = game.legal()
    can = "over" if now.player is None else f"{now.player} rolls {now.dice}{' or stops' if now.may_stop else ''}"
    return [*told, f"#   {', '.join(changed) or 'nothing has changed'}", f"#   legal: {can}"]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_table_answers_as_in_the_transcript(path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")
    if request.config.getoption("--regold"):
        path.write_text(answered(text), encoding="utf-8")
        return

    assert answered(text) == text


def said_in_all() -> list[dict[str, Any]]:
    """Return the setups and events of all transcripts."""
    lines = [line for path in TRANSCRIPTS for line in asked(path.read_text(encoding="utf-8"))]
    return [json.loads(line) for line in lines if line.startswith("{")]


def setups() -> list[dict[str, Any]]:
    """Return the setups of all transcripts."""
    return [said for said in said_in_all() if "game" in said]


@pytest.mark.parametrize("rule", HOUSE.rules, ids=lambda rule: rule.name)
def test_every_house_rule_and_every_value_occurs_in_some_transcript(rule: Any) -> None:
    played = {json.dumps(agreed["house_rules"][rule.name]) for agreed in setups() if rule.name in agreed["house_rules"]}
    if rule.least is None:
        missing = {json.dumps(value) for value in rule.values} - played
    else:
        missing = {json.dumps(value) for value in rule.values if value == "none"} - played
        assert played - {json.dumps(rule.default)}

    assert missing == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_event_of_every_game_occurs_in_some_transcript(name: str) -> None:
    types = {said.get("type") for said in said_in_all()}

    assert set(GAMES[name].words.EVENTS) <= types
    assert {agreed["game"] for agreed in setups()} == set(GAMES)
