"""What holds for every game of the catalogue, whatever is played and whatever the house agreed on.

A game that joins the catalogue gets these laws as soon as it has a bot: somebody who agrees on random house rules,
plays random events, sensible and not, and knows what must be conserved.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from mexico.catalogue import GAMES
from mexico.gamefile import IllegalAction, Playing, Setup, begin, dump, parse, setup
from mexico.mexico_house import HOUSE

GAMES_PLAYED = 2_000
LONGEST = 3_000
MACHINES = 150

Event = Mapping[str, object]
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Bot:
    """Plays one game at random; *event* may be refused, *legal_event* must not be.

    *conserved* compares the first facts of a game with those of now; *situations* names what random games must not fail
    to meet.
    """

    agree: Callable[[Random], dict[str, Any]]
    legal_event: Callable[[Playing, Random], Event]
    event: Callable[[Playing, Random], Event]
    conserved: Callable[[Playing, Facts, Facts], bool]
    situations: Callable[[Facts], Mapping[str, bool]]


# --- Mexico ---


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


BOTS = {"mexico": Bot(agree_on_mexico, legal_mexico_event, mexico_event, units_are_conserved, mexico_situations)}


# --- the laws ---


def check_laws(game: Playing, first: Facts, bot: Bot) -> Facts:
    """Assert what holds after every event of a game that began with the facts *first*; return those of now."""
    facts, now = game.facts(), game.legal()

    assert json.loads(json.dumps(facts)) == facts
    assert set(facts) == set(first)
    assert (now.seat is None) == (facts["winner"] is not None)
    assert facts["turn"] == now.player
    assert now.seat is None or now.dice in (1, 2)
    assert bot.conserved(game, first, facts)
    return facts


def take(game: Playing, event: Event) -> Playing:
    """Return *game* after *event*, or as it was when refused, having changed nothing."""
    before = (game.events, game.facts(), game.legal())
    try:
        return game.take(event)
    except IllegalAction as refused:
        why = refused.why
    assert why.isprintable()
    assert (game.events, game.facts(), game.legal()) == before
    return game


def replayed(agreed: Setup, events: Sequence[Event]) -> Playing:
    """Return the game that *events* lead to."""
    return reduce(Playing.take, events, begin(agreed))


def check_replay(game: Playing) -> None:
    """Assert that the events alone give the same state and the same facts, also by way of a game file."""
    again = replayed(game.setup, game.events)
    file = parse(dump(game))

    assert game.over == (game.legal().seat is None)
    assert again == game
    assert again.facts() == game.facts()
    assert replayed(file.setup, file.events) == game


def test_every_game_has_a_bot() -> None:
    assert set(BOTS) == set(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_two_thousand_random_games_end_and_keep_the_laws(name: str) -> None:
    bot, ended, seen, met = BOTS[name], 0, Counter[str](), Counter[str]()
    for seed in range(GAMES_PLAYED):
        random = Random(seed)
        game = begin(setup(bot.agree(random)))
        first: Facts = game.facts()
        facts = first
        while not game.over and len(game.events) < LONGEST:
            if random.random() < 0.1:
                game = take(game, bot.event(game, random))
            else:
                game = game.take(bot.legal_event(game, random))
            facts = check_laws(game, first, bot)
            met.update(what for what, is_so in bot.situations(facts).items() if is_so)
        check_replay(game)
        seen.update(str(event["type"]) for event in game.events)
        ended += game.over

    assert ended == GAMES_PLAYED == 2_000
    assert set(seen) == set(GAMES[name].words.EVENTS)
    assert set(met) == set(bot.situations(facts))


@pytest.mark.parametrize("name", GAMES)
def test_a_table_played_by_hypothesis_keeps_the_laws(name: str) -> None:
    bot = BOTS[name]
    randoms = st.randoms(use_true_random=False)

    class Table(RuleBasedStateMachine):
        """One table and its evening: events, sensible and not, and a rematch when a game is over."""

        @initialize(random=randoms)
        def sit_down(self, random: Random) -> None:
            self.game = begin(setup(bot.agree(random)))
            self.first = self.game.facts()

        @precondition(lambda self: not self.game.over)
        @rule(random=randoms)
        def play(self, random: Random) -> None:
            self.game = self.game.take(bot.legal_event(self.game, random))

        @rule(random=randoms)
        def interfere(self, random: Random) -> None:
            self.game = take(self.game, bot.event(self.game, random))

        @precondition(lambda self: self.game.events)
        @rule()
        def undo(self) -> None:
            self.game = replayed(self.game.setup, self.game.events[:-1])

        @precondition(lambda self: self.game.over)
        @rule()
        def rematch(self) -> None:
            check_replay(self.game)
            self.game = begin(self.game.setup)

        @invariant()
        def laws(self) -> None:
            check_laws(self.game, self.first, bot)

        def teardown(self) -> None:
            if hasattr(self, "game"):
                check_replay(self.game)

    run_state_machine_as_test(
        Table,
        settings=settings(
            max_examples=MACHINES, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
