"""What lies under laid layouts: sampled at fixed places of the face, for all proposals of a closeup at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.bodies import Body
from vision.compiled.under import MOST_PIPS, colours_under
from vision.layouts import FaceFit
from vision.pips import Pip
from vision.types import Frame


def look_under(lab: Frame, fits: Sequence[FaceFit], pips: Sequence[Pip], *, edges: bool) -> list[Body]:
    """Look under the layouts of one closeup; at their *edges* only where asked to.

    Parameters
    ----------
    lab : ndarray of uint8, shape (M, N, 3)
        CIE Lab, smoothed by about a pixel.
    fits : sequence of FaceFit
        Each with its side, in pixels of *lab*.
    pips : sequence of Pip
        Those that the layouts lie over, in pixels of *lab*.
    edges : bool
        Whether to look at the edges; the outlines are all 0 where it was not asked for.

    Returns
    -------
    list of Body
        One for each layout, in their order.
    """
    if not fits:
        return []
    at = np.empty((len(fits), 6))
    own = np.zeros((len(fits), MOST_PIPS, 2))
    counts = np.empty(len(fits), np.int64)
    for k, fit in enumerate(fits):
        used = [pips[i] for i in fit.pips]
        sizes = sorted(pip.diameter for pip in used)
        diameter, sign = sizes[len(sizes) // 2] / fit.side, -1.0 if used[0].dark else 1.0
        at[k] = fit.x, fit.y, fit.angle, fit.side, diameter, sign
        own[k, : len(used)] = [fit.on_face(pip.x, pip.y) for pip in used]
        counts[k] = len(used)
    return [_body(*told) for told in colours_under(np.ascontiguousarray(lab), at, own, counts, edges).tolist()]


def _body(
    light: float,
    a: float,
    b: float,
    fill: float,
    left: float,
    right: float,
    top: float,
    bottom: float,
    contrast: float,
    evenness: float,
    stranger: float,
) -> Body:
    return Body((light, a, b), fill, (left, right, top, bottom), contrast, evenness, stranger)
