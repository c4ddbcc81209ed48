"""What speaks against a reading of the tray: everything new in it must be explained by whole, flat dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

import cv2

from vision.calibration import Calibration
from vision.candidates import Candidate
from vision.cover import rival
from vision.geometry import PX_PER_MM
from vision.tray.beneath import lies_alone, lies_on_something
from vision.tray.beside import (
    FAR_SHADOW,
    LONE_SHADOW,
    NO_DARK,
    SMALL_THING,
    WIDE_SHADOW,
    Dark,
    farthest,
    largest_apart,
    own,
    pips_in_shadow,
    pips_on_bodies,
    reaches_in,
    shows_a_pip,
    speck_area,
    unexplained,
    widest,
)
from vision.tray.found import Found, Judged
from vision.tray.leaning import CERTAIN, MIN_CHANCE, Objection, doubt
from vision.tray.naming import BIG_THING, NOT_FLAT, STRANGE, Thing, is_stack, moves, moving_below, name, sharpness
from vision.tray.propped import leans_unseen
from vision.tray.silhouette import silhouette
from vision.tray.tops import OUTSIDE_MM, PROP, beyond_floor, gap, lies_in, on_floor, room_beside, top_mm
from vision.types import Fault, Gray, Point, as_uint8
from vision.zone import Region

OVERLAP_MM = 1.6
"""By how much two top faces may seem to overlap: flat dice do not, measured on touching ones it is 0.9 at most."""

GROW_MM = 3.5
"""The outlines of dice are drawn this much larger to look for other things: edges are soft, and a bright die lights
the felt beside it."""

OFF_FLOOR_MM = 12.0
"""How far a corner of a top face lies beyond the floor, at least, if the die lies on the rim or the table: of 30 that
did it was 14 and more, of three that lay on another and leant on the rim 10 at most."""

SPECKS = 0.02
"""Area in top faces of what is new beside the dice and no shadow, however small its pieces, from which a quick look is
not enough: of a die that is like the felt nothing but its pips may be new, and red ones are not seen in grey."""

MAY_MOVE = (Fault.COCKED, Fault.STACKED, Fault.MISSING, Fault.UNSURE)
"""What a die that moves may look like."""

MOVED, MOVED_IF_SOFT, SOFT = 0.8, 0.4, 2.0
"""What the network that tells motion must give a thing for it to move, and what is enough of one that is less sharp
than so many times what is told to move by that alone. Of 240 drawn dice that lean or lie on others three had more than
the first; of 102 photorealistic throws with a die that moves 14 are named so by it that were not, and eight by the
second; none of 28 with one that leans."""

SHADED = Fault.OCCLUDED, "something flat and dark lies in the tray, or shades it"
"""What is said of what is as dark as a shadow, and no die throws."""

PROPPED_UP = Fault.STACKED, "something looks out from beneath a die"
"""What is said of a die that lies on one of which no face is seen."""

REACHES = Fault.OCCLUDED, "something reaches into the tray over the rim"
"""What is said of what comes from beyond the view and ends beside a die."""

NO_DIE = "no die lies in the tray"
"""What is said of a tray in which nothing but light and shade is new."""


@dataclass(frozen=True, eq=False)
class Weighed:
    """A closeup of which it is known what speaks against the dice that were chosen in it.

    Attributes
    ----------
    part
        The closeup and those of its dice that lie in the region that is read, or reach into it.
    things
        What lies there and no die explains.
    doubt
        What is wrong with the dice themselves.
    suspects
        The dice that it is said of, or one of them.
    on_floor
        How much of the floor is new in it, in top faces, shadows included.
    specks
        How much is beside its dice and no shadow, in top faces, small pieces included.
    apart
        The largest piece of what is new on the floor and touches none of its dice, in top faces, shadows included.
    widest
        The widest circle of what is new on the floor beside its dice and things, in sides, shadows included.
    reach
        How far what is new on the floor reaches from the nearest of its dice, in sides; 0 where little is, or no die.
    alone
        Whether no die lies in it, and something clear does that is too small for one.
    """

    part: Found
    things: Sequence[Thing]
    doubt: Objection
    suspects: Sequence[Candidate]
    on_floor: float
    specks: float
    apart: Dark
    widest: Dark
    reach: Dark
    alone: bool

    @property
    def stands(self) -> bool:
        """Whether dice explain all of it, and nothing speaks against them."""
        return bool(self.part.chosen) and not self.things and self.doubt[0] is None

    @property
    def specked(self) -> bool:
        """Whether so much is new beside its dice that pips may be seen there at a last look."""
        return self.specks > SPECKS

    @property
    def is_shaded(self) -> bool:
        """Whether more is new on the floor than its dice shade: something flat and dark, or the shadow of something."""
        return self._is_lone_shade or any(dark.size > most for dark, most in self._dark)

    @property
    def is_on_floor(self) -> bool:
        """Whether half of what is new in it is: of dice on the rim a seventh and a third was, of one that leans all."""
        new = cv2.countNonZero(self.part.closeup.changed)
        return 2 * self.on_floor * self.part.closeup.side**2 > new

    @property
    def is_wide(self) -> bool:
        """Whether something is new there that is as dark as a shadow and wider than that of a die."""
        return self.widest.size > WIDE_SHADOW

    @property
    def _is_lone_shade(self) -> bool:
        return not self.part.chosen and self.on_floor > LONE_SHADOW

    @property
    def _dark(self) -> tuple[tuple[Dark, float], ...]:
        return (self.apart, LONE_SHADOW), (self.widest, WIDE_SHADOW), (self.reach, FAR_SHADOW)

    @property
    def unclear(self) -> list[Point]:
        """Middles, in pixels of the closeup, of what does not lie there as a flat die does, and shows it itself."""
        doubtful = [] if self.doubt[0] is None else [c for c in self.part.chosen if _is_doubtful(self.part, c)]
        return [*(thing.middle for thing in self.things), *((c.fit.x, c.fit.y) for c in doubtful)]

    @property
    def to_lay_anew(self) -> list[Point]:
        """Middles, in pixels of the closeup, of all that somebody must put right before it is read."""
        shades = [dark.at for dark, most in self._dark if dark.at is not None and dark.size > most]
        if not shades and self._is_lone_shade and self.apart.at is not None:
            shades = [self.apart.at]
        return self.unclear or [(c.fit.x, c.fit.y) for c in self.suspects] or shades

    @property
    def settled(self) -> bool:
        """Whether dice lie clearly there, explain all of it, and nothing speaks against them; or no die can."""
        chosen = self.part.chosen
        if self.specked:
            return False
        if not chosen and self.on_floor < SMALL_THING:
            return True
        clear = bool(chosen) and all(c.chance > CERTAIN and c.is_clear for c in chosen)
        return clear and not self.things and self.doubt[0] is None


def weighed(part: Found, calibration: Calibration, region: Region, *, strictly: bool) -> Weighed:
    """Return *part* with what speaks against its dice, however little it is if *strictly*.

    Dice that lie outside of *region* explain what is seen of them, and do not count.
    """
    tray_mm = calibration.tray_mm
    counted = [c for c in part.chosen if lies_in(c, part.closeup, region)]
    changed = own(on_floor(part.closeup.changed, part, tray_mm), part, region)
    new = cv2.countNonZero(changed) / part.closeup.side**2
    drawn = silhouette(part.closeup, [c.fit for c in part.chosen], GROW_MM)
    beside = on_floor(cv2.bitwise_and(part.closeup.body, cv2.bitwise_not(drawn)), part, tray_mm)
    things = unexplained(part, beside, drawn, tray_mm, region)
    doubt, suspects = _doubt(part, counted, drawn, tray_mm, region, strictly=strictly)
    if doubt[0] is None and counted and (shaded := pips_in_shadow(part, drawn, tray_mm, region)):
        doubt = Fault.UNSURE, f"{shaded} pips belong to none of the dice"
    if doubt[0] is None:
        doubt, suspects = _propped(part, counted, tray_mm, strictly=strictly)
    if doubt[0] is None and counted and reaches_in(part, drawn, tray_mm, region):
        doubt = REACHES
    lit = speck_area(part, own(beside, part, region))
    apart = largest_apart(part, changed, drawn)
    told = as_uint8(cv2.bitwise_or(drawn, part.closeup.body)) if things else drawn
    wide = widest(changed, told, part.closeup.side)
    reach = farthest(changed, drawn, part.closeup.side) if part.chosen else NO_DARK
    alone = not part.chosen and lies_alone(part, tray_mm, region)
    return Weighed(replace(part, chosen=counted), things, doubt, suspects, new, lit, apart, wide, reach, alone)


_Suspicion: TypeAlias = tuple[Objection, Sequence[Candidate]]
"""What is wrong, and with which dice."""


def _propped(part: Found, counted: Sequence[Judged], tray_mm: tuple[float, float], *, strictly: bool) -> _Suspicion:
    """Return what is wrong with one of the *counted* dice that leans on something or lies on it."""
    for die in counted:
        room = room_beside(die, part, tray_mm)
        if room < PROP:
            fault, why = leans_unseen(part, die, room, strictly=strictly)
            if fault is not None:
                return (fault, why), [die]
    for die in counted:
        if lies_on_something(part, die, tray_mm):
            return PROPPED_UP, [die]
    return (None, ""), []


def _is_doubtful(part: Found, die: Judged) -> bool:
    return doubt(part, die, strictly=False)[0] is not None


def objection(seen: Sequence[Weighed], calibration: Calibration, dice: int | None, region: Region) -> Objection:
    """Return the fault that speaks against the chosen dice being all dice of the tray, and why; None if nothing does.

    Parameters
    ----------
    seen : sequence of Weighed
        Every closeup of the tray.
    calibration : Calibration
    dice : int or None
        How many dice must lie there.
    region : Region
        What of the tray is read.
    """
    fault, why = _objection(seen, calibration, dice, region)
    if fault in MAY_MOVE and _moves(seen):
        return Fault.MOVING, "a die is blurred"
    return fault, why


def _moves(seen: Sequence[Weighed]) -> bool:
    """Return whether one of the dice that do not lie clearly moves."""
    limit = SOFT * moving_below([one.part for one in seen])
    for one in seen:
        if one.part.closeup.lies_still:
            continue
        soft = {thing.middle for thing in one.things if sharpness(thing.picture, thing.where) < limit}
        if any(moves(one.part.closeup, at, MOVED_IF_SOFT if at in soft else MOVED) for at in one.unclear):
            return True
    return False


def _objection(seen: Sequence[Weighed], calibration: Calibration, dice: int | None, region: Region) -> Objection:
    parts = [one.part for one in seen]
    number = sum(len(part.chosen) for part in parts)
    misplaced = _misplaced(seen, calibration.tray_mm, region)
    if misplaced is not None:
        return misplaced
    sure = sum(c.chance >= MIN_CHANCE for part in parts for c in part.chosen)
    if dice is not None and sure > dice:
        return Fault.EXTRA, f"{sure} dice lie in the tray, {dice} are expected"
    beside = _beside(seen, dice, calibration.tray_mm)
    if beside is not None:
        return beside
    untold = _with_pips(seen, calibration.tray_mm, region)
    apart = _apart(seen, untold)
    if not number and apart is None:
        return Fault.MISSING, NO_DIE
    if dice is not None and number < dice:
        return _too_few(parts, untold, number, dice, calibration.tray_mm)
    if apart is not None:
        return apart
    if any(one.is_shaded for one in seen):
        return SHADED
    if dice is not None and number > dice:
        return Fault.EXTRA, f"{number} dice lie in the tray, {dice} are expected"
    doubts = [one.doubt for one in seen if one.doubt[0] is not None]
    return doubts[0] if doubts else (None, "")


def _too_few(
    parts: Sequence[Found], untold: Sequence[Weighed], number: int, dice: int, tray_mm: tuple[float, float]
) -> Objection:
    """Return why only *number* of *dice* were told: one lies on another, is *untold*, or is not there."""
    if is_stack(parts, tray_mm):
        return Fault.STACKED, f"{number} of {dice} dice lie in the tray, and more than one die fills its place"
    if number + sum(one.is_on_floor for one in untold) >= dice:
        return NOT_FLAT
    return Fault.MISSING, f"{number} of {dice} dice lie in the tray"


def _beside(seen: Sequence[Weighed], dice: int | None, tray_mm: tuple[float, float]) -> Objection | None:
    """Return what lies there and no die explains, by its name; None if there is nothing of the kind."""
    if any(one.is_wide for one in seen):
        return SHADED
    things = [thing for one in seen for thing in one.things]
    return name(things, [one.part for one in seen], dice, tray_mm) if things else None


def _apart(seen: Sequence[Weighed], untold: Sequence[Weighed]) -> Objection | None:
    """Return what is seen where no die lies, too small for one, or *untold*; None if nothing is."""
    if untold:
        told = sum(len(one.part.chosen) for one in seen)
        return Fault.EXTRA, f"{told} dice were read, and a pip is seen where none of them lies"
    return STRANGE if any(one.alone for one in seen) else None


def _with_pips(seen: Sequence[Weighed], tray_mm: tuple[float, float], region: Region) -> list[Weighed]:
    """Return those of *seen* in which no die was told, and a pip is seen on the floor."""
    return [one for one in seen if not one.part.chosen and shows_a_pip(one.part, tray_mm, region)]


def _misplaced(seen: Sequence[Weighed], tray_mm: tuple[float, float], region: Region) -> Objection | None:
    """Return what lies beyond the floor or across the border of what is read; None if nothing does."""
    dice = [(c, one.part) for one in seen for c in one.part.chosen]
    beyond = max((beyond_floor(c, part, tray_mm) for c, part in dice), default=0.0)
    if beyond > OFF_FLOOR_MM:
        return Fault.OUTSIDE, "a die does not lie wholly on the floor of the tray"
    if beyond > OUTSIDE_MM:
        return Fault.COCKED, "a die leans: its top reaches over the rim"
    across = any(region.beyond_mm(top_mm(c, part.closeup)) > OUTSIDE_MM for c, part in dice)
    if across or any(thing.across and thing.area <= BIG_THING for one in seen for thing in one.things):
        return Fault.OUTSIDE, "something lies across the border of the zone that is read"
    return None


def _doubt(
    part: Found,
    counted: Sequence[Judged],
    drawn: Gray,
    tray_mm: tuple[float, float],
    region: Region,
    *,
    strictly: bool,
) -> _Suspicion:
    """Return what is wrong with the *counted* dice of one closeup, all *drawn*, when they are as many as expected."""
    for c in counted:
        fault, why = doubt(part, c, strictly=strictly)
        if fault is not None:
            return (fault, why), [c]
    pairs = ((a, b) for a, b in combinations(part.chosen, 2) if a in counted or b in counted)
    for pair in pairs:
        if gap(*pair, part.closeup.side) < -OVERLAP_MM * PX_PER_MM:
            return (Fault.STACKED, "two dice lie closer than flat dice can"), pair
    if over := pips_on_bodies(part, drawn, tray_mm, region):
        return (Fault.UNSURE, f"{over} pips belong to none of the dice"), []
    other = rival(counted, part.candidates)
    if other is not None:
        return (Fault.UNSURE, f"one of the dice could be a {other.fit.face} as well"), [other]
    return (None, ""), []
