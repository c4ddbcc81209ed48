"""What a calibration accepts, measures and refuses."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.throws import calibration_of
from hardware.pictures import load_picture
from vision import Calibration, CalibrationError, calibrate
from vision.calibrating import findings, middle_of
from vision.calibration.checks import BLUR_MM, blur_px
from vision.geometry import PX_PER_MM, likeliest, project, viewpoints
from vision.lens import Lens
from vision.render import RenderedDie, Table
from vision.render.setup import make_setup
from vision.types import Frame, as_uint8


def test_the_tops_of_dice_are_where_the_camera_sees_them(table: Table, calibration: Calibration) -> None:
    for x, y in ((20, 20), (150, 110), (280, 200)):
        seen = project(calibration.tops, [(x, y)])[0]

        assert seen == pytest.approx(table.project(x, y, 16), abs=3.5)


def test_the_height_of_the_camera_is_found_within_a_fifth(table: Table, calibration: Calibration) -> None:
    assert calibration.camera_height_mm == pytest.approx(float(table.camera.position_mm[2]), rel=0.2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(
            {"tray_mm": (3000.0, 220.0)},
            "40 to 2000 mm; measure its floor inside, and check --tray-mm",
            id="a tray of three metres",
        ),
        pytest.param({"tray_mm": (float("nan"), 220.0)}, "40 to 2000 mm", id="not a number"),
        pytest.param(
            {"die_mm": 3.0}, "5 to 50 mm; measure its edge, and check --die-mm", id="a die of three millimetres"
        ),
        pytest.param({"tray_mm": (100.0, 220.0)}, "do not fit a tray", id="sides exchanged"),
        pytest.param({"corners": [(0, 0), (10, 0), (10, 10)]}, "a tray has 4", id="three corners"),
        pytest.param(
            {"corners": [(100, 100), (100, 700), (1000, 700), (1000, 100)]}, "clockwise", id="counterclockwise"
        ),
        pytest.param(
            {"corners": [(-50, 100), (1000, 100), (1000, 700), (100, 700)]},
            "-50,100 lies outside .* pixels; take the corners of the floor from the picture itself, in its pixels",
            id="outside",
        ),
        pytest.param(
            {"corners": [(10, 10), (900, 10), (900, 10), (10, 700)]}, "900,10 is given twice", id="a corner twice"
        ),
        pytest.param(
            {"corners": [(10, 10), (130, 10), (130, 98), (10, 98)]},
            "too small .*; hang the camera lower",
            id="a tray far away",
        ),
    ],
)
def test_what_cannot_be_right_is_refused_in_words(table: Table, change: Mapping[str, object], words: str) -> None:
    given = {"tray_mm": table.tray_mm, "die_mm": 16.0, "corners": table.corners_px, **change}
    with pytest.raises(CalibrationError, match=words):
        calibrate([table.empty()], **given)  # type: ignore[arg-type]


def test_pictures_of_two_cameras_are_refused(table: Table) -> None:
    with pytest.raises(CalibrationError, match="different sizes"):
        calibrate([table.empty(), table.empty()[::2, ::2]], tray_mm=table.tray_mm, corners=table.corners_px)


def test_no_picture_and_a_dark_picture_are_refused(table: Table) -> None:
    with pytest.raises(CalibrationError, match="no picture"):
        calibrate([], tray_mm=table.tray_mm)
    with pytest.raises(CalibrationError, match="too dark"):
        calibrate([np.zeros((960, 1280, 3), np.uint8)], tray_mm=table.tray_mm, corners=table.corners_px)


# --- the lens ---


def bent(picture: Frame, lens: Lens) -> Frame:
    """Return *picture*, taken without distortion, as *lens* would have shown it."""
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float64)
    x, y = np.moveaxis(lens.undistort(np.stack([columns, rows], axis=2)).astype(np.float32), 2, 0)
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


BARREL = Lens((639.5, 479.5), 1280.0, -0.12)


@pytest.fixture(scope="module")
def barrel(table: Table) -> Calibration:
    """The calibration of the rendered tray through a lens that bends its edges."""
    corners = BARREL.distort(np.array(table.corners_px))
    frames = [bent(table.empty(seed), BARREL) for seed in range(2)]
    return calibrate(frames, tray_mm=table.tray_mm, corners=[(x, y) for x, y in corners.tolist()])


def test_a_bent_picture_is_known_by_the_edges_of_the_tray_and_a_straight_one_too(
    calibration: Calibration, barrel: Calibration
) -> None:
    assert calibration.lens is None
    assert barrel.lens is not None
    assert barrel.lens.k1 == pytest.approx(BARREL.k1, abs=0.03)


SPOTS = np.array([[20.0, 20.0], [150.0, 110.0], [150.0, 20.0], [280.0, 200.0], [20.0, 110.0]])


def test_the_floor_is_found_through_a_bent_lens(table: Table, barrel: Calibration) -> None:
    truth = BARREL.distort(np.array([table.project(x, y) for x, y in SPOTS]))

    off = np.hypot(*(barrel.mm_to_px(SPOTS) - truth).T)
    blind = np.hypot(*(replace(barrel, lens=None).mm_to_px(SPOTS) - truth).T)

    assert off.max() < 1.5
    assert blind.max() > 2 * off.max()


def test_a_lens_of_known_focal_length_puts_the_tops_of_dice_where_they_are(table: Table, barrel: Calibration) -> None:
    truth = BARREL.distort(np.array([table.project(x, y, 16) for x, y in SPOTS]))
    measured = replace(barrel, lens=replace(BARREL, focal_px=table.camera.focal_px))

    assert np.hypot(*(measured.mm_to_px(SPOTS, 16.0) - truth).T).max() < 0.2
    assert measured.camera_height_mm == pytest.approx(float(table.camera.position_mm[2]), rel=0.005)


def test_who_took_the_empty_tray_may_write_into_it_afterwards(table: Table) -> None:
    taken = table.empty()
    made = calibrate([taken], tray_mm=table.tray_mm, corners=table.corners_px)
    taken[:] = 0

    assert np.array_equal(made.empty, table.empty())


def test_the_exact_view_is_the_plain_one_without_a_lens(calibration: Calibration) -> None:
    exact = calibration.straightened(calibration.empty)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    plain = cv2.warpPerspective(
        calibration.empty, calibration.view_to_px, exact.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE
    )

    assert np.abs(exact.astype(int) - plain).mean() < 0.5


@pytest.mark.parametrize("name", ["calibration", "barrel"])
def test_points_go_into_the_view_and_back(name: str, request: pytest.FixtureRequest) -> None:
    made: Calibration = request.getfixturevalue(name)
    points = np.array([[5.0, 5.0], [600.0, 400.0], [1100.0, 30.0]])

    there = made.view_points_to_px(points)
    assert made.px_to_view_points(there) == pytest.approx(points, abs=1e-6)
    assert made.view_map[400, 600] == pytest.approx(there[1], abs=1e-3)


def test_the_lens_makes_the_tops_of_photographed_dice_square(shared: Path) -> None:
    """Sides of top faces, 16 mm in truth, as the corners in the truth tell them."""
    folder = shared / "tray-samples"
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    for setup in ("S02", "S29"):
        mine = [row for row in rows if row["setup"] == setup]
        corners = [(x - 0.5, y - 0.5) for x, y in mine[0]["empty_tray_corners"]]
        made = calibrate([load_picture(folder / mine[0]["empty"])], tray_mm=(300.0, 220.0), corners=corners)
        spread = {}
        for lens in (made.lens, None):
            sides = []
            for row in mine:
                a, b, c, d = ((x - 0.5, y - 0.5) for x, y in row["tray_corners"])
                now = replace(made, lens=lens, corners_px=(a, b, c, d))
                for die in row["dice"]:
                    if die["tilt_deg"] < 0.1:
                        quad = now.px_to_view_points(np.array(die["corners"]) - 0.5) / PX_PER_MM
                        sides.extend(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T))
            spread[lens is None] = max(abs(side - 16.0) for side in sides)

        assert spread[False] < 0.35, setup
        assert spread[True] > 1.2 * spread[False], setup


# --- what is wrong with a picture ---


def hot(picture: Frame) -> Frame:
    lit = picture.copy()
    cv2.circle(lit, (700, 500), 30, (255, 255, 255), cv2.FILLED)
    return lit


def turned(picture: Frame, by_deg: float, larger: float = 1.0) -> Frame:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), by_deg, larger)
    return as_uint8(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REFLECT))


def banded(picture: Frame, phase: float) -> Frame:
    light = 1 + 0.04 * np.sin(np.arange(picture.shape[0]) / 40 + phase)
    return np.clip(picture * light[:, None, None], 0, 255).astype(np.uint8)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda p: [cv2.GaussianBlur(p, (0, 0), 6)], "blurred", id="out of focus"),
        pytest.param(lambda p: [cv2.blur(p, (25, 1))], "blurred", id="shaken sideways"),
        pytest.param(lambda p: [(p * 0.05).astype(np.uint8)], "too dark", id="dark"),
        pytest.param(lambda p: [np.clip(p * 9.0, 0, 255).astype(np.uint8)], "too bright", id="bright"),
        pytest.param(lambda p: [np.full_like(p, 120)], "one colour", id="one colour"),
        pytest.param(lambda p: [p, np.roll(p, 9, axis=1)], "moved by [89]", id="moved"),
        pytest.param(lambda p: [p, turned(p, 1.0)], "moved by [5-8]", id="turned"),
        pytest.param(lambda p: [p, turned(p, 0.0, 1.02)], "moved by [6-9]", id="lowered"),
        pytest.param(lambda p: [p, (p * 0.6).astype(np.uint8)], "light changes", id="lamp switched"),
        pytest.param(lambda p: [p, p[:, :, ::-1].copy()], "another colour", id="another tray"),
    ],
)
def test_a_picture_that_is_no_good_is_refused_in_words(
    table: Table, change: Callable[[Frame], list[Frame]], words: str
) -> None:
    with pytest.raises(CalibrationError, match=words):
        calibrate(change(table.empty()), tray_mm=table.tray_mm, corners=table.corners_px)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda p: np.clip(p * 9.0, 0, 255).astype(np.uint8), "too bright", id="bright"),
        pytest.param(lambda p: p[300:700, 400:900], "four edges do not stand out; show all of it", id="all felt"),
    ],
)
def test_where_no_tray_is_found_it_is_said_why(table: Table, change: Callable[[Frame], Frame], words: str) -> None:
    with pytest.raises(CalibrationError, match=words):
        calibrate([as_uint8(change(table.empty()))], tray_mm=table.tray_mm)


def test_a_small_picture_is_blurred_where_a_pixel_is_not_what_limits_it() -> None:
    table = Table(seed=4, size=(640, 480))
    softer, blurred = (as_uint8(cv2.GaussianBlur(table.empty(), (0, 0), by)) for by in (1.2, 2.0))

    assert calibrate([softer], tray_mm=table.tray_mm, corners=table.corners_px).tray_mm == table.tray_mm
    with pytest.raises(CalibrationError, match="blurred"):
        calibrate([blurred], tray_mm=table.tray_mm, corners=table.corners_px)


def test_soft_stripes_beside_the_tray_are_no_blur(table: Table) -> None:
    picture = table.empty()
    columns = np.arange(picture.shape[1])
    stripes = (120 + 110 * np.sin(columns / 4)).astype(np.uint8)[None, :, None]
    middle = np.mean(table.corners_px, axis=0)
    outside = np.full(picture.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(outside, np.round(middle + 1.25 * (np.array(table.corners_px) - middle)).astype(np.int32), 0)
    striped = np.where(outside[..., None] > 0, stripes, picture)

    seen = blur_px(striped)
    assert seen is not None
    assert seen > 3.6 * BLUR_MM, "by all that is in it, it is blurred"
    assert calibrate([striped], tray_mm=table.tray_mm, corners=table.corners_px).tray_mm == table.tray_mm


def test_dice_and_a_hand_in_the_tray_are_seen_and_placed(table: Table) -> None:
    where = table.project(90, 90, 16)
    for picture in (table.picture([RenderedDie(90, 90, 20, 5)]), table.picture((), hand=(150, 110))):
        with pytest.raises(CalibrationError, match="the tray is not empty"):
            calibrate([picture], tray_mm=table.tray_mm, corners=table.corners_px)

    made = calibrate([table.empty()], tray_mm=table.tray_mm, corners=table.corners_px)
    (found,) = findings(replace(made, empty=table.picture([RenderedDie(90, 90, 20, 5)])), [])
    assert found.at == pytest.approx(where, abs=25)


def test_a_die_that_came_between_two_pictures_is_seen(table: Table) -> None:
    frames = [table.empty(1), table.empty(2), table.picture([RenderedDie(90, 90, 20, 5)], seed=3)]

    with pytest.raises(CalibrationError, match="picture 3 at"):
        calibrate(frames, tray_mm=table.tray_mm, corners=table.corners_px)


def test_glare_and_flicker_are_told_and_do_no_harm(table: Table, calibration: Calibration) -> None:
    glare = findings(replace(calibration, empty=hot(table.empty())), [])
    flicker = findings(calibration, [banded(table.empty(k), 2.0 * k) for k in range(3)])

    assert [("glare at 700,500" in f.words, f.fatal) for f in glare] == [(True, False)]
    assert [("bands" in f.words and "10 or 20 ms" in f.words, f.fatal) for f in flicker] == [(True, False)]


@pytest.mark.parametrize(
    ("die_mm", "told"),
    [
        pytest.param(16.0, [], id="a usual die in the smallest picture the program is made for"),
        pytest.param(9.0, ["a die of 9 mm is 13 pixels wide in this picture"], id="a die hardly wide enough"),
        pytest.param(5.0, ["a die of 5 mm is 7 pixels wide in this picture"], id="a die of which nothing is seen"),
    ],
)
def test_dice_too_small_in_the_picture_are_told(die_mm: float, told: list[str]) -> None:
    table = Table(seed=3, size=(640, 480))
    made = calibrate([table.empty()], tray_mm=table.tray_mm, die_mm=die_mm, corners=table.corners_px)
    found = [finding for finding in findings(made, [table.empty()]) if "pixels wide" in finding.words]

    assert [finding.words.partition(":")[0] for finding in found] == told
    assert all("at least 16" in finding.words and not finding.fatal for finding in found)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("off_mm", "told"), [(0.0, []), (20.0, ["of 300 x 220 mm by", "20 mm from"])])
def test_corners_that_are_not_those_of_the_floor_are_told(
    table: Table, calibration: Calibration, off_mm: float, told: list[str]
) -> None:
    off_px = off_mm * calibration.px_per_mm
    back_left, back_right, front_right, front_left = calibration.corners_px
    right = [(x + off_px, y) for x, y in (back_right, front_right)]
    made = replace(calibration, corners_px=(back_left, right[0], right[1], front_left))

    found = [finding for finding in findings(made, [], by_hand=True) if "right" in finding.words]

    assert [finding.fatal for finding in found] == [False] * len(told)
    assert all(words in finding.words for words, finding in zip(told, found, strict=True))


@pytest.mark.parametrize("picture", ["the tray", "noise", "a grey ramp"])
def test_corners_between_which_no_edge_is_seen_are_refused(table: Table, picture: str) -> None:
    empty = table.empty()
    columns = empty.shape[1]
    pictures = {
        "the tray": empty,
        "noise": np.random.default_rng(1).integers(60, 120, empty.shape, np.uint8),
        "a grey ramp": np.broadcast_to(np.linspace(20, 220, columns).astype(np.uint8)[:, None], empty.shape).copy(),
    }
    middle = np.mean(table.corners_px, axis=0)
    nearer = [(float(x), float(y)) for x, y in middle + 0.88 * (np.array(table.corners_px) - middle)]

    with pytest.raises(CalibrationError, match="no edge of a tray is seen"):
        calibrate([pictures[picture]], tray_mm=table.tray_mm, corners=nearer)


def test_a_tray_cut_off_by_the_edge_of_the_picture_is_refused(table: Table) -> None:
    (x, _), *rest = table.corners_px
    _, _, third, (_, low) = table.corners_px
    picture = table.empty()[:, round(x) :]
    moved = [(0.0, rest[0][1]), (rest[0][0] - x, rest[0][1]), (third[0] - x, third[1]), (0.0, low)]

    with pytest.raises(CalibrationError, match="cut off"):
        calibrate([picture], tray_mm=table.tray_mm, corners=moved)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("table_number", "is_good"),
    [
        pytest.param(13402, True, id="of another colour, around more than half of it (throw 670100)"),
        pytest.param(13793, False, id="lit by another lamp, which its inner sides show little of (throw 689650)"),
    ],
)
def test_a_light_corner_between_the_shadows_of_two_rims_is_empty(table_number: int, *, is_good: bool) -> None:
    setup = make_setup(table_number, is_good=is_good)

    assert calibrate(setup.empty(), tray_mm=setup.table.tray_mm, die_mm=setup.die_mm, corners=setup.corners_px)


@pytest.mark.parametrize("size", [(3, 5000), (40, 40)])
def test_a_picture_in_which_no_tray_can_be_seen_is_refused(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (*size, 3), np.uint8)

    with pytest.raises(CalibrationError, match="too small for a tray"):
        calibrate([noise], tray_mm=(300.0, 220.0))


def test_a_picture_as_long_as_a_ribbon_is_refused() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 20000, 3), np.uint8)

    with pytest.raises(CalibrationError, match="more than 16 times as long as wide"):
        calibrate([noise], tray_mm=(300.0, 220.0))


@pytest.mark.filterwarnings("error")
def test_pictures_of_a_black_floor_are_refused_for_that_alone() -> None:
    dark = np.zeros((480, 640, 3), np.uint8)
    dark[:40] = 200
    corners = ((60.0, 60.0), (580.0, 60.0), (580.0, 440.0), (60.0, 440.0))

    with pytest.raises(CalibrationError, match="too dark"):
        calibrate([dark, dark], tray_mm=(300.0, 220.0), corners=corners)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(444600, id="two of the rim's shadows meet"),
        pytest.param(447050, id="the cloth mirrors the lamp beside a shadow"),
        pytest.param(448300, id="the shadow has the colour of another lamp"),
        pytest.param(461800, id="a corner is lit between deep shadows"),
    ],
)
def test_light_of_another_colour_is_nothing_that_lies_there(number: int) -> None:
    assert isinstance(calibration_of(number), Calibration)


@pytest.mark.parametrize("count", range(1, 7))
def test_the_middle_of_pictures_is_their_median_rounded_down(count: int) -> None:
    frames = list(np.random.default_rng(count).integers(0, 256, (count, 5, 7, 3), np.uint8))

    assert np.array_equal(middle_of(frames), np.median(frames, axis=0).astype(np.uint8))


def test_the_noise_of_the_pictures_is_measured(table: Table) -> None:
    rng = np.random.default_rng(0)
    still = np.clip(table.empty(), 20, 230).astype(np.float64)
    frames = [np.clip(np.rint(still + rng.normal(0, 3, still.shape)), 0, 255).astype(np.uint8) for _ in range(6)]

    made = calibrate(frames, tray_mm=table.tray_mm, corners=table.corners_px)
    assert made.noise == pytest.approx(3.0, abs=0.3)


# --- the file ---


def test_corners_must_begin_at_the_top_left(table: Table) -> None:
    a, b, c, d = table.corners_px

    with pytest.raises(CalibrationError, match="begin with the one at the top left"):
        calibrate([table.empty()], tray_mm=table.tray_mm, corners=[c, d, a, b])


def test_no_room_for_dice_is_refused(table: Table) -> None:
    with pytest.raises(CalibrationError, match="no room to roll"):
        calibrate([table.empty()], tray_mm=(60.0, 44.0), die_mm=20.0, corners=table.corners_px)


def test_a_camera_that_looks_at_the_very_middle_of_the_tray_hangs_somewhere() -> None:
    corners = ((47.0, 40.0), (592.0, 40.0), (592.0, 440.0), (47.0, 440.0))
    possible = viewpoints(np.array(corners), (300, 220), (640, 480))

    assert np.isfinite([cost for cost, _ in possible]).all()
    assert 100 < likeliest(possible).height_mm < 2000
