"""Dice as shops sell them, by chance: bodies, pips, edges, layouts."""

from __future__ import annotations

import colorsys
import random
from dataclasses import replace
from enum import StrEnum

from vision.render.pose import Colour, Layout, RenderedDie

BODIES: dict[str, Colour] = {
    "white": (238, 240, 240),
    "ivory": (190, 216, 228),
    "red": (32, 26, 176),
    "green": (62, 118, 24),
    "blue": (158, 66, 22),
    "black": (30, 28, 28),
    "yellow": (36, 190, 234),
    "orange": (24, 118, 234),
    "purple": (124, 34, 82),
    "pink": (150, 110, 226),
    "turquoise": (168, 164, 44),
    "brown": (34, 58, 96),
    "grey": (128, 124, 122),
    "silver": (182, 180, 178),
}
"""Opaque bodies by name."""

CLEAR: dict[str, Colour] = {
    "clear red": (30, 22, 196),
    "clear green": (56, 136, 20),
    "clear blue": (186, 72, 20),
    "clear amber": (16, 132, 230),
    "clear smoke": (74, 68, 66),
    "clear purple": (150, 38, 104),
    "glass": (226, 228, 222),
}
"""Translucent bodies by name."""

_DARK: tuple[Colour, ...] = (*[(22, 20, 20)] * 6, (120, 50, 20), (26, 24, 150))
_LIGHT: tuple[Colour, ...] = (*[(238, 240, 240)] * 6, (70, 178, 214), (200, 226, 238))
_LEAST_CONTRAST = 70.0


class Body(StrEnum):
    """What a die is made of."""

    OPAQUE = "opaque"
    MARBLE = "marble"
    CLEAR = "clear"


def design(
    rng: random.Random, size_mm: float, body: Body = Body.OPAQUE, *, like_bgr: Colour | None = None
) -> RenderedDie:
    """Return a die of side *size_mm*, to a percent, at the origin, showing a one, as some shop sells it.

    Parameters
    ----------
    rng
        Source of chance.
    size_mm
        Its side.
    body
        What it is made of.
    like_bgr
        A colour that its body is to come near to; left out, any.

    Examples
    --------
    >>> import random
    >>> die = design(random.Random(1), 16, Body.CLEAR)
    >>> round(die.size_mm), die.clear > 0.5, die == design(random.Random(1), 16, Body.CLEAR)
    (16, True, True)
    """
    asian = body is Body.OPAQUE and rng.random() < 0.12
    colours = CLEAR if body is Body.CLEAR else BODIES
    body_bgr = _near(rng, colours[rng.choice(["white", "ivory"] if asian else sorted(colours))])
    if not asian and body is Body.OPAQUE and rng.random() < 0.12:
        body_bgr = _any_colour(rng)
    if like_bgr is not None:
        body_bgr = _near(rng, like_bgr)
    die = RenderedDie(
        0.0,
        0.0,
        0.0,
        1,
        size_mm * rng.uniform(0.99, 1.01),
        body_bgr,
        _pips_on(rng, body_bgr, dark=False if body is Body.CLEAR and rng.random() < 0.9 else None),
        layout=_layout(rng, asian=asian),
        gloss=10 ** rng.uniform(1.6, 4.3),
        pip_gloss=10 ** rng.uniform(1.3, 3.6),
        pip_depth=rng.choice((0.0, 0.3, rng.uniform(0.6, 1.15), rng.uniform(0.6, 1.15))),
        grain=rng.randrange(1 << 30),
        sloppy=rng.choice((0.0, 0.0, 0.006, 0.014)),
    )
    die = _cut(rng, die)
    if body is Body.CLEAR:
        return replace(die, clear=rng.uniform(0.6, 0.97), gloss=10 ** rng.uniform(3, 4.3))
    if body is Body.MARBLE:
        lighter = _near(rng, rng.choice([BODIES["white"], BODIES["silver"], (200, 190, 180)]))
        light_pips = _brightness(die.pip_bgr) > 130
        return replace(die, vein_bgr=_mixed(die.body_bgr, lighter, 0.35 if light_pips else 0.8))
    return die


def _cut(rng: random.Random, die: RenderedDie) -> RenderedDie:
    """Return *die* with one of the edges that dice have: sharp, rounded, turned down to a ball, or cut."""
    match rng.randrange(5):
        case 0:
            return replace(die, edge=rng.uniform(0.015, 0.04))
        case 1:
            return replace(die, edge=rng.uniform(0.06, 0.14))
        case 2:
            return replace(die, edge=rng.uniform(0.05, 0.12), ball=rng.uniform(1.42, 1.52))
        case 3:
            return replace(die, edge=rng.uniform(0.03, 0.06), bevel=rng.uniform(0.05, 0.11), corner=rng.uniform(0, 0.1))
        case _:
            return replace(
                die, edge=rng.uniform(0.03, 0.08), bevel=rng.uniform(0.03, 0.16), corner=rng.uniform(0.05, 0.28)
            )


def _layout(rng: random.Random, *, asian: bool) -> Layout:
    """Return where a maker puts the pips: no two agree."""
    pip = rng.uniform(0.078, 0.112)
    spread = rng.uniform(0.215, 0.285)
    along = spread + rng.uniform(-0.02, 0.015)
    across = along * rng.choice((1.0, rng.uniform(0.72, 0.95), rng.uniform(0.88, 1.0)))
    along = max(along, 2.25 * pip)
    if not asian:
        one = pip if rng.random() < 0.85 else pip * rng.uniform(1.1, 1.5)
        return Layout(spread, (along, across), pip, one, clockwise=rng.random() < 0.15)
    pip = min(pip, 0.09)
    red = (1, 4) if rng.random() < 0.5 else (1,)
    return Layout(
        spread * 0.92, (max(along * 0.92, 2.25 * pip), across * 0.85), pip, rng.uniform(0.13, 0.19), red, True
    )


def _pips_on(rng: random.Random, body_bgr: Colour, *, dark: bool | None) -> Colour:
    """Return a colour of pips that a person can tell from *body_bgr*."""
    if dark is None:
        dark = _brightness(body_bgr) > rng.uniform(90, 150)
    for _ in range(20):
        pip = rng.choice(_DARK if dark else _LIGHT)
        if abs(_brightness(pip) - _brightness(body_bgr)) > _LEAST_CONTRAST:
            return _near(rng, pip)
    return (20, 18, 18) if _brightness(body_bgr) > 120 else (240, 240, 240)


def _near(rng: random.Random, bgr: Colour) -> Colour:
    """Return a colour like *bgr* from another batch."""
    share = rng.uniform(0.86, 1.06)
    blue, green, red = (round(min(252, max(8, part * share + rng.uniform(-8, 8)))) for part in bgr)
    return blue, green, red


def _any_colour(rng: random.Random) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.2, 0.95), rng.uniform(0.15, 0.95))
    return round(255 * blue), round(255 * green), round(255 * red)


def _mixed(one: Colour, two: Colour, share: float) -> Colour:
    blue, green, red = (round(a + share * (b - a)) for a, b in zip(one, two, strict=True))
    return blue, green, red


def _brightness(bgr: Colour) -> float:
    return 0.114 * bgr[0] + 0.587 * bgr[1] + 0.299 * bgr[2]
