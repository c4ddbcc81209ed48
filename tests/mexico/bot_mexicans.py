"""The two games called Mexican played at random."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from mexico.catalogue import GAMES
from mexico.gamefile import Playing
from mexico.throw import RANKING
from tests.mexico.bot import Bot, Event, Facts

VALUES = [str(throw) for throw in RANKING]
SPECIALS = [[3, 1], [3, 2], [4, 1], [5, 1], [6, 1], [5, 5], [6, 6], [2, 1]]
RARE = ("die_on_floor", "caught_cheating", "concede")


def agree(name: str, random: Random) -> dict[str, Any]:
    """Return a setup of the game *name* under random house rules, short enough to end."""
    players = list("ABCDEFGH"[: random.choice([2, 2, 3, 3, 4, 5, 8])])
    rules = {rule.name: random.choice(rule.values) for rule in GAMES[name].house.rules if random.random() < 0.35}
    rules["end.rounds"] = random.randint(1, 4)
    start: dict[str, Any] = {"direction": random.choice(["clockwise", "counterclockwise"])}
    if random.random() < 0.7:
        start["opener"] = random.choice(players)
    return {"game": name, "house_rules": rules, "players": players, "start": start}


def faces(random: Random) -> list[int]:
    """Return two faces; specials come oftener than chance, they are what can go wrong."""
    return random.choice([random.choice(SPECIALS), [random.randint(1, 6), random.randint(1, 6)]])


def beside(game: Playing) -> list[int]:
    """Return the die that lies beside the cup, if one does."""
    lying = game.facts()["visible"]
    return lying if isinstance(lying, list) and len(lying) == 1 else []


def legal_event(game: Playing, random: Random) -> Event:
    """Return something that may be done now: the seats on turn mostly play, now and then somebody leaves."""
    now = game.legal()
    if now.dice == 1:
        return game.read([random.randint(1, 6)])
    if now.dice == 2:
        return game.read([*beside(game), *faces(random)][:2])
    if random.random() < 0.01:
        left = game.facts()["left"]
        playing = [player for player in game.setup.players if not (isinstance(left, list) and player in left)]
        return {"type": random.choice(["leave", "leave", "close"]), "player": random.choice(playing)}
    if now.asks and random.random() < 0.25:
        ask = random.choice(now.asks)
        lying = [[face, *beside(game)][:2] for face in range(1, 7)] if beside(game) else SPECIALS
        shown = game.read([random.randint(1, 6)] if ask.dice == 1 else random.choice(lying), ask)
        if accepted(game, shown):
            return shown
    return random.choice(likely(now.choices, random))


def accepted(game: Playing, event: Event) -> bool:
    """Whether *game* takes *event*: what lies under the cup may not be a special of this house."""
    try:
        game.take(event)
    except ValueError:
        return False
    return True


def likely(choices: Sequence[Event], random: Random) -> Sequence[Event]:
    """Return the choices without what happens once an evening, but for once in a while."""
    usual = [choice for choice in choices if choice["type"] not in RARE]
    return usual if usual and random.random() < 0.93 else choices


def event(game: Playing, random: Random) -> Event:
    """Return any well-formed event by anybody."""
    kind = random.choice(GAMES[game.setup.game].words.EVENTS)
    fields: dict[str, dict[str, Any]] = {
        "die": {"face": random.randint(1, 6)},
        "shake": random.choice([{}, {"exposed": []}, {"exposed": [random.randint(1, 6)]}]),
        "announce": {"value": random.choice(VALUES), "pass_it_on": random.random() < 0.3},
        "cup_lifted": {"faces": faces(random)},
        "show_special": {"faces": faces(random)},
        "choose": {"target": random.choice(game.setup.players)},
        "die_on_floor": {"dice": random.randint(1, 2)},
    }
    by = {} if kind == "cup_lifted" else {"player": random.choice(game.setup.players)}
    return {"type": kind, **by, **fields.get(kind, {})}


def nothing_is_lost(game: Playing, first: Facts, facts: Facts) -> bool:
    """Whether everybody has a place, marks are worth what was agreed, and no face lies open that should not."""
    seated = sorted(facts["seats"]) == sorted(first["seats"])
    worth = int(game.setup.house_rules.get("mark_value", 0))
    owed = facts["owed"] == {player: marks * worth for player, marks in facts["marks"].items()}
    gone = facts["left"] == [event["player"] for event in game.events if event["type"] == "leave"]
    return seated and owed and gone and set(facts["visible"]) <= told(game.events) and (not beside(game) or hides(game))


def hides(game: Playing) -> bool:
    """Whether dice lie under the cup: a single one that is seen lies beside it, and goes with its round."""
    now = game.legal()
    return now.dice == 2 or any(choice["type"] in ("announce", "challenge") for choice in now.choices)


def told(events: Sequence[Event]) -> set[object]:
    """Return the faces that events have told so far."""
    found: set[object] = set()
    for one in events:
        for key in ("faces", "exposed"):
            shown = one.get(key)
            found |= set(shown) if isinstance(shown, list) else set()
    return found


def both_games(facts: Facts) -> Mapping[str, bool]:
    """Return what can be the case in either game."""
    waiting = facts["waiting_for"] or ""
    return {
        "play turned round": facts["direction"] == "counterclockwise",
        "a reveal is due": waiting.startswith("reveal"),
        "a choice is due": waiting.startswith("choice"),
        "one of two has to give in": waiting.startswith("concession"),
        "who opens is rolled for again": bool(facts["rerolling"]),
        "everybody was handed a mark": len(facts["drinks"]) > 2,
        "somebody left": bool(facts["left"]),
        "a winner": facts["winner"] is not None,
        "a game that nobody won": facts["over"] and facts["winner"] is None,
        "21 is to beat": facts["to_beat"] == "21",
        "somebody lost to nobody": facts["loser"] is not None and facts["winner_of_round"] is None,
    }


def changsha(facts: Facts) -> Mapping[str, bool]:
    """Return what is the case in Changsha now."""
    return {
        **both_games(facts),
        "seats swapped": facts["seats"] != sorted(facts["seats"]),
        "a special that hands out nothing": facts["rounds_played"] > 0 and facts["drinks"] == {},
        "66 is to beat": facts["to_beat"] == "66",
    }


def wisconsin(facts: Facts) -> Mapping[str, bool]:
    """Return what is the case in Wisconsin now."""
    return {
        **both_games(facts),
        "a die lies beside the cup": len(facts["visible"]) == 1,
        "a glass to finish": "finish" in facts["drinks"].values(),
        "dice on the floor": 2 in facts["drinks"].values(),
    }


CHANGSHA = Bot(lambda random: agree("mexican_changsha", random), legal_event, event, nothing_is_lost, changsha)
WISCONSIN = Bot(lambda random: agree("mexican_wisconsin", random), legal_event, event, nothing_is_lost, wisconsin)
