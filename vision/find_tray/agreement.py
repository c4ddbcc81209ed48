"""Whether explanations of one picture, each as another lens would have shown it, agree on where the floor is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.find_tray.edges import refined, refinements
from vision.geometry import floor_rectangle, likeliest, viewpoints
from vision.lens import Lens, lens_from_edges, plain_lens
from vision.types import Doubles, Frame, as_uint8

MIN_SCORE = 5.0
"""How good an explanation must be."""

ALONE_RIM, ALONE_LEAD = 0.75, 1.3
"""How clear the rim must be, and how far the explanation must lead over any other of its lens, to be believed alone."""

RIM, LEAD = 0.75, 1.0
"""The same where another lens has the floor in the same place."""

BEST_SCORE, BEST_LEAD, BEST_FRIENDS = 12.0, 0.3, 2
"""A score so high, which no wrong explanation came near, needs less of a lead, and two other lenses that agree."""

SAME_PX = 7.0
"""By how many pixels of a picture 640 wide the corners of the same floor may differ between lenses."""


SAME_EDGE_PX = 5.0
"""By how many pixels of a picture 1280 wide the exact search may end elsewhere from another start: between two edges
side by side, the floor's and that of a shadow, it is not decided."""


MISFIT_PX = 1.2
"""Root mean square distance, in pixels of a picture 1280 wide, of corners from those that a camera above such a floor
sees. Of 28 rendered tables the right ones (off by 3.3 at most) had 0.8 at most, the others (from 4.6) 1.4 and more, but
for one."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The best explanation of a picture for one lens.

    Attributes
    ----------
    corners
        Of the floor in pixels of the bent picture: float64, shape (4, 2).
    score
        How well it explains the picture.
    rim
        How clear the rim is on the side that shows it worst but one, and its felt's end, 0 to 1.
    lead
        By how much the next best, elsewhere, is worse.
    shade
        Whether two sides that meet may be edges of shadows.
    """

    corners: Doubles
    score: float
    rim: float
    lead: float
    shade: bool

    def is_sure(self) -> bool:
        """Return whether it may be believed alone."""
        return self.score >= MIN_SCORE and self.rim >= ALONE_RIM and self.lead >= ALONE_LEAD and not self.shade

    def apart(self, other: Found) -> float:
        """Return by how many pixels the corners of *other* are elsewhere."""
        return float(np.abs(self.corners - other.corners).max())


def agreed(found: Sequence[Found]) -> Found | None:
    """Return the explanation to be believed, None where there is none.

    One that another lens confirms, or that is very good and two others confirm; never one that another lens explains
    better elsewhere, and never one whose sides may be shadows.
    """
    if len(found) == 1:
        return found[0] if found[0].is_sure() else None
    best = max(found, key=lambda one: one.score)
    believed = [one for one in found if _is_believed(one, found) and one.apart(best) < SAME_PX * 1.15]
    return max(believed, key=lambda one: one.score, default=None)


def _is_believed(one: Found, found: Sequence[Found]) -> bool:
    if one.score < MIN_SCORE or one.rim < RIM or one.shade:
        return False
    friends = sum(one.apart(other) < SAME_PX and not other.shade for other in found) - 1
    good = one.score >= BEST_SCORE and one.lead >= BEST_LEAD and friends >= BEST_FRIENDS
    return good or (one.lead >= LEAD and friends >= 1)


def middle_of_friends(one: Found, found: Sequence[Found]) -> Doubles:
    """Return the median of the corners of all that have the floor where *one* has it, shape (4, 2)."""
    return np.asarray(np.median([other.corners for other in found if one.apart(other) < 1.5 * SAME_PX], axis=0))


def enlarged(corners: Doubles, shrink: float) -> Doubles:
    """Return *corners* of a picture that was shrunk to the part *shrink*, in pixels of the whole one."""
    return (corners + 0.5) / shrink - 0.5


def settled(starts: Sequence[Doubles], picture: Frame, tray_mm: tuple[float, float]) -> Doubles | None:
    """Return the corners, (4, 2), at which the exact search ends from all *starts*; None if it ends here and there.

    An end must be one that a camera above a floor of *tray_mm* can see: else a side has jumped to another edge.
    """
    ends = [_exact(start, picture, tray_mm) for start in starts]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return None
    middle = np.asarray(np.median(known, axis=0), np.float64)
    apart = float(np.abs(np.stack(known) - middle).max()) * 1280 / max(picture.shape[:2])
    return middle if apart < SAME_EDGE_PX else None


def _exact(start: Doubles, picture: Frame, tray_mm: tuple[float, float]) -> Doubles | None:
    """Return the exact corners near *start* by the clearest edges that such a floor can have; None if none can be."""
    size = (picture.shape[1], picture.shape[0])
    a, b, c, d = ((float(x), float(y)) for x, y in start)
    lens = lens_from_edges(picture, (a, b, c, d))
    if lens is None:
        corners = refined(start, picture, None)
        if _misfit(corners, tray_mm, size) < MISFIT_PX:
            return corners
    straight = plain_lens(size, 0.0) if lens is None else lens
    for corners in refinements(start, picture, straight):
        if _misfit(straight.undistort(corners), tray_mm, size) < MISFIT_PX:
            return corners
    return None


def _misfit(flat: Doubles, tray_mm: tuple[float, float], size: tuple[int, int]) -> float:
    """Return how far, in pixels of a picture 1280 wide, *flat* corners are from those that a camera can see."""
    apart = likeliest(viewpoints(flat, tray_mm, size)).project(floor_rectangle(tray_mm)) - flat
    return float(np.sqrt((apart**2).sum(axis=1).mean())) * 1280 / max(size)


def flattened(picture: Frame, lens: Lens) -> Frame:
    """Return *picture*, bent by *lens*, as it would be without it."""
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float64)
    x, y = np.moveaxis(lens.distort(np.stack([columns, rows], axis=2)).astype(np.float32), 2, 0)
    return as_uint8(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
