"""An I2C bus with a small display on it, as luma's serial interface: what was sent can be seen."""

from __future__ import annotations

import numpy as np
from luma.core.error import DeviceNotFoundError


class Bus:
    """An I2C bus with a display of 128 x 64 pixels on it, as luma's serial interface: decodes what is sent.

    Attributes
    ----------
    sent
        Bytes that went over the wire; each takes nine beats of the bus, the answer included.
    """

    def __init__(self, columns_hidden: int = 0) -> None:
        self.plugged = True
        self.on = False
        self.open = 0
        self.sent = 0
        self._ram = np.zeros((8, 128 + 2 * columns_hidden), bool).repeat(8, axis=0)
        self._hidden = columns_hidden
        self._at = [0, 0]

    def connect(self) -> Bus:
        self.open += 1
        return self

    def command(self, *command: int) -> None:
        self._answer(len(command))
        self.on = {0xAE: False, 0xAF: True}.get(command[-1] if len(command) == 1 else command[0], self.on)
        if command[0] == 0x21:  # column range: horizontal addressing starts over
            self._at = [0, 0]
        elif 0xB0 <= command[0] <= 0xB7:  # page, then the halves of the column
            self._at = [command[0] - 0xB0, (command[1] & 0x0F) | (command[2] & 0x0F) << 4]

    def data(self, data: list[int]) -> None:
        self._answer(len(data))
        for byte in data:
            page, column = self._at
            self._ram[8 * page : 8 * page + 8, column] = [byte >> bit & 1 for bit in range(8)]
            self._at = [page, column + 1] if column + 1 < self._ram.shape[1] else [page + 1, 0]

    def cleanup(self) -> None:
        self.open -= 1

    def picture(self) -> list[list[bool]] | None:
        seen = self._ram[:, self._hidden : self._hidden + 128].tolist()
        return seen if self.on and self.plugged else None

    def pull(self) -> None:
        """Pull the plug: it answers nothing and forgets everything."""
        self.plugged = self.on = False
        self._ram[:] = False

    def put_back(self) -> None:
        self.plugged = True

    def _answer(self, length: int) -> None:
        if not self.plugged:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")
        self.sent += length + 2  # the display's address, and whether commands or data follow
