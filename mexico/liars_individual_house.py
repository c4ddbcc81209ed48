"""The house rules of the individual hand: what they are called, what they may be, what nobody saying anything means.

The tags are the paragraphs of docs/liars_individual.md.
"""

from dataclasses import dataclass
from enum import StrEnum

from mexico.bluff import BLUFF_ASKED, BluffRules
from mexico.house import Choice, House, Number
from mexico.poker_hands import FaceOrder

MARKS = (1, 2, 3, 4, 5)


class Mode(StrEnum):
    """What a round is played for."""

    ROUND_WAGER = "round_wager"
    DRINKS = "drinks"


class AutoCall(StrEnum):
    """When three re-rolls are used up."""

    AT_THIRD = "at_third"
    THIRD_MAY_CALL = "third_may_call"


class Judged(StrEnum):
    """What decides when both show after three re-rolls."""

    STANDING_CALL = "standing_call"
    BETTER_HAND = "better_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndividualRules(BluffRules):
    """What this table has agreed on; *drinks* in marks."""

    mode: Mode = Mode.ROUND_WAGER
    drinks: int = 1
    faces: FaceOrder = FaceOrder.SIX_HIGH
    auto_call: AutoCall = AutoCall.AT_THIRD
    judged: Judged = Judged.STANDING_CALL


HOUSE: House[IndividualRules] = House(
    defaults=IndividualRules(),
    asked=(
        Choice("mode", "mode", "what a round is played for", "5", "004"),
        Number("drinks", "drinks", MARKS, 1, 100, "marks for a lost round, mode drinks", "5", "004"),
        Choice("faces", "faces", "which face is worth most", "2", "004"),
        Choice("individual.auto_call", "auto_call", "when the third re-roll is used", "3", "004"),
        Choice("individual.judged", "judged", "what decides after three re-rolls", "4", "004"),
        *BLUFF_ASKED,
    ),
    also={("individual.auto_call", str(judged)): "individual.judged" for judged in Judged},
)
"""
>>> HOUSE.check({"individual.auto_call": "better_hand"}) == HOUSE.check({"individual.judged": "better_hand"})
True
"""
