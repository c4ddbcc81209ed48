"""Two players at one tray: of the dice of the one nothing is calibration while those of the other are read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision import Calibration
from vision.read import read_tray
from vision.render import Cup, RenderedDie, Table
from vision.types import Fault, Frame
from vision.zone import Rectangle, Share, Zone

LEFT = (RenderedDie(50, 60, 20, 4), RenderedDie(95, 120, 55, 1), RenderedDie(60, 160, 5, 6))
RIGHT = (RenderedDie(205, 70, 33, 2), RenderedDie(250, 140, 12, 5))


@pytest.fixture(scope="module")
def both(table: Table) -> Frame:
    return table.picture((*LEFT, *RIGHT), seed=5)


@pytest.mark.parametrize(
    ("zone", "faces"),
    [
        pytest.param(Zone.LEFT, (6, 4, 1), id="left"),
        pytest.param(Zone.RIGHT, (5, 2), id="right"),
        pytest.param((150.0, 0.0, 300.0, 110.0), (2,), id="a rectangle"),
        pytest.param(None, (6, 5, 4, 2, 1), id="all"),
    ],
)
def test_only_the_dice_of_the_zone_are_read(
    calibration: Calibration, both: Frame, zone: Zone | Rectangle | None, faces: tuple[int, ...]
) -> None:
    reading = read_tray(both, calibration, len(faces), zone=zone)

    assert reading.faces == faces
    assert len(reading.dice) == len(faces)
    assert read_tray(both, calibration, zone=zone).faces == faces


def test_what_lies_outside_the_zone_changes_nothing_of_the_reading(calibration: Calibration, table: Table) -> None:
    turned = tuple(replace(die, top=7 - die.top) for die in RIGHT)
    readings = [
        read_tray(table.picture((*LEFT, *others), seed=5), calibration, 3, zone=Zone.LEFT) for others in (RIGHT, turned)
    ]

    # The light is judged by all of the tray, to a hundredth of a pixel.
    for one, other in zip(*(reading.dice for reading in readings), strict=True):
        assert one.face == other.face
        assert one.centre_px == pytest.approx(other.centre_px, abs=0.2)
    assert max(die.centre_px[0] for die in readings[0].dice) < 640


@pytest.mark.parametrize("zone", [Zone.LEFT, Zone.RIGHT])
@pytest.mark.parametrize("x", [146.0, 150.0, 154.0])
def test_a_die_across_the_border_is_refused_in_both_zones(
    calibration: Calibration, table: Table, zone: Zone, x: float
) -> None:
    frame = table.picture((*LEFT, *RIGHT, RenderedDie(x, 100, 0, 3)), seed=6)

    assert read_tray(frame, calibration, zone=zone).fault is Fault.OUTSIDE


@pytest.mark.parametrize(("x", "faces"), [(143.0, ((6, 4, 3, 1), (5, 2))), (157.0, ((6, 4, 1), (5, 3, 2)))])
def test_a_die_that_all_but_touches_the_border_counts_in_one_zone_only(
    calibration: Calibration, table: Table, x: float, faces: tuple[tuple[int, ...], ...]
) -> None:
    frame = table.picture((*LEFT, *RIGHT, RenderedDie(x, 100, 0, 3)), seed=6)

    assert tuple(read_tray(frame, calibration, zone=zone).faces for zone in Zone) == faces


def test_a_cocked_die_across_the_border_is_not_read_around(calibration: Calibration, table: Table) -> None:
    frame = table.picture((*LEFT, RenderedDie(151, 100, 20, 3, tilt_deg=30)), seed=6)

    assert read_tray(frame, calibration, 3, zone=Zone.LEFT).faces is None


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"dice": (RenderedDie(220, 100, 20, 3, tilt_deg=30),)}, id="a cocked die"),
        pytest.param({"dice": (RenderedDie(220, 100, 20, 3), RenderedDie(240, 100, 20, 3))}, id="other dice"),
        pytest.param({"cup": Cup((235, 110))}, id="a cup that stands"),
        pytest.param({"cup": Cup((235, 110), tilt_deg=20, towards_deg=0, held=True)}, id="a cup held up"),
    ],
)
def test_what_happens_in_the_other_zone_does_not_keep_this_one_from_being_read(
    calibration: Calibration, table: Table, other: dict[str, object]
) -> None:
    dice = (*LEFT, *other.get("dice", ()))  # type: ignore[misc]
    frame = table.picture(dice, seed=7, cup=other.get("cup"))  # type: ignore[arg-type]

    assert read_tray(frame, calibration, 3, zone=Zone.LEFT).faces == (6, 4, 1)


@pytest.mark.long
def test_a_hand_over_the_border_is_in_the_way_of_both(calibration: Calibration, table: Table) -> None:
    frame = table.picture((*LEFT, *RIGHT), seed=8, hand=(150, 60))

    assert read_tray(frame, calibration, 3, zone=Zone.LEFT).faces is None
    assert read_tray(frame, calibration, 2, zone=Zone.RIGHT).faces is None


def test_an_empty_zone_is_missing_dice_whatever_the_other_holds(calibration: Calibration, table: Table) -> None:
    frame = table.picture(LEFT, seed=9)

    assert read_tray(frame, calibration, 3, zone=Zone.RIGHT).fault is Fault.MISSING
    assert read_tray(frame, calibration, 2, zone=Zone.LEFT).fault is Fault.EXTRA
    assert read_tray(frame, calibration, 4, zone=Zone.LEFT).fault is Fault.MISSING


def test_thrown_dice_are_read_in_their_zone(calibration: Calibration, table: Table) -> None:
    read = 0
    for seed in range(2):
        rng = random.Random(seed)
        dice: list[RenderedDie] = []
        while len(dice) < 6:
            die = RenderedDie(rng.uniform(14, 286), rng.uniform(14, 206), rng.uniform(0, 90), rng.randint(1, 6))
            if abs(die.x_mm - 150) > 12 and all(np.hypot(die.x_mm - o.x_mm, die.y_mm - o.y_mm) > 25 for o in dice):
                dice.append(die)
        frame = table.picture(dice, seed=seed)
        for zone in Zone:
            reading = read_tray(frame, calibration, zone=zone)
            if reading.faces is not None:
                read += 1

                assert reading.faces == _within(dice, zone)
    assert read == 4


def _within(dice: Sequence[RenderedDie], zone: Zone) -> tuple[int, ...]:
    return tuple(sorted((d.top for d in dice if (d.x_mm < 150) == (zone is Zone.LEFT)), reverse=True))


@pytest.mark.parametrize(
    "zone",
    [pytest.param((100.0, 0.0, 50.0, 220.0), id="inside out"), pytest.param((0.0, 0.0, 301.0, 220.0), id="too wide")],
)
def test_what_is_no_part_of_the_tray_is_a_bug(calibration: Calibration, both: Frame, zone: Rectangle) -> None:
    with pytest.raises(ValueError, match="a zone from"):
        read_tray(both, calibration, zone=zone)


def test_a_zone_of_an_uncalibration_tray_is_a_bug(both: Frame) -> None:
    with pytest.raises(ValueError, match="not calibrated"):
        read_tray(both, None, zone=Zone.LEFT)


SHARES = tuple(map(Share, range(1, 9)))


def test_the_eight_parts_go_clockwise_and_cover_the_tray_once() -> None:
    places = [share.rectangle_mm((600.0, 300.0)) for share in SHARES]

    assert [place[:2] for place in places] == [
        *((x, 0.0) for x in (0.0, 150.0, 300.0, 450.0)),
        *((x, 150.0) for x in (450.0, 300.0, 150.0, 0.0)),
    ]
    assert sum((right - left) * (front - back) for left, back, right, front in places) == 600 * 300


def test_of_eight_players_who_all_lifted_every_seat_is_read_by_itself(calibration: Calibration, table: Table) -> None:
    rng = random.Random(8)
    thrown = {}
    for share in SHARES:
        left, back, right, front = share.rectangle_mm(table.tray_mm)
        x, y = (left + right) / 2, (back + front) / 2
        around = [(-16, -20), (16, -22), (0, 6), (-18, 30), (18, 28)][: rng.randint(1, 5)]
        thrown[share] = [RenderedDie(x + a, y + b, rng.uniform(0, 90), rng.randint(1, 6)) for a, b in around]
    frame = table.picture([die for dice in thrown.values() for die in dice], seed=6)

    for share, dice in thrown.items():
        assert read_tray(frame, calibration, len(dice), zone=share).faces == tuple(
            sorted((die.top for die in dice), reverse=True)
        )
        assert read_tray(frame, calibration, len(dice) + 1, zone=share).fault is Fault.MISSING


def test_a_die_between_two_seats_is_no_ones(calibration: Calibration, table: Table) -> None:
    across = RenderedDie(table.tray_mm[0] / 4, 60, 20, 5)
    frame = table.picture((across, RenderedDie(30, 30, 0, 2), RenderedDie(120, 40, 70, 3)), seed=7)

    assert [read_tray(frame, calibration, zone=Share(seat)).fault for seat in (1, 2)] == [Fault.OUTSIDE] * 2


@pytest.mark.parametrize("seat", [0, 9])
def test_there_are_no_more_than_eight_seats(seat: int) -> None:
    with pytest.raises(ValueError, match="seats are 1 to 8"):
        Share(seat)
