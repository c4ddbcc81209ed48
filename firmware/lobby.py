"""Sitting down: who has joined, and the card of game and house rules that is agreed before play. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from firmware.card import Card, all_card, card, game_card
from mexico.catalogue import GAMES
from mexico.house import House, HouseRule, Value

LEAST_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Lobby:
    """The table before play.

    Attributes
    ----------
    joined
        Seats that have joined, counted from 1, clockwise.
    game
        The game that is going to be played.
    agreed
        House rules that differ from the defaults, by game.
    card
        What of the card is shown: 0 the game, then its rules from 1, then what stands for all of them; None where
        nothing is.
    """

    joined: tuple[int, ...] = ()
    game: str = "mexico"
    agreed: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    card: int | None = None

    @property
    def complete(self) -> bool:
        """Return True when play can begin."""
        return LEAST_PLAYERS <= len(self.joined) <= GAMES[self.game].most_players

    @property
    def rules(self) -> Mapping[str, Value]:
        """Return the house rules of the game that differ from its defaults."""
        return self.agreed.get(self.game, {})

    @property
    def shown(self) -> tuple[HouseRule, Value] | None:
        """Return the rule on display and its value now, None when no rule is shown."""
        if not self.card or self.card > len(self._house.rules):
            return None
        rule = self._house.rules[self.card - 1]
        return rule, self._value(rule)

    @property
    def on_card(self) -> Card | None:
        """Return what of the card is shown, None when nothing is."""
        if self.card == 0:
            return game_card(self.game)
        if self.card == len(self._house.rules) + 1:
            return all_card(self.game, self.fingerprint)
        return None if self.card is None or self.shown is None else card(self.game, self.card, self.shown[1])

    @property
    def fingerprint(self) -> str:
        """Return the few letters that stand for all the rules as they are now."""
        return self._house.fingerprint(self._house.check(self.rules))

    def pressed(self, seat: int) -> Lobby:
        """Return the table after a press of *seat*: the first joins, another leaves."""
        others = tuple(other for other in self.joined if other != seat)
        return replace(self, joined=others if seat in self.joined else tuple(sorted((*others, seat))))

    def turned(self, steps: int) -> Lobby:
        """Return the table with the card turned on; before its beginning and after its end it is put away."""
        place = -1 if self.card is None else self.card
        place = (place + steps + 1) % (len(self._house.rules) + 3) - 1
        return replace(self, card=None if place < 0 else place)

    def chosen(self) -> Lobby:
        """Return the table with the next game, or the next value for the shown rule."""
        if self.card == 0:
            names = tuple(GAMES)
            return replace(self, game=names[(names.index(self.game) + 1) % len(names)])
        if self.shown is None:
            return self
        rule, value = self.shown
        following = (
            rule.values[(rule.values.index(value) + 1) % len(rule.values)] if value in rule.values else rule.default
        )
        rules = {name: old for name, old in self.rules.items() if name != rule.name}
        preset = self._preset(rules) if rule.name != "preset" else {}
        if following != preset.get(rule.name, rule.default):
            rules[rule.name] = following
        return replace(self, agreed={**self.agreed, self.game: rules})

    @property
    def _house(self) -> House[Any]:
        return GAMES[self.game].house

    def _preset(self, rules: Mapping[str, Value]) -> Mapping[str, Value]:
        return self._house.presets.get(str(rules.get("preset")), {})

    def _value(self, rule: HouseRule) -> Value:
        return self.rules.get(rule.name, self._preset(self.rules).get(rule.name, rule.default))
