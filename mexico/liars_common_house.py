"""The house rules of liar's dice, common hand: what they are called, what they may be, and what counts otherwise.

The tags are the sections of docs/liars_common.md.
"""

from dataclasses import dataclass
from enum import StrEnum

from mexico.bluff import BLUFF_ASKED, BluffRules
from mexico.house import Choice, House, Number

DIFFERENCE = "difference"
FEW = tuple(range(11))


class Aces(StrEnum):
    """When aces may be bid."""

    ONLY_WITHOUT_WILDS = "only_without_wilds"
    ALWAYS = "always"


class MayChallenge(StrEnum):
    """Who may challenge the last bid."""

    TURN = "turn"
    ANYONE = "anyone"


class Mode(StrEnum):
    """What a lost hand costs."""

    LOSE_A_DIE = "lose_a_die"
    ROUND_WAGER = "round_wager"
    DRINKS = "drinks"


class Reveal(StrEnum):
    """How the dice are shown after a challenge."""

    PRESENT = "present"
    IN_PLACE = "in_place"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonRules(BluffRules):
    """What this table has agreed on; *drinks* None is the difference between the bid and the count."""

    mode: Mode = Mode.LOSE_A_DIE
    dice_each: int = 5
    bidding: int = 2
    wild_aces: bool = True
    aces_biddable: Aces = Aces.ONLY_WITHOUT_WILDS
    challenge: MayChallenge = MayChallenge.TURN
    spot_on: bool = False
    drinks: int | None = 1
    drinks_per_die: int = 0
    drinks_when_out: int = 0
    drinks_while_out: int = 0
    reveal: Reveal = Reveal.PRESENT


HOUSE: House[CommonRules] = House(
    defaults=CommonRules(),
    asked=(
        Choice("mode", "mode", "what a lost hand costs", "6", "004"),
        Number("dice_each", "dice_each", FEW[1:], 1, 10, "dice under every cup", "1", "004"),
        Number("bidding", "bidding", FEW[1:6], 1, 5, "which bid may follow another", "3", "004"),
        Choice("wild_aces", "wild_aces", "aces count as every face", "2", "004"),
        Choice("aces_biddable", "aces_biddable", "when aces may be bid", "2", "004"),
        Choice("challenge", "challenge", "who may challenge", "4", "004"),
        Choice("spot_on", "spot_on", "a bid may be called exactly right", "4", "004"),
        Number("drinks", "drinks", FEW[1:], 1, 99, "marks for a lost hand in mode drinks", "6", "004", DIFFERENCE),
        Number("drinks.per_die", "drinks_per_die", FEW, 0, 99, "marks for every die lost", "6", "004"),
        Number("drinks.when_out", "drinks_when_out", FEW, 0, 99, "marks for losing the last die", "6", "004"),
        Number("drinks.while_out", "drinks_while_out", FEW, 0, 99, "marks for each hand after that", "6", "004"),
        Choice("reveal", "reveal", "dice are shown in the tray or in place", "5", "silent"),
        *BLUFF_ASKED,
    ),
)
"""
>>> HOUSE.check({"drinks": "difference"}).drinks is None, HOUSE.check({"drinks": 2}).drinks
(True, 2)
>>> HOUSE.check({"bidding": 6})
Traceback (most recent call last):
mexico.errors.GameFileError: house rule bidding is 6; allowed are a whole number from 1 to 5
"""
