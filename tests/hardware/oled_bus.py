"""An I2C bus with a small display on it, as luma's serial interface: what was sent can be seen."""

from __future__ import annotations

import numpy as np
from luma.core.error import DeviceNotFoundError

_OPERANDS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
_PAIRS = {0xA0: 0xA0, 0xA1: 0xA0, 0xA4: 0xA4, 0xA5: 0xA4, 0xA6: 0xA6, 0xA7: 0xA6, 0xC0: 0xC0, 0xC8: 0xC0}
"""Commands that are one setting with two values, and the name under which it is kept."""

_SSD1306 = {
    0x20: 0x02, 0x81: 0x7F, 0x8D: 0x10, 0xA0: 0xA0, 0xA4: 0xA4, 0xA6: 0xA6, 0xA8: 0x3F, 0xC0: 0xC0, 0xD3: 0x00,
    0xD5: 0x80, 0xD9: 0x22, 0xDA: 0x12, 0xDB: 0x20,
}  # fmt: skip
"""What the datasheets say that they are set to after power-on; an SH1106 knows no addressing but by pages (0x20)."""
_SH1106 = {name: value for name, value in _SSD1306.items() if name != 0x20} | {0x81: 0x80, 0xD5: 0x50, 0xDB: 0x35}


class Bus:
    """An I2C bus with a display of 128 x 64 pixels on it, as luma's serial interface: decodes what is sent.

    Attributes
    ----------
    sent
        Bytes that went over the wire; each takes nine beats of the bus, the answer included.
    settings
        What the display is set to, by command.
    """

    def __init__(self, columns_hidden: int = 0) -> None:
        self.plugged = True
        self.on = False
        self.open = 0
        self.sent = 0
        self._ram = np.zeros((8, 128 + 2 * columns_hidden), bool).repeat(8, axis=0)
        self._hidden = columns_hidden
        self._at = [0, 0]
        self._at_power_on = _SH1106 if columns_hidden else _SSD1306
        self.settings = dict(self._at_power_on)

    def connect(self) -> Bus:
        self.open += 1
        return self

    def command(self, *command: int) -> None:
        self._answer(len(command))
        left = list(command)
        while left:
            name = left.pop(0)
            count = 0 if self._hidden and name == 0x20 else _OPERANDS.get(name, 0)
            operands, left = left[:count], left[count:]
            self._obey(name, operands)

    def _obey(self, name: int, operands: list[int]) -> None:
        page, column = self._at
        if name in (0xAE, 0xAF):
            self.on = name == 0xAF
        elif name in _PAIRS:
            self.settings[_PAIRS[name]] = name
        elif name in self.settings:
            self.settings[name] = operands[0]
        elif name == 0x21 and self._horizontal:  # column range: horizontal addressing starts over
            self._at = [0, 0]
        elif 0xB0 <= name <= 0xB7:
            self._at = [name - 0xB0, column]
        elif name <= 0x0F:
            self._at = [page, column & 0xF0 | name]
        elif name <= 0x1F:
            self._at = [page, column & 0x0F | (name & 0x0F) << 4]

    def data(self, data: list[int]) -> None:
        self._answer(len(data))
        for byte in data:
            page, column = self._at
            self._ram[8 * page : 8 * page + 8, column] = [byte >> bit & 1 for bit in range(8)]
            at_the_end = column + 1 == self._ram.shape[1]
            down = at_the_end and self._horizontal  # by pages it begins the same one again
            self._at = [(page + down) % 8, 0 if at_the_end else column + 1]

    @property
    def _horizontal(self) -> bool:
        return self.settings.get(0x20) == 0x00

    def cleanup(self) -> None:
        self.open -= 1

    def picture(self) -> list[list[bool]] | None:
        seen = self._ram[:, self._hidden : self._hidden + 128]
        seen = seen if self.settings[0xA0] == 0xA1 else seen[:, ::-1]
        seen = seen if self.settings[0xC0] == 0xC8 else seen[::-1]
        lit = self.on and self.plugged and self.settings[0x8D] == 0x14
        return seen.tolist() if lit else None

    def pull(self) -> None:
        """Pull the plug: it answers nothing and forgets everything."""
        self.plugged = self.on = False
        self._ram[:] = False
        self._at = [0, 0]
        self.settings = dict(self._at_power_on)

    def put_back(self) -> None:
        self.plugged = True

    def _answer(self, length: int) -> None:
        if not self.plugged:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")
        self.sent += length + 2  # the display's address, and whether commands or data follow
