"""Whether the very dice in play are fair: a test that may be looked at after every throw. Pure.

Every face that falls multiplies the evidence against the dice by how much likelier loaded dice show it than fair ones.
How they would be loaded nobody knows, so the evidence is the mean over many ways, each learning as it goes: all six
faces at liberty (Dirichlet-multinomial mixtures), or one face favoured or shunned and the others alike
(beta-binomial ones).

While the dice are fair the evidence is a **test martingale**: it begins at 1, no throw is expected to raise it, and by
Ville's inequality the chance that it *ever* reaches 1/a is at most a, however often somebody looks and whenever he
stops. (J. Ville, *Étude critique de la notion de collectif*, 1939; G. Shafer, A. Shen, N. Vereshchagin, V. Vovk, "Test
martingales, Bayes factors and p-values", *Statistical Science* 26, 2011.) What players do with what has fallen, such as
to stop or to roll again, changes nothing in that. What was measured of it: docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from firmware import undo
from firmware.dice_colours import Apart, named
from firmware.journal import SeenDice
from mexico.throw import FACES

ALPHA: Final = 0.001
"""The chance of ever raising an alarm over fair dice, all tests of one evening together."""

IN_THE_OPEN: Final = ("die", "roll")
"""Events whose dice fell before all eyes, and were read whatever they showed.

Dice that lay under a cup are not among them: whether they are ever read was decided by somebody who knew them.
"""

POOL: Final = "all dice"
FIRM: Final = 8.0
"""How firmly a mixture holds, at first, that a face falls one time in six: as if it had been seen so often."""

_MOST_LOG: Final = 690.0
"""More evidence than e to the power of this is told as this: no float and no JSON holds much more."""


@dataclass(frozen=True, slots=True)
class Fall:
    """Dice that were thrown together: what each showed, and of what colour it was; no colours where none were seen.

    *at_s* is when the throw was stored, in seconds since 1970; 0 where nobody knows.
    """

    faces: tuple[int, ...]
    colours: tuple[str, ...] = ()
    at_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What was seen of the same dice.

    Attributes
    ----------
    name, colour
        ``"all dice"``, or which die by its colour in a word; its colour as ``#rrggbb``, None of all dice.
    counts
        How often each face fell, from one to six.
    evidence
        How many times likelier what fell is with loaded dice than with fair ones, now.
    peak
        The most that it ever was.
    needed
        What it must reach for an alarm.
    alarm_after
        After how many throws it first did; None where it never did.
    """

    name: str
    colour: str | None
    counts: tuple[int, ...]
    evidence: float
    peak: float
    needed: float
    alarm_after: int | None

    @property
    def odd_face(self) -> int:
        """Return the face that is farthest from one time in six."""
        fair = sum(self.counts) / len(FACES)
        return max(FACES, key=lambda face: abs(self.counts[face - 1] - fair))


@dataclass(frozen=True, slots=True)
class Fairness:
    """What is to be said of the dice after so many *throws*; *alpha* is the false-alarm rate of *found* together."""

    alpha: float
    throws: int
    found: tuple[Finding, ...]
    advice: str

    @property
    def alarm(self) -> bool:
        """Whether the dice should be swapped."""
        return any(finding.alarm_after is not None for finding in self.found)


class Evidence:
    """The evidence against dice that are taken for one and the same.

    Examples
    --------
    >>> evidence = Evidence()
    >>> for _ in range(12):
    ...     evidence.see((6, 6))
    >>> evidence.counts[5], evidence.now > 1e6, Evidence().now
    (24, True, 1.0)
    """

    def __init__(self) -> None:
        self.counts = [0] * len(FACES)
        self.now = self.peak = 1.0
        self._free = 0.0
        self._one_face = [0.0] * len(FACES)

    def see(self, faces: Iterable[int]) -> None:
        """Count what fell in one throw; only then may be looked: in what order its dice are told means nothing."""
        for face in faces:
            self._see(face)
        self.now = (_grown(self._free) + sum(map(_grown, self._one_face)) / len(FACES)) / 2
        self.peak = max(self.peak, self.now)

    def _see(self, face: int) -> None:
        """Multiply every mixture by what it held the next face for, against one in six."""
        sides, counts = len(FACES), self.counts
        whole = sides * FIRM + sum(counts)
        held = FIRM + counts[face - 1]
        self._free += log(sides * held / whole)
        for other, count in enumerate(counts, 1):
            likely = held if other == face else (whole - FIRM - count) / (sides - 1)
            self._one_face[other - 1] += log(sides * likely / whole)
        counts[face - 1] += 1


def _grown(logged: float) -> float:
    return exp(min(logged, _MOST_LOG))


class Watch:
    """Looks at dice throw by throw: all of them together, and one by one where their colours tell them apart.

    Half of the false-alarm rate goes to all dice together, a quarter to the first die that is told apart, an eighth to
    the second, and so on: together they never come to more than *alpha*.
    """

    def __init__(self, alpha: float = ALPHA) -> None:
        self._alpha = alpha
        self._throws = 0
        self._pool = Evidence()
        self._apart = Apart()
        self._dice: list[Evidence] = []
        self._after: dict[int, int] = {}

    def see(self, fall: Fall) -> None:
        """Count *fall*."""
        self._throws += 1
        self._pool.see(fall.faces)
        for first, faces in self._apart.see(fall.faces, fall.colours):
            while len(self._dice) < first + len(faces):
                self._dice.append(Evidence())
            for die, face in enumerate(faces, first):
                self._dice[die].see((face,))
        for place, evidence in enumerate((self._pool, *self._dice)):
            if evidence.peak >= self._needed(place):
                self._after.setdefault(place, self._throws)

    @property
    def alarm(self) -> bool:
        """Whether there ever was reason to swap the dice."""
        return bool(self._after)

    def _needed(self, place: int) -> float:
        """Return what the evidence must reach: of all dice (0), of the first die that is told apart (1), and so on."""
        return 2.0 ** (place + 1) / self._alpha

    def report(self) -> Fairness:
        """Return what is to be said now."""
        colours = self._apart.colours[: len(self._dice)]
        names = (POOL, *(f"the {name} die" for name in named(colours)))
        found = tuple(
            Finding(
                name,
                colour,
                tuple(evidence.counts),
                evidence.now,
                evidence.peak,
                self._needed(place),
                self._after.get(place),
            )
            for place, (name, colour, evidence) in enumerate(
                zip(names, (None, *colours), (self._pool, *self._dice), strict=True)
            )
        )
        return Fairness(self._alpha, self._throws, found, _advice(found, self._throws, self._alpha))


def fairness(falls: Iterable[Fall], alpha: float = ALPHA) -> Fairness:
    """Return what is to be said of dice that fell so.

    Examples
    --------
    >>> fairness([Fall((6, 6))] * 20).advice[:41]
    'swap the dice: they showed six 40 times o'
    >>> fairness([]).advice
    'no dice were thrown in the open'
    """
    watch = Watch(alpha)
    for fall in falls:
        watch.see(fall)
    return watch.report()


def falls_of(
    events: Sequence[Mapping[str, object]],
    dice: Mapping[int, SeenDice] | None = None,
    times: Sequence[float] = (),
) -> tuple[Fall, ...]:
    """Return the throws of a stored game that say something about its dice.

    Parameters
    ----------
    events
        All rows of the journal in order, those that were taken back included.
    dice
        The dice as they were read, by number of the event; left out, of no throw.
    times
        When each event was stored, in seconds since 1970; left out, nobody knows.

    Notes
    -----
    Counted are single dice and pairs that were thrown into the open tray and read, also where the throw was **taken
    back** later: the dice fell so, and what players take back are the throws they do not like. Not counted are readings
    that were **read again**, of which only the second counts, and dice **found** after a power cut, which count only
    when players say so. Refused throws show nothing.
    """
    seen = dice or {}
    doubted = {event.get("event") for event in events if _doubts(event)}
    falls = []
    for number, event in enumerate(events, 1):
        if event.get("type") in IN_THE_OPEN and number not in doubted:
            faces = tuple(sorted(undo.faces_of(event), reverse=True))
            read = seen.get(number, ())
            known = tuple(face for face, _ in read) == faces
            at_s = times[number - 1] if times else 0.0
            falls.append(Fall(faces, tuple(colour for _, colour in read) if known else (), at_s))
    return tuple(falls)


def _doubts(event: Mapping[str, object]) -> bool:
    kind, why = event.get("type"), None if event.get("by") == [undo.PANEL] else event.get("why")
    return (kind == undo.VOID and why == undo.ANEW) or (kind == undo.READ_AGAIN and why == undo.FOUND)


_FACES_SAID: Final = ("one", "two", "three", "four", "five", "six")


def _advice(found: Sequence[Finding], throws: int, alpha: float) -> str:
    """Return in words what to do with the dice, and why."""
    alarmed = [finding for finding in found if finding.alarm_after is not None]
    if not throws:
        return "no dice were thrown in the open"
    if not alarmed:
        return f"nothing speaks against the dice in {throws} throw{'s' * (throws != 1)}"
    worst = max(alarmed, key=lambda finding: (finding.colour is not None, finding.peak / finding.needed))
    face = worst.odd_face
    count, total = worst.counts[face - 1], sum(worst.counts)
    whose, they = ("the dice", "they") if worst.colour is None else (worst.name, "it")
    only = "only " * (count * len(FACES) < total)
    return (
        f"swap {whose}: {they} showed {_FACES_SAID[face - 1]} {only}{count} times of {total}, fair would be some "
        f"{round(total / len(FACES))}; fair dice come to this in at most one evening of {round(1 / alpha)}"
    )
