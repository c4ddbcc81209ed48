"""Common hand played at random."""

from collections.abc import Mapping
from random import Random
from typing import Any

from mexico.gamefile import Playing
from mexico.liars_common_house import HOUSE
from mexico.liars_common_json import EVENTS
from tests.mexico.bot import Bot, Event, Facts


def agree_on_common_hand(random: Random) -> dict[str, Any]:
    """Return a setup under random house rules, with few dice and rounds so that games end."""
    players = list("ABCDEFGH"[: random.choice([2, 2, 3, 3, 4, 5, 8])])
    rules = {rule.name: random.choice(rule.values) for rule in HOUSE.rules if random.random() < 0.35}
    rules |= {"dice_each": random.choice([1, 1, 2, 2, 3, 5]), "end.rounds": random.choice([1, 2, 3, 5, 20])}
    start: dict[str, Any] = {}
    if random.random() < 0.7:
        start["opener"] = random.choice(players)
    if random.random() < 0.5:
        start["wager"] = random.choice([0, 5])
    return {"game": "liars_common", "house_rules": rules, "players": players, "start": start}


def faces(random: Random, dice: int) -> list[int]:
    """Return so many faces; aces come oftener than chance, they are what can be counted wrong."""
    return [random.choice([1, 1, 2, 3, 4, 5, 6]) for _ in range(dice)]


def common_event(game: Playing, random: Random) -> Event:
    """Return any well-formed event by anybody."""
    players, kind = game.setup.players, random.choice([event for event in EVENTS if event not in ("leave", "close")])
    event: dict[str, Any] = {"type": kind, "player": random.choice(players)}
    fields: dict[str, dict[str, Any]] = {
        "die": {"face": random.randint(1, 6)},
        "bid": {"quantity": random.randint(1, 12), "face": random.randint(1, 6)},
        "reveal": {"faces": faces(random, random.randint(0, 6))},
        "concede": random.choice([{}, {"to": random.choice(players)}]),
    }
    return {**event, **fields.get(kind, {})}


def legal_common_event(game: Playing, random: Random) -> Event:
    """Return something that may be done: bid a little higher, call, show dice in any order; rarely come and go."""
    now, facts = game.legal(), game.facts()
    if random.random() < 0.02:
        return {"type": random.choice(["leave", "leave", "leave", "close"]), "player": random.choice(facts["seats"])}  # type: ignore[arg-type]
    if facts["rolling_for_lead"]:
        return {"type": "die", "player": now.player, "face": random.choice([5, 6])}
    if now.dice:
        return shown(facts, random)
    if now.blind and random.random() < 0.02:
        return {"type": "exposed", "player": now.player}
    bids = [choice for choice in now.choices if choice["type"] == "bid"]
    presses = [choice for choice in now.choices if choice["type"] != "bid"]
    if not bids or (presses and random.random() < 0.4):
        return random.choice(presses)
    return random.choice(random.choice([bids, bids[:3], bids[-2:]]))


def shown(facts: Facts, random: Random) -> Event:
    """Return the dice of somebody who has not shown his yet."""
    waiting = [name for name, dice in facts["dice_left"].items() if dice and name not in facts["revealed"]]
    player = random.choice(waiting)
    return {"type": "reveal", "player": player, "faces": faces(random, facts["dice_left"][player])}


def dice_and_wagers_are_conserved(game: Playing, first: Facts, facts: Facts) -> bool:
    """Whether every die is under a cup, put aside or taken along, and what one has won others have lost."""
    there = sum(facts["dice_left"].values()) + facts["dice_lost"] + facts["dice_taken"]
    lost = facts["dice_lost"] == 0 or game.rules.mode == "lose_a_die"
    wagers = sum(facts["balance"].values()) == sum(facts["payments"].values()) == 0
    return bool(there == first["dice_in_play"] and facts["dice_in_play"] == sum(facts["dice_left"].values())) and (
        lost and wagers
    )


def common_situations(facts: Facts) -> Mapping[str, bool]:
    """Return what is the case now."""
    highest = [facts["dice_in_play"], 6]
    decided = facts["winner_of_round"] is not None
    return {
        "a tie for who opens": bool(facts["rerolling"]),
        "the highest bid of all": facts["bid"] == highest,
        "a bid on aces": bool(facts["bid"]) and facts["bid"][1] == 1,
        "dice shown in part": facts["caller"] is not None and len(facts["revealed"]) > 0,
        "a call of a bid that nobody entered": facts["caller"] is not None and facts["bid"] is None,
        "a bidder nobody knows": facts["caller"] is not None and facts["called"] is None,
        "a concession awaited": facts["waiting_for"] == "concede",
        "a bid called spot on": facts["called_spot_on"] is True,
        "several losers": decided and facts["loser"] is None,
        "somebody out": bool(facts["out"]) and facts["winner"] is None,
        "a loser who is out opens nothing": not facts["over"] and facts["loser"] in facts["out"],
        "a game won": facts["winner"] is not None,
        "a game nobody won": facts["over"] and facts["winner"] is None,
        "a wager moved": any(facts["payments"].values()),
        "a penalty of two and more": any(facts["drinks"][name] > 1 for name in facts["drinks"]),
        "dice taken along": facts["dice_taken"] > 0 and not facts["over"],
        "a hand after one that cost nothing": decided and facts["drinks"] == {} == facts["payments"],
    }


BOT = Bot(agree_on_common_hand, legal_common_event, common_event, dice_and_wagers_are_conserved, common_situations)
