"""Lamp patterns and melodies: told apart by rhythm and tones, read from a file, and from one of the house."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware import signals
from firmware.errors import SettingsError, SignalsError
from firmware.lamps import MOVING, Pattern, Rhythm
from firmware.settings import parse as parse_settings
from firmware.sounds import Melody
from hardware.devices import Key, Lamp
from tests.saying import told_in_one_line

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

PACKAGED = signals.load()


def test_every_moving_pattern_has_a_rhythm_that_no_other_has() -> None:
    assert set(PACKAGED.rhythms) == set(MOVING) == set(Pattern) - {Pattern.OFF, Pattern.ON}
    for one, other in itertools.combinations(PACKAGED.rhythms.values(), 2):
        assert not one.like(other)


def test_every_melody_is_there_and_no_two_are_the_same() -> None:
    assert set(PACKAGED.melodies) == set(Melody)
    assert len(set(PACKAGED.melodies.values())) == len(Melody)


def test_every_melody_stays_in_the_range_every_buzzer_has() -> None:
    tones = [hz for melody in PACKAGED.melodies.values() for hz, _ in melody if hz is not None]

    assert 220 <= min(tones) <= max(tones) <= 880


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        pytest.param((0.8, 0.4), (0.15, 0.15), False, id="slow and quick"),
        pytest.param((0.5, 0.5), (0.2, 0.8), True, id="as many flashes a second, only longer ones"),
        pytest.param((0.5, 0.5), (0.4, 0.4), True, id="nearly as quick"),
        pytest.param((0.5, 0.5), (0.1, 0.1, 0.1, 1.7), False, id="two in a row"),
    ],
)
def test_a_rhythm_is_known_by_its_speed_and_by_its_flashes_in_a_row(
    one: tuple[float, ...], other: tuple[float, ...], alike: bool
) -> None:
    assert Rhythm(one).like(Rhythm(other)) is Rhythm(other).like(Rhythm(one)) is alike


@pytest.mark.parametrize(
    ("pattern", "changes"), [(Pattern.OFF, 0), (Pattern.ON, 0), (Pattern.PULSE, 19), (Pattern.BLINK, 79)]
)
def test_a_lamp_is_switched_exactly_when_its_pattern_says_so(pattern: Pattern, changes: int) -> None:
    now_s, seen = 0.0, 0
    while (due_s := PACKAGED.changes_s(pattern, now_s)) is not None and due_s < 12:
        assert PACKAGED.lit(pattern, now_s) is not PACKAGED.lit(pattern, due_s)
        now_s, seen = due_s, seen + 1

    assert seen == changes


def test_a_rhythm_may_have_more_than_one_flash() -> None:
    twice = Rhythm((0.1, 0.2, 0.3, 0.4))

    assert [twice.lit(now_s) for now_s in (0.05, 0.2, 0.4, 0.8, 1.05)] == [True, False, True, False, True]
    assert [round(twice.changes_s(now_s), 2) for now_s in (0.05, 0.2, 0.4, 0.8)] == [0.1, 0.3, 0.6, 1.0]


def test_a_table_signals_as_the_file_of_its_house_says(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("[patterns]\npulse = [1.0, 2.0]\n[melodies]\npressed = [[500, 0.1], [0, 0.1], [600, 0.1]]\n")
    bench.begin(f'[table]\nsignals = "{path}"').press(Key.SEAT_1, Key.SEAT_2)
    bench.wait(1)

    assert [hz for _, hz in bench.rig.sound.tones][-4:] == [500, None, 600, None]
    lit = []
    for _ in range(6):
        lit.append(Lamp.STOP in bench.rig.lamps.lit)
        bench.wait(0.5)
    assert sorted(lit) == [False, False, False, False, True, True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[patterns", "not a TOML file", id="no TOML"),
        pytest.param("[pattern]\nblink = [1, 1]", "pattern is unknown (did you mean patterns?)", id="a table"),
        pytest.param("patterns = 3", "patterns is 3: wanted a table", id="no table"),
        pytest.param("[patterns]\nblnk = [1, 1]", "patterns.blnk is unknown: known are pulse, blink", id="a slip"),
        pytest.param("[melodies]\nmexiko = []", "(did you mean mexico?)", id="a slip in a melody"),
        pytest.param("[patterns]\nblink = [0.2]", "patterns.blink is [0.2]: wanted seconds lit, dark", id="odd"),
        pytest.param("[patterns]\nblink = []", "an even number of them", id="no beat"),
        pytest.param("[patterns]\nblink = 0.2", "patterns.blink is 0.2: wanted", id="a number"),
        pytest.param('[patterns]\nblink = ["0.2", 0.2]', "0.05 to 5 each", id="text"),
        pytest.param("[patterns]\nblink = [true, 0.2]", "0.05 to 5 each", id="a switch"),
        pytest.param("[patterns]\nblink = [nan, 0.2]", "0.05 to 5 each", id="no number"),
        pytest.param("[patterns]\nblink = [0.01, 0.01]", "0.05 to 5 each", id="a flicker"),
        pytest.param("[patterns]\nblink = [0.8, 0.4]", "patterns.pulse and patterns.blink look alike", id="alike"),
        pytest.param("[melodies]\nno = []", "melodies.no is []: wanted tones", id="no tone"),
        pytest.param("[melodies]\nno = [[0, 0.1]]", "wanted tones", id="only silence"),
        pytest.param("[melodies]\nno = [[440]]", "each [hertz, seconds]", id="half a tone"),
        pytest.param("[melodies]\nno = [440, 0.1]", "each [hertz, seconds]", id="no pairs"),
        pytest.param("[melodies]\nno = [[5000, 0.1]]", "220 to 880 hertz", id="too high"),
        pytest.param("[melodies]\nno = [[440, 9]]", "0.02 to 2 seconds", id="endless"),
        pytest.param("[melodies]\nno = [[440, 2], [441, 2], [442, 2], [443, 2]]", "6 together", id="a concert"),
        pytest.param("[melodies]\nno = [[660, 0.08]]", "melodies.read and melodies.no are the same", id="the same"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, said: str) -> None:
    with told_in_one_line(SignalsError, said, begins="ours.toml"):
        signals.parse(text, "ours.toml")


def test_all_problems_stand_in_one_message() -> None:
    with pytest.raises(SignalsError) as caught:
        signals.parse("[patterns]\nblink = 3\nwink = [1, 1]\n[melodies]\nno = 1\n[lamps]")

    assert all(word in str(caught.value) for word in ("blink", "wink", "melodies.no", "lamps"))


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(SignalsError, match=r"cannot be read.*table\.signals"):
        signals.load(str(tmp_path / name))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\xff")

    with pytest.raises(SignalsError, match="not text in UTF-8"):
        signals.load(str(path))


def test_an_empty_name_is_no_file() -> None:
    with pytest.raises(SettingsError, match=r"table\.signals is '': wanted \"standard\" or the path"):
        parse_settings('[table]\nsignals = ""')
