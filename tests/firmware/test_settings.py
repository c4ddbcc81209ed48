from pathlib import Path

import pytest
from pydantic import ValidationError

from firmware import settings
from firmware.errors import SettingsError
from tests.saying import told_in_one_line


def test_the_packaged_defaults_are_whole_and_load() -> None:
    loaded = settings.load()

    assert loaded.virtual.players == 4
    assert loaded.table.names == list("ABCDEFGH")
    assert loaded.game.house_rules == {}
    assert loaded.sound.caller is False


def test_a_file_of_ones_own_needs_only_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[timing]\nhold_s = 3\n[game.house_rules]\n"mexico.escalation" = "add_unit"\n')

    loaded = settings.load(path)

    assert loaded.timing.hold_s == 3.0
    assert loaded.timing.refusal_s == settings.load().timing.refusal_s
    assert loaded.game.house_rules == {"mexico.escalation": "add_unit"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "[virtual]\nplayrs = 3", "virtual.playrs is unknown, did you mean players?", id="a slip of the pen"
        ),
        pytest.param("[virtuel]\nplayers = 3", "virtuel is unknown, did you mean virtual?", id="a slip in a table"),
        pytest.param(
            "[table]\ndie_mm = 3", "table.die_mm is unknown, did you mean tray.die_mm?", id="in another table"
        ),
        pytest.param(
            "[virtual]\nplayers = 9", "virtual.players is 9: wanted a whole number of players, 2 to 8", id="many"
        ),
        pytest.param(
            '[virtual]\nplayers = "4"', "virtual.players is '4': wanted a whole number", id="text for a number"
        ),
        pytest.param("[virtual]\nplayers = 4.5", "virtual.players is 4.5: wanted a whole number", id="half a player"),
        pytest.param(
            "[virtual]\nplayers = true", "virtual.players is True: wanted a whole number", id="yes is no number"
        ),
        pytest.param(
            "[timing]\nhold_s = 0", "timing.hold_s is 0: wanted seconds, more than 0 and at most 60", id="unit"
        ),
        pytest.param("[tray]\nwidth_mm = 3", "tray.width_mm is 3: wanted millimetres, 100 to 1000", id="millimetres"),
        pytest.param('[sound]\non = "yes"', "sound.on is 'yes': wanted true or false", id="a word for a switch"),
        pytest.param("[sound]\ncaller = 1", "sound.caller is 1: wanted true or false", id="a number for a switch"),
        pytest.param('[sound]\nvoice = "--stdout"', "sound.voice is '--stdout': wanted a voice", id="an option"),
        pytest.param('[sound]\nvoice = ""', "sound.voice is '': wanted a voice as espeak-ng --voices", id="no voice"),
        pytest.param(
            "[sound]\nwords_per_minute = 20",
            "sound.words_per_minute is 20: wanted words per minute, 80 to 450",
            id="a slow voice",
        ),
        pytest.param("sound = 3", "sound is 3: wanted a table with on", id="a number for a table"),
        pytest.param('[table]\nnames = ["A"]', "wanted eight different names of 1 to 8 characters", id="too few names"),
        pytest.param(
            '[game.house_rules]\n"mexico.escalation" = "twice"', "house rule mexico.escalation", id="house rule"
        ),
        pytest.param(
            '[table]\nmark = "a whole glass"', "table.mark is 'a whole glass': wanted \"mark\"", id="long mark"
        ),
        pytest.param('[table]\nmark = " "', "table.mark is ' ': wanted", id="no mark"),
        pytest.param(
            '[table.specials]\nsmoochy = ""',
            "table.specials.smoochy is '': wanted a word or two, 1 to 12 characters",
            id="no name",
        ),
        pytest.param(
            '[table.specials]\nsmoochie = "hug"',
            "table.specials.smoochie is unknown, did you mean smoochy?",
            id="a slip in a special",
        ),
        pytest.param(
            '[table]\nspecials = "hug"', "table.specials is 'hug': wanted a table with smoochy", id="no table"
        ),
        pytest.param("[sound", "not a TOML file", id="no TOML"),
    ],
)
def test_what_is_wrong_is_said_with_what_was_wanted(text: str, said: str) -> None:
    with told_in_one_line(SettingsError, said, begins="mine.toml"):
        settings.parse(text, name="mine.toml")


def test_all_problems_stand_in_one_message() -> None:
    with pytest.raises(SettingsError) as caught:
        settings.parse('[virtual]\nplayrs = 1\nthink_s = -1\n[sound]\non = 3\n[game.house_rules]\nbuy_in = "x"')

    message = str(caught.value)
    assert all(word in message for word in ("playrs", "virtual.think_s", "sound.on", "buy_in"))


def test_a_missing_key_of_the_defaults_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    data = settings.default()
    del data["sound"]
    monkeypatch.setattr(settings, "default", lambda: data)

    with pytest.raises(SettingsError, match="sound is missing: wanted a table with on"):
        settings.parse("")


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        settings.load(tmp_path / name)


def test_settings_stay_as_they_were_read() -> None:
    loaded = settings.load()

    with pytest.raises(ValidationError, match="frozen"):
        loaded.virtual.players = 3


@pytest.mark.parametrize("voice", ["en", "en-gb", "en+f3", "mb-de5", "gmw/en-US", "es-419"])
def test_a_voice_may_be_any_that_espeak_lists(voice: str) -> None:
    assert settings.parse(f'[sound]\nvoice = "{voice}"').sound.voice == voice
