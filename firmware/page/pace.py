"""How fast hands may be: what comes faster than hands can is not passed on. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Pace:
    """A bucket that fills with time, and from which everything that is done takes some.

    Attributes
    ----------
    per_s
        So much comes back in a second.
    most
        So much can be done at once.

    Examples
    --------
    >>> pace = Pace(per_s=2.0, most=3.0)
    >>> [pace.take(1.0, 10.0) for _ in range(4)], pace.take(1.0, 10.5)
    ([True, True, True, False], True)
    """

    per_s: float
    most: float
    _left: float = field(init=False)
    _at_s: float = 0.0

    def __post_init__(self) -> None:
        self._left = self.most

    def take(self, cost: float, now_s: float) -> bool:
        """Return whether something that costs so much may be done now; what may not costs nothing."""
        self._left = min(self.most, self._left + max(0.0, now_s - self._at_s) * self.per_s)
        self._at_s = now_s
        if self._left < cost:
            return False
        self._left -= cost
        return True
