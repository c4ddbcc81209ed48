"""The choices a table of Mexico has before play, and one frozen record of what it chose.

What each choice is called in a game file, and where it comes from, stands in ``house``; what it means, in
``docs/rules.md``, section 9.
"""

from dataclasses import dataclass
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class MexicoRules:
    """What this table has agreed on; the defaults are those of docs/rules.md. Amounts in units, time in seconds."""

    preset: Preset = Preset.NONE
    end: End = End.LAST_PLAYER
    end_rounds: int = 10
    buy_in: int = 5
    unit_value: int = 1
    stakes: Stakes = Stakes.POT
    units_per_loss: int = 1
    pay_short: PayShort = PayShort.ALL_HE_HAS
    max_rolls: int = 3
    lead_roll_ties: LeadTies = LeadTies.TIED
    lead_if_loser_out: LoserOut = LoserOut.LEFT
    escalation: Escalation = Escalation.ONCE
    max_multiplier: int | None = None
    nonlead_after: NonleadAfter = NonleadAfter.PLAIN
    last_player: LastPlayer = LastPlayer.MUST_ROLL
    all_mexico: AllMexico = AllMexico.TIE
    last_counts: bool = True
    tie_lead: TieLead = TieLead.FIRST
    tie_cap: TieCap = TieCap.FREE
    tie_mexico: TieMexico = TieMexico.FULL
    tie_stake: TieStake = TieStake.CARRY
    auto_end_on_21: bool = True
    bad_roll: BadRolls = BadRolls.REROLL_BOTH
    rebuy: Rebuy = Rebuy.NO
    leave: Leave = Leave.HOLDING_TO_POT
    turn_seconds: int = 0
