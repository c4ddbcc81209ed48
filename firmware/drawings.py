"""Pictures that the program draws: signed, so that no other picture is ever replaced by one."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import cv2

from firmware.folder import write_for
from vision.types import Frame

SIGNATURE = b"drawn by mexico-table"

_PNG_HEAD = 33
"""Bytes of the signature of a PNG and its first chunk, before any other."""


def write_drawing(option: str, path: Path, picture: Frame) -> None:
    """Write *picture*, signed, to *path*, of a person's *option*, which it `may_replace`: a JPEG or PNG by its ending.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    write_for(option, path, _signed(cv2.imencode(path.suffix, picture)[1].tobytes()))


def may_replace(path: Path) -> bool:
    """Return whether nothing is at *path*, or what this program drew; where nobody can tell, writing there says why."""
    if os.path.exists(path) and not os.path.isfile(path):
        return False  # a pipe would be waited for
    try:
        with open(path, "rb") as file:
            return SIGNATURE in file.read(256)
    except FileNotFoundError:
        return True
    except OSError:
        return not os.path.lexists(path)


def _signed(data: bytes) -> bytes:
    """Return a PNG with a chunk tEXt, or a JPEG with a comment after its first segment, that says who drew it."""
    if data.startswith(b"\x89PNG"):
        text = b"tEXtSoftware\0" + SIGNATURE
        chunk = (len(text) - 4).to_bytes(4) + text + zlib.crc32(text).to_bytes(4)
        return data[:_PNG_HEAD] + chunk + data[_PNG_HEAD:]
    head = 4 + int.from_bytes(data[4:6])
    return data[:head] + b"\xff\xfe" + (2 + len(SIGNATURE)).to_bytes(2) + SIGNATURE + data[head:]
