"""A QR code small enough for the display of the table: two pixels a module. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hardware.devices import Bitmap
from hardware.oled import SIZE

MODULE_PX: Final = 2
QUIET_PX: Final = 3
"""At least so much stays lit on each side. Version 2, which holds an address of IPv4, has twice as much: three modules
of the four that ISO/IEC 18004 asks for."""

WIDTH: Final = 62
LIT: Final = b"\xff"


@lru_cache(maxsize=4)
def code(text: str) -> Bitmap | None:
    """Return *text* as a QR code, dark on lit, as high as the display; None where it is too long for that.

    Capitals, digits and ``$%*+-./:`` are packed tightest: 38 of them make version 2, 25 modules a side.
    """
    import segno  # only a table whose page can be reached pays for it

    modules = [list(row) for row in segno.make(text, micro=False, error="l").matrix]
    side = MODULE_PX * len(modules)
    wide, high = max(WIDTH, side + 2 * QUIET_PX), SIZE[1]
    if side + 2 * QUIET_PX > high:
        return None
    left, top = (wide - side) // 2, (high - side) // 2
    pixels = bytearray(LIT * (wide * high))
    for row in range(side):
        for column in range(side):
            if modules[row // MODULE_PX][column // MODULE_PX]:
                pixels[(top + row) * wide + left + column] = 0
    return Bitmap(wide, high, bytes(pixels))
