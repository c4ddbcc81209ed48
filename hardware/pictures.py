"""Still pictures from files: any kind a camera or a phone writes, as one kind of frame, or one clear line why not.

Pillow decodes: it tells a cut-off file from a whole one, prints nothing, and gives the same pixels as OpenCV's own
reader (both turn a picture as its EXIF orientation says; for JPEG, PNG and TIFF not one value differs).
"""

from __future__ import annotations

import io
import os
import struct
import warnings
import zlib
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, TiffImagePlugin, UnidentifiedImageError, WebPImagePlugin

from hardware.devices import HardwareError

Frame: TypeAlias = npt.NDArray[np.uint8]
StrPath: TypeAlias = str | os.PathLike[str]

_RARER = (TiffImagePlugin, WebPImagePlugin)  # Pillow knows these only once they are imported

FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "PPM")
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".ppm", ".pgm"})
ALLOWED = "JPEG, PNG, WebP, BMP, TIFF, GIF or PPM"

MAX_PIXELS = 120_000_000
"""Pixels of the largest picture that is decoded: 480 MB while Pillow holds it, and 360 MB as a frame."""

MAX_BYTES = 256 * 1024 * 1024
"""Bytes of the largest file that is read."""

_ORIENTATION = 0x0112
_STRIP_ROWS = 256
_BROKEN: tuple[type[Exception], ...] = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    EOFError,
    OverflowError,
    MemoryError,
    struct.error,
    zlib.error,
)


class PictureError(HardwareError, ValueError):
    """A picture or recording cannot be used: what was found, what is allowed, what to do, in one line."""


def shown(path: StrPath) -> str:
    r"""Return *path* as it can stand in one line of any terminal.

    Examples
    --------
    >>> shown("two\nlines.jpg")
    'two?lines.jpg'
    """
    text = os.fsencode(path).decode("utf-8", "replace")
    return "".join(char if char.isprintable() else "?" for char in text)


def load_picture(path: StrPath) -> Frame:
    """Read one still picture.

    Parameters
    ----------
    path
        A file: JPEG, PNG, WebP, BMP, TIFF, GIF or PPM; grey, colour, with transparency or 16 bits per value.

    Returns
    -------
    ndarray of uint8, shape (rows, columns, 3)
        Blue-green-red, upright as the camera's orientation mark says. Transparency is dropped, of 16 bits the high
        8 are kept, of an animation the first picture.

    Raises
    ------
    PictureError
        If the file is missing, unreadable, a folder, empty, cut off, not a picture or too large.
    """
    return decode_picture(read_bytes(path), shown(path))


def read_bytes(path: StrPath) -> bytes:
    """Return what stands in the file at *path*, or raise `PictureError`."""
    name = shown(path)
    if not name:
        raise PictureError("a picture without a name: there is no such file; check the name")
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise PictureError(f"{name}: there is no such file; check the name") from None
    except IsADirectoryError:
        raise PictureError(f"{name}: is a folder; name the pictures in it, such as {name}/*.jpg") from None
    except PermissionError:
        raise PictureError(f"{name}: may not be read by this user; change its permissions") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(f"{name}: cannot be read ({reason}); check the name and the disk") from None
    if not data:
        raise PictureError(f"{name}: is empty (0 bytes); take or copy the picture again")
    if len(data) > MAX_BYTES:
        raise PictureError(f"{name}: is larger than {MAX_BYTES >> 20} MB; save it smaller, as a JPEG for example")
    return data


def decode_picture(data: bytes, name: str) -> Frame:
    """Decode the bytes of one picture as `load_picture` does; *name* stands in the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                _check_size(picture, name)
                picture.load()
                return _upright(_pixels(picture, name), _orientation(picture))
        except PictureError:
            raise
        except Image.DecompressionBombError:
            raise PictureError(_too_large(name, "far too many")) from None
        except UnidentifiedImageError:
            raise PictureError(f"{name}: is not a picture that can be read; allowed are {ALLOWED}") from None
        except _BROKEN as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise PictureError(f"{name}: is damaged or cut off ({why}); take or copy the picture again") from None


def _check_size(picture: Image.Image, name: str) -> None:
    columns, rows = picture.size
    if columns * rows > MAX_PIXELS:
        raise PictureError(_too_large(name, f"{columns} x {rows}"))


def _too_large(name: str, pixels: str) -> str:
    return f"{name}: has {pixels} pixels; at most {MAX_PIXELS // 1_000_000} megapixels are read, save it smaller"


def _pixels(picture: Image.Image, name: str) -> Frame:
    """Return the decoded picture as blue-green-red, strip by strip so that no second whole copy is made."""
    columns, rows = picture.size
    frame = np.empty((rows, columns, 3), np.uint8)
    for top in range(0, rows, _STRIP_ROWS):
        strip = picture.crop((0, top, columns, min(top + _STRIP_ROWS, rows)))
        frame[top : top + _STRIP_ROWS] = _strip(strip, name)
    return frame


def _strip(strip: Image.Image, name: str) -> Frame:
    if strip.mode == "I" or strip.mode.startswith("I;16"):
        grey = np.asarray(strip).astype(np.int64)
        if grey.min() < 0 or grey.max() > 0xFFFF:
            raise PictureError(f"{name}: has 32 bits per value; allowed are 8 or 16, save it as PNG or JPEG")
        return np.repeat((grey >> 8).astype(np.uint8)[:, :, np.newaxis], 3, axis=2)
    if strip.mode == "F":
        raise PictureError(f"{name}: has fractions for values; allowed are 8 or 16 bits, save it as PNG or JPEG")
    if strip.mode == "P":
        strip = strip.convert("RGBA")
    return np.asarray(strip.convert("RGB"))[:, :, ::-1]


def _orientation(picture: Image.Image) -> int:
    """Return the EXIF orientation, 1 to 8; 1, as it is, where there is none or it cannot be read."""
    try:
        value = picture.getexif().get(_ORIENTATION, 1)
    except _BROKEN:
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _upright(frame: Frame, orientation: int) -> Frame:
    """Turn and mirror *frame* as EXIF *orientation* asks (Exif 2.32, tag 274)."""
    if orientation >= 5:
        frame = frame.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        frame = frame[:, ::-1]
    if orientation in (3, 4, 7, 8):
        frame = frame[::-1]
    return np.ascontiguousarray(frame)
