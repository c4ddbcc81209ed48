"""The house rules of Mexico: what they are called, what they may be, what they are when nobody says anything.

Each has the tag of the open point it settles (docs/rules.md, section 9) and the documents it comes from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from hashlib import sha256
from typing import Any

from mexico.choices import MexicoRules, Preset
from mexico.errors import GameFileError
from mexico.say import did_you_mean, one_of, seen

__all__ = ["PRESETS", "RULES", "HouseRule", "MexicoRules", "Value", "check", "fingerprint"]

Value = str | int | bool

NO_LIMIT = "none"
COUNTS = tuple(range(1, 13))
ROUNDS = (1, 2, 3, 5, 8, 10, 12, 15, 20, 30, 50)
COINS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
SECONDS = (0, 15, 20, 30, 45, 60, 90, 120)


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule as a menu or a manual shows it.

    *values* are all there are, except for whole numbers: *least* and *most* bound those, and *values* is what a menu
    may offer. *field* is its name in MexicoRules, *tag* the open point it settles.
    """

    name: str
    field: str
    values: tuple[Value, ...]
    default: Value
    explains: str
    tag: str
    source: str
    least: int | None = None
    most: int | None = None

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.least is None:
            return one_of(self.values)
        words = f"{NO_LIMIT}, or " if NO_LIMIT in self.values else ""
        return f"{words}a whole number from {self.least} to {self.most}"

    def allows(self, value: object) -> bool:
        """Whether *value* may be chosen; true is not 1."""
        if isinstance(value, str):
            return value in self.values
        if self.least is not None and self.most is not None:
            return type(value) is int and self.least <= value <= self.most
        return isinstance(value, bool) and value in self.values


_DEFAULTS = MexicoRules()


def _choice(name: str, field: str, explains: str, tag: str, source: str) -> HouseRule:
    default = getattr(_DEFAULTS, field)
    if isinstance(default, bool):
        return HouseRule(name, field, (True, False), default, explains, tag, source)
    return HouseRule(name, field, tuple(str(value) for value in type(default)), str(default), explains, tag, source)


def _number(
    offered: tuple[int, ...], name: str, least: int, most: int, explains: str, tag: str, source: str
) -> HouseRule:
    """Return a rule that is a whole number; one whose default is None may also be ``none``."""
    field = name.removeprefix("mexico.").replace(".", "_")
    default = getattr(_DEFAULTS, field)
    if default is None:
        return HouseRule(name, field, (NO_LIMIT, *offered), NO_LIMIT, explains, tag, source, least, most)
    return HouseRule(name, field, offered, default, explains, tag, source, least, most)


RULES: tuple[HouseRule, ...] = (
    _choice("preset", "preset", "a set of house rules under one name", "A1", "001"),
    _choice("end", "end", "when the game ends", "A1", "000, 001, 003"),
    _number(ROUNDS, "end.rounds", 1, 999, "number of rounds when end is rounds", "A1", "000"),
    _number(COUNTS, "buy_in", 1, 1000, "units everybody brings", "A1", "000, 001, 003"),
    _number(COINS, "unit_value", 0, 1_000_000, "small coins a unit is worth, 0 for nothing", "A1", "000"),
    _choice("stakes", "stakes", "paid units go to the pot, or out of play", "A18", "000, 003"),
    _number(COUNTS, "units_per_loss", 1, 1000, "units a lost round costs at first", "A18", "000"),
    _choice("pay.short", "pay_short", "a loser who holds less than the stake", "A14", "silent"),
    _number(COUNTS[:5], "max_rolls", 1, 5, "rolls the lead may take", "A17", "000, 001, 003"),
    _choice("lead_roll.ties", "lead_roll_ties", "who rolls again after a tie for the lead", "A2", "001"),
    _choice("lead.if_loser_out", "lead_if_loser_out", "who leads when the loser is out", "A3", "000, 001"),
    _choice("mexico.escalation", "escalation", "what Mexicos of leads do to the stake", "A4, A5", "000, 003"),
    _number(COUNTS, "mexico.max_multiplier", 1, 1000, "how many times the stake may grow", "A5", "silent"),
    _choice("mexico.nonlead_after", "nonlead_after", "21 of a follower after a lead's Mexico", "A7", "000, 003"),
    _choice("mexico.last_player", "last_player", "the last player when all others have 21", "A8", "000"),
    _choice("mexico.all", "all_mexico", "when everybody has Mexico", "A9", "000"),
    _choice("mexico.last_counts", "last_counts", "whether the last one's 21 counts too", "A9", "silent"),
    _choice("tie.lead", "tie_lead", "who of the tied leads the sub-round", "A10", "silent"),
    _choice("tie.cap", "tie_cap", "rolls in a sub-round", "A11", "000, 003"),
    _choice("tie.mexico", "tie_mexico", "what a lead's 21 does in a sub-round", "A12", "003"),
    _choice("tie.stake", "tie_stake", "what the loser of a sub-round pays", "A13", "000"),
    _choice("auto_end_on_21", "auto_end_on_21", "whether a follower's 21 ends his turn", "A15", "000"),
    _choice("bad_roll", "bad_roll", "a cocked, stacked or lost die", "A16", "000, 003"),
    _choice("rebuy", "rebuy", "whether who is out may buy in again", "A19", "silent"),
    _choice("leave", "leave", "where the units of a player who leaves go", "A19", "silent"),
    _number(SECONDS, "turn_seconds", 0, 3600, "seconds a turn may take, 0 for no limit", "A20", "silent"),
)
"""Every house rule of Mexico, in the order in which a table should be asked."""

PRESETS: Mapping[str, Mapping[str, Value]] = {
    str(Preset.NONE): {},
    str(Preset.ONE_LIFE): {"buy_in": 1, "units_per_loss": 1, "mexico.escalation": "off"},
}
"""What each preset stands for; a rule that is also named on its own wins over its preset."""

_BY_NAME: Mapping[str, HouseRule] = {rule.name: rule for rule in RULES}


def check(rules: Mapping[str, object]) -> MexicoRules:
    """Return the rules of a table from what differs from the defaults.

    Parameters
    ----------
    rules : mapping of str to str, int or bool
        Names and values as in docs/rules.md, section 9.

    Raises
    ------
    GameFileError
        If a name or a value is unknown: the line lists the known ones.

    Examples
    --------
    >>> check({"preset": "one_life"}).buy_in
    1
    >>> check({"tie.cap": "on"})
    Traceback (most recent call last):
    mexico.errors.GameFileError: house rule tie.cap is "on"; allowed are free, inherit, one (did you mean one?)
    """
    for name, value in rules.items():
        _check_one(name, value)
    chosen = {**PRESETS[str(rules.get("preset", Preset.NONE))], **rules}
    return MexicoRules(**{_BY_NAME[name].field: _typed(_BY_NAME[name], value) for name, value in chosen.items()})


def fingerprint(rules: MexicoRules) -> str:
    """Return four letters and digits that stand for *rules*: two tables that show the same agreed on the same.

    Examples
    --------
    >>> fingerprint(check({})) == fingerprint(check({"buy_in": 5}))
    True
    >>> fingerprint(check({})) == fingerprint(check({"buy_in": 6}))
    False
    """
    agreed = "\n".join(f"{rule.name}={getattr(rules, rule.name)}" for rule in fields(rules) if rule.name != "preset")
    return sha256(agreed.encode()).hexdigest()[:4].upper()


def _check_one(name: str, value: object) -> None:
    rule = _BY_NAME.get(name)
    if rule is None:
        near = did_you_mean(name, _BY_NAME)
        raise GameFileError(f"unknown house rule {seen(name)}; known are {one_of(_BY_NAME)}{near}")
    if not rule.allows(value):
        near = did_you_mean(value, [word for word in rule.values if isinstance(word, str)])
        raise GameFileError(f"house rule {name} is {seen(value)}; allowed are {rule.allowed}{near}")


def _typed(rule: HouseRule, value: object) -> Any:
    """Return *value* as MexicoRules has it: an enum member, a number, None for no limit."""
    default = getattr(_DEFAULTS, rule.field)
    if isinstance(default, StrEnum):
        return type(default)(str(value))
    return None if value == NO_LIMIT else value
