"""The individual hand played at random."""

from collections.abc import Mapping
from random import Random
from typing import Any

from mexico.gamefile import Playing
from mexico.liars_individual_house import HOUSE
from mexico.liars_individual_json import EVENTS
from mexico.poker_hands import FaceOrder, all_hands
from tests.mexico import bot_hands
from tests.mexico.bot import Bot, Event, Facts

HANDS = [hand.words(FaceOrder.SIX_HIGH) for hand in all_hands(FaceOrder.SIX_HIGH)]


def agree(random: Random) -> dict[str, Any]:
    """Return a setup of two under random house rules."""
    start: dict[str, Any] = {}
    if random.random() < 0.5:
        start["first_caller"] = random.choice("AB")
    rules = bot_hands.agree(random, HOUSE)
    if rules.get("mode") != "drinks" and random.random() < 0.5:
        start["wager"] = random.randint(0, 5)
    return {"game": "liars_individual", "house_rules": rules, "players": ["A", "B"], "start": start}


def event(game: Playing, random: Random) -> Event:
    """Return any well-formed event by anybody."""
    return bot_hands.any_event(game, random, HANDS, EVENTS, 5)


def situations(facts: Facts) -> Mapping[str, bool]:
    """Return what is the case now."""
    return {
        **bot_hands.situations(facts),
        "both have shown": len(facts["revealed"]) == 2,
        "a runt was called": facts["call"] == ["runt"],
        "a wager moved": bool(facts["payments"]),
        "a wager of nothing": facts["rounds_played"] > 0 and not facts["payments"],
        "more than one mark at once": max(facts["drinks"].values(), default=0) > 1,
        "a last call or a show": facts["rerolls_left"] == 0 and facts["waiting_for"] is None,
    }


BOT = Bot(agree, bot_hands.legal_event, event, bot_hands.no_unit_is_lost, situations)
