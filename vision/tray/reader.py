"""Read a calibrated tray: bodies by difference to the empty tray, layouts at the known scale, all of it explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import cv2
import numpy as np

from vision.backdrop import backdrop_of
from vision.calibration import Calibration
from vision.candidates import Candidate
from vision.corners import camera_moved
from vision.geometry import MARGIN_MM, PX_PER_MM
from vision.glance import MOVED, Glance, glance, within
from vision.layouts import SHINING
from vision.pips import Pip
from vision.tray.at_once import LEAST_CHANCE, chosen_of, seen_at_once
from vision.tray.closeup import Closeup, closeups
from vision.tray.dice_in import die_hidden_in
from vision.tray.explain import SHADED, Weighed, objection, weighed
from vision.tray.faint import what_is_hardly_new
from vision.tray.flat import pips_of, propose_flat
from vision.tray.found import Found, Judged
from vision.tray.grain import what_hides_the_grain
from vision.tray.judging import asked_again, judged, laid_better
from vision.tray.middle import may_cover_its_middle
from vision.tray.naming import COVERED
from vision.tray.outlined import is_strange, lay_by_outline, lies_within, may_have_dark_pips, shows_else
from vision.tray.remainder import as_one, clear_dice, put_together, remainders
from vision.tray.spots import Look
from vision.tray.surest import lay_ones, lay_where_surest
from vision.tray.umbra import what_no_die_shades
from vision.types import Die, Fault, Frame, Point, TrayReading
from vision.zone import Part, Rectangle, Region

LARGEST_HEAP = 80.0
"""Area in top faces of what lies together, shadows included, above which it is no dice: thirty in a heap had 59, two
trays that had become dark 95 and 101. Its pips are not looked for: there are two thousand spots then."""

HIDDEN = Fault.EXTRA, "a die of the colour of the felt lies in the tray beside those that were read"
"""What is said of a die of which hardly anything is new, where no other lies."""

HIDES_FELT = Fault.OCCLUDED, "something lies in the tray that hides the felt"
"""What is said of what hardly differs from the felt, and is no shadow."""

Lay: TypeAlias = Callable[[Closeup, Sequence[Pip], Sequence[Candidate]], Sequence[tuple[Sequence[Pip], Candidate]]]
"""What lays dice in a closeup with its pips and the dice that were told, each with the pips that it refers to."""

LAYING: tuple[Lay, ...] = (lay_by_outline, lay_where_surest, lay_ones)
"""What lays dice that pips do not tell, the quickest first."""


def read_calibrated(
    frame: Frame,
    calibration: Calibration,
    dice: int | None,
    zone: Part | Rectangle | None = None,
    *,
    closely: bool = True,
    at_rest: bool = False,
) -> TrayReading:
    """Read *frame* of the tray that *calibration* knows.

    Parameters
    ----------
    frame : ndarray of uint8, shape (M, N, 3)
        Of the size of the calibration.
    calibration : Calibration
    dice : int or None
        How many dice must lie there; None: as many as there are.
    zone : Zone, Share, rectangle in mm, or None
        The part of the tray that is read; None reads all of it.
    closely, at_rest : bool
        As of `vision.read_tray`.
    """
    region = Region.of(zone, calibration.tray_mm)
    seen_as_whole = glance(frame, calibration)
    if not isinstance(seen_as_whole, Glance):
        return TrayReading.refused(*seen_as_whole)
    seen_as_whole = within(seen_as_whole, region, calibration)
    backdrop = backdrop_of(calibration)
    parts = [replace(part, lies_still=at_rest) for part in closeups(frame, calibration, backdrop, seen_as_whole)]
    if any(cv2.countNonZero(part.changed) > LARGEST_HEAP * part.side**2 for part in parts):
        return TrayReading.refused(*COVERED)
    found = _looked_at(parts, calibration, region, LAYING if closely else ())
    fault, note = objection(found, calibration, dice, region)
    if fault is not None and camera_moved(calibration, frame):
        return TrayReading.refused(*MOVED)
    dice_of = [(one.part, c) for one in found for c in one.part.chosen]
    seen = tuple(_in_tray(c.die(part.pips), part.closeup, calibration, seen_as_whole.shift) for part, c in dice_of)
    unclear = [(one.part.closeup, at) for one in found for at in one.to_lay_anew]
    if fault is None:
        missed = _overlooked(frame, [one.part for one in found], calibration, seen_as_whole, seen, region)
        if missed is None:
            return TrayReading.read(seen, note)
        fault, note, *unclear = missed
    return TrayReading.refused(fault, note, seen, _in_picture(unclear, calibration, seen_as_whole.shift))


def _overlooked(
    frame: Frame,
    parts: Sequence[Found],
    calibration: Calibration,
    seen: Glance,
    dice: Sequence[Die],
    region: Region,
) -> tuple[Fault, str, tuple[Closeup, Point]] | None:
    """Return what was taken for next to nothing in *frame*, or for a shadow, and where; asked before all is read."""
    backdrop = backdrop_of(calibration)
    for part in parts:
        if not part.chosen and (at := die_hidden_in(part.closeup, region)):
            return *HIDDEN, (part.closeup, at)
    for part in parts:
        close = part.closeup
        empty = close.part_of(backdrop.view)
        for told_by in (what_hides_the_grain, what_no_die_shades):
            if part.chosen and (at := told_by(part, empty, calibration.tray_mm, region)):
                return *SHADED, (close, at)
    hardly_new = what_is_hardly_new(frame, calibration, seen, dice, region)
    return (*HIDES_FELT, hardly_new) if hardly_new else None


def _looked_at(
    parts: Sequence[Closeup], calibration: Calibration, region: Region, laying: Sequence[Lay]
) -> list[Weighed]:
    """Return what lies in each of *parts*: each is looked at only as closely as it takes.

    What pips do not tell is left to *laying*, one after the other.
    """

    def closely(seen: Sequence[Weighed], look: Look) -> list[Weighed]:
        found = _explained_thoroughly([one.part.closeup for one in seen], look)
        plain = (weighed(part, calibration, region, strictly=False) for part in found)
        return [_mended(before, one, calibration, region) for before, one in zip(seen, plain, strict=True)]

    quick = seen_at_once(parts, calibration, region)
    unsettled = [one for one in quick if not one.settled]
    thorough = closely(unsettled, Look.THOROUGH)
    both = zip(unsettled, thorough, strict=True)
    looks = [(at_once, one) for at_once, one in both if not one.stands or one.specked]
    doubtful = [one for _, one in looks]
    last = [one if one.stands else _piece_by_piece(one, calibration, region) for one in closely(doubtful, Look.LAST)]
    for lay in laying:
        last = [
            one if one.stands else _laid_by(lay, one, before, calibration, region)
            for before, one in zip(looks, last, strict=True)
        ]
    return [
        *(one for one in quick if one.settled),
        *(one for one in thorough if one.stands and not one.specked),
        # Where no look makes dice of it, what is wrong is told by what was seen before everything that may be a pip.
        *(one if one.stands or before.stands else before for before, one in zip(doubtful, last, strict=True)),
    ]


def _explained_thoroughly(parts: Sequence[Closeup], look: Look) -> list[Found]:
    """Return the same at another *look*: the second opinion is asked on all that may lie there, before the choice."""
    pips = pips_of(parts, look)
    proposed = propose_flat(list(zip(parts, pips, strict=True)), SHINING)
    found = [
        chosen_of(Found(part, own_pips, (), (), ()), asked)
        for part, own_pips, asked in zip(parts, pips, judged(parts, proposed), strict=True)
    ]
    return asked_again(found)


def _mended(before: Weighed, one: Weighed, calibration: Calibration, region: Region) -> Weighed:
    """Return *one*, if need be with dice laid a little beside, or with those of *before* that it lost."""
    if one.stands:
        return one
    beside = _laid_beside(one, calibration, region)
    return beside if beside.stands else _not_forgetting(before, beside, calibration, region)


def _laid_beside(one: Weighed, calibration: Calibration, region: Region) -> Weighed:
    """Return *one* with dice in doubt a little beside where they were laid, if then nothing speaks against it.

    Not if one moves: that its pips are blurred is seen where they are.
    """
    if one.doubt[0] == Fault.MOVING:
        return one
    return _if_it_stands(laid_better(one.part, calibration.tray_mm), one, calibration, region)


def _not_forgetting(before: Weighed, one: Weighed, calibration: Calibration, region: Region) -> Weighed:
    """Return *one* with the dice of *before* that are lost in it and certain, if then nothing speaks against it.

    Where a top mirrors a lamp, a closer look sees spots on it that the one before did not, and no layout any more.
    """
    told = [c.fit for c in one.part.chosen]
    lost = [c for c in before.part.chosen if not any(lies_within(c.fit, other) for other in told)]
    (again,) = asked_again([replace(before.part, chosen=lost)])
    certain = [c for c in again.chosen if c.is_sure_of_all]
    if not certain:
        return one
    together = put_together(one.part, clear_dice(one.part), [replace(again, chosen=certain)])
    return _if_it_stands(together, one, calibration, region)


def _piece_by_piece(one: Weighed, calibration: Calibration, region: Region) -> Weighed:
    """Return *one* with what is not clear in it looked at by itself, if then nothing speaks against it."""
    clear = clear_dice(one.part)
    if not clear:
        return one
    pieces = _explained_thoroughly(remainders(one.part.closeup, clear), Look.LAST)
    return _if_it_stands(put_together(one.part, clear, pieces), one, calibration, region)


def _laid_by(
    lay: Lay, one: Weighed, before: tuple[Weighed, Weighed], calibration: Calibration, region: Region
) -> Weighed:
    """Return *one* with dice that *lay* puts where none is clear in it, if then nothing speaks against it.

    Nor may what was told by pips, then or at the looks *before*: that a die moves, that something may lie in the middle
    of one, or what *lay* makes of the dice that were told.
    """
    quick, thorough = before
    closely = thorough, one
    if any(seen.doubt[0] is Fault.MOVING for seen in closely):
        return one
    if any(may_cover_its_middle(seen.part, die) for seen in closely for die in seen.part.chosen):
        return one
    told = [die for seen in closely for die in seen.part.chosen]
    at_once = [die for die in quick.part.chosen if die.chance > LEAST_CHANCE]
    clear = clear_dice(one.part)
    pieces = remainders(one.part.closeup, clear)
    for parts in (pieces, as_one(one.part.closeup, clear, pieces)):
        if sure := _sure(lay, parts, told, at_once):
            laid = _if_it_stands(put_together(one.part, clear, sure), one, calibration, region)
            if laid.stands:
                return laid
    return one


def _sure(lay: Lay, parts: Sequence[Closeup], told: Sequence[Judged], at_once: Sequence[Judged]) -> list[Found]:
    """Return the dice that *lay* puts into *parts* and the networks are sure of, each with its pips.

    If not all are, pips may not have told another face there, be it *at_once*: a lamp in the middle of a two makes a
    three of it.
    """
    laid = [lay(part, pips, told) for part, pips in zip(parts, pips_of(parts, Look.LAST), strict=True)]
    asked = judged(parts, [[die for _, die in own] for own in laid])
    likely = [
        Found(part, pips, (), [die], ())
        for part, own, dice in zip(parts, laid, asked, strict=True)
        for (pips, _), die in zip(own, dice, strict=True)
        if die.chance == max(other.chance for other in dice if lies_within(other.fit, die.fit))
    ]
    others = [*told, *at_once]
    return [piece for piece in asked_again(likely) if _is_sure(piece, others, certainly=lay is lay_ones)]


def _is_sure(piece: Found, told: Sequence[Judged], *, certainly: bool) -> bool:
    """Return whether the networks are sure of the one die that was laid in *piece*, whatever else is seen on it.

    Of a one it counts what else is: it may be all that is clear of a three, the others half on the edge of a lamp.
    """
    (die,) = piece.chosen
    if may_have_dark_pips(piece.pips, die):
        return False
    if certainly or die.is_sure_of_all:
        return die.is_sure_of_all and not (die.fit.face == 1 and is_strange(die))
    otherwise = any(other.fit.face != die.fit.face and lies_within(other.fit, die.fit) for other in told)
    return die.is_unanimous and not otherwise and not shows_else(piece.pips, die)


def _in_picture(places: Sequence[tuple[Closeup, Point]], calibration: Calibration, shift: Point) -> tuple[Point, ...]:
    """Return *places* in closeups in pixels of the picture."""
    if not places:
        return ()
    in_view = np.array([(close.x + x, close.y + y) for close, (x, y) in places])
    return tuple((float(x), float(y)) for x, y in calibration.view_points_to_px(in_view) + np.array(shift))


def _in_tray(die: Die, closeup: Closeup, calibration: Calibration, shift: Point) -> Die:
    """Return *die*, found in *closeup*, in pixels of the picture and millimetres of the tray."""
    x, y = die.centre_px
    centre_mm = ((x + closeup.x) / PX_PER_MM - MARGIN_MM, (y + closeup.y) / PX_PER_MM - MARGIN_MM)
    in_closeup = np.array([die.centre_px, *die.corners_px, *die.pips_px])
    in_view = in_closeup + np.array([closeup.x, closeup.y])
    in_picture = calibration.view_points_to_px(in_view) + np.array(shift)
    centre, a, b, c, d, *pips = ((float(x), float(y)) for x, y in in_picture)
    return replace(die, centre_px=centre, centre_mm=centre_mm, corners_px=(a, b, c, d), pips_px=tuple(pips))


def _if_it_stands(other: Found, one: Weighed, calibration: Calibration, region: Region) -> Weighed:
    """Return *other*, weighed, if nothing speaks against it; else *one*."""
    again = weighed(other, calibration, region, strictly=False)
    return again if again.stands else one
