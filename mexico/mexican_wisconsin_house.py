"""The house rules of Mexican as it is played in Wisconsin; the tags are the sections of docs/mexican_wisconsin.md."""

from dataclasses import dataclass
from enum import StrEnum

from mexico.bluff import BLUFF_ASKED, BluffRules
from mexico.house import Choice, House


class Opener(StrEnum):
    """Who opens after a call."""

    DRINKER = "drinker"
    NEXT = "next"


class Believed(StrEnum):
    """What it costs to believe a claim of 21."""

    CONCEDE_AND_FINISH = "concede_and_finish"
    CONCEDE_SINGLE = "concede_single"


class LowClaim(StrEnum):
    """Whether the table takes a claim that is not above the last."""

    REFUSE = "refuse"
    LET_THROUGH = "let_through"


class FortyOne(StrEnum):
    """What 41 does when it is shown."""

    PLAIN = "plain"
    IMPOSE_THEN_SOCIAL = "impose_then_social"
    IMPOSE_THEN_REVERSE = "impose_then_reverse"


@dataclass(frozen=True, slots=True, kw_only=True)
class WisconsinRules(BluffRules):
    """What this table has agreed on."""

    opener: Opener = Opener.DRINKER
    mexican_believed: Believed = Believed.CONCEDE_AND_FINISH
    low_claim: LowClaim = LowClaim.REFUSE
    tie_ok: bool = False
    exposed: bool = True
    forty_one: FortyOne = FortyOne.PLAIN


SILENT = "silent"

HOUSE: House[WisconsinRules] = House(
    defaults=WisconsinRules(),
    asked=(
        Choice("wisconsin.opener", "opener", "who opens after a call", "3", SILENT),
        Choice("wisconsin.mexican_believed", "mexican_believed", "what believing 21 costs", "4", SILENT),
        Choice("wisconsin.low_claim", "low_claim", "a claim not above the last", "2", "004"),
        Choice("wisconsin.tie_ok", "tie_ok", "a claim equal to the last counts", "2", "004"),
        Choice("wisconsin.exposed", "exposed", "a die beside the cup may stay", "6", "004"),
        Choice("wisconsin.41", "forty_one", "what 41 does when it is shown", "5", "004"),
        *BLUFF_ASKED,
    ),
)
"""
>>> HOUSE.check({"wisconsin.41": "impose_then_social"}).forty_one
<FortyOne.IMPOSE_THEN_SOCIAL: 'impose_then_social'>
>>> HOUSE.check({"wisconsin.tie_ok": 1})
Traceback (most recent call last):
mexico.errors.GameFileError: house rule wisconsin.tie_ok is 1; allowed are true, false
"""
