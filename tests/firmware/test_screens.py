"""Every state of the table on a display of 21 characters and on one of four."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from firmware.card import PAPER, all_card, card, game_card, paper
from firmware.dispute import OF_A_THROW, Dispute
from firmware.four import Four
from firmware.lamps import Look, Pattern
from firmware.lobby import Lobby
from firmware.screens import WORDS, look
from firmware.texts import ENGLISH, language, languages
from firmware.views import Note, Phase, View
from hardware.devices import Lamp
from hardware.segments import fit
from mexico.catalogue import GAMES
from mexico.mexico_house import HOUSE
from vision.types import Fault

FACTS = {
    "scores": {"Benjamin": "54", "A": "21"},
    "units": {"A": 4, "Benjamin": 0},
    "paid": {"Benjamin": 1},
    "loser": "Benjamin",
    "winner": "A",
    "winner_takes": 10,
    "subround": ["A", "Benjamin"],
    "lead": "A",
    "stake": 2,
    "pot": 12,
    "rolls_used": 1,
}
GAME = View(
    phase=Phase.PLAYING, seats={1: "A", 4: "Benjamin"}, facts=FACTS, player="Benjamin", dice=2, may_stop=True, words="A"
)

EVERY_RULE = [(game, place, rule) for game, entry in GAMES.items() for place, rule in enumerate(entry.house.rules, 1)]
"""Each rule of each game with its place on the card."""


def test_every_fault_has_words_of_its_own_on_either_display() -> None:
    refused = [look(replace(GAME, note=Note.REFUSED, fault=fault)).screen(ENGLISH) for fault in Fault]

    assert set(WORDS) == set(Fault)
    assert len({screen.four for screen in refused}) == len(Fault)
    assert len({screen.lines[0] for screen in refused}) == len(Fault)


def test_four_characters_tell_whose_turn_score_pot_and_stake() -> None:
    before_the_roll = replace(GAME, facts=FACTS | {"scores": {}, "rolls_used": 0})

    assert look(before_the_roll).screen(ENGLISH).four == "B1-3"
    assert look(GAME).screen(ENGLISH).four == "B 54"
    assert look(replace(GAME, page=1)).screen(ENGLISH).four == "P 12"
    assert look(replace(GAME, page=2)).screen(ENGLISH).four == "S  2"


def lamps(shown: Look) -> dict[Lamp, Pattern]:
    return dict(shown.lamps)


def test_lamps_say_whose_turn_it_is_and_whether_stop_counts() -> None:
    assert lamps(look(GAME)) == {Lamp.SEAT_4: Pattern.PULSE, Lamp.STOP: Pattern.ON}
    assert lamps(look(replace(GAME, may_stop=False))) == {Lamp.SEAT_4: Pattern.PULSE}
    assert lamps(look(replace(GAME, note=Note.REFUSED, fault=Fault.COCKED)))[Lamp.SEAT_4] is Pattern.BLINK


def test_the_card_goes_through_every_house_rule_and_away_again() -> None:
    lobby, seen = Lobby().turned(1), []
    assert lobby.on_card == game_card("mexico")
    for _ in range(len(HOUSE.rules)):
        lobby = lobby.turned(1)
        assert lobby.shown is not None
        seen.append(lobby.shown[0].name)

    assert seen == [rule.name for rule in HOUSE.rules]
    lobby = lobby.turned(1)
    assert lobby.on_card == all_card("mexico", lobby.fingerprint)
    assert lobby.chosen() == lobby
    assert lobby.turned(1).card is None
    assert Lobby().turned(-1).card == lobby.card


def test_the_card_goes_through_every_game_and_keeps_what_was_agreed_for_each() -> None:
    lobby, seen = replace(Lobby().turned(2).chosen(), card=0), []
    agreed = lobby.rules
    for _ in GAMES:
        seen.append(lobby.game)
        lobby = lobby.chosen()

    assert seen == list(GAMES)
    assert (lobby.game, lobby.rules) == ("mexico", agreed)
    assert agreed


def test_pushing_goes_through_every_value_and_back_to_the_default() -> None:
    for game, place, rule in EVERY_RULE:
        lobby, values = Lobby(game=game, card=place), []
        for _ in range(len(rule.values)):
            lobby = lobby.chosen()
            assert lobby.shown is not None
            values.append(lobby.shown[1])

        assert sorted(map(str, values)) == sorted(map(str, rule.values))
        assert lobby.rules == {}


def test_a_preset_shows_in_the_rules_it_stands_for() -> None:
    lobby = Lobby(
        agreed={"mexico": {"preset": "one_life"}}, card=[rule.name for rule in HOUSE.rules].index("buy_in") + 1
    )

    assert lobby.shown is not None
    assert lobby.shown[1] == 1


def test_what_a_dispute_offers_is_told_apart_in_four_characters_and_by_lamps() -> None:
    doubt = Dispute("Benjamin", (5, 4), 2, 4, hands={1: 0.0})
    shown = [look(replace(GAME, phase=Phase.DISPUTED, dispute=replace(doubt, choice=choice))) for choice in OF_A_THROW]

    assert len({one.screen(ENGLISH).four for one in shown}) == len(OF_A_THROW)
    assert shown[0].lamps[Lamp.SEAT_1] is Pattern.ON
    assert shown[0].lamps[Lamp.SEAT_4] is Pattern.BLINK


def test_every_rule_is_explained_in_full_beside_its_value() -> None:
    for game, place, rule in EVERY_RULE:
        for value in rule.values:
            screen = look(View(card=card(game, place, value))).screen(ENGLISH)
            assert rule.name.endswith(screen.title)
            assert " ".join(screen.lines[1:]) == rule.explains


def test_every_value_of_every_rule_has_four_digits_of_its_own() -> None:
    for wanted in GAMES:
        shown = [
            ENGLISH.four(card(game, place, value).four)
            for game, place, rule in EVERY_RULE
            for value in rule.values
            if game == wanted
        ]
        shown += [ENGLISH.four(game_card(game).four) for game in GAMES]

        assert len(set(shown)) == len(shown)
        assert all(len(four) == 4 for four in shown)


def test_the_printed_card_is_up_to_date() -> None:
    assert PAPER.read_text(encoding="utf-8") == "\n".join(paper()) + "\n"


@pytest.mark.parametrize("game", GAMES)
def test_the_last_page_of_the_card_shows_on_either_display_what_stands_for_all_rules(game: str) -> None:
    lobby = Lobby(game=game).turned(-1)
    usual = lobby.fingerprint
    screen = look(View(game=game, card=lobby.on_card)).screen(ENGLISH)
    assert (screen.lines[0], screen.four) == (f"= #{usual}", usual)

    changed = replace(lobby, card=1).chosen().turned(-3)

    assert look(View(game=game, card=changed.on_card)).screen(ENGLISH).four == changed.fingerprint != usual


def test_what_stands_for_the_rules_looks_like_nothing_else_on_four_digits(every_look: list[tuple[str, Look]]) -> None:
    """As long as it begins with a digit that no die has, no rule has that number, and no word begins with it."""
    agreed = [
        Lobby(game=game, agreed={game: {rule.name: value}}).fingerprint
        for game, _, rule in EVERY_RULE
        for value in rule.values
    ]
    shown = {
        (name, fit(look_.layout.screen(language(code)).four))
        for code in languages()
        for name, look_ in every_look
        if not (isinstance(look_.layout.four, Four) and look_.layout.four.name == "rules")
    }

    assert all(re.fullmatch("[79][0-9A-F]{3}", rules) for rules in agreed)
    assert len(set(agreed)) > 200
    assert [pair for pair in shown if re.fullmatch("[79][0-9A-F]{3}", pair[1])] == []
