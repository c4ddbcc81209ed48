"""The benchmark on changed pictures: a variant is always the same, and truth goes along with the picture."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.clips import Clip, Said, kind_of
from benchmarks.variant import UNCHANGED, Variant
from vision import calibrate, read_tray
from vision.render import Table
from vision.render.throw import throw


def test_a_variant_is_always_the_same(table: Table) -> None:
    frame = table.picture(throw(random.Random(1), 2))

    first, again = (Variant.by(7).picture(frame, seed=3) for _ in range(2))

    assert np.array_equal(first, again)
    assert not np.array_equal(first, Variant.by(8).picture(frame, seed=3))


def test_the_picture_itself_is_a_variant(table: Table) -> None:
    frame = table.picture(throw(random.Random(1), 2))

    assert np.array_equal(UNCHANGED.picture(frame, seed=1), frame)


def test_a_tray_that_is_mirrored_and_smaller_is_read_by_its_corners(table: Table) -> None:
    dice = throw(random.Random(4), 2)
    changed = replace(UNCHANGED, size=0.66, mirrored=True, channels=(2, 0, 1))
    empty, frame = (changed.picture(p, seed=0) for p in (table.empty(seed=1), table.picture(dice, seed=2)))
    corners = changed.corners(table.corners_px, table.empty(seed=1).shape[1])

    reading = read_tray(frame, calibrate([empty], tray_mm=table.tray_mm, corners=corners), 2)

    assert reading.faces == tuple(sorted((die.top for die in dice), reverse=True))


def test_corners_are_as_far_off_as_the_variant_says() -> None:
    square = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)]

    off = replace(UNCHANGED, size=2.0, off_px=(1.0, 2.0, 0, 0, 0, 0, -3.0, 0)).corners(square, 101)

    assert off == [(2.5, 4.5), (200.5, 0.5), (200.5, 200.5), (-5.5, 200.5)]


def test_a_clip_is_right_when_it_is_read_once_and_not_before_rest() -> None:
    clip = Clip("one", Path("one.mp4"), 2, 40, (5, 4), (), True)
    read, other, refused = Said(44, (5, 4), ""), Said(44, (5, 3), ""), Said(44, None, "cocked")

    kinds = [kind_of(clip, said) for said in ([read], [read, read], [replace(read, frame=39)], [other], [refused], [])]

    assert kinds == ["right", "lie", "lie", "lie", "refused", "refused"]


def test_a_clip_that_must_be_refused_is_named() -> None:
    clip = Clip("one", Path("one.mp4"), 2, 40, None, ("cocked",), True)

    kinds = [kind_of(clip, [Said(50, *said)]) for said in ((None, "cocked"), (None, "unsure"), ((5, 4), ""))]

    assert kinds == ["named", "refused", "lie"]
