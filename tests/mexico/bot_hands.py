"""What the players of both games of called hands do alike: any event at all, and the asks of the table."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from mexico.gamefile import Playing
from mexico.house import House
from tests.mexico.bot import Event, Facts


def agree(random: Random, house: House[Any]) -> dict[str, Any]:
    """Return random house rules under which a game is soon over."""
    rules = {rule.name: random.choice(rule.values) for rule in house.rules if random.random() < 0.35}
    return {**rules, "end.rounds": random.randint(1, 3)}


def dice(random: Random, count: int) -> list[int]:
    """Return *count* faces; equal ones come oftener than chance."""
    faces = random.sample(range(1, 7), random.randint(2, 6))
    return [random.choice(faces) for _ in range(count)]


def bold(random: Random, choices: Sequence[Event]) -> Event:
    """Return a press: often to call the bluff, else a call not far above the last, or anything."""
    calls = [choice for choice in choices if choice["type"] == "call"]
    doubts = [choice for choice in choices if choice["type"] in ("challenge", "concede")]
    if doubts and random.random() < 0.3:
        return random.choice(doubts)
    if calls and random.random() < 0.5:
        return random.choice(calls[: 1 + len(calls) // 4])
    return random.choice(choices)


def legal_event(game: Playing, random: Random) -> Event:
    """Return something that must be taken: what the table waits for, a look it is asked for, or closing time."""
    now = game.legal()
    if random.random() < 0.02:
        return {"type": random.choice(["close", "leave"]), "player": now.player}
    if now.blind and now.choices and not game.facts()["waiting_for"] and random.random() < 0.02:
        return {"type": "exposed", "player": now.player}
    if now.dice:
        return game.read(dice(random, 1) if now.dice == 1 else due(game, random, now.dice))
    if now.asks and (not now.choices or random.random() < 0.2):
        ask = random.choice(now.asks)
        return game.read(due(game, random, ask.dice), ask)
    return bold(random, now.choices)


def due(game: Playing, random: Random, count: int) -> list[int]:
    """Return *count* dice that the camera may see: those that lie open already, and others."""
    facts: Facts = game.facts()
    outside = 6 - facts["inside"] if "inside" in facts else 0
    lying = facts["visible"][:outside]
    return [*lying, *dice(random, count - len(lying))]


def any_event(game: Playing, random: Random, hands: Sequence[list[object]], kinds: Sequence[str], most: int) -> Event:
    """Return any well-formed event by anybody."""
    kind = random.choice(kinds)
    fields: Mapping[str, dict[str, Any]] = {
        "die": {"face": random.randint(1, 6)},
        "call": {"hand": random.choice(hands)},
        "reroll": {"dice": random.randint(0, most)},
        "reveal": {"faces": dice(random, most)},
        "roll_outside": {"faces": dice(random, random.randint(1, most))},
        "show": {"faces": dice(random, random.randint(1, most)), "dice": random.randint(1, most)},
        "put_back": {"faces": dice(random, random.randint(1, 2))},
    }
    return {"type": kind, "player": random.choice(game.setup.players), **fields.get(kind, {})}


def no_unit_is_lost(game: Playing, first: Facts, facts: Facts) -> bool:
    """Whether what one won another paid, every round marked its loser, and no wager is mixed up with a mark."""
    marks, rounds = sum(facts["marks"].values()), facts["rounds_played"]
    drinks = int(game.rules.drinks)
    return (
        sum(facts["balance"].values()) == sum(facts["payments"].values()) == 0
        and marks in (rounds, rounds * drinks)
        and rounds <= game.rules.end_rounds
    )


def situations(facts: Facts) -> dict[str, bool]:
    """Return what can be the case in both games."""
    return {
        "an opener rolled for again": bool(facts["rerolling"]),
        "somebody has left": bool(facts["left"]),
        "a winner": facts["winner"] is not None,
        "a tie at the end": facts["over"] and len(facts["fewest"]) > 1,
        "a loser who has to say so": str(facts["waiting_for"]).startswith("concession"),
        "dice lie open": bool(facts["visible"]),
        "no re-roll left": facts["rerolls_left"] == 0,
        "a second round": facts["rounds_played"] > 0 and not facts["over"],
    }
