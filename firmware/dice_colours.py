"""Two dice told apart by their colours, where they can be: which one showed what. Pure.

Which die is which must not follow from what it shows, or fair dice would look loaded: light glides over the tray, a
polished top shines, a marbled die has another swirl on every face. So no die is judged by itself. Two dice that were
thrown together are held against the two colours that are known, and the better of the two ways to pair them is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import dist
from statistics import median
from typing import Final, TypeVar

T = TypeVar("T")
Rgb = tuple[float, float, float]
"""Red, green, blue, each 0 to 255."""

WARM_UP: Final = 12
"""So many pairs are looked at before their dice are told apart, or not."""

TELLS: Final = 40.0
"""How far apart two colours must be in CIE Lab: farther than the light of one tray changes most dice."""

STRANGE: Final = 40.0
"""A pair whose dice are farther than this from what they should be, on the average, may be other dice."""

OTHERS: Final = 3
"""After so many of those in a row the dice were swapped."""

NAMED: Final = {
    "white": "#f0f0ee",
    "ivory": "#e4d8be",
    "grey": "#7e7e80",
    "black": "#1e1c1c",
    "red": "#b41e20",
    "orange": "#e67818",
    "yellow": "#e8c024",
    "green": "#1e7a3c",
    "turquoise": "#2ca4a8",
    "blue": "#1c469e",
    "purple": "#5a2680",
    "pink": "#e26e96",
    "brown": "#603a22",
}
"""Words for colours, each with one that it is said of."""


class Apart:
    """Tells the two dice of every pair apart, from when their colours are known to be two.

    Examples
    --------
    >>> apart = Apart()
    >>> told = [list(apart.see((6, 2), ("#b41e20", "#f0f0ee"))) for _ in range(13)]
    >>> told[10], len(told[11]), told[12], apart.colours
    ([], 12, [(0, (6, 2))], ['#b41e20', '#f0f0ee'])
    """

    def __init__(self) -> None:
        self.colours: list[str] = []
        self._waiting: list[tuple[Sequence[int], Sequence[Rgb]]] = []
        self._known: tuple[Rgb, Rgb] | None = None
        self._first = 0
        self._strange = 0

    def see(self, faces: Sequence[int], colours: Sequence[str]) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield for each pair that is told apart now the number of its first die, and the two faces in order of dice.

        Nothing while the dice are not told apart; the pairs of the warm-up all at once.
        """
        if len(faces) != len(colours) or len(faces) != 2:
            return
        pair = [_rgb(colour) for colour in colours]
        if self._known is None:
            self._waiting.append((faces, pair))
            if len(self._waiting) == WARM_UP:
                yield from self._decide()
            return
        found = _paired(self._known, pair)
        self._strange = self._strange + 1 if found.off > STRANGE or not found.clear else 0
        if self._strange == OTHERS:
            self._known, self._waiting, self._strange = None, [], 0
        elif found.clear:
            yield self._first, _in_order(faces, found)

    def _decide(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Take the dice for two where two colours are far apart, and every pair of the warm-up is one of each."""
        waiting, self._waiting = self._waiting, []
        if any(_apart(*pair) < TELLS / 2 for _, pair in waiting):
            return
        known = waiting[0][1][0], waiting[0][1][1]
        ordered = [_in_order(pair, _paired(known, pair)) for _, pair in waiting]
        known = _middle([one for one, _ in ordered]), _middle([other for _, other in ordered])
        found = [_paired(known, pair) for _, pair in waiting]
        if (far := _apart(*known)) < TELLS or any(one.off > far / 2 or not one.clear for one in found):
            return
        self._known, self._first = known, len(self.colours)
        self.colours += map(_hex, known)
        for (faces, _), one in zip(waiting, found, strict=True):
            yield self._first, _in_order(faces, one)


def _apart(one: Rgb, other: Rgb) -> float:
    """Return how far two colours are apart in CIE Lab."""
    return dist(_lab(one), _lab(other))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two dice held against two known colours.

    *crossed* when the second is the first that is known; *off* is how far they are from what they should be, on the
    average, and *clear* whether the other way is much worse.
    """

    crossed: bool
    off: float
    clear: bool


def _paired(known: Sequence[Rgb], pair: Sequence[Rgb]) -> Pairing:
    straight = _apart(known[0], pair[0]) + _apart(known[1], pair[1])
    crossed = _apart(known[0], pair[1]) + _apart(known[1], pair[0])
    return Pairing(crossed < straight, min(crossed, straight) / 2, abs(crossed - straight) >= TELLS / 2)


def _in_order(pair: Sequence[T], found: Pairing) -> tuple[T, T]:
    return (pair[1], pair[0]) if found.crossed else (pair[0], pair[1])


def _middle(colours: Sequence[Rgb]) -> Rgb:
    red, green, blue = (median(values) for values in zip(*colours, strict=True))
    return red, green, blue


# --- colours, and words for them ---


def named(colours: Sequence[str]) -> tuple[str, ...]:
    """Return a word for each of *colours*, no two the same.

    Examples
    --------
    >>> named(("#b41e20", "#f0f0ee", "#a01818")), named(())
    (('red', 'white', 'red (#a01818)'), ())
    """
    words: list[str] = []
    for colour in colours:
        word = min(NAMED, key=lambda name: _unlike(NAMED[name], colour))
        words.append(f"{word} ({colour})" if word in words else word)
    return tuple(words)


def _unlike(one: str, other: str) -> float:
    """Return how unlike two colours are to somebody who names them: light and shade count for little."""
    (light, *hue), (other_light, *other_hue) = _lab(_rgb(one)), _lab(_rgb(other))
    return dist((light / 2, *hue), (other_light / 2, *other_hue))


def _rgb(colour: str) -> Rgb:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return red, green, blue


def _hex(colour: Rgb) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)


@lru_cache(maxsize=256)
def _lab(colour: Rgb) -> Rgb:
    """Return a colour of sRGB in CIE L*a*b*, D65 (IEC 61966-2-1, CIE 15).

    Examples
    --------
    >>> [round(value) for value in _lab((255, 0, 0))]
    [53, 80, 67]
    """
    red, green, blue = (_linear(part / 255) for part in colour)
    x = _root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


def _root(value: float) -> float:
    return float(value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116)
