"""The board in a browser: every face and every game, on phones and walls, and what it does when the table is away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware.events import CameraState
from firmware.journal import Journal
from firmware.match import Match
from firmware.page.address import Address
from firmware.views import Note, Phase, View
from tests.page.browser.accessible import barriers, cut_off, lasting
from tests.page.browser.running import Look, Start
from tests.page.browser.showing import NAMES, Showing, eight, golden, showing
from vision.types import Fault

pytestmark = pytest.mark.browser

PHONE, WALL, STANDING, LAPTOP = (360, 740), (1920, 1080), (1080, 1920), (1366, 768)
LANGUAGE = "en-GB"


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Showing]:
    with showing(tmp_path) as served:
        yield served


def eight_play(shown: Showing) -> None:
    """Play half a round of eight with the broadest names, three of whom have rolled."""
    first, second, third, *_ = NAMES
    shown.begin(eight())
    rolls = [(first, [5, 4]), (first, [6, 1]), (second, [3, 2]), (third, [6, 6])]
    for player, faces in rolls:
        stops = shown.events and shown.events[-1]["player"] != player
        before = [{"type": "stop", "player": shown.events[-1]["player"]}] if stops else []
        shown.take(*before, {"type": "roll", "player": player, "faces": faces}, note=Note.ROLLED)


FACES: tuple[tuple[str, Callable[[Showing], object]], ...] = (
    ("Take a seat", lambda shown: shown.page.view(View())),
    ("3 seats taken", lambda shown: shown.page.view(View(seats={1: "Benjamin", 3: "Wolfgang", 8: "C"}, rules="3FA9"))),
    ("throws again, or stops", eight_play),
    ("COCKED", lambda shown: shown.show(note=Note.REFUSED, fault=Fault.COCKED)),
    ("Doubt", lambda shown: shown.show(phase=Phase.DISPUTED)),
    ("STOP at the table goes on", lambda shown: shown.show(phase=Phase.PAUSED)),
    ("The table sees nothing", lambda shown: shown.show(camera=CameraState("unplugged"))),
    ("C loses and pays 1", lambda shown: shown.play("mexico_whole_game", 10, Note.ROUND_OVER)),
    ("takes 7 units", lambda shown: shown.play("mexico_whole_game")),
    ("B says 62", lambda shown: shown.play("mexican_changsha_round", 5)),
    ("B says 41", lambda shown: shown.play("mexican_wisconsin_round", 9)),
    ("B says 3\u00d75", lambda shown: shown.play("liars_common_calls", 3)),
    ("A says two pairs: 4-2", lambda shown: shown.play("liars_individual_round", 7)),
    ("the table shows 6 6", lambda shown: shown.play("liars_stanford_dice", 5)),
    ("Closing time", lambda shown: shown.play("liars_common_evening")),
)
"""Every face of the board and every game: what stands there then, and how it comes about."""


def too_high(page: Page) -> list[str]:
    height, seen = page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
    return [f"the page is {height} high in a window of {seen}: nobody can scroll a wall"] if height > seen else []


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize(
    "size",
    [pytest.param(size, id="x".join(map(str, size))) for size in (PHONE, WALL, STANDING, LAPTOP)],
)
def test_everybody_can_read_every_face_of_the_board(
    shown: Showing, look: Look, size: tuple[int, int], scheme: str
) -> None:
    page = look(shown.board, *size, color_scheme=scheme, reduced_motion="reduce", locale=LANGUAGE)
    for words, happens in FACES:
        happens(shown)
        expect(page.locator("main")).to_contain_text(words)

        for find in (cut_off, barriers) if size == PHONE else (cut_off, barriers, too_high):
            assert not lasting(page, find), words


def size_of(page: Page, name: str) -> float:
    return float(page.locator(f"#{name}").evaluate("element => parseFloat(getComputedStyle(element).fontSize)"))


def test_pot_turn_and_last_score_are_huge_on_a_wall(shown: Showing, look: Look) -> None:
    page = look(shown.board, *WALL)
    shown.play("mexico_whole_game", 10)
    expect(page.locator("#last-score")).to_have_text("53")
    expect(page.locator("#pot-units")).to_have_text("1")

    sizes = {name: size_of(page, name) for name in ("last-score", "pot-units", "turn-name")}
    assert min(sizes.values()) >= 190, "a sixth of the height of the screen"
    eight_play(shown)
    expect(page.locator("#turn-name")).to_have_text("Franzisk")
    assert size_of(page, "turn-name") >= 95, "the broadest name is still read from five metres"


def test_it_says_in_words_what_it_shows_in_colour(shown: Showing, look: Look) -> None:
    page = look(shown.board)
    eight_play(shown)
    players = page.locator("#players li")

    expect(players.nth(0)).to_contain_text("lead")
    expect(players.nth(1)).to_contain_text("lowest")
    expect(players.nth(2)).to_contain_text("on turn")
    expect(players.nth(3)).to_contain_text("no score yet")
    shown.play("mexico_whole_game")
    expect(players.nth(0)).to_contain_text("wins")
    expect(players.nth(1)).to_contain_text("out")


def test_the_chance_is_exact_and_in_per_cent(shown: Showing, look: Look) -> None:
    page = look(shown.board)
    shown.play("mexico_whole_game", 10)

    expect(page.locator(".chance")).to_contain_text("Chance that 53 is beaten")
    expect(page.locator("#chance div").nth(0)).to_contain_text("80.2 %exactly 65/81")
    expect(page.locator("#chance div").nth(1)).to_contain_text("96.1 %exactly 6305/6561")


def test_a_house_that_keeps_the_chances_to_itself_shows_none(tmp_path: Path, look: Look) -> None:
    with showing(tmp_path, "[page]\nodds = false") as shown:
        page = look(shown.board)
        shown.play("mexico_whole_game", 10)

        expect(page.locator("#last-score")).to_have_text("53")
        expect(page.locator(".chance")).to_be_hidden()


def test_the_picture_of_a_roll_goes_when_dice_are_hidden(shown: Showing, look: Look) -> None:
    page = look(shown.board)
    setup, events = golden("mexican_changsha_round")
    shown.begin(setup)
    shown.show(blind=False)
    shown.read(5)
    expect(page.get_by_role("img", name="The last roll from above, read as 5")).to_be_visible()
    shown.take(*events[:1])

    expect(page.locator("#roll")).to_be_hidden()
    assert page.request.get(f"{shown.address}/roll.jpg").status == 404


def test_one_line_tells_a_screen_reader_what_matters_and_nothing_twice(shown: Showing, look: Look) -> None:
    page = look(shown.board)
    shown.play("mexico_whole_game", 10)
    line = page.get_by_role("status")
    expect(line).to_have_text("A throws both dice")
    page.evaluate("""() => {
      window.said = [];
      new MutationObserver(() => window.said.push(document.getElementById("live").textContent))
        .observe(document.getElementById("live"), { childList: true, characterData: true, subtree: true });
    }""")
    for _ in range(3):
        shown.show()
    shown.show(phase=Phase.PAUSED)
    expect(line).to_have_text("The game waits: Paused STOP at the table goes on.")

    assert page.evaluate("window.said") == ["The game waits: Paused STOP at the table goes on."]
    live = page.locator("[aria-live], [role=status], [role=alert]")
    assert live.count() == 2, "the line, and the notice that the table is away"


def test_what_is_taken_over_from_the_display_is_said_in_its_language(tmp_path: Path, look: Look) -> None:
    with showing(tmp_path, '[table]\nlanguage = "de"') as german:
        page = look(german.board)
        german.play("liars_common_calls", 3)
        expect(page.locator("#claim-text")).to_have_text("B says 3\u00d75")
        expect(page.locator("#claim-text [lang=de]")).to_have_text("3\u00d75")
        expect(page.get_by_role("status")).to_contain_text(", over 3\u00d75")

        german.play("mexican_changsha_round", 5)
        expect(page.get_by_role("status")).to_contain_text(", over 62")
        german.show(note=Note.REFUSED, fault=Fault.COCKED)
        expect(page.locator("#turn-text [lang=de]")).not_to_be_empty()


def test_the_keyboard_reaches_the_link_the_button_and_both_lists(shown: Showing, look: Look) -> None:
    page = look(shown.board)
    shown.play("mexico_whole_game")
    expect(page.locator("#rounds li")).to_have_count(7)
    reached = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))

    assert reached == ["to-panel", "full", "rounds", "story"]


def test_the_button_fills_the_screen_and_says_so(shown: Showing, look: Look) -> None:
    page = look(shown.board)
    button = page.get_by_role("button", name="Full screen")
    button.click()

    expect(page.get_by_role("button", name="Leave full screen")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize(("motion", "animation"), [("reduce", "none"), ("no-preference", "lands")])
def test_dice_land_only_for_those_who_want_motion(shown: Showing, look: Look, motion: str, animation: str) -> None:
    page = look(shown.board, reduced_motion=motion)
    shown.play("mexico_whole_game", 10)

    expect(page.locator(".last .die").first).to_have_css("animation-name", animation)


def test_it_says_that_the_table_is_away_and_goes_on_when_it_is_back(tmp_path: Path, look: Look) -> None:
    with showing(tmp_path) as shown:
        page = look(shown.board, *PHONE, locale=LANGUAGE)
        shown.play("mexico_whole_game", 10)
        expect(page.locator("#pot-units")).to_have_text("1")
        address = Address.parse(shown.address.removeprefix("http://"), exactly=True)
    notice = page.get_by_role("alert")

    expect(notice).to_contain_text("No connection to the table.")
    expect(notice).to_contain_text(re.compile(r"What is shown is from \d\d:\d\d\."))
    assert not barriers(page)
    assert not cut_off(page)
    with showing(tmp_path, address=address) as again:
        again.play("mexico_whole_game")
        expect(page.locator("#face-big")).to_have_text("A")
        expect(notice).to_be_hidden()


@pytest.mark.long
@pytest.mark.slow
def test_after_a_power_cut_the_board_is_back_with_every_round(start: Start, look: Look, tmp_path: Path) -> None:
    setup, events = golden("mexico_whole_game")
    told = {"format": 1, "game": setup.game, "house_rules": dict(setup.house_rules), "players": setup.players}
    (tmp_path / "state").mkdir()
    with closing(Journal.open(tmp_path / "state" / "journal.sqlite3")) as journal:
        match = Match.begin(journal, told, (1, 2, 3), "virtual")
        for event in events[:20]:
            match.take(event)
    table = start()
    page = look(f"{table.address}/board", *WALL)
    rounds = page.locator("#rounds b")
    told_of = ["B loses and pays 1", "C loses and pays 1", "C loses and pays 1"]
    expect(page.locator("#face-big")).to_have_text("Paused")
    expect(rounds).to_have_text(told_of)
    table.kill()
    expect(page.get_by_role("alert")).to_be_visible()
    start(address=table.address.removeprefix("http://"))

    expect(page.get_by_role("alert")).to_be_hidden()
    expect(rounds).to_have_text(told_of)
    fresh = look(f"{table.address}/board", *WALL)
    expect(fresh.locator("#rounds b")).to_have_text(told_of)
