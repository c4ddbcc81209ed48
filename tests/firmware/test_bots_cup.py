"""What the computer makes of the dice under its cup: by the rules that this house has agreed on."""

from __future__ import annotations

import random
from typing import cast

import pytest

from firmware.bots_cup import CupBots
from firmware.events import Pressed, Turned
from firmware.staged import Played
from firmware.views import View
from firmware.virtual_cup import Cups
from hardware.devices import SEAT_KEYS
from mexico import gamefile


class Known:
    """Cups under which everybody has the same *faces*."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = faces

    def peek(self, player: str) -> tuple[int, ...]:
        return self.faces

    def hands(self, view: View) -> bool:
        return False


def acts(view: View, *faces: int) -> list[object]:
    """Return what the computer does at *view* with *faces* under its cup: who is pressed, or what is claimed."""
    bots = CupBots(cast("Cups", Known(faces)), random.Random(3))
    done: list[object] = []
    for event in bots.act(view, 0.0):
        match event:
            case Turned(steps):
                done.append(view.menu.entries[steps - 1].does)
            case Pressed(key, True) if key in SEAT_KEYS:
                done.append(view.seats[SEAT_KEYS.index(key) + 1])
    return done


def at(game: str, *events: dict[str, object], **rules: object) -> View:
    start = {"first_caller" if game == "liars_individual" else "opener": "A"}
    agreed = {"game": game, "players": ["A", "B"], "house_rules": rules, "start": start}
    return Played(gamefile.begin(gamefile.setup(agreed)), {}).then(*events).view()


@pytest.mark.parametrize(("wild", "calls"), [(True, False), (False, True)])
def test_aces_count_for_a_bid_only_where_they_are_wild(wild: bool, calls: bool) -> None:
    bid = {"type": "bid", "player": "A", "quantity": 3, "face": 6}
    view = at("liars_common", bid, wild_aces=wild, dice_each=3)

    assert (acts(view, 6, 1, 2) == ["B"]) is calls


@pytest.mark.parametrize("wild", [True, False])
def test_of_aces_themselves_no_other_dice_count(wild: bool) -> None:
    bid = {"type": "bid", "player": "A", "quantity": 3, "face": 1}
    view = at("liars_common", bid, wild_aces=wild, aces_biddable="always", dice_each=6)

    assert acts(view, 1, 2, 3, 4, 5, 6) == ["B"], "one of its own, and one of the six others"


@pytest.mark.parametrize("wild", [True, False])
def test_what_is_bid_is_what_there_is_likeliest_enough_of(wild: bool) -> None:
    view = at("liars_common", wild_aces=wild, dice_each=3)
    (bid,) = acts(view, 1, 1, 3)

    assert cast("dict[str, object]", bid)["face"] == (3 if wild else 1)


@pytest.mark.parametrize("order", ["six_high", "ace_high"])
def test_its_hand_is_found_among_the_calls_whichever_face_is_worth_most(order: str) -> None:
    view = at("liars_individual", faces=order)

    assert acts(view, 6, 6, 1, 1, 3) == [{"type": "call", "player": "A", "hand": ["two_pair", 6, 1]}]
