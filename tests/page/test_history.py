"""What browsers are told of the game so far: the same after a restart, and nothing that was taken back."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware import undo
from firmware.journal import Journal, StoredGame
from firmware.match import Match, retold
from firmware.page import history
from firmware.page.history import Story
from tests.page.browser.showing import GOLDEN as TRANSCRIPTS
from tests.page.browser.showing import Event, golden

GAMES = sorted(path.stem for path in TRANSCRIPTS.glob("*.txt"))


class Table:
    """A match in a journal on disk, and the story that is told of it as it is played."""

    def __init__(self, journal: Journal, name: str) -> None:
        setup, self.left = golden(name)
        self.journal, self.story = journal, Story()
        start = {key: value for key, value in setup.start.items() if value is not None} if setup.start else {}
        told = {"format": 1, "game": setup.game, "house_rules": dict(setup.house_rules), "players": setup.players}
        seats = range(1, len(setup.players) + 1)
        self.match = Match.begin(journal, told | {"start": start}, tuple(seats), "real", (self.story.goes_on,))

    def play(self, events: int | None = None) -> None:
        now, self.left = self.left[:events], self.left[len(self.left[:events]) :]
        for event in now:
            self.match.take(event)

    @property
    def stored(self) -> StoredGame:
        last = self.journal.last()
        assert last is not None
        return last

    def after_a_restart(self) -> dict[str, Any]:
        story = Story()
        story.was(retold(self.stored))
        return dict(story.told())


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as opened:
        yield opened


def test_after_a_restart_a_game_that_a_bartender_let_wait_is_told_as_well(journal: Journal) -> None:
    table = Table(journal, GAMES[0])
    table.play(3)
    for kind in undo.NOTED:
        table.match.note(kind, [undo.PANEL], "a round of drinks")
    table.play()

    assert table.after_a_restart() == dict(table.story.told())


@pytest.mark.parametrize("name", GAMES)
def test_after_a_restart_the_story_is_the_one_that_was_told(journal: Journal, name: str) -> None:
    table = Table(journal, name)
    table.play()

    assert table.story.told()
    assert table.after_a_restart() == table.story.told()


def test_a_throw_that_was_taken_back_is_not_the_last_one(journal: Journal) -> None:
    table = Table(journal, "mexico_whole_game")
    table.play(4)
    before = dict(table.story.told())
    while table.left[0]["type"] != "roll":
        table.play(1)
    table.play(1)
    thrown = table.story.told()["last"]
    table.match.void(["A", "B"], "two seats")

    assert thrown != before["last"]
    assert table.story.told()["last"] == before["last"]
    assert "takes back" in str(table.story.told()["lines"])
    assert table.after_a_restart() == table.story.told()


def test_a_round_whose_last_throw_was_taken_back_is_not_over(journal: Journal) -> None:
    table = Table(journal, "mexico_whole_game")
    while not table.story.told().get("rounds"):
        last = table.left[0]
        table.play(1)
    assert [round_["round"] for round_ in rounds(table)] == [1]
    table.match.void(["A", "B"], "two seats")
    assert rounds(table) == []
    table.match.take(last)

    assert [round_["round"] for round_ in rounds(table)] == [1]
    assert table.after_a_restart() == table.story.told()


def rounds(table: Table) -> list[dict[str, Any]]:
    told: Any = table.story.told()["rounds"]
    return list(told)


def test_a_round_says_who_paid_and_what_everybody_had(journal: Journal) -> None:
    table = Table(journal, "mexico_whole_game")
    table.play()
    first = rounds(table)[0]

    assert first["loser"] == "C"
    assert first["paid"] == {"C": 1}
    assert set(first["round_scores"]) == {"A", "B", "C"}
    assert first["pot"] == 1
    assert table.story.told()["winner"] == "A"


def test_a_round_with_a_cup_says_what_was_claimed(journal: Journal) -> None:
    table = Table(journal, "mexican_changsha_round")
    table.play()

    assert [round_["claim"] for round_ in rounds(table)][:2] == ["62", "31"]


def test_an_evening_without_an_end_needs_no_more_room(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "ROUNDS", 2)
    monkeypatch.setattr(history, "LINES", 3)
    table = Table(journal, "mexico_whole_game")
    table.play()
    told: dict[str, Any] = dict(table.story.told())

    assert [round_["round"] for round_ in told["rounds"]] == [6, 7]
    assert len(told["lines"]) == 3


def test_another_game_begins_with_nothing_told(journal: Journal) -> None:
    table = Table(journal, "mexico_whole_game")
    table.play()
    table.story.begins()

    assert table.story.told() == {}


def test_nothing_is_told_that_no_event_says(journal: Journal) -> None:
    """Events hold no hidden dice: whatever face is told of was laid open, rolled in the open, or claimed."""
    table = Table(journal, "mexican_changsha_round")
    hidden: list[Event] = [event for event in table.left if event["type"] in ("shake", "announce", "challenge")]
    table.play(3)

    assert not any("faces" in event for event in hidden)
    assert table.story.told()["last"] is None
    assert json.dumps(table.story.told()).count("54") == 1, "the claim, in the line that tells of it"


@pytest.mark.parametrize(
    ("name", "laid"),
    [
        ("liars_stanford_dice", {"type": "show", "faces": [6, 5]}),
        ("mexican_wisconsin_round", {"type": "shake", "exposed": [5]}),
    ],
)
def test_dice_that_were_left_open_are_the_last_thrown(journal: Journal, name: str, laid: Event) -> None:
    table = Table(journal, name)
    player = table.match.playing.legal().player
    table.match.take({**laid, "player": player})

    assert table.story.told()["last"] == {"event": 1, "player": player, "faces": laid.get("faces") or laid["exposed"]}
