"""Mexico played at random."""

from collections.abc import Mapping
from random import Random
from typing import Any

from mexico.gamefile import Playing
from mexico.mexico_house import HOUSE
from tests.mexico.bot import Bot, Event, Facts


def agree_on_mexico(random: Random) -> dict[str, Any]:
    """Return a setup under random house rules, with holdings small enough to end."""
    players = list("ABCDEFGH"[: random.choice([2, 2, 3, 3, 4, 5, 8])])
    rules = {rule.name: random.choice(rule.values) for rule in HOUSE.rules if random.random() < 0.35}
    rules |= {"buy_in": random.randint(1, 3), "end.rounds": random.randint(1, 3)}
    start: dict[str, Any] = {}
    if random.random() < 0.5:
        start["units"] = {player: random.randint(1, 4) for player in players}
    if random.random() < 0.5:
        start["lead"] = random.choice(players)
    if rules.get("stakes") != "tokens":
        start["pot"] = random.randint(0, 3)
    return {"game": "mexico", "house_rules": rules, "players": players, "start": start}


def faces(random: Random) -> list[int]:
    """Return two faces; Mexico and ties come oftener than chance, they are what can go wrong."""
    return random.choice([[2, 1], [3, 1], [6, 5], [random.randint(1, 6), random.randint(1, 6)]])


def mexico_event(game: Playing, random: Random) -> Event:
    """Return any well-formed event by anybody."""
    event: dict[str, Any] = {"player": random.choice(game.setup.players)}
    kind = random.choice(["die", "roll", "stop", "bad_roll", "rebuy", "rebuy", "leave"])
    fields: dict[str, dict[str, Any]] = {
        "die": {"face": random.randint(1, 6)},
        "roll": {"faces": faces(random)},
        "bad_roll": {"why": "stacked"},
    }
    return {**event, "type": kind, **fields.get(kind, {})}


def legal_mexico_event(game: Playing, random: Random) -> Event:
    """Return something the seat on turn may do: mostly roll, now and then stop, rarely a bad roll."""
    now = game.legal()
    if now.may_stop and random.random() < 0.5:
        return {"type": "stop", "player": now.player}
    if random.random() < 0.05:
        return {"type": "bad_roll", "player": now.player, "why": "cocked"}
    if now.dice == 1:
        return {"type": "die", "player": now.player, "face": random.randint(1, 6)}
    return {"type": "roll", "player": now.player, "faces": faces(random)}


def units_are_conserved(game: Playing, first: Facts, facts: Facts) -> bool:
    """Whether every unit ever brought is in a hand, in the pot, discarded, or handed back."""
    rebuys = sum(event["type"] == "rebuy" for event in game.events)
    brought = held(first) + rebuys * int(game.setup.house_rules["buy_in"])
    return held(facts) == brought


def held(facts: Facts) -> int:
    """Return all units there are, wherever they are."""
    total: int = sum(facts["units"].values()) + facts["pot"] + facts["discarded"] + facts["handed_back"]
    return total


def mexico_situations(facts: Facts) -> Mapping[str, bool]:
    """Return what is the case now."""
    running = facts["winner"] is None
    return {
        "a sub-round": bool(facts["subround"]),
        "a sub-round whose lead is rolled for": bool(facts["subround"]) and facts["lead"] is None,
        "a tie for most units": running and facts["stake"] == 0,
        "a lead rolled for again": bool(facts["rerolling"]),
        "two Mexicos in a round": running and facts["lead_mexicos"] > 1,
        "a last player after a chain": running and bool(facts["order"]) and facts["lead"] == facts["order"][-1],
        "a void round": facts["loser"] is None and facts["paid"] == {},
        "a debt": min(facts["units"].values()) < 0,
        "tokens discarded": facts["discarded"] > 0,
        "units handed back": facts["handed_back"] > 0,
        "a stake of eight and more": running and facts["stake"] >= 8,
        "a loser who left": facts["loser"] in facts["left"],
    }


BOT = Bot(
    agree_on_mexico, legal_mexico_event, mexico_event, units_are_conserved, mexico_situations, games=1_000, machines=100
)
