"""Commands of the virtual table, by guests, by strangers, and by those who send nonsense."""

from __future__ import annotations

import json

import pytest

from firmware.page.at_table import STEPS_PER_S
from firmware.page.guests import COMMANDS_PER_S, MOST
from firmware.page.hands import Trouble
from tests.page.conftest import Desk

COMMANDS = ("come", "here", "sit", "robot", "press", "turn", "throw", "trouble")
JSON = {"content-type": "application/json"}


def test_who_never_came_may_do_nothing(desk: Desk) -> None:
    stranger, guest = desk.client(), desk.guest()
    guest.post("/table/sit", json={"seat": 1})
    bodies = {"sit": {"seat": 1}, "robot": {"seat": 2, "on": True}, "press": {"key": "stop", "down": True},
              "turn": {"steps": 1}, "throw": {}, "here": {}, "trouble": {"trouble": "power", "on": True}}  # fmt: skip
    for command, body in bodies.items():
        for token in ("", "x", "a" * 10_000, "\x00", "../..", guest.headers["x-mexico-guest"][:-1]):
            answer = stranger.post(f"/table/{command}", json=body, headers={"x-mexico-guest": token})

            assert answer.status_code == 401, command
    assert (desk.heard, desk.thrown, desk.site.guests.robots) == ([], 0, frozenset())


def test_a_spectator_of_a_real_table_has_nothing_to_press(real: Desk) -> None:
    client = real.client()
    for command in COMMANDS:
        for method in ("GET", "POST", "PUT", "DELETE"):
            assert client.request(method, f"/table/{command}").status_code == 404
    assert client.get("/camera").status_code == 404
    assert client.get("/", follow_redirects=False).headers["location"] == "/board"


def test_a_seat_that_is_taken_is_pressed_by_its_guest_alone(desk: Desk) -> None:
    one, other = desk.guest(), desk.guest()
    one.post("/table/sit", json={"seat": 1})

    assert other.post("/table/sit", json={"seat": 1}).status_code == 409
    assert other.post("/table/robot", json={"seat": 1, "on": True}).status_code == 409
    assert other.post("/table/press", json={"key": "seat_1", "down": True}).status_code == 409
    assert one.post("/table/press", json={"key": "seat_1", "down": True}).status_code == 200
    assert desk.heard == [("seat_1", True)]


def test_who_looks_on_presses_nothing_and_sends_no_computer(desk: Desk) -> None:
    desk.guest().post("/table/sit", json={"seat": 1})
    onlooker = desk.guest()
    for key in ("seat_2", "stop", "confirm"):
        assert onlooker.post("/table/press", json={"key": key, "down": True}).status_code == 409
    for seat in (2, 3):
        assert onlooker.post("/table/robot", json={"seat": seat, "on": True}).status_code == 409

    assert (desk.heard, desk.site.guests.robots) == ([], frozenset())
    assert onlooker.post("/table/sit", json={"seat": 2}).status_code == 200
    assert onlooker.post("/table/robot", json={"seat": 3, "on": True}).status_code == 200


@pytest.mark.parametrize(("command", "body"), [("sit", {"seat": 1}), ("robot", {"seat": 8, "on": True})])
def test_nobody_sits_down_or_calls_the_computer_faster_than_a_hand(
    desk: Desk, command: str, body: dict[str, object]
) -> None:
    guest = desk.guest()
    answers = [guest.post(f"/table/{command}", json=body).status_code for _ in range(2 * COMMANDS_PER_S + 1)]

    assert answers == [200] * 2 * COMMANDS_PER_S + [429]


def test_a_sign_of_life_is_no_news_unless_something_is_other(desk: Desk) -> None:
    away, there = desk.guest(), desk.guest()
    away.post("/table/sit", json={"seat": 1})
    told = desk.site.hub.number
    there.post("/table/here", json={})
    assert desk.site.hub.number == told

    desk.clock.advance(20.0)
    there.post("/table/here", json={})
    desk.clock.advance(20.0)
    there.post("/table/here", json={})
    assert desk.site.hub.number == told + 1, "a seat is free again"


def test_a_spectator_who_comes_sixty_four_times_pushes_nobody_from_his_seat(desk: Desk) -> None:
    seated = desk.guest()
    seated.post("/table/sit", json={"seat": 1})
    for _ in range(2 * MOST):
        desk.client().post("/table/come")

    assert seated.post("/table/press", json={"key": "seat_1", "down": True}).status_code == 200


def test_a_finger_comes_off_whoever_sits_there_now_and_however_fast(desk: Desk) -> None:
    one, other = desk.guest(), desk.guest()
    one.post("/table/press", json={"key": "seat_1", "down": True})
    other.post("/table/sit", json={"seat": 1})
    for _ in range(3 * COMMANDS_PER_S):
        one.post("/table/turn", json={"steps": 0})
    answer = one.post("/table/press", json={"key": "seat_1", "down": False})
    desk.clock.advance(1.0)

    assert answer.status_code == 200
    assert desk.heard == [("seat_1", True), ("seat_1", False)]


def test_a_finger_that_was_not_there_does_not_come_off(desk: Desk) -> None:
    one, other = desk.guest(), desk.guest()
    one.post("/table/press", json={"key": "stop", "down": True})
    other.post("/table/press", json={"key": "stop", "down": False})
    desk.clock.advance(1.0)

    assert desk.heard == [("stop", True)]


def test_a_finger_comes_off_when_the_browser_is_gone(desk: Desk) -> None:
    desk.guest().post("/table/press", json={"key": "stop", "down": True})
    desk.clock.advance(31.0)
    desk.guest().post("/table/here", json={})
    desk.clock.advance(1.0)

    assert desk.heard == [("stop", True), ("stop", False)]


def test_a_finger_comes_off_whose_end_was_lost_as_soon_as_the_browser_says_what_it_holds(desk: Desk) -> None:
    guest = desk.guest()
    for key in ("stop", "seat_1"):
        guest.post("/table/press", json={"key": key, "down": True})
    guest.post("/table/here", json={"down": ["seat_1", "seat_2"]})
    desk.clock.advance(1.0)

    assert desk.heard == [("stop", True), ("seat_1", True), ("stop", False)]


@pytest.mark.long
def test_the_knob_turns_no_faster_than_a_hand_turns_it(desk: Desk) -> None:
    guest = desk.guest()
    answers = [guest.post("/table/turn", json={"steps": 20}).status_code for _ in range(1000)]

    assert len(desk.heard) == STEPS_PER_S
    assert set(answers) == {200, 429}
    desk.clock.advance(1.0)
    assert guest.post("/table/turn", json={"steps": -20}).status_code == 200
    assert len(desk.heard) == STEPS_PER_S + 20


@pytest.mark.long
def test_all_guests_together_do_not_flood_the_queue(desk: Desk) -> None:
    guests = [desk.guest() for _ in range(20)]
    for _ in range(60):
        for guest in guests:
            guest.post("/table/throw", json={})

    assert desk.thrown == 200


def test_who_throws_when_there_is_nothing_to_throw_is_told_so(desk: Desk) -> None:
    desk.idle = True
    answer = desk.guest().post("/table/throw", json={})

    assert answer.status_code == 409
    assert answer.json()["error"].startswith("there is nothing to throw now")


def test_a_trouble_that_is_there_is_not_made_again(desk: Desk) -> None:
    guest = desk.guest()
    hands = desk.site.hands
    assert hands is not None
    drawn = len(hands.tray._scenes)
    for _ in range(5):
        guest.post("/table/trouble", json={"trouble": "hand", "on": True})
        desk.clock.advance(1.0)
    assert hands.troubles() == {Trouble.HAND}
    guest.post("/table/trouble", json={"trouble": "hand", "on": False})

    assert len(hands.tray._scenes) == drawn + 2


NONSENSE = [
    pytest.param(b"", id="nothing"),
    pytest.param(b"null", id="null"),
    pytest.param(b"[]", id="a list"),
    pytest.param(b'"turn"', id="words"),
    pytest.param(b"{", id="half of it"),
    pytest.param(b'{"steps": 1} x', id="more behind it"),
    pytest.param(b'{"steps": NaN}', id="not a number"),
    pytest.param(b'{"steps": Infinity}', id="infinite"),
    pytest.param(b'{"steps": -Infinity}', id="infinite the other way"),
    pytest.param(b'{"steps": 1e400}', id="more than a float holds"),
    pytest.param(b'{"steps": 1.5}', id="half a step"),
    pytest.param(b'{"steps": 1.0}', id="a step with a point"),
    pytest.param(b'{"steps": true}', id="true"),
    pytest.param(b'{"steps": "1"}', id="a number in words"),
    pytest.param(b'{"steps": 21}', id="too many"),
    pytest.param(b'{"steps": -21}', id="too many the other way"),
    pytest.param(b'{"steps": ' + b"9" * 5000 + b"}", id="a number of five thousand digits"),
    pytest.param(b'{"steps": null}', id="no steps"),
    pytest.param(b'{"steps": [1]}', id="steps in a list"),
    pytest.param(b'{"steps": 1, "more": 2}', id="something unknown"),
    pytest.param(b'{"steps": 1, "\\ud800": 2}', id="half a character as a name"),
    pytest.param(b'{"steps": 1, "<script>": 2}', id="a script as a name"),
    pytest.param(b'{"steps": 1, "__proto__": {}}', id="a prototype"),
    pytest.param(b'\xff\xfe{"steps": 1}', id="bytes that are no text"),
    pytest.param('{"steps": 1}'.encode("utf-16"), id="text of another kind"),
    pytest.param(b'\xef\xbb\xbf{"steps": 1}', id="a byte order mark"),
    pytest.param(b'{"steps": 1, "\xc3\x28": 1}', id="broken characters"),
    pytest.param(b"[" * 60_000, id="sixty thousand lists in each other"),
    pytest.param(b'{"steps":' * 6000 + b"1" + b"}" * 6000, id="six thousand objects in each other"),
    pytest.param(b'{"steps": 1,}', id="a comma too much"),
    pytest.param(b"{'steps': 1}", id="the wrong quotes"),
    pytest.param(b'{"steps": 1 /* one */}', id="a comment"),
    pytest.param(b'{"steps": 0x1}', id="hexadecimal"),
    pytest.param(b'{"steps": 1}\x00', id="a zero behind it"),
    pytest.param(b'{"steps": 20, "steps": 21}', id="twice, the second wrong"),
]


@pytest.mark.parametrize("body", NONSENSE)
def test_nonsense_is_refused_in_words_and_turns_nothing(desk: Desk, body: bytes) -> None:
    answer = desk.guest().post("/table/turn", content=body, headers=JSON)

    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/json"
    assert json.loads(answer.content)["error"]
    assert len(answer.content) < 2000
    assert desk.heard == []


@pytest.mark.parametrize(
    ("command", "body"),
    [("sit", {"seat": 9}), ("sit", {"seat": 0}), ("sit", {"seat": -1}), ("sit", {"seat": "1"}), ("sit", {}),
     ("robot", {"seat": 1}), ("robot", {"seat": 1, "on": 1}), ("press", {"key": "power", "down": True}),
     ("press", {"key": "STOP", "down": True}), ("press", {"key": "stop", "down": "yes"}), ("press", {"key": "stop"}),
     ("here", {"down": ["power"]}), ("here", {"down": "stop"}),
     ("throw", {"faces": [6, 6]}), ("trouble", {"trouble": "fire", "on": True}), ("trouble", {"trouble": "hand"})],
    ids=str,
)  # fmt: skip
def test_what_is_not_at_the_table_is_refused(desk: Desk, command: str, body: dict[str, object]) -> None:
    answer = desk.guest().post(f"/table/{command}", json=body)

    assert answer.status_code == 400
    assert (desk.heard, desk.thrown, desk.site.guests.robots) == ([], 0, frozenset())


def test_a_name_of_sixty_thousand_letters_is_not_sent_back(desk: Desk) -> None:
    answer = desk.guest().post("/table/turn", json={"steps": 1, "x" * 60_000: 2})

    assert answer.status_code == 400
    assert len(answer.content) < 2000
