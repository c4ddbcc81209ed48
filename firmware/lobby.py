"""Sitting down: who has joined, and the card of house rules that is agreed before play. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from firmware.card import Card, card
from mexico.house import HouseRule, Value
from mexico.mexico_house import HOUSE

LEAST_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Lobby:
    """The table before play.

    Attributes
    ----------
    joined
        Seats that have joined, counted from 1, clockwise.
    rules
        House rules that differ from the defaults.
    card
        Which rule of the card is shown, None for none.
    """

    joined: tuple[int, ...] = ()
    rules: Mapping[str, Value] = field(default_factory=dict)
    card: int | None = None

    @property
    def complete(self) -> bool:
        """Return True when play can begin."""
        return len(self.joined) >= LEAST_PLAYERS

    @property
    def shown(self) -> tuple[HouseRule, Value] | None:
        """Return the rule on display and its value now, None when no card is shown."""
        if self.card is None:
            return None
        rule = HOUSE.rules[self.card]
        return rule, self._value(rule)

    @property
    def on_card(self) -> Card | None:
        """Return the shown rule with its value, None when no card is shown."""
        return None if self.card is None or self.shown is None else card(self.card, self.shown[1])

    @property
    def fingerprint(self) -> str:
        """Return the few letters that stand for all the rules as they are now."""
        return HOUSE.fingerprint(HOUSE.check(self.rules))

    def pressed(self, seat: int) -> Lobby:
        """Return the table after a press of *seat*: the first joins, another leaves."""
        others = tuple(other for other in self.joined if other != seat)
        return replace(self, joined=others if seat in self.joined else tuple(sorted((*others, seat))))

    def turned(self, steps: int) -> Lobby:
        """Return the table with the card turned on; before its first rule and after its last it is put away."""
        place = -1 if self.card is None else self.card
        place = (place + steps + 1) % (len(HOUSE.rules) + 1) - 1
        return replace(self, card=None if place < 0 else place)

    def chosen(self) -> Lobby:
        """Return the table with the next value for the shown rule."""
        if self.shown is None:
            return self
        rule, value = self.shown
        following = (
            rule.values[(rule.values.index(value) + 1) % len(rule.values)] if value in rule.values else rule.default
        )
        rules = {name: old for name, old in self.rules.items() if name != rule.name}
        preset = HOUSE.presets[str(rules.get("preset", "none"))] if rule.name != "preset" else {}
        if following != preset.get(rule.name, rule.default):
            rules[rule.name] = following
        return replace(self, rules=rules)

    def _value(self, rule: HouseRule) -> Value:
        preset = HOUSE.presets[str(self.rules.get("preset", "none"))]
        return self.rules.get(rule.name, preset.get(rule.name, rule.default))
