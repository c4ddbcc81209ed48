"""The settings at the panel: everything that may be set is asked for, nonsense is refused, and comments stay."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware import settings, settings_form
from firmware.settings import Settings
from mexico.catalogue import GAMES
from tests.page.panel.conftest import Browser, Desk

OWN = """# The settings of our bar.

[table]
names = ["Ann", "Ben", "Cleo", "D", "E", "F", "G", "H"]   # the regulars
language = "de"

[game.house_rules]
# since the summer
buy_in = 7
"mexico.escalation" = "double_each"   # fierce

[timing]
hold_s = 1.5
"""


@pytest.fixture
def own(desk: Desk) -> Path:
    """The file of the house."""
    desk.folder.settings.write_text(OWN)
    return desk.folder.settings


def form(browser: Browser) -> dict[str, Any]:
    answer = browser.get("/panel/settings")
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def save(browser: Browser, answers: object, house_rules: object = None, version: str | None = None) -> Any:
    version = form(browser)["version"] if version is None else version
    body = {"version": version, "answers": answers, "house_rules": house_rules}
    return browser.post("/panel/settings/save", body)


def test_the_form_asks_for_every_setting_with_what_is_allowed_and_every_house_rule(own: Path, inside: Browser) -> None:
    told = form(inside)

    keys = {field["key"] for field in told["fields"]}
    assert keys | {"game.house_rules"} == {key for key, _ in leaves(Settings)}
    assert all(field["allowed"] for field in told["fields"])
    by_key = {field["key"]: field for field in told["fields"]}
    assert by_key["table.language"]["value"] == "de"
    assert by_key["table.language"]["usual"] == "en"
    assert by_key["camera.source"]["choices"] == ["auto", "pi", "usb"]
    assert (by_key["camera.frames_per_s"]["least"], by_key["camera.frames_per_s"]["most"]) == (5, 120)
    assert told["house_rules"] == {"buy_in": 7, "mexico.escalation": "double_each"}
    for game, entry in GAMES.items():
        assert [rule["name"] for rule in told["games"][game]] == [rule.name for rule in entry.house.rules]


def leaves(section: Any, within: str = "") -> list[tuple[str, object]]:
    found = []
    for name, field in section.model_fields.items():
        if hasattr(field.annotation, "model_fields"):
            found += leaves(field.annotation, f"{within}{name}.")
        else:
            found.append((within + name, field))
    return found


def test_what_is_saved_is_in_the_file_beside_the_comments(own: Path, inside: Browser) -> None:
    answer = save(inside, {"sound.on": False, "timing.hold_s": 2, "table.names": ["Ann", "Bo", *"CDEFGH"]})

    assert answer.status_code == 200
    assert answer.json()["changed"] == ["sound.on", "timing.hold_s", "table.names"]
    text = own.read_text()
    for comment in ("# The settings of our bar.", "# the regulars", "# since the summer", "# fierce"):
        assert comment in text
    saved = settings.load(own)
    assert (saved.sound.on, saved.timing.hold_s, saved.table.names[1]) == (False, 2.0, "Bo")
    assert saved.table.language == "de"
    assert "frames_per_s" not in text, "what nobody has changed is left to the defaults"
    assert form(inside)["waits"] is True


def test_a_house_without_a_file_gets_one_with_what_differs(desk: Desk, inside: Browser) -> None:
    assert form(inside)["waits"] is False
    assert save(inside, {"table.mark": "drink", "table.specials.smoochy": "high five"}).status_code == 200

    assert desk.folder.settings.read_text() == '[table]\nmark = "drink"\n\n[table.specials]\nsmoochy = "high five"\n'


def test_house_rules_are_saved_as_a_whole_and_belong_to_the_game(own: Path, inside: Browser) -> None:
    assert save(inside, {}, {"mexico.escalation": "double_each", "bad_roll": "reroll_both"}).status_code == 200
    assert settings.load(own).game.house_rules == {"mexico.escalation": "double_each", "bad_roll": "reroll_both"}
    assert "# fierce" in own.read_text()

    answer = save(inside, {"game.name": "mexican_changsha"})
    assert answer.status_code == 422, "these are no rules of that game"
    assert save(inside, {"game.name": "mexican_changsha"}, {}).status_code == 200
    assert settings.load(own).game.name == "mexican_changsha"


def test_saving_what_is_there_already_touches_nothing(own: Path, inside: Browser) -> None:
    before = own.stat().st_mtime_ns

    assert save(inside, {"table.language": "de", "sound.on": True}).json()["changed"] == []
    assert own.stat().st_mtime_ns == before
    assert own.read_text() == OWN


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        pytest.param({"timing.hold_s": -1}, "timing.hold_s is -1.0: wanted seconds", id="a number too small"),
        pytest.param({"timing.hold_s": "soon"}, "timing.hold_s is 'soon': wanted seconds", id="no number"),
        pytest.param({"camera.usb_index": 1.5}, "camera.usb_index is 1.5", id="no whole number"),
        pytest.param({"camera.usb_index": True}, "camera.usb_index is True", id="yes is no number"),
        pytest.param({"sound.on": "yes"}, "sound.on is 'yes': wanted true or false", id="no switch"),
        pytest.param({"table.language": "xx"}, "table.language is 'xx'", id="no language"),
        pytest.param({"table.names": ["A"] * 8}, "eight different names", id="names alike"),
        pytest.param({"table.names": "A"}, "eight different names", id="one name"),
        pytest.param({"table": "gone"}, "'table' is no setting", id="a whole section"),
        pytest.param({"game.house_rules": "none"}, "'game.house_rules' is no setting", id="rules as a word"),
        pytest.param({"__class__": 1}, "'__class__' is no setting", id="no key at all"),
        pytest.param({"table.board": "/etc/hostname"}, "table.board: ", id="no board"),
        pytest.param({"table.board": "compact", "virtual.players": 8}, "has 4 seats", id="more players than seats"),
        pytest.param({"table.signals": "/nowhere"}, "table.signals: ", id="no signals"),
        pytest.param({"page.table_address": "192.0.2.7:80"}, "an address of this computer", id="not ours"),
        pytest.param({"page.address": ""}, "page.address is ''", id="no address"),
    ],
)
def test_nonsense_is_refused_with_what_is_allowed_and_nothing_is_saved(
    own: Path, inside: Browser, answers: object, words: str
) -> None:
    answer = save(inside, {"sound.on": False, **answers} if isinstance(answers, dict) else answers)

    assert answer.status_code == 422, answer.text
    assert any(words in problem for problem in answer.json()["problems"]), answer.json()
    assert own.read_text() == OWN


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"mexico.escalation": "wild"}, "allowed are"),
        ({"buy_in": 10**9}, "allowed are"),
        ({"no_such_rule": True}, "unknown house rule"),
    ],
)
def test_house_rules_that_are_none_are_refused(own: Path, inside: Browser, rules: object, words: str) -> None:
    answer = save(inside, {}, rules)

    assert answer.status_code == 422
    assert words in answer.json()["error"]
    assert own.read_text() == OWN


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"version": "x"},
        {"version": "x", "answers": {"table.mark": None}},
        {"version": "x", "answers": {"table.mark": {"a": 1}}},
        {"version": "x", "answers": {"table.mark": "a\nb"}},
        {"version": "x", "answers": {"table.names": [1, 2]}},
        {"version": "x", "answers": {}, "house_rules": {"buy_in": [7]}},
        {"version": "x", "answers": {}, "path": "/etc/passwd"},
        "text",
    ],
)
def test_what_is_no_form_is_refused(own: Path, inside: Browser, body: object) -> None:
    assert inside.post("/panel/settings/save", body).status_code == 400
    assert own.read_text() == OWN


def test_who_saves_later_is_told_that_somebody_else_has_saved_meanwhile(desk: Desk, own: Path) -> None:
    one, other = desk.browsers(2)
    one.enter()
    other.enter()
    seen = form(one)["version"]
    assert save(other, {"table.mark": "drink"}, version=seen).status_code == 200

    answer = save(one, {"table.mark": "penalty"}, version=seen)

    assert answer.status_code == 409
    assert "somebody else has saved" in answer.json()["error"]
    assert settings.load(own).table.mark == "drink"
    assert save(one, {"table.mark": "penalty"}).status_code == 200, "once he has seen it"


def test_a_file_that_was_edited_by_hand_meanwhile_is_not_overwritten(own: Path, inside: Browser) -> None:
    seen = form(inside)["version"]
    own.write_text(OWN + '[sound]\nvoice = "en-gb"\n')

    assert save(inside, {"table.mark": "drink"}, version=seen).status_code == 409
    assert 'voice = "en-gb"' in own.read_text()


def test_a_file_that_is_wrong_by_hand_is_told_and_left_alone(own: Path, inside: Browser) -> None:
    own.write_text("[table\nnames = 3")

    answer = inside.get("/panel/settings")

    assert answer.status_code == 409
    assert "correct the file by hand" in answer.json()["error"]


def test_what_the_file_leads_to_is_changed_and_who_may_read_it_stays(
    own: Path, inside: Browser, tmp_path: Path
) -> None:
    kept = tmp_path / "kept elsewhere.toml"
    own.rename(kept)
    own.symlink_to(kept)
    kept.chmod(0o660)
    assert save(inside, {"table.mark": "drink"}).status_code == 200

    assert own.is_symlink()
    assert "drink" in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o660


def test_a_file_that_cannot_be_written_is_told_and_nothing_is_changed(
    own: Path, inside: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware.page.panel_settings.replace_whole", full)

    answer = save(inside, {"table.mark": "drink"})

    assert answer.status_code == 503
    assert "No space left on device; nothing was changed" in answer.json()["error"]


def test_an_address_that_is_taken_by_the_table_itself_is_allowed(desk: Desk) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        wanted = settings.parse(f'[page]\ntable_address = "{address}"')

        assert settings_form.problems(wanted) == []


@pytest.mark.parametrize("key", ["table.signals", "table.board"])
def test_what_is_no_ordinary_small_file_is_refused_and_not_waited_for(own: Path, inside: Browser, key: str) -> None:
    pipe, large = own.with_name("pipe"), own.with_name("large")
    os.mkfifo(pipe)
    large.write_text("#" * 65_537)
    for path in (pipe, large, Path("/dev/zero")):
        answer = save(inside, {key: str(path)})

        assert answer.status_code == 422
        assert "it is no ordinary file of at most 64 KiB" in answer.json()["problems"][0]
