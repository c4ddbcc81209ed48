"""The house rules of Mexico: what a table agrees on before play.

Every rule says in one place what it is called, what it may be, what it is when nobody says anything, and where it
comes from (numbers of the documents; ``docs/rules.md``, section 9).
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import TypeVar, cast

from mexico.errors import GameFileError
from mexico.say import did_you_mean, one_of, seen

T = TypeVar("T")
Value = str | int | bool


class Preset(StrEnum):
    """Sets of house rules under one name."""

    NONE = "none"
    ONE_LIFE = "one_life"


class End(StrEnum):
    """When the game ends."""

    LAST_PLAYER = "last_player"
    ROUNDS = "rounds"


class Stakes(StrEnum):
    """Where units paid go."""

    POT = "pot"
    TOKENS = "tokens"


class LeadTies(StrEnum):
    """Who rolls again after a tie for the lead."""

    TIED = "tied"
    ALL = "all"


class LoserOut(StrEnum):
    """Who leads when the loser is out."""

    LEFT = "left"
    ROLLOFF = "rolloff"
    NEXT_LOWEST = "next_lowest"
    SAME_LEAD = "same_lead"


class Escalation(StrEnum):
    """What Mexicos of leads do to the stake."""

    OFF = "off"
    ONCE = "once"
    DOUBLE_EACH = "double_each"
    ADD_UNIT = "add_unit"


class NonleadAfter(StrEnum):
    """What 21 of a follower is after a lead's Mexico."""

    PLAIN = "plain"
    RAISES = "raises"


class LastPlayer(StrEnum):
    """What the last player after a chain of Mexicos may do."""

    MUST_ROLL = "must_roll"
    MAY_STOP = "may_stop"


class AllMexico(StrEnum):
    """What happens when everybody has Mexico."""

    TIE = "tie"
    VOID = "void"


class TieLead(StrEnum):
    """Who of the tied leads their sub-round."""

    FIRST = "first"
    LAST = "last"
    ROLLOFF = "rolloff"


class TieCap(StrEnum):
    """How many rolls there are in a sub-round."""

    FREE = "free"
    INHERIT = "inherit"
    ONE = "one"


class TieMexico(StrEnum):
    """What a lead's 21 does in a sub-round."""

    FULL = "full"
    PASS_ONLY = "pass_only"  # noqa: S105 - no password
    PLAIN = "plain"


class TieStake(StrEnum):
    """What the loser of a sub-round pays."""

    CARRY = "carry"
    FRESH = "fresh"


class PayShort(StrEnum):
    """What a loser does who holds less than the stake."""

    ALL_HE_HAS = "all_he_has"
    OWES = "owes"


class BadRolls(StrEnum):
    """What becomes of a roll that cannot be counted."""

    REROLL_BOTH = "reroll_both"
    REROLL_ONE = "reroll_one"
    COUNTS_AS_31 = "counts_as_31"


class Rebuy(StrEnum):
    """Whether a player who is out may buy in again."""

    NO = "no"
    YES = "yes"


class Leave(StrEnum):
    """Where the units of a player who leaves go."""

    HOLDING_TO_POT = "holding_to_pot"
    HOLDING_BACK = "holding_back"


def _rule(name: str, default: T, explains: str, source: str, least: int = 0, most: int = 0, none: bool = False) -> T:
    """Return the dataclass field of one house rule; *none* allows the word ``none`` in place of a number."""
    about = {"name": name, "explains": explains, "source": source, "least": least, "most": most, "none": none}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class MexicoRules:
    """What this table has agreed on; the defaults are those of docs/rules.md."""

    preset: Preset = _rule("preset", Preset.NONE, "a set of house rules under one name", "001")
    end: End = _rule("end", End.LAST_PLAYER, "when the game ends", "000, 001, 003")
    end_rounds: int = _rule("end.rounds", 10, "number of rounds when end is rounds", "000", 1, 999)
    buy_in: int = _rule("buy_in", 5, "units everybody brings", "000, 001, 003", 1, 1000)
    unit_value: int = _rule(
        "unit_value", 1, "worth of a unit in the smallest coin; 0 plays for nothing", "000", 0, 1_000_000
    )
    stakes: Stakes = _rule("stakes", Stakes.POT, "where units paid go: to the pot, or out of the game", "000, 003")
    units_per_loss: int = _rule("units_per_loss", 1, "units a lost round costs before any Mexico", "000", 1, 1000)
    pay_short: PayShort = _rule(
        "pay.short", PayShort.ALL_HE_HAS, "a loser who holds less than the stake", "silent; 000, 003"
    )
    max_rolls: int = _rule("max_rolls", 3, "rolls the lead may take", "000, 001, 003", 1, 5)
    lead_roll_ties: LeadTies = _rule("lead_roll.ties", LeadTies.TIED, "who rolls again for the lead", "001")
    lead_if_loser_out: LoserOut = _rule(
        "lead.if_loser_out", LoserOut.LEFT, "who leads when the loser is out", "silent; 000, 001"
    )
    escalation: Escalation = _rule(
        "mexico.escalation", Escalation.ONCE, "what Mexicos of leads do to the stake", "000, 003"
    )
    max_multiplier: int | None = _rule(
        "mexico.max_multiplier", None, "the stake never grows beyond this many times", "silent", 1, 1000, none=True
    )
    nonlead_after: NonleadAfter = _rule(
        "mexico.nonlead_after", NonleadAfter.PLAIN, "21 of a follower after a Mexico of a lead", "000, 003"
    )
    last_player: LastPlayer = _rule(
        "mexico.last_player", LastPlayer.MUST_ROLL, "the last player when all before him have Mexico", "000"
    )
    all_mexico: AllMexico = _rule("mexico.all", AllMexico.TIE, "when everybody has Mexico", "000")
    last_counts: bool = _rule("mexico.last_counts", True, "whether the last player's Mexico raises the stake", "silent")
    tie_lead: TieLead = _rule("tie.lead", TieLead.FIRST, "who of the tied leads the sub-round", "silent")
    tie_cap: TieCap = _rule("tie.cap", TieCap.FREE, "rolls in a sub-round", "000, 003")
    tie_mexico: TieMexico = _rule("tie.mexico", TieMexico.FULL, "what Mexico does in a sub-round", "silent; 003")
    tie_stake: TieStake = _rule("tie.stake", TieStake.CARRY, "what the loser of a sub-round pays", "000")
    auto_end_on_21: bool = _rule("auto_end_on_21", True, "whether a follower's 21 ends his turn", "silent; 000")
    bad_roll: BadRolls = _rule("bad_roll", BadRolls.REROLL_BOTH, "a cocked, stacked or lost die", "silent; 000, 003")
    rebuy: Rebuy = _rule("rebuy", Rebuy.NO, "whether a player who is out may buy in again", "silent")
    leave: Leave = _rule("leave", Leave.HOLDING_TO_POT, "where the units of a player who leaves go", "silent")
    turn_seconds: int = _rule(
        "turn_seconds", 0, "seconds a turn may take, 0 for no limit; the table presses STOP", "silent", 0, 3600
    )


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule as a menu or a manual shows it.

    *values* are all there are, except for whole numbers, where *least* and *most* bound them and *values* is what a
    menu may offer.
    """

    name: str
    values: tuple[Value, ...]
    default: Value
    explains: str
    source: str
    least: int | None = None
    most: int | None = None

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.least is None:
            return one_of(self.values)
        words = "none, or " if "none" in self.values else ""
        return f"{words}a whole number from {self.least} to {self.most}"


def _house_rule(spec: "Field[object]") -> HouseRule:
    about, default = spec.metadata, spec.default
    name, explains, source = str(about["name"]), str(about["explains"]), str(about["source"])
    if isinstance(default, StrEnum):
        return HouseRule(name, tuple(str(value) for value in type(default)), str(default), explains, source)
    if isinstance(default, bool):
        return HouseRule(name, (True, False), default, explains, source)
    least, most = int(about["least"]), int(about["most"])
    offered: tuple[Value, ...] = tuple(range(least, min(most, least + 20) + 1))
    if about["none"]:
        return HouseRule(name, ("none", *offered), "none", explains, source, least, most)
    return HouseRule(name, offered, cast(int, default), explains, source, least, most)


RULES: tuple[HouseRule, ...] = tuple(_house_rule(spec) for spec in fields(MexicoRules))
"""Every house rule of Mexico, in the order in which a table should be asked."""

_BY_NAME: Mapping[str, HouseRule] = {rule.name: rule for rule in RULES}
_FIELD: Mapping[str, "Field[object]"] = {str(spec.metadata["name"]): spec for spec in fields(MexicoRules)}

PRESETS: Mapping[str, Mapping[str, Value]] = {
    Preset.NONE: {},
    Preset.ONE_LIFE: {"buy_in": 1, "units_per_loss": 1, "mexico.escalation": "off"},
}
"""What each preset stands for; a rule that is also named on its own wins over its preset."""


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
    merged = {**PRESETS[str(rules.get("preset", Preset.NONE))], **rules}
    return MexicoRules(**{_FIELD[name].name: _typed(name, value) for name, value in merged.items()})  # type: ignore[arg-type]


def _check_one(name: object, value: object) -> None:
    rule = _BY_NAME.get(name) if isinstance(name, str) else None
    if rule is None:
        raise GameFileError(
            f"unknown house rule {seen(name)}; known are {one_of(_BY_NAME)}{did_you_mean(name, _BY_NAME)}"
        )
    if rule.least is not None and rule.most is not None:
        fine = type(value) is int and rule.least <= value <= rule.most or (value == "none" and "none" in rule.values)
    else:
        fine = any(type(value) is type(allowed) and value == allowed for allowed in rule.values)
    if not fine:
        close = did_you_mean(value, [str(allowed) for allowed in rule.values if isinstance(allowed, str)])
        raise GameFileError(f"house rule {name} is {seen(value)}; allowed are {rule.allowed}{close}")


def _typed(name: str, value: object) -> object:
    default = _FIELD[name].default
    if isinstance(default, StrEnum):
        return type(default)(str(value))
    return None if value == "none" else value
