"""Two dice read as Mexico reads them: higher die first, and which throw beats which."""

from dataclasses import dataclass
from functools import total_ordering
from itertools import combinations_with_replacement

FACES = (1, 2, 3, 4, 5, 6)


@total_ordering
@dataclass(frozen=True, slots=True)
class Throw:
    """Two faces, *high* then *low*; throws compare by what they are worth at the table.

    Examples
    --------
    >>> Throw.of(2, 5)
    Throw(high=5, low=2)
    >>> str(Throw.of(1, 2)), Throw.of(1, 2) > Throw.of(6, 6) > Throw.of(1, 1) > Throw.of(6, 5)
    ('21', True)
    """

    high: int
    low: int

    def __post_init__(self) -> None:
        if not (self.high in FACES and self.low in FACES and self.high >= self.low):
            raise ValueError(f"no throw of two dice: {self.high}, {self.low}; wanted two faces 1 to 6, higher first")

    @classmethod
    def of(cls, one: int, other: int) -> "Throw":
        """Return the throw of two dice lying in any order."""
        return cls(max(one, other), min(one, other))

    @property
    def is_mexico(self) -> bool:
        """Whether this is 21, the highest score of all."""
        return (self.high, self.low) == (2, 1)

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same face."""
        return self.high == self.low

    @property
    def rank(self) -> int:
        """Place among the 21 scores: 1 for 31, the lowest, to 21 for Mexico."""
        return RANKING.index(self) + 1

    @property
    def ways(self) -> int:
        """In how many of the 36 falls of two dice this score appears."""
        return 1 if self.is_double else 2

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Throw):
            return NotImplemented
        return _strength(self) < _strength(other)

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


def _strength(throw: Throw) -> tuple[bool, bool, int, int]:
    return throw.is_mexico, throw.is_double, throw.high, throw.low


RANKING: tuple[Throw, ...] = tuple(sorted(Throw.of(*pair) for pair in combinations_with_replacement(FACES, 2)))
"""The 21 scores, lowest first."""

LOWEST = RANKING[0]
MEXICO = RANKING[-1]
