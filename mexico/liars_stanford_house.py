"""The house rules of the Stanford variation: what they are called, what they may be, what no word about them means.

The tags are the paragraphs of docs/liars_stanford.md.
"""

from dataclasses import dataclass

from mexico.bluff import BLUFF_ASKED, BluffRules
from mexico.house import Choice, House, Number
from mexico.stanford_hands import HandOrder

MARKS = (1, 2, 3, 4, 5)
ANY = "2..8"
FEWEST, MOST = 2, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class StanfordRules(BluffRules):
    """What this table has agreed on; *drinks* in marks. *players* is the most there may be, None when anybody may."""

    players: int | None = None
    order: HandOrder = HandOrder.BY_TABLE
    drinks: int = 1


HOUSE: House[StanfordRules] = House(
    defaults=StanfordRules(),
    asked=(
        Number(
            "stanford.players",
            "players",
            tuple(range(FEWEST, MOST + 1)),
            FEWEST,
            MOST,
            "the most players in the ring",
            "1",
            "004",
            word=ANY,
        ),
        Choice("stanford.order", "order", "which kind of hand beats which", "2", "004"),
        Number("drinks", "drinks", MARKS, 1, 100, "marks for a lost round", "5", "004"),
        *BLUFF_ASKED,
    ),
)
"""
>>> [HOUSE.check({"stanford.players": players}).players for players in (2, "2..8")]
[2, None]
"""
