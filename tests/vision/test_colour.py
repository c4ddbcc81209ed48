"""The colour of a die: of its body and not of its pips, whatever it shows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from firmware.dice_colours import WARM_UP, Apart, named
from firmware.throws import seen_dice
from tests.rendered import calibrated
from vision.calibration import Calibration
from vision.colour import body_of, coloured
from vision.read import read_tray
from vision.render import RenderedDie, Table
from vision.types import Bgr, Fault, TrayReading

BODIES: dict[str, tuple[Bgr, Bgr]] = {
    "white, black pips": ((235, 240, 240), (20, 20, 20)),
    "red, white pips": ((32, 26, 176), (240, 240, 240)),
    "blue, white pips": ((158, 66, 22), (240, 240, 240)),
}


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=5)


@pytest.fixture(scope="module")
def calibration(table: Table) -> Calibration:
    return calibrated(table)


@pytest.mark.parametrize("name", BODIES)
def test_every_face_of_a_die_has_the_colour_of_its_body(table: Table, calibration: Calibration, name: str) -> None:
    body, ink = BODIES[name]
    found = []
    for face in range(1, 7):
        die = RenderedDie(180, 110, 12.0 * face, face, body_bgr=body, pip_bgr=ink)
        frame = table.picture([die], seed=face)
        reading = read_tray(frame, calibration, 1)
        assert reading.faces == (face,)
        assert reading.dice[0].body_bgr is None
        colour = coloured(frame, reading).dice[0].body_bgr
        assert colour is not None
        found.append(colour)
    spread = np.ptp(np.array(found), axis=0).max()

    assert spread < 25, found
    assert np.abs(np.median(np.array(found), axis=0) - body).max() < 60


def test_two_dice_are_told_apart_wherever_they_fall(table: Table, calibration: Calibration) -> None:
    bodies = {6: BODIES["red, white pips"], 2: BODIES["white, black pips"]}
    rng, apart = random.Random(3), Apart()
    told: list[tuple[int, Sequence[int]]] = []
    for throw in range(WARM_UP + 2):
        x, y = rng.uniform(30, 130), rng.uniform(30, 190)
        places = ((x, y), (x + rng.uniform(40, 140), y))
        dice = [
            RenderedDie(*place, rng.uniform(0, 90), face, body_bgr=body, pip_bgr=ink)
            for place, (face, (body, ink)) in zip(rng.sample(places, 2), bodies.items(), strict=True)
        ]
        frame = table.picture(dice, seed=throw)
        reading = coloured(frame, read_tray(frame, calibration, 2))
        assert reading.faces == (6, 2)
        told += apart.see(*zip(*seen_dice(reading), strict=True))

    assert [tuple(faces) for _, faces in told] == [(6, 2)] * (WARM_UP + 2)
    assert named(apart.colours) == ("red", "white")


def test_of_a_die_beyond_the_picture_no_colour_is_told(table: Table, calibration: Calibration) -> None:
    frame = table.picture([RenderedDie(150, 110, 20, 3)], seed=1)
    die = read_tray(frame, calibration, 1).dice[0]
    away = replace(
        die,
        corners_px=tuple((x + 5000, y) for x, y in die.corners_px),  # type: ignore[arg-type]
        pips_px=tuple((x + 5000, y) for x, y in die.pips_px),
    )

    assert body_of(frame, die) is not None
    assert body_of(frame, away) is None


def test_a_picture_without_dice_has_no_colours() -> None:
    nothing = TrayReading.refused(Fault.LIGHT)

    assert coloured(np.zeros((48, 64, 3), np.uint8), nothing) == nothing
