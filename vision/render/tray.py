"""The tray without dice: floor, rim, backstop and the table under it, as flat faces in the light of one lamp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.render.camera import Doubles, Pinhole
from vision.render.cloth import Cloths, Felt, Stuff
from vision.render.light import Box, Lamp, Lights, develop, lamp_at, room_of, seen_part
from vision.types import Floats, Frame, Indices, Mask

SIDES = ("back", "right", "front", "left")
"""The sides of a tray, clockwise."""


@dataclass(frozen=True, slots=True)
class TrayShape:
    """Measures of the tray in millimetres; the floor's top left corner is the origin, its floor z = 0.

    `backstop` is the one of `SIDES` with the higher wall.
    """

    floor: tuple[float, float] = (300.0, 220.0)
    rim_high: float = 20.0
    rim_thick: float = 12.0
    backstop_high: float = 42.0
    foot: float = 6.0
    table: float = 240.0
    backstop: str = "back"

    @property
    def boxes(self) -> tuple[Box, Box, Box, Box]:
        """Backstop, and the other walls clockwise from it."""
        (wide, deep), thick = self.floor, self.rim_thick
        far, turns = 6.0, SIDES.index(self.backstop)
        walls = []
        for step in range(4):
            side = SIDES[(turns + step) % 4]
            over = thick + far if step == 0 else thick if step == 2 else 0.0
            high = self.rim_high if step else self.backstop_high
            match side:
                case "back":
                    walls.append(self._box(-over, wide + over, -thick, 0.0, high))
                case "right":
                    walls.append(self._box(wide, wide + thick, -over, deep + over, high))
                case "front":
                    walls.append(self._box(-over, wide + over, deep, deep + thick, high))
                case _:
                    walls.append(self._box(-thick, 0.0, -over, deep + over, high))
        one, two, three, four = walls
        return one, two, three, four

    def _box(self, left: float, right: float, back: float, front: float, high: float) -> Box:
        low = np.array([left, back, -self.foot])
        up = np.array([right, front, high])
        return Box((low + up) / 2, np.eye(3), (up - low) / 2)

    def high_at(self, side: str) -> float:
        """Return the height of the wall on *side*."""
        return self.backstop_high if side == self.backstop else self.rim_high

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Return whether a point is above the floor."""
        return 0 <= x_mm <= self.floor[0] and 0 <= y_mm <= self.floor[1]


TRAY = TrayShape()


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A rectangle of the scene: `origin` + u, v millimetres along the rows of `axes`, whose third row is outward."""

    origin: Doubles
    axes: Doubles
    extent: tuple[float, float]
    stuff: Stuff

    @property
    def corners_mm(self) -> Doubles:
        """Its corners, shape (4, 3), in order."""
        (u, v), (along_u, along_v) = self.extent, self.axes[:2]
        steps = ((0, 0), (u, 0), (u, v), (0, v))
        return np.array([self.origin + a * along_u + b * along_v for a, b in steps])

    def at(self, u: Floats, v: Floats) -> Floats:
        """Return the points, shape (3, N), at *u* and *v*, each of shape (N,)."""
        axes = self.axes.astype(np.float32)
        return np.asarray(self.origin.astype(np.float32)[:, None] + axes[0][:, None] * u + axes[1][:, None] * v)


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """The empty scene, ready for dice.

    Attributes
    ----------
    direct
        For each lamp its light that reaches the sensor, shape (M, N, 3), linear.
    around
        The same of the light of the room.
    label
        Which of *faces* each pixel shows, shape (M, N).
    faces
        From the farthest to the nearest.
    frame
        The developed picture without noise.
    """

    direct: tuple[Floats, ...]
    around: Floats
    label: Frame
    faces: tuple[Face, ...]
    frame: Frame


def faces_of(shape: TrayShape, felt: Felt, camera: Pinhole) -> tuple[Face, ...]:
    """Return what the camera can see of the table and the tray, in the order in which to draw it."""
    wide, deep = shape.floor
    far = shape.table
    level = np.eye(3)
    table = Face(np.array([-far, -far, -shape.foot]), level, (wide + 2 * far, deep + 2 * far), Stuff.TABLE)
    floor = Face(np.zeros(3), level, (wide, deep), Stuff.FELT)
    sides: list[Face] = []
    tops: list[Face] = []
    for box in shape.boxes:
        for face in _box_faces(box, felt.lined, (wide / 2, deep / 2)):
            if face.axes[2] @ (camera.position_mm - face.origin) > 0:
                (tops if face.axes[2][2] > 0.5 else sides).append(face)
    return (table, *sides, floor, *sorted(tops, key=lambda face: face.origin[2]))


def _box_faces(box: Box, lined: bool, middle: tuple[float, float]) -> list[Face]:
    """Return the top and the four sides of *box*; the side towards the floor may be lined with felt."""
    (a, b, c), (x, y, z) = box.half_mm, box.centre_mm
    right, front, up = np.eye(3)
    inward = np.array([middle[0] - x, middle[1] - y, 0.0])
    sides = [(right, b, front), (-right, b, front), (front, a, right), (-front, a, right)]
    if a >= b:
        top = Face(np.array([x - a, y - b, z + c]), np.eye(3), (float(2 * a), float(2 * b)), Stuff.RIM)
    else:
        along_grain = np.stack([front, -right, up])
        top = Face(np.array([x + a, y - b, z + c]), along_grain, (float(2 * b), float(2 * a)), Stuff.RIM)
    faces = [top]
    for normal, half, along in sides:
        reach = a if abs(normal[0]) > 0.5 else b
        origin = box.centre_mm + normal * reach - along * half - up * c
        stuff = Stuff.LINING if lined and normal @ inward > 40 else Stuff.RIM
        faces.append(Face(origin, np.stack([along, up, normal]), (float(2 * half), float(2 * c)), stuff))
    return faces


def light_tray(shape: TrayShape, felt: Felt, lights: Lights, camera: Pinhole, cloths: Cloths) -> Still:
    """Return the empty scene as *camera* sees it."""
    width, height = camera.size
    drawn = [np.zeros((3, height * width), np.float32) for _ in range(1 + len(lights))]
    label = np.zeros((height, width), np.uint8)
    faces = faces_of(shape, felt, camera)
    covers = [_cover(face, camera) for face in faces]
    for number, (face, cover, bare) in enumerate(zip(faces, covers, _bare(covers), strict=True)):
        shaded = _shaded(face, shape, lights)
        for pixels in _sheets(bare):
            lit = _light_face(face, shaded, lights, camera, cloths, pixels)
            _lay_over(drawn, [light.reshape(3, -1) for light in lit], pixels.ravel(), cover)
        label[cover > 127] = number
    corners = _vignette(camera)
    around, *direct = (cv2.merge(list(light.reshape(3, height, width))) * corners for light in drawn)
    seen = np.asarray(around + sum(direct), np.float32)
    still = Still(tuple(direct), around, label, faces, develop(soften(seen, camera)))
    fixed: tuple[Floats | Frame, ...] = (*still.direct, still.around, still.label, still.frame)
    for array in fixed:
        array.flags.writeable = False
    return still


def _lay_over(drawn: Sequence[Floats], lit: Sequence[Floats], pixels: Indices, cover: Frame) -> None:
    """Put each light of *lit*, shape (3, N), into *pixels* of that of *drawn*, (3, M); its share where *cover* ends."""
    part = cover.take(pixels)
    edge = np.flatnonzero(part < 255)
    share = part[edge] / np.float32(255)
    for light, more in zip(drawn, lit, strict=True):
        for plane, new in zip(light, more, strict=True):
            before = plane.take(pixels[edge])
            new[edge] = before + share * (new[edge] - before)
            plane[pixels] = new


def _bare(covers: Sequence[Frame]) -> list[Mask]:
    """Return for each face where it covers something that none of those after it hides, shape (M, N)."""
    hidden = np.zeros(covers[0].shape, np.bool_)
    bare = []
    for cover in reversed(covers):
        bare.append((cover > 0) & ~hidden)
        hidden |= cover == 255
    return bare[::-1]


def _sheets(places: Mask) -> list[Indices]:
    """Return all *places* as if they lay side by side in pictures of their own, (K, 256); the last is repeated.

    They are as small as a processor's memory next to it: all that is done to them is done there.
    """
    found = np.flatnonzero(places)
    if not found.size:
        return []
    sheet = np.pad(found, (0, -found.size % _ACROSS), mode="edge").reshape(-1, _ACROSS)
    return [sheet[row : row + _DOWN] for row in range(0, len(sheet), _DOWN)]


_ACROSS, _DOWN = 256, 64


def soften(light: Floats, camera: Pinhole) -> Floats:
    """Return *light* through a lens that is not quite sharp."""
    return np.asarray(cv2.GaussianBlur(light, (0, 0), 0.35 + 0.3 * camera.size[0] / 1280), np.float32)


def _cover(face: Face, camera: Pinhole) -> Frame:
    """Return how much of each pixel *face* covers, 0 to 255, shape (M, N)."""
    cover = np.zeros(camera.size[::-1], np.uint8)
    outline = np.rint(np.clip(camera.project(face.corners_mm), -20000, 20000) * 16).astype(np.int32)
    cv2.fillConvexPoly(cover, outline, 255, cv2.LINE_AA, 4)
    return cover


@dataclass(frozen=True, slots=True, eq=False)
class _Shaded:
    """How much of each lamp, and of the room, places of a face see that lie some 3 mm apart: each of shape (M, N)."""

    lamps: tuple[Floats, ...]
    room: Floats


def _light_face(
    face: Face, shaded: _Shaded, lights: Lights, camera: Pinhole, cloths: Cloths, pixels: Indices
) -> list[Floats]:
    """Return the room's and each lamp's light from *face* in *pixels* of the picture, (h, w): each (3, h, w)."""
    back = np.linalg.inv(camera.plane_to_picture(face.origin, face.axes[0], face.axes[1])).astype(np.float32)
    rows, columns = (places.astype(np.float32) for places in np.divmod(pixels, camera.size[0]))
    h, w = rows.shape
    scale = back[2, 0] * columns + back[2, 1] * rows + back[2, 2]
    u = np.clip((back[0, 0] * columns + back[0, 1] * rows + back[0, 2]) / scale, 0, face.extent[0])
    v = np.clip((back[1, 0] * columns + back[1, 1] * rows + back[1, 2]) / scale, 0, face.extent[1])
    colour, shine = cloths.of(face.stuff, u, v)
    points = face.at(u.ravel(), v.ravel())
    normal = face.axes[2].astype(np.float32)
    to_eye = camera.position_mm.astype(np.float32)[:, None] - points
    to_eye /= np.linalg.norm(to_eye, axis=0)
    open_part = _between(shaded.room, face, u, v)
    light = [np.asarray(colour * room_of(lights)[:, None, None] * open_part, np.float32)]
    for lamp, seen in zip(lights, shaded.lamps, strict=True):
        to_lamp, strength = lamp_at(points, lamp)
        facing = np.maximum(normal @ to_lamp, 0)
        middle = to_lamp + to_eye
        glance = np.clip(normal @ middle / np.linalg.norm(middle, axis=0), 0, 1) ** np.float32(40)
        power = strength.reshape(h, w) * _between(seen, face, u, v) * np.array(lamp.bgr, np.float32)[:, None, None]
        light.append(np.asarray(power * (colour * facing.reshape(h, w) + shine * glance.reshape(h, w)), np.float32))
    return light


_GRID_MM = 3.0


def _shaded(face: Face, shape: TrayShape, lights: Lights) -> _Shaded:
    """Return what keeps the light of *lights* and of the room from *face*."""
    wide, high = (max(4, min(170, round(length / _GRID_MM))) for length in face.extent)
    columns, rows = np.meshgrid(
        np.linspace(0, face.extent[0], wide, dtype=np.float32), np.linspace(0, face.extent[1], high, dtype=np.float32)
    )
    points = face.at(columns.ravel(), rows.ravel())
    normal = face.axes[2].astype(np.float32)[:, None]
    boxes = [box for box in shape.boxes if not _belongs(face, box)]
    lamps = tuple(seen_part(points, normal, lamp, boxes, across=5).reshape(high, wide) for lamp in lights)
    return _Shaded(lamps, _open_part(points, normal, boxes).reshape(high, wide))


def _between(grid: Floats, face: Face, u: Floats, v: Floats) -> Floats:
    """Return the values of *grid*, which covers *face*, at the places *u*, *v*."""
    at_u = u * np.float32((grid.shape[1] - 1) / face.extent[0])
    at_v = v * np.float32((grid.shape[0] - 1) / face.extent[1])
    return np.asarray(cv2.remap(grid, at_u, at_v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _belongs(face: Face, box: Box) -> bool:
    middle = face.corners_mm.mean(axis=0)
    return bool(np.all(np.abs(middle - box.centre_mm) <= box.half_mm + 1e-6))


def _open_part(points: Floats, normal: Floats, boxes: list[Box]) -> Floats:
    """Return the part of the room's light, weighted by its angle, that comes past *boxes* to *points*: (N,)."""
    turns = np.arange(12) * 2.399963
    heights = np.sqrt((np.arange(12) + 0.5) / 12)
    flat = np.sqrt(1 - heights**2)
    ball = np.stack([flat * np.cos(turns), flat * np.sin(turns), heights]).astype(np.float32)
    free = np.zeros(points.shape[1], np.float32)
    helper = np.eye(3, dtype=np.float32)[int(np.abs(normal[:, 0]).argmin())]
    one = np.cross(normal[:, 0], helper)
    basis = np.stack([one, np.cross(normal[:, 0], one), normal[:, 0]], axis=1)
    far = [Lamp(tuple(400 * (basis @ way) + [150, 110, 0]), (0, 0), (0, 0, 0), (0, 0, 0)) for way in ball.T]
    for lamp in far:
        free += seen_part(points, normal, lamp, boxes, across=1)
    up = 0.6 + 0.4 * float(normal[2, 0])
    return np.asarray(up * (0.25 + 0.75 * free / len(far)), np.float32)


def _vignette(camera: Pinhole) -> Floats:
    """Return how the lens darkens towards the corners, shape (M, N, 1)."""
    width, height = camera.size
    x = ((np.arange(width, dtype=np.float32) - camera.centre_px[0]) / np.float32(camera.focal_px))[None, :]
    y = ((np.arange(height, dtype=np.float32) - camera.centre_px[1]) / np.float32(camera.focal_px))[:, None]
    return np.asarray(1 / (1 + x * x + y * y)[..., None] ** 2, np.float32)
