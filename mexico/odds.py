"""The exact chances of Mexico, as fractions (docs/rules.md, section 3)."""

from dataclasses import dataclass
from fractions import Fraction

from mexico.throw import RANKING, Throw

FALLS = 36


@dataclass(frozen=True, slots=True)
class Row:
    """One score, and how likely an opponent with one, two or three rolls is to *beat* it (not tie it)."""

    score: str
    rank: int
    ways: int
    exceed_1: Fraction
    exceed_2: Fraction
    exceed_3: Fraction


def exceed(throw: Throw, rolls: int) -> Fraction:
    """Return the chance that at least one of *rolls* throws beats *throw*.

    Examples
    --------
    >>> exceed(Throw.of(4, 2), 1)
    Fraction(7, 9)
    """
    beaten_by = sum(other.ways for other in RANKING if other > throw)
    return 1 - (1 - Fraction(beaten_by, FALLS)) ** rolls


def table() -> tuple[Row, ...]:
    """Return the 21 rows, lowest score first.

    Examples
    --------
    >>> lowest = table()[0]
    >>> lowest.score, lowest.ways, str(lowest.exceed_1)
    ('31', 2, '17/18')
    """
    return tuple(
        Row(str(throw), throw.rank, throw.ways, exceed(throw, 1), exceed(throw, 2), exceed(throw, 3))
        for throw in RANKING
    )
