"""Does a die lie where nothing, or little, is new? Told by its pips and the second opinion, whatever its colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.calibration import Calibration
from vision.cover import choose
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.tray.closeup import Closeup, lab_of
from vision.tray.flat import pips_of, propose_flat
from vision.tray.found import Found, Judged
from vision.tray.judging import asked_again, judged
from vision.tray.spots import Look
from vision.tray.tops import lies_in
from vision.types import Point
from vision.zone import Region

INSET_MM = 3.0
"""How far from the edges of the floor pips are looked for: corners are given by hand."""

POSSIBLE = 0.5
"""What the first network must give a die for the deep one to be asked."""

AGREED = 0.35
"""What each of both networks must give it, on average from all sides. Of 300 drawn empty trays and 27 photorealistic
ones, in the texture of which up to a hundred dice are proposed, none has more than 0.2; of 21 photorealistic dice,
cut out and put where colour and light do not tell them, 15."""


def die_that_lies_in(made: Calibration) -> Point | None:
    """Return where in the picture of the empty tray of *made* a die lies, in pixels; None if none is seen."""
    die = _die_in(_floor(made))
    if die is None:
        return None
    ((x, y),) = made.view_points_to_px(np.array([(die.fit.x, die.fit.y)]))
    return float(x), float(y)


def die_hidden_in(close: Closeup, region: Region) -> Point | None:
    """Return where in a closeup, of which little is new, a die of the felt's colour lies in *region*, in its pixels."""
    new, nothing = np.zeros((2, *close.body.shape), np.uint8)
    new[:] = 255
    die = _die_in(replace(close, changed=new, body=new, darker=nothing, delta=new))
    return (die.fit.x, die.fit.y) if die is not None and lies_in(die, close, region) else None


def _die_in(whole: Closeup) -> Judged | None:
    (pips,) = pips_of([whole], Look.QUICK)
    (proposed,) = judged([whole], propose_flat([(whole, pips)]))
    possible = [die for die in proposed if die.chance > POSSIBLE]
    (found,) = asked_again([Found(whole, pips, possible, choose(possible, None), ())])
    return next((die for die in found.chosen if die.least > AGREED), None)


def _floor(made: Calibration) -> Closeup:
    """Return all of the floor of *made* as if everything on it were new."""
    picture = made.straightened(made.empty)
    new, nothing = np.zeros((2, *picture.shape[:2]), np.uint8)
    edge = round((MARGIN_MM + INSET_MM) * PX_PER_MM)
    new[edge:-edge, edge:-edge] = 255
    return Closeup(0, 0, picture, lab_of(picture), new, new, nothing, new, made.die_mm * PX_PER_MM, np.eye(3))
