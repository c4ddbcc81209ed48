"""The journal at the panel: what was played, in words and pictures, and as files to take away."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from firmware.events import Order, Ordered
from firmware.views import Phase, View
from mexico import gamefile
from tests.firmware.conftest import Bench
from tests.page.panel.conftest import Browser, Desk

Play = Callable[[], Bench]


@pytest.fixture
def played(play: Play) -> Bench:
    """A game with a throw, one that was taken back, and the next."""
    bench = play()
    bench.throw(5, 4)
    bench.controller.handle(Ordered(Order.VOID, "sleeve", None, lambda _why: None))
    bench.throw(6, 1)
    return bench


def test_games_are_listed_newest_first_in_pages(desk: Desk, inside: Browser, play: Play) -> None:
    assert inside.get("/panel/games").json() == {"games": [], "more": False}
    for number in range(1, 25):
        setup = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"], "start": {"lead": "A"}}
        assert desk.bench.journal.begin(setup, seats=(1, 2), table_kind="real", rules="BDAE") == number

    newest = inside.get("/panel/games").json()
    older = inside.get(f"/panel/games?before={newest['games'][-1]['game']}").json()

    assert [game["game"] for game in newest["games"]] == list(range(24, 4, -1))
    assert newest["more"]
    assert [game["game"] for game in older["games"]] == [4, 3, 2, 1]
    assert not older["more"]
    assert newest["games"][0]["players"] == ["A", "B"]
    for nonsense in ("-1", "x", "9" * 99, "1;2", ""):
        assert inside.get(f"/panel/games?before={nonsense}").status_code == 200


def test_a_game_is_told_event_by_event_with_what_was_taken_back_and_why(played: Bench, inside: Browser) -> None:
    told = inside.get("/panel/games/1").json()

    rows = told["rows"]
    assert [row["event"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert [row["counts"] for row in rows] == [True, True, True, False, True, True]
    assert rows[4]["why"] == "sleeve"
    assert "takes back event 4" in rows[4]["told"]
    assert [row["picture"] for row in rows] == [True, True, True, True, False, True]
    assert told["over"] is False
    assert any(line.split()[0] == "pot" for line in told["standing"])


def test_a_picture_is_shown_and_one_that_is_not_kept_is_told(played: Bench, inside: Browser) -> None:
    shown = inside.get("/panel/games/1/4.jpg")

    assert (shown.status_code, shown.content) == (200, b"jpeg")
    assert shown.headers["content-type"] == "image/jpeg"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert inside.get("/panel/games/1/5.jpg").status_code == 404


def test_while_dice_are_hidden_no_picture_of_that_game_is_shown(desk: Desk, played: Bench, inside: Browser) -> None:
    desk.gauges.view = View(phase=Phase.PLAYING, blind=True)
    assert inside.get("/panel/games/1/4.jpg").status_code == 404

    setup = {"format": 1, "game": "mexico", "house_rules": {}, "players": ["A", "B"], "start": {"lead": "A"}}
    desk.bench.journal.begin(setup, seats=(1, 2), table_kind="real")

    assert inside.get("/panel/games/1/4.jpg").status_code == 200, "of a game before"


def test_a_game_file_is_given_to_keep_and_plays_again(played: Bench, inside: Browser) -> None:
    answer = inside.get("/panel/games/1.json")

    assert answer.headers["content-disposition"] == 'attachment; filename="mexico-game-1.json"'
    game = gamefile.parse(answer.text)
    assert [event["type"] for event in json.loads(answer.text)["events"]] == ["die", "die", "die", "roll"]
    assert all(step.accepted for step in gamefile.replay(game))


@pytest.mark.parametrize(
    "address",
    [
        "/panel/games/2",
        "/panel/games/0",
        "/panel/games/2.json",
        "/panel/games/1/99.jpg",
        "/panel/games/99999999999999999999999",
        "/panel/games/1/99999999999999999999999.jpg",
        "/panel/games/-1",
        "/panel/games/1e3",
        "/panel/games/x.json",
        "/panel/games/../panel.json",
        "/panel/games/%2e%2e/panel.json",
        "/panel/games/..%2f..%2fpanel.json",
        "/panel/games/1/../../panel.json.jpg",
        "/panel/games/1/%00.jpg",
        "/static/../panel.json",
        "/static/%2e%2e/page.py",
        "/static/..%2f..%2fsettings.py",
        "/panel/../../etc/passwd",
    ],
)
def test_no_address_leads_out_of_the_journal(played: Bench, inside: Browser, address: str) -> None:
    answer = inside.get(address)

    assert answer.status_code == 404, answer.text
    assert "error" in answer.json()


def test_a_damaged_journal_is_told(desk: Desk, inside: Browser) -> None:
    desk.bench.journal.close()
    for file in desk.folder.path.glob("journal.sqlite3*"):
        file.unlink()
    desk.folder.journal.write_bytes(b"no database" * 100)

    for address in ("/panel/games", "/panel/now"):
        answer = inside.get(address)
        assert answer.status_code == 503
        assert "damaged" in answer.json()["error"]


def test_of_a_game_that_goes_on_only_what_is_new_is_played_again(
    desk: Desk, played: Bench, inside: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert inside.get("/panel/now").json()["last"]["event"] == 6
    taken = []
    take = gamefile.Playing.take

    def counted(playing: gamefile.Playing, event: Mapping[str, object]) -> gamefile.Playing:
        taken.append(event)
        return take(playing, event)

    played.throw(6, 3)
    monkeypatch.setattr(gamefile.Playing, "take", counted)

    assert "63" in inside.get("/panel/now").json()["last"]["told"]
    assert [event["faces"] for event in taken] == [[6, 3]]
    monkeypatch.undo()
    desk.bench.controller.handle(Ordered(Order.VOID, "again", None, lambda _why: None))
    assert inside.get("/panel/now").json()["last"]["event"] == 6
