"""A display as the wire hears it: bytes into the memory of an SSD1306, its picture, and the words on it.

The chip's datasheet (Solomon Systech, SSD1306, revision 1.1) numbers the commands; what the table's driver
does not send is refused, so that no byte is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from hardware.glyphs import COLUMNS, GLYPHS, ROWS

WIDE: Final = 128
PAGES: Final = 8
CELL: Final = COLUMNS + 1

_OPERANDS: Final = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
_ALONE: Final = frozenset({*range(0x40, 0x80), 0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xC0, 0xC8, 0xE3, 0x2E})
_CHARACTERS: Final = {columns: char for char, columns in GLYPHS.items()}

Picture = npt.NDArray[np.bool_]


class Ssd1306:
    """The chip: what it was told, as a picture.

    Attributes
    ----------
    on
        Whether it is lit.
    """

    def __init__(self) -> None:
        self.on = False
        self._ram = bytearray(WIDE * PAGES)
        self._columns, self._pages = (0, WIDE - 1), (0, PAGES - 1)
        self._at = (0, 0)
        self._waiting: list[int] = []

    def hear(self, heard: bytes) -> None:
        """Take messages as `devices/oled_bus.c` keeps them: a length of 16 bits, and so many bytes."""
        while heard:
            length = int.from_bytes(heard[:2], "little")
            message, heard = heard[2 : 2 + length], heard[2 + length :]
            if message[:1] == b"\x40":
                for byte in message[1:]:
                    self._data(byte)
            elif message[:1] == b"\x00":
                for byte in message[1:]:
                    self._command(byte)
            elif message:
                raise ValueError(f"a message begins with 0x{message[0]:02X}: neither commands (0x00) nor data (0x40)")

    def _command(self, byte: int) -> None:
        self._waiting.append(byte)
        name, *operands = self._waiting
        if name not in _OPERANDS and name not in _ALONE:
            raise ValueError(f"the command 0x{name:02X} is none that a display of this kind is sent")
        if len(operands) < _OPERANDS.get(name, 0):
            return
        self._waiting = []
        if name in (0xAE, 0xAF):
            self.on = name == 0xAF
        elif name == 0x21:
            self._columns = (operands[0], operands[1])
            self._at = (self._at[0], operands[0])
        elif name == 0x22:
            self._pages = (operands[0], operands[1])
            self._at = (operands[0], self._at[1])

    def _data(self, byte: int) -> None:
        page, column = self._at
        self._ram[page * WIDE + column] = byte
        if column < self._columns[1]:
            self._at = (page, column + 1)
        else:
            self._at = (page + 1 if page < self._pages[1] else self._pages[0], self._columns[0])

    @property
    def picture(self) -> Picture:
        """Return the pixels, 64 rows of 128: all dark while it is off."""
        pages = np.frombuffer(bytes(self._ram), np.uint8).reshape(PAGES, 1, WIDE)
        bits = (pages >> np.arange(8, dtype=np.uint8).reshape(1, 8, 1)) & 1
        return np.asarray(bits.reshape(8 * PAGES, WIDE).astype(bool) & self.on)


def words_on(picture: Picture) -> tuple[str, ...]:
    """Return the title and the small lines of a picture, from the top; big words and drawings are passed over.

    Examples
    --------
    >>> from hardware.devices import Screen
    >>> from hardware.oled import draw
    >>> words_on(np.array(draw(Screen("ANNA rolls", "65", ("roll 2 of 3", "pot 4"), "65"))))
    ('ANNA rolls', 'roll 2 of 3', 'pot 4')
    """
    title = _title(~picture[1 : 2 + ROWS]) if picture[0].any() else ""
    return (title, *_lines(picture))


def _title(rows: Picture) -> str:
    """Return the title, which stands in the middle of its bright bar."""
    for length in range(WIDE // CELL, 0, -1):
        left = (WIDE - (CELL * length - 1)) // 2
        if rows[:, :left].any() or rows[:, left + CELL * length - 1 :].any():
            continue
        text = _text(rows[:, left : left + CELL * length])
        if text is not None and text == text.strip():
            return text
    return ""


def _lines(picture: Picture) -> Iterator[str]:
    row = 11
    while row + ROWS < len(picture):
        text = None
        if not picture[row - 1].any():
            text = _text(picture[row : row + ROWS + 1])
        if text is not None and text.strip():
            yield text.rstrip()
            row += ROWS + 1
        row += 1


def _text(rows: Picture) -> str | None:
    """Return the characters of a line; None where something is none."""
    found = ""
    weights = 1 << np.arange(ROWS + 1)
    values = [int(column @ weights) for column in rows.T.astype(int)]
    for start in range(0, len(values) // CELL * CELL, CELL):
        char = _CHARACTERS.get(tuple(values[start : start + COLUMNS]))
        if char is None or (values[start + COLUMNS] if start + COLUMNS < len(values) else 0):
            return None
        found += char
    return found
