"""Tables as people set them up, by chance: tray, cloth, lamps, camera, and the size of the dice."""

from __future__ import annotations

import colorsys
import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy.typing as npt

from vision.render import Table
from vision.render.cloth import FELTS, Felt
from vision.render.light import Lamp, Light, Lights
from vision.render.pose import Colour
from vision.render.sensor import Sensor, Shot
from vision.render.tray import SIDES, TRAY, TrayShape
from vision.types import Frame, Point

Size = tuple[int, int]

LARGE, SMALL = (1280, 960), (640, 480)
"""Sizes of a picture; in the smaller, that of films, a die is as small as dice are read."""

_EMPTY_FRAMES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """One table: its scene, its camera, and what a person would say of it.

    Attributes
    ----------
    seed
        What it was made of.
    table, sensor
        The scene and the camera.
    die_mm
        Side of its dice.
    light
        Name of its lamps.
    is_good
        Whether the light is such as one would choose; else it is dim, coloured, from low at the side, or glaring.
    """

    seed: int
    table: Table
    sensor: Sensor
    die_mm: float
    light: str
    is_good: bool

    def empty(self) -> list[Frame]:
        """Return pictures of the empty tray, as a calibration takes them."""
        clean = self.table.clean(())
        return [self.sensor.take(clean, Shot(seed=-1 - k)) for k in range(_EMPTY_FRAMES)]

    @property
    def cloth_bgr(self) -> Colour:
        """Colour of the floor."""
        felt = self.table.felt
        return FELTS[felt].cloth_bgr if isinstance(felt, str) else felt.cloth_bgr

    @property
    def corners_px(self) -> tuple[Point, Point, Point, Point]:
        """The floor's corners in the pictures of the empty tray, clockwise from the one at the top left."""
        one, two, three, four = (self.sensor.seen_at(corner) for corner in self.table.corners_px)
        return one, two, three, four

    def pixel(self, point_mm: npt.ArrayLike, shot: Shot) -> Point:
        """Return where *point_mm*, shape (3,), is in a picture that is taken with *shot*."""
        x, y = self.table.camera.project(point_mm)
        return self.sensor.seen_at((float(x), float(y)), shot)


def make_setup(seed: int, *, is_good: bool, size: Size = LARGE) -> Setup:
    """Return the table that *seed* stands for.

    Parameters
    ----------
    seed
        Chooses everything.
    is_good
        Good light, or one that makes it hard.
    size
        Width and height of its pictures.
    """
    rng = random.Random(f"setup {seed} {is_good}")  # noqa: S311 (a table, no secret)
    name = rng.choice(sorted(_GOOD if is_good else _HARD))
    lights = (_GOOD if is_good else _HARD)[name](rng)
    table = Table(rng.randrange(1 << 30), _felt(rng), size, lights, _shape(rng))
    grainy = 1.0 if is_good else rng.uniform(1.0, 2.6)
    sensor = Sensor(
        size,
        barrel=rng.choice((0.0, rng.uniform(-0.012, 0.03))),
        blur_px=rng.uniform(0.3, 0.7 if is_good else 1.0),
        noise=rng.uniform(0.9, 2.2) * grainy,
        sharpen=rng.choice((0.0, rng.uniform(0.15, 0.6))),
        quality=rng.randint(82, 96),
        seed=rng.randrange(1 << 30),
    )
    die_mm = 16.0 if rng.random() < 0.6 else rng.choice((12.0, 14.0, 15.0, 16.5, 18.0, 19.0))
    return Setup(seed, table, sensor, die_mm, name, is_good)


def _shape(rng: random.Random) -> TrayShape:
    """Return the tray of the design, or one of another size."""
    floor = TRAY.floor
    if rng.random() < 0.35:
        wide = rng.uniform(240, 340)
        floor = (round(wide), round(wide / rng.uniform(1.25, 1.5)))
    return TrayShape(
        floor,
        rim_high=rng.uniform(12, 26),
        rim_thick=rng.uniform(8, 16),
        backstop_high=rng.uniform(30, 55),
        backstop=rng.choice(("back", *SIDES)),
    )


def _felt(rng: random.Random) -> Felt:
    """Return a tray from the shop, or one lined and lacquered in colours of one's own."""
    if rng.random() < 0.4:
        return FELTS[rng.choice(sorted(FELTS))]
    cloth = _colour(rng, (0.25, 0.9), (0.15, 0.6)) if rng.random() < 0.7 else _colour(rng, (0.0, 0.15), (0.15, 0.75))
    rim = _colour(rng, (0.05, 0.6), (0.08, 0.55))
    pattern = rng.choice(("checks", "stripes", "wood", "plain"))
    table = (_colour(rng, (0.1, 0.8), (0.2, 0.9)), _colour(rng, (0.0, 0.7), (0.3, 0.95)))
    if rng.random() < 0.2:  # leather, lacquer or plastic
        return Felt(cloth, rim, pattern, table, lined=False, rough=rng.uniform(0.1, 0.4), sheen=rng.uniform(0.05, 0.3))
    return Felt(cloth, rim, pattern, table, lined=rng.random() < 0.6, rough=rng.uniform(0.4, 2.2))


def _colour(rng: random.Random, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return round(255 * blue), round(255 * green), round(255 * red)


def _white(rng: random.Random, strength: float, spread: float = 0.08) -> Light:
    """Return light of about *strength*, between a warm bulb's and a cold sky's white."""
    warm = rng.uniform(-spread, spread)
    return strength * (1 - warm), strength, strength * (1 + warm)


def _room(rng: random.Random, strength: float) -> Light:
    return _white(rng, strength, 0.05)


def _panel(rng: random.Random) -> Lights:
    """Return one flat panel of LEDs above the tray: its mirror image lies in the dice."""
    place = (rng.uniform(40, 260), rng.uniform(-40, 240), rng.uniform(520, 900))
    half = (rng.uniform(90, 240), rng.uniform(60, 160))
    return (Lamp(place, half, _white(rng, rng.uniform(0.55, 0.8)), _room(rng, rng.uniform(0.15, 0.35))),)


def _panels(rng: random.Random) -> Lights:
    """Return two panels, one to each side."""
    strength, room = rng.uniform(0.28, 0.42), _room(rng, rng.uniform(0.08, 0.16))
    high, half = rng.uniform(480, 800), (rng.uniform(40, 110), rng.uniform(90, 200))
    return tuple(
        Lamp((x, rng.uniform(0, 220), high), half, _white(rng, strength), room)
        for x in (rng.uniform(-160, 20), rng.uniform(280, 460))
    )


def _spots(rng: random.Random) -> Lights:
    """Return two spots with hard shadows and pools of light, not quite of one colour."""
    room = _room(rng, rng.uniform(0.06, 0.12))
    return tuple(
        Lamp(
            (x, rng.uniform(-180, 330), rng.uniform(480, 750)),
            (rng.uniform(8, 28),) * 2,
            _white(rng, rng.uniform(0.3, 0.5), 0.2),
            room,
            beam=rng.uniform(1, 6),
        )
        for x in (rng.uniform(-150, 100), rng.uniform(200, 450))
    )


def _pendant(rng: random.Random) -> Lights:
    place = (rng.uniform(0, 300), rng.uniform(-120, 60), rng.uniform(480, 760))
    return (
        Lamp(
            place,
            (rng.uniform(25, 90),) * 2,
            _white(rng, rng.uniform(0.55, 0.8), 0.15),
            _room(rng, rng.uniform(0.15, 0.3)),
        ),
    )


def _window(rng: random.Random) -> Lights:
    """Return a window at one side and a little light from the ceiling."""
    turn = rng.uniform(0, math.tau)
    way = (math.cos(turn), math.sin(turn))
    far = rng.uniform(900, 1500)
    place = (150 + far * way[0], 110 + far * way[1], rng.uniform(700, 1100))
    daylight = Lamp(
        place,
        (rng.uniform(250, 500), rng.uniform(300, 500)),
        _white(rng, 0.5, 0.12),
        _room(rng, 0.25),
        (-way[0], -way[1], 0.0),
    )
    return (daylight,)


def _side(rng: random.Random) -> Lights:
    """Return a lamp on the table beside the tray: long shadows, lit side faces, the far end in the dark."""
    turn = rng.uniform(0, math.tau)
    far = rng.uniform(220, 420)
    place = (150 + far * math.cos(turn), 110 + far * math.sin(turn), rng.uniform(150, 420))
    half = (rng.uniform(15, 70),) * 2
    light, room = _white(rng, rng.uniform(0.4, 0.62), 0.2), _room(rng, rng.uniform(0.03, 0.2))
    return (Lamp(place, half, light, room, beam=rng.choice((0.0, 0.0, rng.uniform(0.5, 2.5)))),)


def _glare(rng: random.Random) -> Lights:
    """Return a small bright panel just where dice mirror it into the camera."""
    place = (rng.uniform(110, 190), rng.uniform(60, 160), rng.uniform(450, 700))
    half = (rng.uniform(30, 90), rng.uniform(30, 90))
    return (Lamp(place, half, _white(rng, rng.uniform(0.55, 0.85)), _room(rng, rng.uniform(0.1, 0.2))),)


def _dim(rng: random.Random) -> Lights:
    lights = rng.choice((_panel, _spots, _pendant))(rng)
    share = rng.uniform(0.16, 0.4)
    return tuple(_dimmed(lamp, share) for lamp in lights)


def _dimmed(lamp: Lamp, share: float) -> Lamp:
    (b, g, r), (rb, rg, rr) = lamp.bgr, lamp.room_bgr
    lit, room = (b * share, g * share, r * share), (rb * share, rg * share, rr * share)
    return Lamp(lamp.position_mm, lamp.half_mm, lit, room, lamp.facing, lamp.beam)


def _coloured(rng: random.Random) -> Lights:
    """Return bar light: two lamps of different colours."""
    hues = [colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.25, 0.65), rng.uniform(0.35, 0.5)) for _ in range(2)]
    return tuple(
        Lamp(
            (rng.uniform(-200, 500), rng.uniform(-200, 420), rng.uniform(420, 700)),
            (rng.uniform(15, 70),) * 2,
            (blue, green, red),
            _room(rng, 0.07),
        )
        for red, green, blue in hues
    )


_Maker = Callable[[random.Random], Lights]

_GOOD: dict[str, _Maker] = {"panel": _panel, "panels": _panels, "pendant": _pendant, "spots": _spots, "window": _window}
_HARD: dict[str, _Maker] = {"side": _side, "glare": _glare, "dim": _dim, "coloured": _coloured, "spots": _spots}
