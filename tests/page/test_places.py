"""Places are shared out: whoever asks for many shuts nobody out."""

from __future__ import annotations

import pytest

from firmware.page.places import Places, address_of, is_secure


def nothing() -> None:
    """Mind nothing."""


def test_one_telephone_does_not_keep_others_out() -> None:
    places, gone = Places(10), list[int]()
    for number in range(30):
        places.take("greedy", lambda number=number: gone.append(number))  # type: ignore[misc]
    others = [places.take(f"phone {number}", nothing) for number in range(6)]

    assert len(places) == 10
    assert None not in others
    assert gone == [9, 8, 7, 6, 5, 4], "who came last leaves first"


def test_a_crowd_behind_one_router_is_not_sent_away_while_there_is_room() -> None:
    places = Places(200)

    assert all(places.take("router", nothing) for _ in range(200))


def test_those_who_share_alike_do_not_push_each_other_out() -> None:
    places = Places(4)
    for phone in "abab":
        places.take(phone, nothing)

    assert places.take("a", nothing) is None
    assert places.take("c", nothing) is not None
    assert places.take("d", nothing) is not None
    assert places.take("e", nothing) is None


def test_a_place_can_be_given_back_twice() -> None:
    places = Places(1)
    place = places.take("a", nothing)
    assert place is not None
    places.leave(place)
    places.leave(place)

    assert places.take("b", nothing) is not None


def test_who_closes_lets_everybody_go_and_nobody_in() -> None:
    places, gone = Places(5), list[str]()
    for phone in "abc":
        places.take(phone, lambda phone=phone: gone.append(phone))  # type: ignore[misc]
    places.close()

    assert gone == ["a", "b", "c"]
    assert places.take("d", nothing) is None


@pytest.mark.parametrize(
    ("peer", "forwarded", "whose"),
    [
        pytest.param("192.168.1.7", [], "192.168.1.7", id="a telephone"),
        pytest.param("192.168.1.7", ["10.0.0.1"], "192.168.1.7", id="a telephone that says it is another"),
        pytest.param("127.0.0.1", [], "127.0.0.1", id="this computer"),
        pytest.param("127.0.0.1", ["192.168.1.7"], "192.168.1.7", id="a proxy on this computer"),
        pytest.param("127.0.0.1", ["6.6.6.6, 192.168.1.7"], "192.168.1.7", id="a lie told to the proxy"),
        pytest.param("127.0.0.1", ["6.6.6.6", "192.168.1.7"], "192.168.1.7", id="the same in two headers"),
        pytest.param("::1", ["2001:db8::5"], "2001:db8::", id="a proxy that speaks IPv6"),
        pytest.param("2001:db8:0:1:aaaa::1", [], "2001:db8:0:1::", id="a telephone that has a network for itself"),
        pytest.param("127.0.0.1", ["x" * 10_000], "x" * 64, id="nonsense"),
    ],
)
def test_whose_a_request_is(peer: str, forwarded: list[str], whose: str) -> None:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]

    assert address_of({"type": "http", "client": (peer, 1), "headers": headers}) == whose


def test_a_request_from_nowhere_has_an_address_too() -> None:
    assert address_of({"type": "http", "client": None, "headers": []}) == ""


@pytest.mark.parametrize(
    ("peer", "scheme", "forwarded", "secure"),
    [
        pytest.param("192.168.1.7", "http", [], False, id="a telephone"),
        pytest.param("192.168.1.7", "http", ["https"], False, id="a telephone that says so"),
        pytest.param("127.0.0.1", "http", ["https"], True, id="a proxy on this computer"),
        pytest.param("127.0.0.1", "http", ["https, http"], False, id="a lie told to the proxy"),
        pytest.param("192.168.1.7", "https", [], True, id="without a proxy"),
    ],
)
def test_whether_a_request_came_by_https(peer: str, scheme: str, forwarded: list[str], secure: bool) -> None:
    headers = [(b"x-forwarded-proto", value.encode()) for value in forwarded]

    assert is_secure({"type": "http", "scheme": scheme, "client": (peer, 1), "headers": headers}) is secure
