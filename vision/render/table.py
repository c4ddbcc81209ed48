"""Draw a tray with known faces: the camera of the virtual table, and truth for tests.

Everything here is a function of its arguments: the same table, dice and seed give the same picture to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.render.camera import Pinhole, looking_down
from vision.render.cloth import FELTS, Felt, weave
from vision.render.cup import Cup, put_cup, uncovered
from vision.render.hand import reach_in
from vision.render.light import LAMPS, Lights
from vision.render.pose import DICE, RenderedDie
from vision.render.scene import develop_patch
from vision.render.shadow import INSTANTS, Scene, patches_of
from vision.render.things import Thing, put_thing
from vision.render.tray import TRAY, Still, TrayShape, light_tray
from vision.types import Frame, Point

__all__ = ["DICE", "FELTS", "LAMPS", "TRAY", "Cup", "RenderedDie", "Table", "TrayShape", "hang_camera"]

_NOISE_MARGIN = 96
_NOISE_SIGMA = 1.5


@dataclass(frozen=True, eq=False)
class Table:
    """A tray, a camera above it and a lamp, drawn once and then ready for dice.

    Attributes
    ----------
    seed
        Chooses where the camera hangs, how it leans, and every fibre of the felt.
    felt
        A name in `FELTS`, or a cloth of your own.
    size
        Width and height of the pictures; (640, 480) shows the same scene as (1280, 960).
    light
        A name in `LAMPS`, or lamps of your own.
    shape
        Measures of the tray.

    Examples
    --------
    >>> table = Table(seed=3, size=(320, 240))
    >>> picture = table.picture([RenderedDie(100, 80, 30, 5), RenderedDie(200, 120, 10, 2)], seed=1)
    >>> picture.shape, picture.dtype.name
    ((240, 320, 3), 'uint8')
    """

    seed: int = 0
    felt: str | Felt = "green"
    size: tuple[int, int] = (1280, 960)
    light: str | Lights = "pendant"
    shape: TrayShape = TRAY
    camera: Pinhole = field(init=False, repr=False)
    still: Still = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Hang the camera and draw the empty tray."""
        for name, names in ((self.felt, FELTS), (self.light, LAMPS)):
            if isinstance(name, str) and name not in names:
                raise ValueError(f"there is no {name!r} among {', '.join(names)}")
        felt = FELTS[self.felt] if isinstance(self.felt, str) else self.felt
        camera = hang_camera(self.seed, self.size, self.shape)
        object.__setattr__(self, "camera", camera)
        object.__setattr__(self, "still", light_tray(self.shape, felt, self.lights, camera, weave(self.seed, felt)))

    @cached_property
    def _noise(self) -> tuple[Frame, Frame]:
        return _sensor_noise(self.seed, self.size)

    @property
    def lights(self) -> Lights:
        """The lamps above the tray."""
        return (LAMPS[self.light],) if isinstance(self.light, str) else self.light

    @property
    def tray_mm(self) -> tuple[float, float]:
        """Width and depth of the floor."""
        return self.shape.floor

    @property
    def corners_px(self) -> tuple[Point, Point, Point, Point]:
        """The floor's corners, clockwise from the one at the top left of the picture; the first pixel is (0, 0)."""
        wide, deep = self.shape.floor
        one, two, three, four = (self.project(x, y) for x, y in ((0, 0), (wide, 0), (wide, deep), (0, deep)))
        return one, two, three, four

    def project(self, x_mm: float, y_mm: float, z_mm: float = 0.0) -> Point:
        """Return the pixel at which a point of the table is seen."""
        x, y = self.camera.project([x_mm, y_mm, z_mm])
        return float(x), float(y)

    def empty(self, seed: int = 0) -> Frame:
        """Return a picture of the tray without dice."""
        return self.picture((), seed=seed)

    def picture(
        self,
        dice: Sequence[RenderedDie],
        *,
        seed: int = 0,
        hand: tuple[float, float] | None = None,
        cup: Point | Cup | None = None,
        cups: Sequence[Cup] = (),
    ) -> Frame:
        """Return a picture of the tray with *dice*.

        Parameters
        ----------
        dice
            What lies or flies there.
        seed
            Chooses the sensor's noise.
        hand
            Where over the floor, in millimetres, the tips of a hand are that reaches in over the front edge.
        cup
            A dice cup, or the middle in millimetres of one of leather that stands mouth down; it hides what it stands
            over.
        cups
            More of them.

        Returns
        -------
        ndarray of uint8, shape (height, width, 3)
            Blue-green-red.
        """
        return self._grainy(self.clean(dice, hand=hand, cup=cup, cups=cups), seed)

    def clean(
        self,
        dice: Sequence[RenderedDie],
        *,
        hand: tuple[float, float] | None = None,
        cup: Point | Cup | None = None,
        cups: Sequence[Cup] = (),
        thing: Thing | None = None,
        most_instants: int = INSTANTS,
    ) -> Frame:
        """Return the same picture as a sensor without noise would take it, shape (height, width, 3).

        *thing* is what somebody left in the tray; what goes far is drawn at *most_instants* moments of the exposure.
        """
        frame = self.still.frame.copy()
        scene = self._scene(most_instants)
        standing = _standing(cup, cups)
        for patch in patches_of(uncovered(dice, standing, scene), scene):
            frame[patch.part] = develop_patch(patch, scene)
        if thing is not None:
            put_thing(frame, thing, scene)
        for one in standing:
            put_cup(frame, one, scene)
        if hand is not None:
            reach_in(frame, hand, scene)
        return frame

    def shown(self, dice: Sequence[RenderedDie], cup: Point | Cup | None) -> list[RenderedDie]:
        """Return those of *dice* of which the camera sees anything past *cup*."""
        return uncovered(dice, _standing(cup), self._scene())

    def _scene(self, most_instants: int = INSTANTS) -> Scene:
        return Scene(self.camera, self.lights, self.shape, self.still, most_instants)

    def _grainy(self, frame: Frame, seed: int) -> Frame:
        x, y = (int(step) for step in np.random.default_rng(seed).integers(_NOISE_MARGIN, size=2))
        part = np.s_[y : y + self.size[1], x : x + self.size[0]]
        more, less = self._noise
        return np.asarray(cv2.subtract(cv2.add(frame, more[part]), less[part]), np.uint8)


def hang_camera(seed: int, size: tuple[int, int], shape: TrayShape) -> Pinhole:
    """Return the camera that *seed* hangs 35 to 60 cm up, leaning a little, the tray not quite in its middle."""
    rng = np.random.default_rng([seed, 0])
    wide, deep = shape.floor
    off = {"back": (0, -1), "right": (1, 0), "front": (0, 1), "left": (-1, 0)}[shape.backstop]
    return looking_down(
        (wide / 2 + rng.uniform(-6, 6) + 4 * off[0], deep / 2 + rng.uniform(-10, 2) + 4 + 4 * off[1]),
        size,
        height_mm=rng.uniform(350, 600),
        tilt_deg=rng.uniform(0, 12) * rng.random() ** 0.5,
        tilt_towards_deg=rng.uniform(0, 360),
        turn_deg=rng.uniform(-2.5, 2.5),
        px_per_mm=rng.uniform(0.0024, 0.0026) * size[0] * min(TRAY.floor[0] / wide, TRAY.floor[1] / deep),
    )


def _sensor_noise(seed: int, size: tuple[int, int]) -> tuple[Frame, Frame]:
    """Return what the sensor's noise adds and what it takes, larger than a picture: a picture uses a part of it."""
    rng = np.random.default_rng([seed, 2])
    shape = (size[1] + _NOISE_MARGIN, size[0] + _NOISE_MARGIN, 3)
    noise = np.rint(rng.standard_normal(shape, np.float32) * _NOISE_SIGMA)
    parts = np.clip(noise, 0, 255).astype(np.uint8), np.clip(-noise, 0, 255).astype(np.uint8)
    for part in parts:
        part.flags.writeable = False
    return parts


def _standing(cup: Point | Cup | None, others: Sequence[Cup] = ()) -> list[Cup]:
    return [*others] if cup is None else [cup if isinstance(cup, Cup) else Cup(cup), *others]
