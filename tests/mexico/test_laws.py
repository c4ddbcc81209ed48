"""What holds for every game of the catalogue, whatever is played and whatever the house agreed on.

A game that joins the catalogue gets these laws as soon as it has a bot (``bot_*.py``): somebody who agrees on random
house rules, plays random events, sensible and not, and knows what must be conserved.
"""

import json
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from random import Random

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
from tests.mexico import bot_liars_common, bot_liars_individual, bot_liars_stanford, bot_mexicans, bot_mexico
from tests.mexico.bot import Bot, Event, Facts

LONGEST = 3_000


BOTS = {
    "mexico": bot_mexico.BOT,
    "mexican_changsha": bot_mexicans.CHANGSHA,
    "mexican_wisconsin": bot_mexicans.WISCONSIN,
    "liars_common": bot_liars_common.BOT,
    "liars_individual": bot_liars_individual.BOT,
    "liars_stanford": bot_liars_stanford.BOT,
}


# --- the laws ---


def check_laws(game: Playing, first: Facts, bot: Bot) -> Facts:
    """Assert what holds after every event of a game that began with the facts *first*; return those of now."""
    facts, now = game.facts(), game.legal()

    assert json.loads(json.dumps(facts)) == facts
    assert set(facts) == set(first)
    assert (now.seat is None) == facts.get("over", facts["winner"] is not None)
    assert facts["turn"] == now.player
    assert 0 <= now.dice <= 30
    assert now.seat is None or now.dice or now.choices or now.asks
    assert not (now.blind and now.dice)
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


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_games_end_and_keep_the_laws(name: str) -> None:
    bot, ended, seen, met = BOTS[name], 0, Counter[str](), Counter[str]()
    for seed in range(bot.games):
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

    assert ended == bot.games
    assert set(seen) == set(GAMES[name].words.EVENTS)
    assert set(met) == set(bot.situations(facts))


@pytest.mark.one_in(6)
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
            max_examples=bot.machines, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
