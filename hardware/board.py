"""Boards: which GPIO carries what, as data that is checked before a pin is touched."""

from __future__ import annotations

import difflib
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from hardware.devices import SEAT_KEYS, HardwareError, Key, Lamp
from hardware.pictures import StrPath, shown
from hardware.small import small_text

BOARDS = ("standard", "compact")
"""The boards that come with the program."""

PINS = range(2, 28)
"""The GPIOs of the 40-pin header, by their BCM numbers; 0 and 1 belong to the HATs' memory chip."""

SEATS = range(2, 9)
SEGMENTS = ("a", "b", "c", "d", "e", "f", "g")
DIGITS = ("1", "2", "3", "4")
I2C_PINS = MappingProxyType({1: (2, 3)})
"""GPIOs of each I2C bus, data and clock."""


class BoardError(HardwareError, ValueError):
    """A board file is wrong: all that is wrong with it, in one line."""


@dataclass(frozen=True, slots=True)
class Oled:
    """A 128x64 display on the I2C bus."""

    driver: str = "ssd1306"
    i2c_port: int = 1
    i2c_address: int = 0x3C


@dataclass(frozen=True, slots=True)
class SevenSegment:
    """A four-digit display driven by GPIOs: segments a to g, digits from left to right."""

    segments: tuple[int, ...]
    digits: tuple[int, ...]
    common_anode: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A checked pin map; all numbers are BCM GPIOs.

    Attributes
    ----------
    name
        `standard`, `compact`, or the file it came from.
    about
        One line for people.
    buttons, lamps
        GPIO of each that is there.
    encoder
        GPIOs of its contacts a and b.
    buzzer
        GPIO of the piezo buzzer.
    display
        Which display there is.
    """

    name: str
    about: str
    buttons: Mapping[Key, int]
    encoder: tuple[int, int]
    lamps: Mapping[Lamp, int]
    buzzer: int
    display: Oled | SevenSegment

    @property
    def seats(self) -> int:
        """How many seats it has."""
        return sum(key in self.buttons for key in SEAT_KEYS)

    def wiring(self) -> Iterator[tuple[str, int]]:
        """Yield every use of a GPIO as words and number, in the order of the file: the wiring page."""
        for key, pin in self.buttons.items():
            yield f"button {key}", pin
        yield from zip(("encoder a", "encoder b"), self.encoder, strict=True)
        for lamp, pin in self.lamps.items():
            yield f"lamp {lamp}", pin
        yield "buzzer", self.buzzer
        if isinstance(self.display, Oled):
            yield from zip(("display SDA", "display SCL"), I2C_PINS.get(self.display.i2c_port, ()), strict=False)
        else:
            yield from ((f"segment {name}", pin) for name, pin in zip(SEGMENTS, self.display.segments, strict=True))
            yield from ((f"digit {name}", pin) for name, pin in zip(DIGITS, self.display.digits, strict=True))

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the pins: used twice, or not there."""
        uses = defaultdict(list)
        for use, pin in self.wiring():
            uses[pin].append(use)
        for pin, names in sorted(uses.items()):
            if pin not in PINS:
                yield f"{' and '.join(names)} on GPIO {pin}, which does not exist: use {PINS[0]} to {PINS[-1]}"
            elif len(names) > 1:
                yield f"GPIO {pin} is used {len(names)} times, by {' and '.join(names)}: move all but one"
        yield from self._seat_problems()

    def _seat_problems(self) -> Iterator[str]:
        if self.seats not in SEATS:
            yield f"{self.seats} seat buttons: a table has {SEATS[0]} to {SEATS[-1]}"
        for number, key in enumerate(SEAT_KEYS, start=1):
            if (key in self.buttons) != (number <= self.seats):
                yield f"{self.seats} seat buttons, but {key} is {'not ' * (number <= self.seats)}one of them"
            if (key in self.buttons) != (Lamp(key) in self.lamps):
                yield f"{key} needs both a button and a lamp"

    def check(self) -> Board:
        """Return the board itself, or raise `BoardError` with all that is wrong in one line."""
        _refuse(self.name, self.problems())
        return self


def load_board(name: StrPath) -> Board:
    """Return a board that comes with the program, or one from a person's own TOML file.

    Parameters
    ----------
    name
        `standard`, `compact`, or the path of a file that looks like them.

    Raises
    ------
    BoardError
        If there is no such board or anything is wrong with it: all problems in one line.
    """
    if str(name) in BOARDS:
        text = resources.files("hardware").joinpath("boards", f"{name}.toml").read_text("utf-8")
        return parse_board(text, str(name))
    try:
        text = small_text(Path(name))
    except FileNotFoundError:
        raise BoardError(
            f"{shown(name)}: there is no such board; known are {' and '.join(BOARDS)}, or the path of a board file"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BoardError(f"{shown(name)}: cannot be read ({reason}); a TOML file is wanted here") from None
    return parse_board(text, shown(name))


def parse_board(text: str, name: str) -> Board:
    """Return the checked board that *text*, a TOML file, describes; *name* stands in the errors."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BoardError(f"{name}: is not TOML: {' '.join(str(error).split())}") from None
    reader = _Reader(data)
    board = reader.board(name)
    _refuse(name, [*reader.problems, *(() if reader.problems else board.problems())])
    return board


def _refuse(name: str, problems: Iterable[str]) -> None:
    if listed := "; ".join(problems):
        raise BoardError(f"board {name}: {listed}")


class _Reader:
    """Takes a board file apart and collects everything that is wrong on the way."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self.problems: list[str] = []
        self._data = data

    def board(self, name: str) -> Board:
        sections = ("about", "buttons", "encoder", "lamps", "sound", "display")
        self._known("", self._data, sections)
        buttons = self._pins("buttons", self._data, tuple(Key), (Key.STOP, Key.CONFIRM))
        lamps = self._pins("lamps", self._data, tuple(Lamp), (Lamp.STOP, Lamp.BLIND))
        encoder = self._pins("encoder", self._data, ("a", "b"), ("a", "b"))
        sound = self._pins("sound", self._data, ("buzzer",), ("buzzer",))
        return Board(
            name=name,
            about=str(self._data.get("about", "")),
            buttons=MappingProxyType({Key(key): pin for key, pin in buttons.items()}),
            encoder=(encoder.get("a", 0), encoder.get("b", 0)),
            lamps=MappingProxyType({Lamp(lamp): pin for lamp, pin in lamps.items()}),
            buzzer=sound.get("buzzer", 0),
            display=self._display(),
        )

    def _display(self) -> Oled | SevenSegment:
        table = self._table("display", self._data)
        kind = self._choice("display.kind", table.get("kind"), ("oled", "seven_segment"))
        if kind == "oled":
            self._known("display.", table, ("kind", "driver", "i2c_port", "i2c_address"))
            return Oled(
                self._choice("display.driver", table.get("driver", "ssd1306"), ("ssd1306", "sh1106")),
                self._whole("display.i2c_port", table.get("i2c_port", 1), tuple(I2C_PINS)),
                self._whole("display.i2c_address", table.get("i2c_address", 0x3C), range(0x08, 0x78)),
            )
        if kind != "seven_segment":
            return Oled()
        self._known("display.", table, ("kind", "common", "segments", "digits"))
        segments = self._pins("segments", table, SEGMENTS, SEGMENTS, "display.")
        digits = self._pins("digits", table, DIGITS, DIGITS, "display.")
        return SevenSegment(
            tuple(segments.get(name, 0) for name in SEGMENTS),
            tuple(digits.get(name, 0) for name in DIGITS),
            self._choice("display.common", table.get("common", "cathode"), ("cathode", "anode")) == "anode",
        )

    def _pins(
        self,
        section: str,
        data: Mapping[str, object],
        known: tuple[str, ...],
        needed: tuple[str, ...],
        prefix: str = "",
    ) -> dict[str, int]:
        """Return the GPIO numbers of one section, those that are numbers."""
        table = self._table(section, data, prefix)
        self._known(f"{prefix}{section}.", table, known)
        self.problems += [f"{prefix}{section}.{name} is missing" for name in needed if name not in table]
        pins = {}
        for name in (name for name in known if name in table):
            pin = table[name]
            if isinstance(pin, int) and not isinstance(pin, bool):
                pins[name] = pin
            else:
                self.problems.append(f"{prefix}{section}.{name} is {pin!r}: wanted is the number of a GPIO")
        return pins

    def _table(self, section: str, data: Mapping[str, object], prefix: str = "") -> Mapping[str, object]:
        table = data.get(section, {})
        if isinstance(table, dict):
            return table
        self.problems.append(f"{prefix}{section} is {table!r}: wanted is a table [{prefix}{section}]")
        return {}

    def _known(self, prefix: str, table: Mapping[str, object], known: tuple[str, ...]) -> None:
        for name in table:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
                self.problems.append(f"{prefix}{name} is unknown: {hint}")

    def _choice(self, name: str, value: object, allowed: tuple[str, ...]) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        self.problems.append(f"{name} is {value!r}: wanted is {' or '.join(allowed)}")
        return ""

    def _whole(self, name: str, value: object, allowed: range | tuple[int, ...]) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value in allowed:
            return value
        self.problems.append(f"{name} is {value!r}: wanted is a number from {min(allowed)} to {max(allowed)}")
        return 0
