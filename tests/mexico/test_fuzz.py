"""Files that nobody would write: whatever stands in them, the answer is a game file or one clear line."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mexico.gamefile import GameFileError, differences, dump, parse, replay

GAME: dict[str, Any] = {
    "format": 1,
    "game": "mexico",
    "house_rules": {"tie.cap": "one", "buy_in": 4, "mexico.last_counts": False, "mexico.max_multiplier": 3},
    "players": ["A", "B", "C"],
    "start": {"units": {"A": 5, "B": 4, "C": 5}, "pot": 1, "lead": "A", "unit_value": 2},
    "events": [
        {"type": "roll", "player": "A", "faces": [5, 2]},
        {"type": "stop", "player": "B", "refused": True},
        {"type": "bad_roll", "player": "A", "why": "cocked"},
        {"type": "stop", "player": "A"},
        {"type": "die", "player": "B", "face": 2, "refused": True},
        {"type": "leave", "player": "C"},
    ],
    "expect": [{"after_event": 3, "facts": {"turn": "A", "units": {"A": 5}}}],
}
WORDS = sorted(
    {word for word in json.dumps(GAME).split('"') if word.strip(" ,:{}[]")} | {"rebuy", "preset", "one_life"}
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.sampled_from([10**9, 10**40, 1.0, 0.5, 1e300])
    | st.sampled_from(WORDS)
    | st.text(max_size=4)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=12,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to every value inside *value*, but the whole."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for key, part in inside for way in [(*at, key), *places(part, (*at, key))]]


def changed(place: tuple[Any, ...], change: Callable[[Any, Any], None]) -> dict[str, Any]:
    """Return GAME with *change* made to what holds *place*."""
    game = deepcopy(GAME)
    holder: Any = game
    for key in place[:-1]:
        holder = holder[key]
    change(holder, place[-1])
    return game


def read(text: str) -> bool:
    """Whether *text* is a game file; one that is not must say why in a line, one that is must be replayed."""
    try:
        file, wrong = parse(text), ""
    except GameFileError as error:
        file, wrong = None, str(error)
    if file is None:
        assert wrong.isprintable()
        return False
    steps = list(replay(file))
    assert len(steps) == len(file.events)
    assert all(line.isprintable() for line in differences(file, steps))
    assert parse(dump(file)) == file
    return True


@settings(max_examples=400, deadline=None)
@given(place=st.sampled_from(places(GAME)), value=VALUES)
def test_a_file_with_one_value_replaced(place: tuple[Any, ...], value: object) -> None:
    def put(holder: Any, key: Any) -> None:
        holder[key] = value

    read(json.dumps(changed(place, put)))


def test_a_file_with_one_value_missing() -> None:
    def drop(holder: Any, key: Any) -> None:
        del holder[key]

    readable = [place for place in places(GAME) if read(json.dumps(changed(place, drop)))]

    assert len(places(GAME)) == 52
    assert ("expect",) in readable
    assert ("players",) not in readable


@settings(max_examples=200, deadline=None)
@given(key=st.text(max_size=6) | st.sampled_from(WORDS), place=st.sampled_from(places(GAME)), value=VALUES)
def test_a_file_with_one_key_more(key: str, place: tuple[Any, ...], value: object) -> None:
    def add(holder: Any, _: Any) -> None:
        holder[key] = value

    if isinstance(place[-1], str):
        read(json.dumps(changed(place, add)))


@settings(max_examples=200, deadline=None)
@given(value=VALUES)
def test_any_value_at_all(value: object) -> None:
    assert read(json.dumps(value)) is False


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=30))
def test_any_text_at_all(text: str) -> None:
    assert read(text) is False


@settings(max_examples=200, deadline=None)
@given(cut=st.integers(0, len(json.dumps(GAME)) - 1), other=st.text(max_size=2))
def test_a_file_cut_or_broken_in_the_middle(cut: int, other: str) -> None:
    text = json.dumps(GAME)

    read(text[:cut] + other + text[cut + 1 :])
    assert read(text[:cut]) is False
    assert read(text)
