"""The compiled loops: each is held against what it does, written plainly; and that they stop nobody's evening."""

from pathlib import Path

import cv2
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision import plain
from vision.compiled import Compiled, compiler, warm_up
from vision.compiled.changes import changes_between
from vision.compiled.edges import crossed, steepness, turn_scores
from vision.compiled.kin import like_colour, median_within
from vision.compiled.layers import lay_windows
from vision.compiled.spots import round_spots, spread
from vision.compiled.under import MOST_PIPS, colours_under
from vision.tray import blur, turning
from vision.tray.closeup import Closeup
from vision.types import Gray

# Always the same ones: where the last bit of a root decides, two ways of writing it may differ.
alike = settings(derandomize=True, deadline=None, max_examples=40)
seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
sizes = st.tuples(st.integers(4, 90), st.integers(4, 90))


def picture(rng: np.random.Generator, size: tuple[int, ...], channels: int | None = None) -> Gray:
    """Return noise, smooth or not, with discs in it."""
    shape = size if channels is None else (*size, channels)
    seen = rng.integers(0, 256, shape).astype(np.uint8)
    if (sigma := rng.integers(0, 4)) > 0:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), float(sigma)), np.uint8)
        seen = np.asarray(cv2.normalize(seen, np.empty_like(seen), 0, 255, cv2.NORM_MINMAX), np.uint8)
    for x, y in rng.integers(0, max(size), (12, 2)).tolist():
        colour = rng.integers(0, 256, 3).tolist()
        cv2.circle(seen, (x, y), int(rng.integers(2, 10)), colour, cv2.FILLED, cv2.LINE_AA)
    return seen


@alike
@given(seeds, sizes, st.integers(1, 30))
def test_spots_are_those_of_their_contours(rng: np.random.Generator, size: tuple[int, int], cuts: int) -> None:
    gray = picture(rng, size)

    found = round_spots(gray, cuts, 5.0, 24.0, 2)

    assert found == pytest.approx(plain.round_spots(gray, cuts, 5.0, 24.0, 2), abs=1e-7)


def test_there_is_room_for_any_number_of_spots() -> None:
    gray = np.full((260, 260), 40, np.uint8)
    for x in range(10, 260, 12):
        for y in range(10, 260, 12):
            cv2.circle(gray, (x, y), 4, (200,), cv2.FILLED)

    assert len(round_spots(gray, 11, 5.0, 20.0, 2)) == 21 * 21


def test_what_is_no_spot_takes_no_spots_place_where_room_has_just_run_out() -> None:
    gray = np.full((400, 400), 40, np.uint8)
    for x in range(16):
        for y in range(16):
            cv2.circle(gray, (20 + 24 * x, 10 + 22 * y), 5, (200,), cv2.FILLED)
    cv2.fillPoly(gray, [np.array([(40, 368), (52, 368), (40, 380)])], (200,))

    found = round_spots(gray, 1, 5.0, 20.0, 1)

    assert found == pytest.approx(plain.round_spots(gray, 1, 5.0, 20.0, 1), abs=1e-7)
    assert len(found) == 256


@alike
@given(seeds, sizes)
def test_a_picture_is_spread_as_its_levels_are_used(rng: np.random.Generator, size: tuple[int, int]) -> None:
    gray, mask = picture(rng, size) // int(rng.integers(1, 9)), np.where(rng.random(size) < 0.4, 255, 0)
    mask[1, 2] = 255

    assert (spread(gray, mask.astype(np.uint8), 20.0) == plain.spread(gray, mask.astype(np.uint8), 20.0)).all()


@alike
@given(seeds, sizes, st.integers(1, MOST_PIPS))
def test_what_lies_under_layouts(rng: np.random.Generator, size: tuple[int, int], count: int) -> None:
    lab = picture(rng, size, 3)
    layouts = np.array([[*rng.uniform(-9, 90, 2), rng.uniform(0, 7), 50.0, rng.uniform(0.1, 0.4), s] for s in (-1, 1)])
    pips = np.zeros((2, MOST_PIPS, 2))
    pips[:, :count] = rng.uniform(-0.35, 0.35, (2, count, 2))

    told = colours_under(lab, layouts, pips, np.full(2, count), True)

    for k in range(2):
        assert told[k] == pytest.approx(plain.colours_under(lab, layouts[k], pips[k, :count]), abs=1e-6)
    assert (colours_under(lab, layouts, pips, np.full(2, count), False)[:, 4:8] == 0).all()


@alike
@given(seeds, sizes)
def test_changes_are_the_same_to_the_bit(rng: np.random.Generator, size: tuple[int, int]) -> None:
    now, then = (np.ascontiguousarray(np.moveaxis(picture(rng, size, 3), 2, 0)) for _ in range(2))
    shade = rng.random(size) < 0.7
    now[:, shade] = (then * rng.uniform(0.3, 1.1)).astype(np.uint8)[:, shade]
    gain, floor = rng.uniform(0.4, 2.3, 3).astype(np.float32), np.float32(rng.uniform(4, 20))
    into = np.empty((4, *size), np.uint8)

    changes_between(now, then, gain, floor, into)

    assert (into == plain.changes_between(now, then, gain, float(floor))).all()


@alike
@given(seeds, sizes)
def test_steepness_is_that_of_sobel(rng: np.random.Generator, size: tuple[int, int]) -> None:
    gray, window = picture(rng, size), rng.random(size).astype(np.float32)
    into = np.empty(size, np.float32)

    steepness(gray, window, np.float32(90), np.float32(1.2), into)

    assert into == pytest.approx(plain.steepness(gray, window, 90, 1.2), rel=1e-5)


@alike
@given(seeds, sizes, st.floats(-5, 95), st.floats(-5, 95), st.floats(20, 60))
def test_edges_of_a_square_that_turns(
    rng: np.random.Generator, size: tuple[int, int], x: float, y: float, side: float
) -> None:
    lab = picture(rng, size, 3)
    across, down = (np.asarray(cv2.Sobel(lab, cv2.CV_16S, dx, 1 - dx), np.int16) for dx in (1, 0))

    scores = turn_scores(across, down, *turning._places(), x, y, np.float32(side))

    assert scores == pytest.approx(plain.turn_scores(lab, *turning._places(), x, y, side), rel=1e-5)


@alike
@given(seeds, sizes)
def test_edges_of_pips_that_are_crossed(rng: np.random.Generator, size: tuple[int, int]) -> None:
    light, pips = picture(rng, size), np.column_stack([rng.uniform(-4, 94, (3, 2)), rng.uniform(4, 20, 3)])

    steep = crossed(light, pips, blur._WAYS, blur.RADII)

    assert steep == pytest.approx(plain.crossed(light, pips, blur._WAYS, blur.RADII), rel=1e-9)


@alike
@given(seeds, st.sampled_from([3, 5]), st.integers(1, 3), st.integers(1, 20))
def test_windows_of_a_convolution(rng: np.random.Generator, size: int, count: int, channels: int) -> None:
    layers = rng.normal(0, 1, (count, 8, 8, channels)).astype(np.float32)
    into = np.empty((count, 4, 4, size, size * channels), np.float32)

    lay_windows(layers, into)

    assert (into == plain.windows(layers, size)).all()


@alike
@given(seeds, sizes)
def test_what_has_the_colour_of_a_die(rng: np.random.Generator, size: tuple[int, int]) -> None:
    lab, (light, a, b) = picture(rng, size, 3), rng.uniform(40, 215, 3)

    like = like_colour(lab, light, a, b, 30.0, 1.5 * light)

    assert (like == plain.like_colour(lab, light, a, b, 30.0, 1.5 * light)).all()


@alike
@given(seeds, sizes)
def test_the_median_within_a_mask(rng: np.random.Generator, size: tuple[int, int]) -> None:
    values, mask = picture(rng, size), np.where(rng.random(size) < 0.3, 255, 0).astype(np.uint8)
    mask[0, 0] = 255

    assert median_within(values, mask) == np.median(values[mask > 0])


def test_what_is_of_another_type_is_no_reason_to_compile_in_mid_game() -> None:
    with pytest.raises(TypeError, match="No matching definition"):
        median_within(np.zeros((4, 4), np.float32), np.ones((4, 4), np.uint8))


def test_a_closeup_that_is_cut_can_be_looked_at_as_before() -> None:
    rng = np.random.default_rng(5)
    one, two, three, four = (picture(rng, (60, 60)) for _ in range(4))
    seen, lab = (picture(rng, (60, 60), 3) for _ in range(2))
    whole = Closeup(7, 9, seen, lab, one, two, three, four, 20.0, np.eye(3))

    part = whole.cut(10, 20, 50, 45)

    assert (part.x, part.y, part.lab.shape) == (17, 29, (25, 40, 3))
    same = like_colour(whole.lab, 120.0, 128.0, 128.0, 30.0, 180.0)[20:45, 10:50]
    assert (like_colour(part.lab, 120.0, 128.0, 128.0, 30.0, 180.0) == same).all()
    assert median_within(part.delta, part.body) == np.median(part.delta[part.body > 0])


def double(number: float) -> float:
    return 2 * number


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.nb*") if path.is_file()]


def test_compiled_code_is_kept_and_may_be_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert Compiled(double, "f8(f8)")(2.0) == 4.0
    assert kept(tmp_path)

    for path in kept(tmp_path):  # as a power cut leaves them
        path.write_bytes(bytes(path.stat().st_size))
    assert Compiled(double, "f8(f8)")(3.0) == 6.0

    assert all(path.read_bytes().strip(b"\0") for path in kept(tmp_path))


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file" / "folder"))

    assert Compiled(double, "f8(f8)")(2.0) == 4.0


def test_all_are_made_ready_beforehand_unless_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_known", [])
    one, two = Compiled(double, "f8(f8)"), Compiled(double, "f4(f4)")
    said = iter([False, True])

    warm_up(lambda: next(said))

    assert "ready" in vars(one)
    assert "ready" not in vars(two)
