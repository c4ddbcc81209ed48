"""Guests of the virtual table: who sits cannot be pushed out, and no button stays down that nobody holds."""

from __future__ import annotations

from collections.abc import Callable

from firmware.page.guests import AWAY_S, COMMANDS_PER_S, MOST, Guests
from hardware.devices import Key


def test_a_spectator_cannot_push_out_who_sits() -> None:
    guests = Guests()
    seated = [guests.admit(0.0, "bar") for _ in range(8)]
    for seat, token in enumerate(seated, 1):
        assert guests.sit(token, seat, 0.0)
    for _ in range(10 * MOST):
        guests.admit(1.0, "greedy")

    assert guests.seats(1.0) == frozenset(range(1, 9))
    assert all(guests.known(token, 1.0) for token in seated)


def test_one_address_pushes_out_its_own_guests_first() -> None:
    guests = Guests()
    shoulder = guests.admit(0.0, "a telephone")
    for _ in range(10 * MOST):
        last = guests.admit(1.0, "greedy")

    assert guests.known(shoulder, 1.0) is not None
    assert guests.known(last, 1.0) is not None


def test_among_those_of_one_address_who_was_away_longest_makes_room() -> None:
    guests = Guests()
    tokens = [guests.admit(float(number) / 100) for number in range(MOST)]
    guests.known(tokens[0], 1.0)
    guests.admit(1.0)

    assert guests.known(tokens[0], 1.0) is not None
    assert guests.known(tokens[1], 1.0) is None


def test_who_is_not_heard_of_leaves_the_seat() -> None:
    guests = Guests()
    away, there = guests.admit(0.0), guests.admit(0.0)
    guests.sit(away, 3, 0.0)
    guests.known(there, AWAY_S)

    assert guests.sit(there, 3, AWAY_S + 0.1)
    assert guests.known(away, AWAY_S + 0.1) is None


def test_a_button_comes_up_when_who_held_it_is_gone_whoever_notices() -> None:
    notices: tuple[Callable[[Guests], object], ...] = (
        lambda guests: guests.admit(AWAY_S + 0.1),
        lambda guests: guests.known("nobody", AWAY_S + 0.1),
        lambda guests: guests.seats(AWAY_S + 0.1),
    )
    for notice in notices:
        guests = Guests()
        away = guests.known(guests.admit(0.0), 0.0)
        assert away is not None
        away.down.add(Key.STOP)
        notice(guests)

        assert guests.gone(AWAY_S + 0.1) == {Key.STOP}
        assert guests.gone(AWAY_S + 0.1) == frozenset(), "each comes up once"


def test_a_button_comes_up_when_who_held_it_was_pushed_out() -> None:
    guests = Guests()
    away = guests.known(guests.admit(0.0), 0.0)
    assert away is not None
    away.down.add(Key.STOP)
    for _ in range(MOST):
        guests.admit(1.0)

    assert guests.gone(1.0) == {Key.STOP}


def test_a_button_that_two_hold_comes_up_with_the_second() -> None:
    guests = Guests()
    one, other = (guests.known(guests.admit(0.0), 0.0) for _ in range(2))
    assert one is not None
    assert other is not None
    for guest in (one, other):
        guest.down.add(Key.STOP)
    guests.let_go(one, Key.STOP)
    assert guests.gone(0.0) == frozenset()
    guests.let_go(other, Key.STOP)

    assert guests.gone(0.0) == {Key.STOP}


def test_nobody_lets_go_of_what_he_does_not_hold() -> None:
    guests = Guests()
    one = guests.known(guests.admit(0.0), 0.0)
    assert one is not None
    guests.let_go(one, Key.STOP)

    assert guests.gone(0.0) == frozenset()


def test_a_guest_is_as_fast_as_a_hand() -> None:
    guests = Guests()
    guest = guests.known(guests.admit(0.0), 0.0)
    assert guest is not None
    at_once = sum(guest.pace.take(1.0, 0.0) for _ in range(1000))
    in_a_second = sum(guest.pace.take(1.0, number / 1000) for number in range(1000))

    assert at_once == 2 * COMMANDS_PER_S
    assert COMMANDS_PER_S - 2 <= in_a_second <= COMMANDS_PER_S


def test_nobody_throws_for_another_guest_and_nobody_beside_the_table() -> None:
    guests = Guests()
    ann, ben, passer_by = (guests.admit(0.0) for _ in range(3))
    assert guests.may_press(passer_by, Key.STOP, 0.0)
    guests.sit(ann, 1, 0.0)
    guests.sit(ben, 2, 0.0)
    guests.on_turn = 1

    may_throw = [guests.may_throw(guest, 0.0) for token in (ann, ben, passer_by) if (guest := guests.known(token, 0.0))]
    assert may_throw == [True, False, False]
    assert guests.may_press(ben, Key.STOP, 0.0)
    assert not guests.may_press(passer_by, Key.STOP, 0.0)
