"""The 40-pin header of a Raspberry Pi, and every wire that a board asks for, supply and ground included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gpiozero import pi_info

from hardware.board import Board, Oled

REVISION = "c03111"
"""A Raspberry Pi 4B; the header is the same on every Pi since the B+."""

HOW = {
    "button": "the button's other leg to ground",
    "encoder": "the encoder's common leg to ground",
    "lamp": "to a transistor that switches the lamp's minus",
    "buzzer": "the buzzer's other leg to ground",
    "display": "straight to the display",
    "segment": "through 330 ohms, the same segment of all digits",
    "digit": "to a transistor that switches the digit's common",
    "supply": "",
}
"""What is between the header and the part, by the first word of a use of `Board.wiring`."""


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """One of the 40 pins: its number on the header, what is printed for it, its GPIO if it has one."""

    number: int
    name: str
    gpio: int | None


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire from a pin of the header.

    Attributes
    ----------
    pin
        Where it begins.
    use
        What it is for: `button seat_1`.
    kind
        First word of the use, `supply` for voltage and ground: a key of `HOW`.
    """

    pin: HeaderPin
    use: str
    kind: str

    @property
    def how(self) -> str:
        """What is between the header and the part."""
        return HOW[self.kind]


@cache
def header() -> tuple[HeaderPin, ...]:
    """Return the pins in the order of their numbers, odd ones on the side of the board's middle."""
    pins = pi_info(REVISION).headers["J8"].pins
    return tuple(
        HeaderPin(number, pin.name, next((name for name in pin.names if isinstance(name, int)), None))
        for number, pin in sorted(pins.items())
    )


def wires(board: Board) -> tuple[Wire, ...]:
    """Return all wires of *board* in the order of the header."""
    of_gpio = {pin.gpio: pin for pin in header() if pin.gpio is not None}
    signals = [Wire(of_gpio[gpio], use, use.split()[0]) for use, gpio in board.wiring()]
    return tuple(sorted([*signals, *_supply(board)], key=lambda wire: wire.pin.number))


def _supply(board: Board) -> Iterator[Wire]:
    """Yield the wires of voltage and ground: which of the equal pins is taken is only for a tidy drawing."""
    uses = {2: "plus of all lamps", 6: "ground of the lamps' transistors", 9: "ground of the buttons"}
    uses |= {25: "ground of the encoder", 14: "ground of the buzzer"}
    if isinstance(board.display, Oled):
        uses |= {1: "VCC of the display", 20: "ground of the display"}
    elif board.display.common_anode:
        # One plus or the other: a UDN2981 keeps some two volts for itself; from 5 V a PNP would leave segments aglow
        # that are switched off with 3.3.
        uses |= {1: "plus of the digits' NPN and PNP transistors", 4: "or plus of the digits' UDN2981"}
        uses |= {20: "ground of the digits' transistors or UDN2981"}
    else:
        uses |= {20: "ground of the digits' transistors"}
    pins = header()
    yield from (Wire(pins[number - 1], use, "supply") for number, use in uses.items())
