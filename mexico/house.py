"""House rules: what a game lets the house choose, what each choice is called, and what counts when nobody chooses.

Each rule has the tag of the open point it settles and the documents it comes from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from hashlib import sha256
from typing import Any, Generic, TypeVar

from mexico.errors import GameFileError
from mexico.say import did_you_mean, one_of, seen

Value = str | int | bool

NO_LIMIT = "none"

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule as a menu or a manual shows it.

    *values* are all there are, except for whole numbers: *least* and *most* bound those, and *values* is what a menu
    may offer. *field* is its name in the record of what was agreed on, *tag* the open point it settles.
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
        words = "".join(f"{value}, or " for value in self.values if isinstance(value, str))
        return f"{words}a whole number from {self.least} to {self.most}"

    def allows(self, value: object) -> bool:
        """Whether *value* may be chosen; true is not 1."""
        if isinstance(value, str):
            return value in self.values
        if self.least is not None and self.most is not None:
            return type(value) is int and self.least <= value <= self.most
        return isinstance(value, bool) and value in self.values


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule that is one of the words of its default's enum, or true or false."""

    name: str
    field: str
    explains: str
    tag: str
    source: str

    def rule(self, default: object) -> HouseRule:
        """Return the house rule whose default is *default*."""
        values: tuple[Value, ...] = (True, False)
        if not isinstance(default, bool):
            values = tuple(str(value) for value in type(default))  # type: ignore[attr-defined]
            default = str(default)
        return HouseRule(self.name, self.field, values, default, self.explains, self.tag, self.source)


@dataclass(frozen=True, slots=True)
class Number:
    """A rule that is a whole number from *least* to *most*.

    One whose default is None, or that names a *word* of its own, may also be that *word*: the record has it as None.
    """

    name: str
    field: str
    offered: tuple[int, ...]
    least: int
    most: int
    explains: str
    tag: str
    source: str
    word: str = NO_LIMIT

    def rule(self, default: int | None) -> HouseRule:
        """Return the house rule whose default is *default*."""
        has_word = default is None or self.word != NO_LIMIT
        values: tuple[Value, ...] = (self.word, *self.offered) if has_word else self.offered
        usual = self.word if default is None else default
        return HouseRule(
            self.name, self.field, values, usual, self.explains, self.tag, self.source, self.least, self.most
        )


@dataclass(frozen=True)
class House(Generic[R]):
    """The house rules of one game.

    Parameters
    ----------
    defaults : R
        The record of what is agreed on, a frozen dataclass, when nobody chooses anything.
    asked : tuple of Choice and Number
        The rules, in the order in which a table should be asked.
    presets : mapping of str to mapping
        What each value of the rule ``preset`` stands for; a rule that is also named on its own wins over its preset.
    also : mapping of pair of str to str
        Values that may be written under another rule as well, ``(that rule, value)``, and the rule they belong to; that
        rule, named on its own, wins.

    Attributes
    ----------
    rules : tuple of HouseRule
        Every rule, in that order.
    """

    defaults: R
    asked: tuple[Choice | Number, ...]
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    also: Mapping[tuple[str, str], str] = field(default_factory=dict)
    rules: tuple[HouseRule, ...] = field(init=False)
    _by_name: Mapping[str, HouseRule] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rules = tuple(one.rule(getattr(self.defaults, one.field)) for one in self.asked)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "_by_name", {rule.name: rule for rule in rules})

    def check(self, rules: Mapping[str, object]) -> R:
        """Return what is agreed on, from what differs from the defaults.

        Raises
        ------
        GameFileError
            If a name or a value is unknown: the line lists the known ones.
        """
        rules = self._in_place(rules)
        for name, value in rules.items():
            self._check_one(name, value)
        chosen = {**self.presets.get(str(rules.get("preset")), {}), **rules}
        agreed = {self._by_name[name].field: self._typed(self._by_name[name], value) for name, value in chosen.items()}
        return type(self.defaults)(**agreed)

    def fingerprint(self, agreed: R) -> str:
        """Return four letters and digits that stand for *agreed*: two tables that show the same agreed on the same.

        They begin with 7 or 9, as no throw, no rule by its number and no word does: on a display of four characters
        they are taken for nothing else.
        """
        names = [one.name for one in fields(agreed) if one.name != "preset"]  # type: ignore[arg-type]
        text = "\n".join(f"{name}={getattr(agreed, name)}" for name in names)
        signs = sha256(text.encode()).hexdigest().upper()
        return "79"[int(signs[0], 16) % 2] + signs[1:4]

    def _in_place(self, rules: Mapping[str, object]) -> Mapping[str, object]:
        """Return *rules* with every value under the rule it belongs to."""
        moved = {
            (name, value): self.also[name, value]
            for name, value in rules.items()
            if isinstance(value, str) and (name, value) in self.also
        }
        kept = {name: value for name, value in rules.items() if (name, value) not in moved} if moved else rules
        return {**{rule: value for (_, value), rule in moved.items()}, **kept}

    def _check_one(self, name: str, value: object) -> None:
        rule = self._by_name.get(name)
        if rule is None:
            near = did_you_mean(name, self._by_name)
            raise GameFileError(f"unknown house rule {seen(name)}; known are {one_of(self._by_name)}{near}")
        if not rule.allows(value):
            near = did_you_mean(value, [word for word in rule.values if isinstance(word, str)])
            raise GameFileError(f"house rule {name} is {seen(value)}; allowed are {rule.allowed}{near}")

    def _typed(self, rule: HouseRule, value: object) -> Any:
        """Return *value* as the record has it: an enum member, a number, None for the word of a number."""
        default = getattr(self.defaults, rule.field)
        if isinstance(default, StrEnum):
            return type(default)(str(value))
        return None if rule.least is not None and isinstance(value, str) else value
