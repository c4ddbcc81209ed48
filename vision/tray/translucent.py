"""What a clear die shows of its bottom: pips that may be taken for those of its top."""

from __future__ import annotations

from statistics import median

from vision.tray.closeup import Closeup
from vision.tray.found import PALE, Found, Judged
from vision.tray.silhouette import foot_beside

FAINT_CONTRAST = 30.0
"""Lab units by which the pips of a top must differ from it to be believed to lie on it, and not at the bottom."""

MIDDLE = (3, 5)
"""Faces that one pip in the middle makes of another, whatever the networks say: the three at the bottom of clear fours
made fives of them, to which they gave 0.979 and, all three, 0.986 and more."""

BOTTOM_BESIDE = 0.1
"""Sides beside its top at which the foot of a die is seen, below which pips of the bottom of a clear one may lie where
those of the top would: they are seen as far beside as the foot is, less what the body refracts, a third of it. Four
clear dice that looked like another face by them were within 0.023 to 0.064. Of 3,000 throws with clear dice, read
without this rule, one was read wrongly, as a six; 23 with such a three or five were read, and right."""

CLEAR_CONTRAST = 75.0
MIDST, AS_CLEAR, ROUND = 0.16, 0.5, 0.4
"""Contrast above which the pips of a six are not believed to be of a bottom; how far in sides from its middle, how
clear by levels of its pips, and how round a spot of any polarity is that may be the pip of a clear one, seen through,
where the networks are not sure: of one that was read as a six it was pink with the light of a lamp, 0.07 and 0.6,
the contrast 46, and they gave it 0.922. Of 7,180 legible throws it refuses three; of two more that show such a six
they are sure."""

MOST_STRANGE = 0.7
"""Where the networks do not agree on a five, no more of the size of a pip, elsewhere on its top, may be of the colour
of one: a clear three had pips of its bottom in its free corners, and in two places more, 0.78 and 1.0 by two looks at
it. They gave it 0.923. Of 447 right throws that took a closer look five have a five like that."""


def shows_its_bottom(part: Found, die: Judged) -> str | None:
    """Return why pips that *die* shows may be those of its bottom, if it is clear; None if nothing says so."""
    face = die.fit.face
    if _may_have_one_less(part.closeup, die):
        return f"the pips of a {face} are faint: that in the middle may be of the bottom of a clear die"
    if _may_be_a_bottom(part, die):
        return "a 6 shows a spot in its middle: it may be the bottom of a clear 1"
    if die.is_sure:
        return None
    if face == 5 and die.body.stranger > MOST_STRANGE:
        return "the top of a 5 shows more than its pips: some may be of the bottom of a clear die"
    if _shines_through(die):
        return "the pip of a 1 is faint: it may be that of the bottom of a clear die"
    return None


def _may_have_one_less(closeup: Closeup, die: Judged) -> bool:
    """Return whether *die* shows faint pips, of which the one in the middle may be that of its bottom."""
    if die.fit.face not in MIDDLE or die.body.contrast >= FAINT_CONTRAST:
        return False
    return foot_beside(closeup, die.fit.x, die.fit.y) < BOTTOM_BESIDE


def _may_be_a_bottom(part: Found, die: Judged) -> bool:
    """Return whether *die* shows a six, and in its middle what may be the pip of a clear one above it."""
    if die.fit.face != 6 or die.body.contrast >= CLEAR_CONTRAST or die.is_sure_of_all:
        return False
    least = AS_CLEAR * median(part.pips[i].levels for i in die.fit.pips)
    return any(
        pip.levels >= least and pip.roundness > ROUND and max(map(abs, die.fit.on_face(pip.x, pip.y))) < MIDST
        for pip in part.pips
    )


def _shines_through(die: Judged) -> bool:
    """Return whether *die* shows a lone, faint pip: a clear six whose top mirrors the lamp shows that of its bottom."""
    return die.fit.face == 1 and die.weight / die.chance <= PALE and die.body.contrast < FAINT_CONTRAST
