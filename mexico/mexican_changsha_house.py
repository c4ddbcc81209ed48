"""The house rules of Mexican as it is played in Changsha; the tags are the sections of docs/mexican_changsha.md."""

from dataclasses import dataclass
from enum import StrEnum

from mexico.bluff import BLUFF_ASKED, BluffRules
from mexico.house import Choice, House


class Test(StrEnum):
    """What the dice are held against when somebody was called."""

    TO_BEAT = "to_beat"
    ANNOUNCED = "announced"


class Equal(StrEnum):
    """Dice that are just as high as what they had to beat."""

    BLUFF = "bluff"
    TRUTH = "truth"


class OpenerTest(StrEnum):
    """What the dice of the first announcement of a round are held against."""

    ANNOUNCED = "announced"
    ALWAYS_TRUE = "always_true"


class Mexican(StrEnum):
    """Whether 21 can be announced, or only shown."""

    MUST_SHOW = "must_show"
    BLUFFABLE = "bluffable"


class Special(StrEnum):
    """Whether who shook a special may keep it to himself."""

    ON_SHOW = "on_show"
    MUST_SHOW = "must_show"


class Unshaken(StrEnum):
    """When somebody may announce without having shaken."""

    ONLY_AFTER_PASS_IT_ON = "only_after_pass_it_on"  # noqa: S105 - no password
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangshaRules(BluffRules):
    """What this table has agreed on."""

    test: Test = Test.TO_BEAT
    equal: Equal = Equal.BLUFF
    opener_test: OpenerTest = OpenerTest.ANNOUNCED
    mexican: Mexican = Mexican.MUST_SHOW
    special: Special = Special.ON_SHOW
    reverse: bool = True
    social: bool = True
    switcharoo: bool = True
    judgement_day: bool = True
    perform: bool = False
    smoochy: bool = False
    rules: bool = True
    unshaken: Unshaken = Unshaken.ONLY_AFTER_PASS_IT_ON


SILENT = "silent"

HOUSE: House[ChangshaRules] = House(
    defaults=ChangshaRules(),
    asked=(
        Choice("changsha.test", "test", "what a called roll must beat", "3", "002"),
        Choice("changsha.equal", "equal", "a called roll equal to that", "3", SILENT),
        Choice("changsha.opener_test", "opener_test", "the opener's roll is called", "3", SILENT),
        Choice("changsha.mexican", "mexican", "21 is shown, or may be bluffed", "4", "002"),
        Choice("changsha.special", "special", "whether specials may be hidden", "4", SILENT),
        Choice("changsha.reverse", "reverse", "31 shown turns play round", "4", "002"),
        Choice("changsha.social", "social", "41 shown: a mark for everybody", "4", "002"),
        Choice("changsha.switcharoo", "switcharoo", "51 shown: two swap seats", "4", "002"),
        Choice("changsha.judgement_day", "judgement_day", "61 shown: a mark for one chosen", "4", "002"),
        Choice("changsha.perform", "perform", "61: he performs something too", "4", "002"),
        Choice("changsha.smoochy", "smoochy", "55 shown: a kiss goes round", "4", "002"),
        Choice("changsha.rules", "rules", "66 shown: a new rule is made", "4", "002"),
        Choice("changsha.unshaken", "unshaken", "announcing without a shake", "5", "002"),
        *BLUFF_ASKED,
    ),
)
"""
>>> HOUSE.check({"changsha.smoochy": True}).smoochy
True
>>> HOUSE.check({"changsha.test": "beat"})
Traceback (most recent call last):
mexico.errors.GameFileError: house rule changsha.test is "beat"; allowed are to_beat, announced (did you mean to_beat?)
"""
