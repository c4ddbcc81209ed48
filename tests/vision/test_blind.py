"""The blind eye: no face survives in what it keeps, and it tells the cup from everything else."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.films import lighter
from vision.blind import CupState, CupWatch, Shakes, Small, reduce
from vision.calibrating import calibrate
from vision.calibration import Calibration
from vision.render import Cup, RenderedDie, Table
from vision.types import Frame, as_uint8
from vision.zone import Zone

SIZE = (640, 480)
BLOT = 255
DICE = (RenderedDie(135, 95, 20, 4), RenderedDie(165, 100, 55, 1), RenderedDie(150, 132, 5, 6))
CUP = Cup((150, 112), wide_mm=90)


@pytest.fixture(scope="module")
def stage() -> Table:
    return Table(seed=4, size=SIZE)


@pytest.fixture(scope="module")
def known(stage: Table) -> Calibration:
    return calibrate([stage.empty(k) for k in range(3)], tray_mm=stage.tray_mm, corners=stage.corners_px)


@pytest.fixture(scope="module")
def empty(known: Calibration) -> Small:
    return reduce(known.empty, known)


def said(pictures: Iterable[Small], empty: Small, zone: Zone | None = None, fps: float = 10) -> list[CupState]:
    """Return what is said of *pictures*, in order."""
    watch = CupWatch(empty, zone)
    return [state for k, small in enumerate(pictures) if (state := watch.step(small, k / fps)) is not None]


class Film:
    """Draws scenes and reduces them; a scene is drawn once, its noise is new in every picture."""

    def __init__(self, stage: Table, known: Calibration) -> None:
        self.stage, self.known, self.taken = stage, known, 0

    def take(
        self,
        dice: Sequence[RenderedDie] = (),
        *cups: Cup,
        frames: int = 6,
        hand: tuple[float, float] | None = None,
        light: float = 1.0,
    ) -> list[Small]:
        """Return *frames* reduced pictures."""
        clean = (self.stage.clean(dice, cups=cups, hand=hand) * light).astype(np.int16)
        film = []
        for _ in range(frames):
            self.taken += 1
            noise = np.random.default_rng(self.taken).normal(0, 1.5, clean.shape)
            film.append(reduce(np.clip(clean + noise, 0, 255).astype(np.uint8), self.known))
        return film

    def carry(self, dice: Sequence[RenderedDie] = ()) -> list[Small]:
        """Return a cup in a hand on its way, in or out: it is in another place in every picture."""
        way = (150.0, 185.0, 220.0, 260.0)
        return [
            s for y in way for s in self.take(dice, replace(CUP, middle_mm=(150, y), lift_mm=70, held=True), frames=1)
        ]


@pytest.fixture
def film(stage: Table, known: Calibration) -> Film:
    return Film(stage, known)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("calibrated", [True, False], ids=["calibrated", "unknown tray"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_no_face_is_left_in_the_reduced_picture(stage: Table, known: Calibration, calibrated: bool, count: int) -> None:
    rng = random.Random(count)
    calibration = known if calibrated else None
    for _ in range(2):
        places = [(rng.uniform(110, 190), rng.uniform(70, 150), rng.uniform(0, 90)) for _ in range(count)]
        while any(np.hypot(a[0] - b[0], a[1] - b[1]) < 24 for k, a in enumerate(places) for b in places[:k]):
            places = [(rng.uniform(90, 210), rng.uniform(50, 170), rng.uniform(0, 90)) for _ in range(count)]
        faces = [[6] * count, [1] * count, [rng.randint(1, 6) for _ in places], [rng.randint(1, 6) for _ in places]]
        drawn = [
            reduce(
                stage.picture([RenderedDie(*p, f) for p, f in zip(places, rolled, strict=True)], seed=9), calibration
            )
            for rolled in faces
        ]
        for other in drawn[1:]:
            _differ_by_no_more_than_noise(drawn[0], other)


def _differ_by_no_more_than_noise(one: Small, other: Small) -> None:
    """Assert it: the sum over a few dice is one block that comes or goes at the edge of a blot."""
    blots = one == BLOT
    assert np.count_nonzero(blots != (other == BLOT)) <= 4
    both = ~blots & (other != BLOT)
    assert int(np.abs(one[both] // 4 - (other[both] // 4).astype(int)).max()) <= 1
    assert np.count_nonzero((one[both] & 3) != (other[both] & 3)) <= 2


def test_area_averaging_alone_would_tell_faces(stage: Table) -> None:
    """What the reduction is for: cells of nine millimetres show a six beside a one."""
    one, six = (
        cv2.resize(stage.clean([RenderedDie(150, 110, 20, f)]), (32, 24), interpolation=cv2.INTER_AREA) for f in (1, 6)
    )

    assert np.abs(one.astype(int) - six.astype(int)).max() > 12


def test_dice_under_a_cup_change_no_bit(stage: Table, known: Calibration) -> None:
    others = tuple(replace(die, top=7 - die.top) for die in DICE)
    for cup in (CUP, replace(CUP, tilt_deg=15, held=True)):
        pictures = [reduce(stage.picture(dice, seed=3, cup=cup), known) for dice in (DICE, others, ())]

        assert np.array_equal(pictures[0], pictures[1])
        assert np.array_equal(pictures[0], pictures[2])


def test_the_reduced_picture_is_small_and_reads_nothing_else(stage: Table, known: Calibration) -> None:
    frame = stage.empty(1)
    before = frame.copy()
    small = reduce(frame, known)

    assert small.shape == (24, 32)
    assert small.dtype == np.uint8
    assert np.array_equal(frame, before)
    assert reduce(frame[..., 1]).shape == (24, 32)


@pytest.mark.parametrize(
    "frame",
    [np.zeros((240, 320, 3), np.float32), np.zeros((240, 320, 4), np.uint8), np.zeros((8, 8, 3), np.uint8)],
    ids=["floats", "four channels", "tiny"],
)
def test_what_is_no_picture_is_a_bug(frame: Frame) -> None:
    with pytest.raises(ValueError, match="a picture of shape"):
        reduce(frame)


def test_a_picture_of_another_size_than_the_calibration_is_a_bug(known: Calibration) -> None:
    with pytest.raises(ValueError, match="640x480"):
        reduce(np.zeros((240, 320, 3), np.uint8), known)


def test_an_evening_of_one_round(film: Film, empty: Small) -> None:
    round_ = [
        *film.take(),
        *film.carry(),
        *film.take(DICE, CUP),
        *film.take(DICE, replace(CUP, tilt_deg=25, held=True)),
        *film.take(DICE, CUP),
        *film.carry(DICE),
        *film.take(DICE),
        *film.take((), hand=(150, 110), frames=1),
        *film.take((), hand=(150, 140), frames=1),
        *film.take((), hand=(150, 180), frames=1),
        *film.take(),
    ]

    assert said(round_, empty) == [
        CupState.EMPTY,
        CupState.STIRRED,
        CupState.COVERED,
        CupState.PEEKING,
        CupState.COVERED,
        CupState.STIRRED,
        CupState.LIFTED,
        CupState.STIRRED,
        CupState.EMPTY,
    ]


def test_the_state_does_not_depend_on_the_faces(film: Film, empty: Small) -> None:
    heard = set()
    for faces in ((1, 1, 1), (6, 6, 6)):
        dice = tuple(replace(die, top=face) for die, face in zip(DICE, faces, strict=True))
        film.taken = 0
        pictures = [
            *film.take(dice, CUP),
            *film.carry(dice),
            *film.take(dice),
            *film.take(dice[:1]),
        ]
        watch = CupWatch(empty)
        heard.add(tuple(watch.step(small, k / 10) for k, small in enumerate(pictures)))

    assert len(heard) == 1


@pytest.mark.parametrize("fps", [5, 15, 60])
def test_rest_is_a_time_and_not_a_number_of_pictures(film: Film, empty: Small, fps: float) -> None:
    still = film.take(DICE, CUP, frames=1) * 80
    watch = CupWatch(empty)
    times = [k / fps for k in range(80)]
    first = next(t for t, small in zip(times, still, strict=True) if watch.step(small, t) is not None)

    assert 0.3 <= first <= 0.4 + 1.5 / fps


def test_after_a_gap_in_the_stream_rest_begins_anew(film: Film, empty: Small) -> None:
    (small,) = film.take(DICE, CUP, frames=1)
    watch = CupWatch(empty)

    assert [watch.step(small, t) for t in (0.0, 5.0, 5.2)] == [None, None, None]
    assert watch.step(small, 5.5) is CupState.COVERED


@pytest.mark.parametrize("light", [0.6, 0.8, 1.25])
def test_other_light_changes_nothing(film: Film, empty: Small, light: float) -> None:
    for scene, state in (((), CupState.EMPTY), ((DICE, CUP), CupState.COVERED), ((DICE,), CupState.LIFTED)):
        assert said(film.take(*scene, light=light), empty) == [state]


def test_felt_that_more_light_leaves_white_is_no_cup(stage: Table) -> None:
    lit = np.full((SIZE[1], SIZE[0], 3), 100, np.uint8)
    cv2.rectangle(lit, (220, 160), (420, 320), (232, 232, 232), cv2.FILLED)
    bare = replace(calibrate([stage.empty(1)], tray_mm=stage.tray_mm, corners=stage.corners_px), empty=lit)
    brighter = as_uint8(np.clip(lit * np.float32(1.75), 0, 255))

    assert said(6 * [reduce(brighter, bare)], reduce(lit, bare)) == [CupState.EMPTY]


def test_nothing_is_said_in_the_dark(film: Film, empty: Small) -> None:
    standing, dark = film.take(DICE, CUP), film.take(DICE, CUP, light=0.0)

    assert said([*standing, *dark, *standing], empty) == [CupState.COVERED]


def test_what_moved_before_the_light_went_is_not_held_against_what_moves_after(film: Film, empty: Small) -> None:
    (bare,), (flicker,), (dark,) = (
        film.take(frames=1),
        film.take(hand=(150.0, 200.0), frames=1),
        film.take(light=0.0, frames=1),
    )
    spell = 200 * [dark]
    pictures = [*10 * [bare], flicker, *spell, bare, flicker, *10 * [bare]]

    assert said(pictures, empty) == [CupState.EMPTY]


def test_a_hand_that_passes_over_the_cup_is_no_shake(film: Film, empty: Small) -> None:
    passing = [small for y in (200, 160, 120, 160, 200) for small in film.take(DICE, CUP, hand=(150.0, y), frames=1)]
    states = said([*film.take(DICE, CUP), *passing, *film.take(DICE, CUP)], empty)

    assert states == [CupState.COVERED]
    assert not any(map(Shakes().step, states))


@pytest.mark.parametrize(
    ("states", "count"),
    [
        pytest.param("COVERED STIRRED COVERED", 1, id="away and back"),
        pytest.param("EMPTY COVERED", 0, id="first put down"),
        pytest.param("COVERED PEEKING COVERED", 0, id="looked"),
        pytest.param("COVERED EMPTY COVERED STIRRED EMPTY STIRRED COVERED", 2, id="twice"),
        pytest.param("COVERED LIFTED STIRRED COVERED", 0, id="lifted and put back over the dice"),
        pytest.param("COVERED LIFTED STIRRED EMPTY STIRRED COVERED", 1, id="lifted, taken up, shaken"),
    ],
)
def test_shakes_are_counted(states: str, count: int) -> None:
    shakes = Shakes()
    for name in states.split():
        shakes.step(CupState[name])
        shakes.step(None)

    assert shakes.count == count


def test_each_zone_has_a_state_of_its_own(film: Film, empty: Small) -> None:
    left, right = Cup((75, 110), bgr=(30, 60, 190)), Cup((228, 105))
    dice = (RenderedDie(70, 100, 10, 3), RenderedDie(90, 125, 40, 5))
    pictures = [
        *film.take(dice, left, right),
        *film.take(dice, left, replace(right, tilt_deg=25, towards_deg=0, held=True)),
        *film.take(dice, left, right),
        *film.take(dice, right),
    ]

    assert said(pictures, empty, Zone.LEFT) == [CupState.COVERED, CupState.STIRRED, CupState.LIFTED]
    assert said(pictures, empty, Zone.RIGHT) == [CupState.COVERED, CupState.PEEKING, CupState.COVERED]


def test_what_is_no_reduced_picture_is_a_bug() -> None:
    with pytest.raises(ValueError, match="wanted what `reduce` returns"):
        CupWatch(np.zeros((12, 16), np.uint8))


@pytest.mark.parametrize("dim", [0.9, 0.75])
def test_the_soft_shadow_of_a_player_is_no_cup(stage: Table, known: Calibration, empty: Small, dim: float) -> None:
    across = np.clip((np.arange(SIZE[0]) - 260) / 160, 0, 1)
    shaded = (stage.clean(()) * (1 - (1 - dim) * across)[None, :, None]).astype(np.uint8)

    assert said([reduce(shaded, known)] * 6, empty)[0] in (CupState.EMPTY, CupState.STIRRED)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("levels", [pytest.param(0, id="as filmed"), pytest.param(-1, id="a level darker")])
@pytest.mark.parametrize(
    ("name", "states"),
    [
        pytest.param("tirada_1", ["stirred", "lifted", "stirred"], id="thrown, at rest, a hand again"),
        pytest.param("tirada_4", ["stirred", "lifted"], id="thrown, at rest"),
    ],
)
def test_filmed_throws_of_a_real_hand(shared: Path, name: str, states: list[str], levels: int) -> None:
    """No cup was ever filmed; a real hand and real dice on real cloth were, without a calibration."""
    folder = shared / "dice-photos" / "videos"
    bare = list(_frames(folder / "tirada_3.mp4", levels, 5))[-1]
    watch = CupWatch(bare)
    heard = [watch.step(small, k / 30) for k, small in enumerate(_frames(folder / f"{name}.mp4", levels))]

    assert [str(state) for state in heard if state is not None] == states


def _frames(path: Path, levels: int, most: int = 10_000) -> Iterator[Small]:
    film = cv2.VideoCapture(str(path))
    for _ in range(most):
        found, frame = film.read()
        if not found:
            break
        yield reduce(lighter(as_uint8(frame), (levels,) * 3))
    film.release()
