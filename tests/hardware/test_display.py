"""The contract of the display: simulated, on luma's mock bus, one that comes late, gpiozero's digits, the terminal."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from luma.core.error import DeviceNotFoundError

from hardware.board import Oled, SevenSegment
from hardware.devices import DeviceMissing, Display, HardwareError, Screen
from hardware.late import LateDisplay
from hardware.oled import draw
from hardware.pi_display import PiOled, PiSegments
from hardware.segments import FONT
from hardware.simulated import SimulatedDisplay
from hardware.terminal import Console, TerminalDisplay
from tests.hardware.oled_bus import Bus

# luma.core still asks Pillow in a way that Pillow 13 warns about
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

ANNA = Screen("ANNA rolls", "65", ("roll 2 of 3", "pot 4"), "P165")
STOP = Screen("Agree on the rules", "", ("STOP starts",), "JOIN")
DIGITS = SevenSegment((13, 17, 19, 20, 21, 22, 23), (24, 25, 26, 27))


@dataclass
class Bench:
    """A display, and what an eye reads on it: None when dark; and what it ought to read."""

    display: Display
    read: Callable[[], object]
    expect: Callable[[Screen], object]
    unplug: Callable[[], None] | None = None
    replug: Callable[[], None] | None = None


def oled(driver: str) -> Iterator[Bench]:
    bus = Bus(columns_hidden=2 if driver == "sh1106" else 0)
    display = PiOled(Oled(driver), bus.connect)
    yield Bench(display, bus.picture, lambda screen: np.asarray(draw(screen)).tolist(), bus.pull, bus.put_back)
    display.close()

    assert bus.open == 0


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_screen_takes_less_than_thirty_milliseconds_on_a_bus_as_fast_as_the_docs_have_it(driver: str) -> None:
    """The table has 50 from a reading to its screen; at the 100 kHz that a Pi comes with it would be late."""
    bus = Bus(columns_hidden=2 if driver == "sh1106" else 0)
    display = PiOled(Oled(driver), bus.connect)
    before = bus.sent
    display.show(ANNA)
    took_s = [9 * (bus.sent - before) / beats_hz for beats_hz in (400_000, 100_000)]
    display.close()
    page = Path(__file__).parents[2] / "docs" / "install.md"

    assert took_s[0] < 0.03 < 0.05 < took_s[1]
    assert "i2c_arm_baudrate=400000" in page.read_text("utf-8")


class Digits:
    """An eye for multiplexed digits: it waits until every change of the pins in one turn has been seen."""

    def __init__(self, pins: Any) -> None:
        self.changed = threading.Event()
        self._pins = pins
        pins.pin_class = self._watched(pins.pin_class)

    def _watched(self, kind: type) -> type:
        eye = self

        class WatchedPin(kind):  # type: ignore[misc]
            def _change_state(self, value: float) -> bool:
                changed = bool(super()._change_state(value))
                eye.changed.set()
                return changed

        return WatchedPin

    def read(self) -> str | None:
        """Look through some turns of the digits; None when they are dark."""
        seen = dict.fromkeys(DIGITS.digits, " ")
        for _ in range(16):
            self.changed.clear()
            lit = tuple(int(self._pins.pin(pin).state) for pin in DIGITS.segments)
            shining = [pin for pin in DIGITS.digits if self._pins.pin(pin).state]
            if not self.changed.is_set():
                seen |= {pin: letter for pin in shining for letter, pattern in FONT.items() if pattern == lit}
            if not self.changed.wait(timeout=0.02):
                break
        text = "".join(seen.values())
        return text if text.strip() else None

    def show(self, four: str) -> bool:
        """Look until the eye reads what looks like *four*, for some seconds at most."""
        expected = [FONT[char] for char in four]
        deadline_s = time.monotonic() + 10.0
        while time.monotonic() < deadline_s:
            if [FONT[char] for char in self.read() or "    "] == expected:
                return True
        return False


def terminal() -> Iterator[Bench]:
    stream = io.StringIO()
    yield Bench(
        TerminalDisplay(Console((), stream=stream)),
        lambda: stream.getvalue().splitlines()[-1] if stream.getvalue() else None,
        lambda screen: "screen: " + " | ".join(filter(None, (screen.title, screen.big, *screen.lines))),
    )


def simulated() -> Iterator[Bench]:
    display = SimulatedDisplay()
    yield Bench(display, lambda: display.shown, lambda screen: screen, display.unplug, display.replug)
    display.close()


def late() -> Iterator[Bench]:
    bus = Bus()
    display = LateDisplay(lambda: PiOled(Oled(), bus.connect))
    yield Bench(display, bus.picture, lambda screen: np.asarray(draw(screen)).tolist(), bus.pull, bus.put_back)
    display.close()

    assert bus.open == 0


@pytest.fixture(params=["simulated", "ssd1306", "sh1106", "terminal", "late"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A display of any kind that shows whole screens."""
    kinds = {"simulated": simulated, "terminal": terminal, "late": late}
    yield from kinds.get(request.param, lambda: oled(request.param))()


@pytest.fixture(params=["simulated", "ssd1306", "sh1106", "late"])
def pluggable(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A display whose plug can be pulled."""
    kinds = {"simulated": simulated, "late": late}
    yield from kinds.get(request.param, lambda: oled(request.param))()


def test_what_is_shown_can_be_read(bench: Bench) -> None:
    bench.display.show(ANNA)

    assert bench.read() == bench.expect(ANNA)


def test_a_screen_replaces_the_one_before(bench: Bench) -> None:
    bench.display.show(ANNA)
    bench.display.show(STOP)

    assert bench.read() == bench.expect(STOP)


def test_a_closed_display_shows_nothing_new_and_closes_twice(bench: Bench) -> None:
    bench.display.close()
    bench.display.show(STOP)
    bench.display.close()

    assert bench.read() is None


def test_a_display_that_is_left_as_it_is_can_still_be_read(bench: Bench) -> None:
    bench.display.show(ANNA)
    bench.display.close(dark=False)
    bench.display.show(STOP)
    bench.display.close()

    assert bench.read() == bench.expect(ANNA)


def test_an_unplugged_display_is_an_error_and_the_next_screen_after_replugging_is_seen(pluggable: Bench) -> None:
    assert pluggable.unplug is not None
    assert pluggable.replug is not None
    pluggable.display.show(ANNA)
    pluggable.unplug()

    for _ in range(3):
        with pytest.raises(HardwareError, match=r"^the display .*does not answer; check its cable$"):
            pluggable.display.show(STOP)
    pluggable.replug()

    assert pluggable.read() is None

    pluggable.display.show(STOP)

    assert pluggable.read() == pluggable.expect(STOP)


def test_a_display_without_power_between_two_screens_shows_the_next_one(pluggable: Bench) -> None:
    assert pluggable.unplug is not None
    assert pluggable.replug is not None
    pluggable.display.show(ANNA)
    pluggable.unplug()
    pluggable.replug()
    pluggable.display.show(STOP)

    assert pluggable.read() == pluggable.expect(STOP)


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_display_that_had_no_power_is_set_up_as_it_was_before(driver: str) -> None:
    bus = Bus(columns_hidden=2 if driver == "sh1106" else 0)
    display = PiOled(Oled(driver), bus.connect)
    first = dict(bus.settings)
    bus.pull()
    bus.put_back()

    assert bus.settings != first

    display.show(ANNA)

    assert bus.settings == first

    display.close()


def test_a_display_that_is_unplugged_can_still_be_closed(pluggable: Bench) -> None:
    assert pluggable.unplug is not None
    pluggable.display.show(ANNA)
    pluggable.unplug()
    pluggable.display.close()

    assert pluggable.read() is None


@pytest.fixture
def eye(pins: Any) -> Digits:
    """An eye that watches the digits from the moment they are there."""
    return Digits(pins)


@pytest.fixture
def digits(eye: Digits) -> Iterator[PiSegments]:
    """The seven-segment display on mock pins."""
    display = PiSegments(DIGITS)
    yield display
    display.close()


@pytest.mark.parametrize("four", ["P165", "8888", "  21", "JOIN", "21  ", "MKVW", "-1- "])
def test_the_digits_show_four_characters(eye: Digits, digits: PiSegments, four: str) -> None:
    digits.show(Screen("", "", (), four))

    assert eye.show(four)


def test_the_digits_change_with_the_screen(eye: Digits, digits: PiSegments) -> None:
    digits.show(ANNA)
    digits.show(STOP)

    assert eye.show("JOIN")


def test_the_digits_are_dark_at_first_and_when_closed(eye: Digits, digits: PiSegments) -> None:
    assert eye.read() is None

    digits.show(ANNA)
    digits.close()
    digits.show(STOP)
    digits.close()

    assert eye.read() is None


def test_digits_are_dark_however_they_are_left(eye: Digits, digits: PiSegments) -> None:
    """They are lit in turn by a program that runs: left alone, one of them would shine with the current of all."""
    digits.show(ANNA)
    digits.close(dark=False)

    assert eye.read() is None


def test_digits_with_a_common_anode_light_a_segment_by_pulling_it_low(pins: Any) -> None:
    display = PiSegments(SevenSegment(DIGITS.segments, DIGITS.digits, common_anode=True))
    display.show(Screen("", "", (), "1111"))

    assert [pins.pin(pin).state for pin in DIGITS.segments] == [1, 0, 0, 1, 1, 1, 1]

    display.close()


def test_a_digit_on_a_pin_in_use_says_so_and_leaves_the_segments_free(pins: Any) -> None:
    with pytest.raises(DeviceMissing, match=r"^seven-segment display: .*already in use"):
        PiSegments(SevenSegment(DIGITS.segments, (24, 25, 26, 13)))

    PiSegments(DIGITS).close()


def test_no_display_on_the_bus_says_where_it_was_looked_for() -> None:
    bus = Bus()
    bus.pull()

    with pytest.raises(DeviceMissing, match=r"^display: none on the I2C bus 1, address 0x3D .*raspi-config"):
        PiOled(Oled("ssd1306", 1, 0x3D), bus.connect)
    assert bus.open == 0


@pytest.mark.parametrize(("there", "said"), [((0x3D,), "one answers at 0x3D: write i2c_address = 0x3D"), ((), "cable")])
def test_a_display_at_the_other_address_is_found(
    there: tuple[int, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    class Wires:
        """An I2C bus on which only some addresses answer."""

        def __init__(self, port: int, address: int) -> None:
            self.address = address
            opened.append(address)

        def command(self, *_: int) -> None:
            if self.address not in there:
                raise DeviceNotFoundError("I2C device not found")

        def cleanup(self) -> None:
            opened.remove(self.address)

    monkeypatch.setattr("luma.core.interface.serial.i2c", Wires)
    with pytest.raises(DeviceMissing, match="none on the I2C bus 1, address 0x3C") as caught:
        PiOled(Oled())

    assert said in str(caught.value)
    assert not opened
