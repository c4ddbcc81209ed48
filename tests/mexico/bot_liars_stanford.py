"""The Stanford variation played at random."""

from collections.abc import Mapping
from random import Random
from typing import Any

from mexico.gamefile import Playing
from mexico.liars_stanford_house import HOUSE
from mexico.liars_stanford_json import EVENTS
from mexico.stanford_hands import Claim, HandOrder, all_hands
from tests.mexico import bot_hands
from tests.mexico.bot import Bot, Event, Facts

HANDS = [Claim.of(hand).words for hand in all_hands(HandOrder.BY_TABLE)]


def agree(random: Random) -> dict[str, Any]:
    """Return a setup under random house rules, for as many as these let sit down."""
    rules = bot_hands.agree(random, HOUSE)
    most = rules.get("stanford.players", "2..8")
    players = list("ABCDEFGH"[: random.choice([2, 3, 4, 8])])
    players = players[: 8 if most == "2..8" else most]
    start = {"opener": random.choice(players)} if random.random() < 0.5 else {}
    return {"game": "liars_stanford", "house_rules": rules, "players": players, "start": start}


def event(game: Playing, random: Random) -> Event:
    """Return any well-formed event by anybody."""
    return bot_hands.any_event(game, random, HANDS, EVENTS, 6)


def conserved(game: Playing, first: Facts, facts: Facts) -> bool:
    """Whether there are six dice, in the box and outside, and no unit is lost."""
    inside, seen = facts["inside"], len(facts["visible"])
    return (inside is None or seen in (6 - inside, 6)) and bot_hands.no_unit_is_lost(game, first, facts)


def situations(facts: Facts) -> Mapping[str, bool]:
    """Return what is the case now."""
    return {
        **bot_hands.situations(facts),
        "dice outside the box": facts["inside"] is not None and 0 < facts["inside"] < 6,
        "no die in the box": facts["inside"] == 0,
        "nothing is higher": facts["call"] is not None and facts["minimum_raise"] is None,
    }


BOT = Bot(agree, bot_hands.legal_event, event, conserved, situations)
