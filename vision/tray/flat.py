"""Propose the flat dice of a closeup: layouts at the calibrated scale over the pips, each with its body beneath."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, hypot, sin

from vision.bodies import Body
from vision.candidates import MIN_CONTRAST, MIN_EVENNESS, Candidate, weight_of
from vision.layouts import FAINT, PIP_PER_SIDE, FaceFit
from vision.pips import Pip, is_at
from vision.tray.closeup import Closeup
from vision.tray.laying import crowded, lay, surrounded
from vision.tray.sampling import look_under
from vision.tray.spots import Look, find_spots
from vision.tray.turning import turn_of

MIN_FLAT_ROUNDNESS = 0.55
"""Mean roundness of the pips of a top face in the plane of the tops. Half-shaded pips look flat too: leaning is told
by the silhouette, this only keeps the sides of dice out."""

LEAST_ROUND = 0.6
"""Roundness of the least round pip of a top in that of the roundest: a glint eats into one and not into the other."""

MIN_FILL = 0.45
"""Part of a top that must have one colour: a cut edge is in another light, marble has veins, a shining top mirrors."""

LARGEST_ONE = 0.4
"""Diameter in sides of the largest single pip: the red one of asian dice."""

MAX_STRANGER = 0.9
"""How full, on a one, a pip-sized window of pip colour may be where it has no pip: coins and caps look like ones. A
mirrored lamp fills some on any top, and several pips in the right places are no chance."""

CLEAR_EDGES = 1.5
"""Clearness, 0 to 1, of the four edges together: its pip alone says little of a one."""

BEYOND, WITHIN, ALONG = 0.62, 0.45, 0.25
"""Where, in sides from the middle of a one, the die beside it is and is not, if an edge lies between them; and how far
from the middle of that edge."""


def pips_of(parts: Sequence[Closeup], look: Look) -> list[tuple[Pip, ...]]:
    """Return what may be a pip on what is new in each of *parts*, closeups of one scale, in their pixels."""
    if not parts:
        return []
    low, high = PIP_PER_SIDE[0] * parts[0].side, LARGEST_ONE * parts[0].side
    found = find_spots([(part.picture, part.changed) for part in parts], (0.9 * low, high), look)
    return [tuple(pip for pip in own if is_at(part.changed, pip)) for part, own in zip(parts, found, strict=True)]


def propose_flat(parts: Sequence[tuple[Closeup, Sequence[Pip]]], faint: float = FAINT) -> list[list[Candidate]]:
    """Return every flat die that may lie in each of *parts*, closeups with their pips, over some of those.

    Pips that are seen at less than the part *faint* of the grey levels of a die's own may be left over on it.
    """
    fits = [[fit for fit in lay(pips, closeup.side, faint) if _is_flat(fit, pips)] for closeup, pips in parts]
    ones = [_upright_ones(closeup, pips) for closeup, pips in parts]
    tested = _tested(parts, [[*several, *single] for several, single in zip(fits, ones, strict=True)], edges=False)
    turned = [_turned(closeup, own) for (closeup, _), own in zip(parts, tested, strict=True)]
    return [
        [*(c for c in own if c.fit.face > 1), *_edged(single, own, pips)]
        for own, single, (_, pips) in zip(tested, _tested(parts, turned, edges=True), parts, strict=True)
    ]


def _turned(closeup: Closeup, tested: Sequence[Candidate]) -> list[FaceFit]:
    """Return the ones among *tested*, turned as their edges are, but for those on a face of more pips."""
    explained = {i for c in tested if c.fit.face > 3 for i in c.fit.pips}
    ones = [c.fit for c in tested if c.fit.face == 1 and not c.fit.pips & explained]
    return [replace(one, angle=turn_of(closeup.lab, one)) for one in ones]


def _is_flat(fit: FaceFit, pips: Sequence[Pip]) -> bool:
    roundness = [pips[i].roundness for i in fit.pips]
    return sum(roundness) / len(roundness) > MIN_FLAT_ROUNDNESS and min(roundness) > LEAST_ROUND * max(roundness)


def _upright_ones(closeup: Closeup, pips: Sequence[Pip]) -> list[FaceFit]:
    """Return a one over every pip that may be one, its turn not known yet."""
    low, high = PIP_PER_SIDE[0] * closeup.side, LARGEST_ONE * closeup.side
    return [
        FaceFit(1, pip.x, pip.y, 0.0, closeup.side, frozenset((i,)), 0.0)
        for i, pip in enumerate(pips)
        if pip.roundness > MIN_FLAT_ROUNDNESS and low < pip.diameter < high and not surrounded(pips, i, closeup.side)
    ]


def _edged(ones: Sequence[Candidate], others: Sequence[Candidate], pips: Sequence[Pip]) -> list[Candidate]:
    """Return those of *ones* of whose edges enough are clear, the more of them the more dice of *others* begin there.

    In a row of dice of one colour a one has dice to all sides, and no edge of it differs from what lies beyond.
    """
    alone = [c for c in ones if sum(c.body.outline) > CLEAR_EDGES]
    beside = [c.fit for c in (*alone, *others) if c in alone or c.fit.face > 1]
    return [c for c in ones if _clear_edges(c, beside) > CLEAR_EDGES and not crowded(pips, c.fit)]


def _clear_edges(one: Candidate, beside: Sequence[FaceFit]) -> float:
    """Return how clear the four edges of *one* are together: those are where one of *beside* begins."""
    near = [fit for fit in beside if 0.9 * fit.side < hypot(fit.x - one.fit.x, fit.y - one.fit.y) < 1.7 * fit.side]
    edges = zip(((-1, 0), (1, 0), (0, -1), (0, 1)), one.body.outline, strict=True)
    return sum(1.0 if any(_begins(fit, one.fit, way) for fit in near) else seen for way, seen in edges)


def _begins(other: FaceFit, fit: FaceFit, way: tuple[int, int]) -> bool:
    """Return whether the face *other* begins where *fit* ends that *way*, at the middle and at one end at least."""

    def has(out: float, along: float) -> bool:
        x, y = out * way[0] + along * way[1], out * way[1] + along * way[0]
        c, s = cos(fit.angle) * fit.side, sin(fit.angle) * fit.side
        return max(map(abs, other.on_face(fit.x + c * x - s * y, fit.y + s * x + c * y))) < 0.5

    return has(BEYOND, 0.0) and not has(WITHIN, 0.0) and (has(BEYOND, ALONG) or has(BEYOND, -ALONG))


def _tested(
    parts: Sequence[tuple[Closeup, Sequence[Pip]]], fits: Sequence[Sequence[FaceFit]], *, edges: bool
) -> list[list[Candidate]]:
    """Return those of the *fits* of each part beneath which a body lies, its *edges* looked at where they count."""
    bodies = [look_under(part.lab, own, pips, edges=edges) for (part, pips), own in zip(parts, fits, strict=True)]
    return [
        [Candidate(fit, body, weight_of(pips, fit)) for fit, body in zip(own, found, strict=True) if _is_die(fit, body)]
        for (_, pips), own, found in zip(parts, fits, bodies, strict=True)
    ]


def _is_die(fit: FaceFit, body: Body) -> bool:
    clear = body.evenness >= MIN_EVENNESS and body.fill >= MIN_FILL and body.contrast >= MIN_CONTRAST
    return clear and (fit.face > 1 or body.stranger <= MAX_STRANGER)
