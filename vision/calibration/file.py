"""A calibration as JSON: read with every wrong value named, written whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import cv2
import numpy as np

from vision.calibration import plain
from vision.calibration.checks import CalibrationError
from vision.calibration.dice import DieModel
from vision.lens import Lens
from vision.types import Frame, as_uint8

FORMAT = 1
KIND = "mexico-table calibration"

PNG = b"\x89PNG\r\n\x1a\n"
"""How a file of that format begins."""

MOST_JSON, MOST_PNG = 4_000_000, 200_000_000
"""Bytes that a calibration and its picture may have: more are of something else, and may be more than the memory."""

MOST_HELD = 100_000_000
"""The largest value that a camera is held at: 100 s in microseconds, and what else is held is far smaller. None is
below 0: `hardware.devices.LockableCamera` returns no such one."""

LOCKED_S = 10.0
"""How long to wait for another program that writes a calibration into the same folder."""

EMPTY = r"\.empty(-\d+)?\.png"
"""How the picture of the empty tray ends that is written beside a calibration: with the first number that is free."""


class Fields(Mapping[str, Any]):
    """What stands in a calibration; `asked` is what was asked for last, in which what is wrong is."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self.asked = ""

    def __getitem__(self, name: str) -> Any:
        """Return what stands under *name*, or raise KeyError."""
        self.asked = name
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._data)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._data)


def followed(path: str | os.PathLike[str]) -> Path:
    """Return the file that *path* leads to, if it is a link: what belongs to it lies beside that one."""
    return Path(os.path.realpath(path) if os.path.islink(path) else path)


def beside(calibration: Path, end: str) -> Path:
    """Return the file beside *calibration* that has its name without .json, and this *end*."""
    real = followed(calibration)
    return real.with_name(real.name.removesuffix(".json") + end)


def read_json(source: Path) -> Mapping[str, Any]:
    """Return what stands in the calibration file *source*.

    Raises
    ------
    CalibrationError
        When it cannot be read, is no JSON, of another program or of another version.
    """
    _refuse_devices(source)
    if os.path.isfile(source) and os.path.getsize(source) > MOST_JSON:
        raise CalibrationError(f"{source}: is no calibration, it is too large for one; calibrate again")
    try:
        data = json.loads(source.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CalibrationError(f"{source}: cannot be read ({error.strerror}); calibrate first") from error
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"{source}: is no calibration, not even JSON; calibrate again") from error
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise CalibrationError(f"{source}: is no calibration of this program; calibrate again")
    said = data.get("format")
    if isinstance(said, bool) or not isinstance(said, int) or said != FORMAT:  # true and 1.0 equal 1
        raise CalibrationError(
            f"{source}: is of format {repr(said)[:20]}, this program reads {FORMAT}; calibrate again"
        )
    return data


def write_json(target: Path, data: Mapping[str, Any], empty: Frame, keep: Collection[str] = ()) -> None:
    """Write *data* to *target* and *empty* beside it as a PNG, in place of what was there, in one step.

    The picture has a name that nothing else has, and that of before is there until *target* says the new one: a program
    that is killed in between leaves the calibration of before, and no neighbour is replaced. The one of before is then
    removed, unless another calibration beside it names it, or it is among the real paths to *keep*.
    """
    _refuse_devices(target)
    try:
        with _alone_in(target.parent):
            _write_both(target, data, empty, keep)
    except OSError as error:
        raise CalibrationError(f"{target}: cannot be written ({error.strerror}); nothing was replaced") from error


def _refuse_devices(path: Path) -> None:
    """Refuse what is there under the name of a calibration and is no file: a device would be replaced, or never end."""
    # `Path.exists` raises where a folder may not be looked into; that is said by whoever opens the file.
    if os.path.exists(path) and not os.path.isfile(path):
        raise CalibrationError(f"{path}: is no file; name a file, such as calibration.json")


def _write_both(target: Path, data: Mapping[str, Any], empty: Frame, keep: Collection[str]) -> None:
    before = _picture_of(target)
    picture = next(path for path in _pictures(target) if not os.path.lexists(path))
    content = {"format": FORMAT, "kind": KIND, **data, "empty": picture.name}
    replace_file(picture, cv2.imencode(".png", empty)[1].tobytes())
    try:
        replace_file(target, (json.dumps(content, indent=1) + "\n").encode())
    except BaseException:
        if _picture_of(target) != picture.name:
            picture.unlink(missing_ok=True)
        raise
    if re.fullmatch(re.escape(beside(target, "").name) + EMPTY, before):
        old = picture.with_name(before)
        if os.path.realpath(old) not in keep and not _is_named(old, target):
            with suppress(OSError):  # nobody asks for it any more
                old.unlink()


def _is_named(picture: Path, target: Path) -> bool:
    """Return whether another calibration than *target*, such as a copy of it, names the *picture* beside it."""
    others = (path for path in target.parent.glob("*.json") if path.name != target.name)
    return any(_picture_of(path) == picture.name for path in others)


def _pictures(target: Path) -> Iterator[Path]:
    """Iterate over the names that the picture of the calibration at *target* may have."""
    yield beside(target, ".empty.png")
    yield from (beside(target, f".empty-{number}.png") for number in count(2))


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until nobody else writes a calibration into *folder*: two at once would mix their pictures."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except PermissionError:  # it may be written and not read, and so not be locked either
        yield
        return
    try:
        _lock(opened, folder)
        yield
    finally:
        os.close(opened)


def _lock(opened: int, folder: Path) -> None:
    ends_s = monotonic() + LOCKED_S
    while True:
        try:
            return fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > ends_s:
                said = f"{folder}: another program holds this folder; wait for it, or save into another"
                raise CalibrationError(said) from None
            sleep(0.05)


def _picture_of(target: Path) -> str:
    """Return the name of the picture that the calibration at *target* says; none if there is no such one."""
    try:
        return str(read_json(target).get("empty", ""))
    except CalibrationError:
        return ""


def lens_json(lens: Lens | None) -> Mapping[str, Any] | None:
    """Return *lens* as JSON."""
    if lens is None:
        return None
    return {
        "centre_px": list(lens.centre_px),
        "unit_px": lens.unit_px,
        "k1": lens.k1,
        "k2": lens.k2,
        "focal_px": lens.focal_px,
    }


def lens_from(data: Any, size: tuple[int, int]) -> Lens | None:
    """Return the lens that *data* says, or raise ValueError or KeyError."""
    if data is None:
        return None
    said = plain.named(data)
    focal = None if said["focal_px"] is None else plain.number(said["focal_px"])
    unit, k1, k2 = (plain.number(said[name]) for name in ("unit_px", "k1", "k2"))
    lens = Lens(plain.pair(said["centre_px"]), unit, k1, k2, focal)
    if not lens.is_sane(size):
        raise ValueError("no lens bends a picture like that")
    return lens


def held_from(data: Any) -> dict[str, float]:
    """Return how the camera was held, or raise ValueError."""
    held = {plain.name(name): plain.number(value) for name, value in plain.named(data).items()}
    for name, value in held.items():
        if not 0 <= value <= MOST_HELD:
            raise ValueError(f"{name} is {value:g}, which is not 0 to {MOST_HELD}")
    return held


def dice_from(data: Any) -> tuple[DieModel, ...]:
    """Return the dice that *data* lists, or raise ValueError or KeyError."""
    return tuple(DieModel.from_json(plain.named(die)) for die in plain.listed(data))


def decode(picture: Path) -> Frame | None:
    """Return the picture in the PNG file *picture*, None if there is none that can be read whole."""
    try:
        if not picture.is_file() or picture.stat().st_size > MOST_PNG:
            return None
        packed = picture.read_bytes()
        decoded = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR) if _is_whole_png(packed) else None
    except (OSError, cv2.error):  # OpenCV raises what it has no memory for
        return None
    return None if decoded is None else as_uint8(decoded)


def _is_whole_png(packed: bytes) -> bool:
    """Return whether all chunks of a PNG are there, each with its checksum (PNG, third edition, section 5).

    What OpenCV decodes it with writes of those that are damaged to standard error by itself.
    """
    at = len(PNG)
    while packed.startswith(PNG) and at < len(packed):
        length = int.from_bytes(packed[at : at + 4], "big")
        end = at + 8 + length
        if zlib.crc32(packed[at + 4 : end]) != int.from_bytes(packed[end : end + 4], "big"):
            return False
        if packed[at + 4 : at + 8] == b"IEND":
            return True
        at = end + 4
    return False


def replace_file(target: Path, content: bytes) -> None:
    """Write *content* beside *target*, then put it in its place: a power cut leaves the old file or the new one."""
    fresh, opened = _fresh_beside(target)
    try:
        with open(opened, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    try:
        folder = os.open(target.parent, os.O_RDONLY)
    except PermissionError:
        return  # it may be written and not read: the file is there, and only its owner can sync its name
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _fresh_beside(target: Path) -> tuple[Path, int]:
    """Return a file beside *target* under a name that nothing had, and its descriptor."""
    for number in count():
        fresh = target.with_name(f".mexico-table.{os.getpid()}-{number}.new")
        with suppress(FileExistsError):
            return fresh, os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    raise AssertionError
