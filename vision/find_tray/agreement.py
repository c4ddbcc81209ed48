"""Whether explanations of one picture, each as another lens would have shown it, agree on where the floor is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.find_tray.edges import refined, refinements
from vision.geometry import floor_rectangle, likeliest, viewpoints
from vision.lens import Lens, lens_from_edges, plain_lens
from vision.types import Doubles, Frame

Pixel = TypeVar("Pixel", np.uint8, np.float32)

MIN_SCORE = 14.0
"""How good an explanation must be. Of 295 trays that were drawn the right ones have 14.2 and more."""

RIM, LEAD = 0.3, 1.3
"""How clear its rim must be, and how far one of the lenses that have the floor there must prefer it to any other."""

SAME_PX = 8.0
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
    """

    corners: Doubles
    score: float
    rim: float
    lead: float

    def apart(self, other: Found) -> float:
        """Return by how many pixels the corners of *other* are elsewhere."""
        return float(np.abs(self.corners - other.corners).max())


def agreed(found: Sequence[Found]) -> list[Found]:
    """Return the best explanation and those of other lenses that have the floor there; none if it is not believed."""
    best = max(found, key=lambda one: one.score)
    same = [one for one in found if one.apart(best) < SAME_PX]
    leads = max(one.lead for one in same) >= LEAD
    return same if len(same) > 1 and leads and best.score >= MIN_SCORE and best.rim >= RIM else []


def enlarged(corners: Doubles, shrink: float) -> Doubles:
    """Return *corners* of a picture that was shrunk to the part *shrink*, in pixels of the whole one."""
    return (corners + 0.5) / shrink - 0.5


def settled(starts: Sequence[Doubles], picture: Frame, tray_mm: tuple[float, float]) -> Doubles | None:
    """Return the corners, (4, 2), at which the exact search ends from most of *starts*; None if it ends here and there.

    An end must be one that a camera above a floor of *tray_mm* can see: else a side has jumped to another edge.
    """
    known = [end for start in starts if (end := _exact(start, picture, tray_mm)) is not None]
    near = SAME_EDGE_PX * max(picture.shape[:2]) / 1280
    together = [[end for end in known if np.abs(end - one).max() < near] for one in known]
    most = max(together, key=len, default=[])
    return np.asarray(np.median(most, axis=0), np.float64) if len(most) > max(1, len(known) / 2) else None


def _exact(start: Doubles, picture: Frame, tray_mm: tuple[float, float]) -> Doubles | None:
    """Return the exact corners near *start* by the clearest edges that such a floor can have; None if none can be."""
    size = (picture.shape[1], picture.shape[0])
    a, b, c, d = ((float(x), float(y)) for x, y in start)
    lens = lens_from_edges(picture, (a, b, c, d))
    if lens is None:
        corners = refined(start, picture)
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


def flattened(picture: npt.NDArray[Pixel], lens: Lens) -> npt.NDArray[Pixel]:
    """Return *picture*, bent by *lens*, as it would be without it."""
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float64)
    x, y = np.moveaxis(lens.distort(np.stack([columns, rows], axis=2)).astype(np.float32), 2, 0)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, picture.dtype)
