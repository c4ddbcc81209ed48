"""What makes rendered dice hard to read: mirrors, cut edges, marble, glass, several lamps, walls on any side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.render import RenderedDie, Table
from vision.render.dice import mirrored_by_top
from vision.render.light import Lamp
from vision.render.pose import DICE
from vision.render.tray import SIDES, TrayShape
from vision.types import Frame

BLACK = RenderedDie(150, 110, 20, 1, body_bgr=(28, 28, 28), pip_bgr=(235, 235, 235), edge=0.03)
PANEL = Lamp((150.0, 110.0, 700.0), (260.0, 220.0), (0.6, 0.6, 0.6), (0.2, 0.2, 0.2))
LEFT = Lamp((-250.0, 110.0, 350.0), (8.0, 8.0), (0.4, 0.4, 0.4), (0.05, 0.05, 0.05))


def _table(lights: tuple[Lamp, ...], shape: TrayShape | None = None) -> Table:
    return Table(seed=4, felt="sand", size=(640, 480), light=lights, shape=shape or TrayShape())


def _about(table: Table, frame: Frame, point: tuple[float, float, float], half: int = 2) -> float:
    x, y = (round(c) for c in table.project(*point))
    return float(frame[y - half : y + half + 1, x - half : x + half + 1].mean())


def test_the_top_of_a_polished_black_die_mirrors_the_panel_and_that_of_a_worn_one_does_not() -> None:
    table = _table((PANEL,))
    polished, worn = (_about(table, table.clean([replace(BLACK, gloss=g)]), (154, 113, 16)) for g in (2e4, 12))

    assert polished > worn + 40


def test_a_top_mirrors_the_panel_above_it_and_neither_when_worn_nor_when_it_leans() -> None:
    eye = _table((PANEL,)).camera.position_mm
    polished = replace(BLACK, gloss=2e4)

    assert mirrored_by_top(polished, eye, (PANEL,)) > 0.1
    assert mirrored_by_top(replace(BLACK, gloss=4.0), eye, (PANEL,)) < mirrored_by_top(polished, eye, (PANEL,)) / 2
    assert mirrored_by_top(replace(polished, tilt_deg=35.0), eye, (PANEL,)) < 0.01
    assert mirrored_by_top(polished, eye, (LEFT,)) < 0.01


def test_a_lamp_that_is_mirrored_elsewhere_leaves_a_polished_die_black() -> None:
    table = _table((LEFT,))

    assert _about(table, table.clean([replace(BLACK, gloss=2e4)]), (154, 113, 16)) < 60


@pytest.mark.parametrize(("top", "is_red"), [pytest.param(1, True, id="the one"), pytest.param(5, False, id="a five")])
def test_of_an_asian_die_the_one_is_red(top: int, is_red: bool) -> None:
    table = _table((PANEL,))
    frame = table.clean([replace(DICE["asian"], x_mm=150, y_mm=110, top=top)])
    x, y = (round(c) for c in table.project(150, 110, 16))
    blue, _, red = frame[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0)

    assert (red > blue + 60) == is_red


def test_cut_edges_leave_less_of_the_upper_face() -> None:
    table = _table((PANEL,))
    mirrors = []
    for bevel in (0.0, 0.16):
        die = replace(BLACK, pip_bgr=BLACK.body_bgr, bevel=bevel)
        polished, worn = (table.clean([replace(die, gloss=gloss)]).astype(int) for gloss in (2e4, 12))
        mirrors.append(int((polished - worn > 40).all(axis=2).sum()))

    assert mirrors[1] < 0.85 * mirrors[0]


def test_a_cut_edge_reaches_less_far_over_the_edge_and_as_far_over_the_face() -> None:
    plain, cut = RenderedDie(0, 0, 0, 1), RenderedDie(0, 0, 0, 1, bevel=0.16)
    slant = (0.7071, 0.7071, 0.0)

    assert cut.reach_mm((1, 0, 0)) == pytest.approx(plain.reach_mm((1, 0, 0)))
    assert cut.reach_mm(slant) < plain.reach_mm(slant)


def test_marble_has_two_colours_and_its_swirls_are_its_own() -> None:
    table = _table((PANEL,))
    marble = replace(BLACK, vein_bgr=(220, 220, 220), gloss=12, grain=5)
    x, y = (round(c) for c in table.project(150, 110, 16))
    plain, one, two = (
        table.clean([die])[y - 9 : y + 10, x - 9 : x + 10].astype(float)
        for die in (replace(BLACK, gloss=12), marble, replace(marble, grain=6))
    )

    assert one.std() > plain.std() + 10
    assert np.abs(one - two).mean() > 10


def test_pips_of_the_face_below_shine_through_a_clear_die() -> None:
    table = _table((PANEL,))
    clear = replace(BLACK, body_bgr=(40, 30, 200), clear=0.95, gloss=12, layout=replace(BLACK.layout, one=0.02))
    without = replace(clear, layout=replace(clear.layout, pip=0.001))
    x, y = (round(c) for c in table.project(150, 110, 16))
    part = np.s_[y - 11 : y + 12, x - 11 : x + 12, 2]
    more = table.clean([clear])[part].astype(float) - table.clean([without])[part]

    assert (more > 12).sum() > 20


def test_a_clear_die_throws_a_shadow_of_its_colour() -> None:
    table = _table((LEFT,))
    opaque = RenderedDie(150, 110, 0, 1, body_bgr=(30, 24, 200))
    shadows = [table.clean([die]) for die in (opaque, replace(opaque, clear=0.9))]
    x, y = (round(c) for c in table.project(163, 110))
    dark, red = (frame[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(axis=0) for frame in shadows)

    assert red[2] > dark[2] + 15
    assert red[2] - red[0] > dark[2] - dark[0] + 10


def test_two_lamps_throw_two_shadows() -> None:
    right = replace(LEFT, position_mm=(550.0, 110.0, 350.0))
    table = _table((LEFT, right))
    fall = table.clean(()).astype(float) - table.clean([replace(BLACK, gloss=12)])

    for x in (136.0, 164.0):
        assert _about(table, fall.clip(0, 255).astype(np.uint8), (x, 110, 0), 1) > 15


@pytest.mark.parametrize("side", SIDES)
def test_the_backstop_can_stand_on_any_side(side: str) -> None:
    shape = TrayShape(backstop=side, backstop_high=50.0)
    walls = {name: shape.high_at(name) for name in SIDES}
    high = [box for box in shape.boxes if box.centre_mm[2] + box.half_mm[2] == 50.0]
    away = high[0].centre_mm[:2] - [150, 110]

    assert [name for name, mm in walls.items() if mm == 50.0] == [side]
    assert len(high) == 1
    assert {(0, -1): "back", (1, 0): "right", (0, 1): "front", (-1, 0): "left"}[
        int(np.sign(np.rint(away[0] / 20))), int(np.sign(np.rint(away[1] / 20)))
    ] == side


def test_a_wall_hides_the_die_behind_it() -> None:
    out = replace(BLACK, x_mm=-24.0, lift_mm=-6.0, yaw_deg=0.0, body_bgr=(240, 240, 240))
    seen = []
    for high in (6.0, 90.0):
        table = _table((PANEL,), TrayShape(backstop="left", backstop_high=high))
        seen.append(int((np.abs(table.clean([out]).astype(int) - table.clean(())).max(axis=2) > 60).sum()))

    assert seen[0] > 100
    assert seen[1] < 0.2 * seen[0]


def test_a_bright_die_lights_the_dark_floor_beside_it_in_its_colour() -> None:
    low = Lamp((-150.0, 110.0, 180.0), (20.0, 20.0), (0.6, 0.6, 0.6), (0.02, 0.02, 0.02))
    table = _table((low,))
    red = replace(BLACK, x_mm=200, body_bgr=(20, 20, 220), edge=0.02)
    beside = (186.0, 110.0, 0.0)
    lit, empty = table.clean([replace(red, yaw_deg=0)]).astype(int), table.clean([]).astype(int)
    x, y = (round(c) for c in table.project(*beside))
    more = (lit - empty)[y - 2 : y + 3, x - 2 : x + 3].mean(axis=(0, 1))

    assert more[2] > 5
    assert more[2] > 3 * max(more[0], more[1])


def test_no_light_comes_out_of_a_cup() -> None:
    table = _table((LEFT,))
    hidden = [replace(BLACK, body_bgr=(240, 240, 240))]

    assert np.array_equal(table.clean(hidden, cup=(150, 110)), table.clean([], cup=(150, 110)))
