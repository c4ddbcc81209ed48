"""The table played by hand: every press and every throw is put in, the clock is cranked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from benchmarks.soak.guests import reading
from firmware.events import CameraState, Pressed, TrayRead, TrayStirred, Turned
from firmware.views import Note, Phase
from firmware.watching import Watching
from hardware.devices import Key, Lamp
from mexico.mexico_house import HOUSE
from tests.firmware.conftest import types
from vision.types import Bgr, Fault, TrayReading

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench


def in_colours(*dice: tuple[int, Bgr | None]) -> TrayReading:
    """Return a reading of dice with these faces and colours."""
    plain = reading(*(face for face, _ in dice))
    return replace(
        plain, dice=tuple(replace(die, body_bgr=bgr) for die, (_, bgr) in zip(plain.dice, dice, strict=True))
    )


# --- sitting down ---


def test_the_table_asks_for_players(bench: Bench) -> None:
    bench.begin()

    assert bench.screen.title == "MEXICO: press a seat"
    assert bench.screen.four == "SIt0"


def test_a_press_joins_and_lights_the_seat_and_another_leaves(bench: Bench) -> None:
    bench.begin().seat(3, 1)
    assert bench.rig.lamps.lit >= {Lamp.SEAT_1, Lamp.SEAT_3}
    bench.seat(3)

    assert Lamp.SEAT_3 not in bench.rig.lamps.lit
    assert bench.screen.lines[0] == "A"


@pytest.mark.parametrize("seats", [(), (5,)])
def test_stop_starts_nothing_with_fewer_than_two(bench: Bench, seats: tuple[int, ...]) -> None:
    bench.begin().seat(*seats)
    bench.press(Key.STOP)

    assert bench.phase() is Phase.SITTING
    assert bench.journal.count() == 0


def test_stop_starts_with_two_who_sit_anywhere(bench: Bench) -> None:
    bench.begin().seat(7, 2)
    bench.press(Key.STOP)

    game = bench.journal.last()
    assert game is not None
    assert game.seats == (2, 7)
    assert game.setup["players"] == ["B", "G"]
    assert bench.screen.title == "B: throw ONE die"
    assert bench.expected[-1] == Watching(1)


def test_the_card_of_house_rules_is_walked_and_changed_before_play(bench: Bench) -> None:
    bench.begin()
    agreed = bench.screen.lines[2]
    while bench.screen.title != "mexico.escalation":
        bench.controller.handle(Turned(1, 0.0))
    assert bench.screen.lines[0] == "= once"
    bench.press(Key.CONFIRM)
    changed = bench.screen.lines[0].removeprefix("= ")
    bench.seat(1, 2)
    bench.press(Key.STOP)

    game = bench.journal.last()
    assert changed != "once"
    assert game is not None
    assert game.setup["house_rules"] == {"mexico.escalation": changed}
    assert agreed.startswith("turn: rules #")
    assert game.rules == HOUSE.fingerprint(HOUSE.check(game.setup["house_rules"]))
    assert game.rules != agreed.removeprefix("turn: rules #")


# --- a turn ---


def test_the_highest_die_leads_and_ties_roll_again(bench: Bench) -> None:
    bench.begin().sit(3, 4, 4, 2)
    assert bench.controller.view.rolling_for_lead
    bench.throw(1)
    bench.throw(6)

    assert bench.screen.title == "B LEADS"
    assert bench.expected[-1] == Watching(2)
    assert types(bench) == ["die"] * 5


def test_a_roll_is_stored_with_its_picture_before_it_is_shown(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.throw(6, 2)

    assert bench.stored[-1].event == {"type": "roll", "player": "A", "faces": [6, 2]}
    assert bench.journal.picture(1, 3) == b"jpeg"
    assert bench.screen.big == "62"
    told = bench.shown_when_told[-1]
    assert told is not None
    assert told.big != "62"


def test_a_roll_is_stored_with_the_colours_of_its_dice_and_the_rules_hear_of_none(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.controller.handle(TrayStirred("moving"))
    bench.controller.handle(TrayRead(in_colours((2, (32, 26, 176)), (6, (235, 240, 240)))))
    bench.throw(5, 1)

    assert bench.stored[-2].event == {"type": "roll", "player": "A", "faces": [6, 2]}
    assert bench.journal.dice(1) == {3: ((6, "#f0f0eb"), (2, "#b01a20"))}


def test_where_the_colour_of_one_die_is_not_known_none_is_stored(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.controller.handle(TrayStirred("moving"))
    bench.controller.handle(TrayRead(in_colours((2, (32, 26, 176)), (6, None))))

    assert bench.journal.dice(1) == {}


def test_how_likely_what_stands_is_beaten_goes_with_what_is_shown(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    before = bench.controller.view.chance
    bench.throw(5, 2)
    after = bench.controller.view.chance

    assert before is None
    assert after is not None
    assert (after["score"], after["next"], after["by_next"]) == ("52", "B", "11/18")


def test_stop_ends_the_turn_when_it_is_let_go(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.throw(6, 2)
    assert Lamp.STOP in bench.rig.lamps.lit
    bench.controller.handle(Pressed(Key.STOP, True, 0.0))
    assert types(bench)[-1] == "roll"
    bench.controller.handle(Pressed(Key.STOP, False, 0.3))

    assert bench.stored[-1].event == {"type": "stop", "player": "A"}
    assert bench.controller.view.player == "B"
    assert bench.controller.view.most_rolls == 1


def test_stop_before_the_first_roll_is_refused_in_words(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.press(Key.STOP)

    assert types(bench) == ["die", "die"]
    assert bench.controller.view.note is Note.NOT_NOW
    assert "not rolled" in " ".join(bench.screen.lines)


def test_the_lamp_of_the_seat_on_turn_pulses(bench: Bench) -> None:
    bench.begin().sit(2, 2, 5)
    seen = set()
    for _ in range(30):
        bench.wait(0.1)
        seen.add(Lamp.SEAT_2 in bench.rig.lamps.lit)

    assert seen == {True, False}
    assert Lamp.SEAT_1 not in bench.rig.lamps.lit


def test_mexico_has_its_own_screen_and_sound(bench: Bench) -> None:
    bench.begin().sit(3, 5, 2, 1)
    before = len(bench.rig.sound.tones)
    bench.throw(2, 1)
    bench.wait(1.0)

    assert bench.screen.title.startswith("MEXICO!")
    assert [hz for _, hz in bench.rig.sound.tones][before:] == [523, 659, 784, 880, None]
    assert bench.controller.view.player == "B"


# --- throws that are not counted ---


@pytest.mark.parametrize("fault", [Fault.COCKED, Fault.STACKED, Fault.OUTSIDE])
def test_a_die_that_lies_badly_is_stored_as_a_bad_roll_and_not_counted(bench: Bench, fault: Fault) -> None:
    bench.begin().sit(2, 5, 2)
    bench.refuse(fault)

    assert bench.stored[-1].event == {"type": "bad_roll", "player": "A", "why": str(fault)}
    assert bench.controller.view.number("rolls_used") == 0
    assert "both again" in bench.screen.lines
    assert bench.screen.big


@pytest.mark.parametrize(
    "fault", [Fault.MISSING, Fault.EXTRA, Fault.OCCLUDED, Fault.MOVING, Fault.LIGHT, Fault.CAMERA_MOVED, Fault.UNSURE]
)
def test_what_is_not_the_fault_of_the_dice_is_said_and_not_stored(bench: Bench, fault: Fault) -> None:
    bench.begin().sit(2, 5, 2)
    bench.refuse(fault)

    assert types(bench) == ["die", "die"]
    assert bench.controller.view.fault is fault
    assert bench.controller.view.player == "A"


def test_a_refusal_sounds_different_from_a_reading(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.wait(2)
    bench.throw(6, 2)
    read = bench.rig.sound.tones[-1][1]
    bench.wait(2)
    bench.refuse(Fault.UNSURE)

    assert bench.rig.sound.tones[-1][1] != read


def test_a_refusal_leaves_the_display_after_its_time(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.refuse(Fault.UNSURE)
    bench.wait(4.2)

    assert bench.screen.title == "A  roll 1 of 3"


def test_a_house_may_count_a_bad_roll_as_the_lowest(bench: Bench) -> None:
    bench.begin('[game.house_rules]\nbad_roll = "counts_as_31"').sit(2, 5, 2)
    bench.refuse(Fault.COCKED)

    assert bench.stored[-1].facts["scores"] == {"A": "31"}
    assert "counts as 31" in bench.screen.lines


@pytest.mark.parametrize("faces", [(4,), (4, 3, 2)])
def test_a_reading_with_another_number_of_dice_is_refused(bench: Bench, faces: tuple[int, ...]) -> None:
    bench.begin().sit(2, 5, 2)
    bench.throw(*faces)

    assert types(bench) == ["die", "die"]
    assert bench.controller.view.fault is (Fault.MISSING if len(faces) < 2 else Fault.EXTRA)


def test_two_dice_while_the_lead_is_rolled_for_are_refused(bench: Bench) -> None:
    bench.begin().sit(2)
    bench.throw(4, 4)

    assert bench.stored == []
    assert bench.controller.view.fault is Fault.EXTRA


def test_dice_thrown_while_nobody_plays_do_nothing(bench: Bench) -> None:
    bench.begin()
    bench.throw(4, 4)
    bench.seat(1, 2)
    bench.throw(4)

    assert bench.journal.count() == 0


# --- the end of a round and of the game ---


def test_the_end_of_a_round_says_who_pays_and_what_is_in_the_pot(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.lose()

    assert bench.screen.title == "END OF THE ROUND"
    assert bench.screen.lines[:2] == ("A pays 1", "pot 1")
    assert bench.screen.four == "A -1"


def test_the_last_player_wins_the_pot_and_one_press_plays_again(bench: Bench) -> None:
    bench.begin("[game.house_rules]\nbuy_in = 2").sit(2, 5, 2)
    bench.lose()
    bench.lose()

    assert bench.screen.title == "B WINS"
    assert bench.screen.lines[0] == "and takes 2"
    assert Lamp.SEAT_2 in bench.rig.lamps.lit
    assert bench.stored[-1].over
    bench.press(Key.STOP)
    assert bench.phase() is Phase.PLAYING
    game = bench.journal.last()
    assert game is not None
    assert (game.number, game.seats, game.setup["house_rules"]) == (2, (1, 2), {"buy_in": 2})


def test_the_encoder_after_a_game_leads_back_to_the_seats(bench: Bench) -> None:
    bench.begin("[game.house_rules]\nbuy_in = 1").sit(2, 5, 2)
    bench.lose()
    bench.press(Key.CONFIRM)

    assert bench.phase() is Phase.SITTING
    assert len(bench.controller.view.seats) == 2


def test_units_and_pot_are_the_same_after_every_event(bench: Bench) -> None:
    bench.begin().sit(3, 1, 5, 2)
    for faces in [(2, 1), (3, 1), (6, 2), (6, 4), (5, 5), (3, 2), (4, 1), (2, 1), (6, 6), (3, 1), (3, 1), (5, 4)] * 4:
        bench.throw(*faces)
        bench.press(Key.STOP)

    sums = {sum(stored.facts["units"].values()) + stored.facts["pot"] for stored in bench.stored}  # type: ignore[attr-defined, operator]
    assert len(bench.stored) > 40
    assert sums == {15}


def test_turning_the_encoder_in_play_shows_pot_and_stake_on_four_digits(bench: Bench) -> None:
    bench.begin().sit(2, 5, 2)
    bench.lose()
    pages, told = [], []
    for _ in range(6):
        bench.controller.handle(Turned(1, 0.0))
        pages.append(bench.screen.four)
        told.append(bench.screen.lines[-1])

    assert pages == ["P  1", "S  1", "A= 4", "B= 5", bench.controller.view.rules, "A -1"]
    assert told[:5] == ["A4 B5"] * 5
    assert told[5] != "A4 B5"


def test_the_four_digits_show_in_a_pause_what_was_agreed_on(bench: Bench) -> None:
    bench.begin('[game]\nname = "liars_common"').sit(2, 5, 2)
    bench.controller.pause("for a test")
    assert bench.screen.four == "PAUS"
    bench.controller.handle(Turned(1, 0.0))

    game = bench.journal.last()
    assert game is not None
    assert bench.screen.four == game.rules


# --- time ---


def test_the_time_of_a_turn_presses_stop_for_one_who_has_rolled(bench: Bench) -> None:
    bench.begin("[game.house_rules]\nturn_seconds = 20").sit(2, 5, 2)
    bench.throw(6, 2)
    bench.wait(19)
    assert types(bench)[-1] == "roll"
    bench.wait(2)

    assert types(bench)[-1] == "stop"


def test_one_who_has_not_rolled_is_only_reminded(bench: Bench) -> None:
    bench.begin("[game.house_rules]\nturn_seconds = 20").sit(2, 5, 2)
    bench.wait(21)

    assert types(bench) == ["die", "die"]
    assert bench.controller.view.note is Note.NOT_NOW


def test_the_time_of_a_turn_stands_still_while_the_camera_is_lost(bench: Bench) -> None:
    bench.begin("[game.house_rules]\nturn_seconds = 20").sit(2, 5, 2)
    bench.throw(6, 2)
    bench.controller.handle(CameraState("the camera was unplugged"))
    bench.wait(60)
    assert types(bench)[-1] == "roll"
    bench.controller.handle(CameraState(None))
    bench.wait(19)
    assert types(bench)[-1] == "roll"
    bench.wait(2)

    assert types(bench)[-1] == "stop"
