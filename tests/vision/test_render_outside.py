"""Dice that fly beside the picture."""

import numpy as np
import pytest

from vision.render import RenderedDie, Table


@pytest.mark.parametrize("x", [-150.0, -60.0, -25.0, 150.0, 340.0, 480.0])
def test_a_die_that_flies_outside_the_picture_is_drawn_as_far_as_it_is_seen(table: Table, x: float) -> None:
    die = RenderedDie(x, 110, 20, 5, lift_mm=60, travel_mm=(9.0, 3.0, -2.0), spin_deg=(10.0, 20.0, 5.0))

    picture = table.picture([die], seed=1)

    assert picture.shape == table.empty().shape
    assert np.isfinite(picture.mean())
