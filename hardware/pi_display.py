"""The table's display: an OLED on the I2C bus, or four characters of seven segments on GPIOs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hardware.board import Oled, SevenSegment
from hardware.devices import DeviceMissing, HardwareError, Screen
from hardware.oled import draw
from hardware.pi_pins import claiming, pin_factory
from hardware.segments import FONT, fit

ADDRESSES = (0x3C, 0x3D)
"""Where these displays can be on the bus: most have a jumper for it."""

_NOP = 0xE3  # does nothing, in both drivers: asks whether the display is there

_SETUP = {
    "ssd1306": (0x8D, 0x14, 0x20, 0x00, 0xA1, 0xC8, 0xDA, 0x12, 0xD9, 0xF1, 0xDB, 0x40, 0x81, 0xCF, 0xA4, 0xA6),
    "sh1106": (0x8D, 0x14, 0xD5, 0xF0, 0xA1, 0xC8, 0xDA, 0x12, 0xD9, 0x22, 0xDB, 0x20, 0x81, 0x7F, 0xA4, 0xA6),
}
"""What luma sets these displays to and they have not by themselves after power-on: charge pump, order of rows and
columns, brightness."""


class PiOled:
    """An SSD1306 or SH1106 display; every screen sets it up anew, as without power it forgets everything.

    Parameters
    ----------
    display
        Driver, bus and address.
    open_serial
        Opens the bus; luma's I2C when left out.

    Raises
    ------
    DeviceMissing
        If the library, the bus or the display is not there.
    """

    def __init__(self, display: Oled, open_serial: Callable[[], Any] | None = None) -> None:
        try:
            import luma.core.error
            import luma.oled.device
        except ImportError:
            raise DeviceMissing("display: the library luma.oled is not installed; run: pip install luma.oled") from None
        self._driver = getattr(luma.oled.device, display.driver)
        self._setup = _SETUP[display.driver]
        self._failures = (luma.core.error.Error, OSError)
        self._where = f"bus {display.i2c_port}, address 0x{display.i2c_address:02X}"
        self._open_serial = open_serial or _i2c_opener(display)
        self._device: Any = None
        self._closed = False
        try:
            self._connect()
        except self._failures as error:
            words = " ".join(str(error).split())
            found = [f"0x{address:02X}" for address in self._elsewhere(display)]
            do = "check its cable, switch I2C on with raspi-config, and compare the board file"
            if found:
                do = f"one answers at {found[0]}: write i2c_address = {found[0]} into the board file"
            raise DeviceMissing(f"display: none on the I2C {self._where} ({words}); {do}") from None

    def show(self, screen: Screen) -> None:
        """Replace what is shown.

        Raises
        ------
        HardwareError
            If the display does not answer. The next call tries again.
        """
        if self._closed:
            return
        try:
            if self._device is None:
                self._connect()
            # Power that was away between two screens is told by nothing: such a display answers, and stays dark.
            self._device.command(*self._setup)
            self._device.display(draw(screen))
            self._device.show()  # last: before the picture its memory may hold anything
        except self._failures as error:
            self._disconnect()
            raise HardwareError(f"the display on {self._where} does not answer; check its cable") from error

    def close(self, *, dark: bool = True) -> None:
        """Dark, or if not *dark* left as it is, and let go of the bus; may be called twice."""
        self._closed = True
        if dark and self._device is not None:
            with suppress(*self._failures):
                self._device.hide()
        self._disconnect()

    def _connect(self) -> None:
        """Set the display up, but only if it answers: luma remembers every device it ever made."""
        serial = self._open_serial()
        try:
            serial.command(_NOP)
            self._device = self._driver(serial)
        except self._failures:
            serial.cleanup()
            raise

    def _elsewhere(self, display: Oled) -> list[int]:
        """Return at which other addresses of the bus a display answers."""
        return [address for address in ADDRESSES if address != display.i2c_address and self._answers(display, address)]

    def _answers(self, display: Oled, address: int) -> bool:
        try:
            serial = _i2c_opener(replace(display, i2c_address=address))()
        except self._failures:
            return False
        try:
            serial.command(_NOP)
        except self._failures:
            return False
        finally:
            serial.cleanup()
        return True

    def _disconnect(self) -> None:
        if self._device is not None:
            self._device.persist = True  # cleanup closes the bus and sends nothing
            with suppress(*self._failures):
                self._device.cleanup()
        self._device = None


def _i2c_opener(display: Oled) -> Callable[[], Any]:
    def opener() -> Any:
        from luma.core.interface.serial import i2c

        return i2c(port=display.i2c_port, address=display.i2c_address)

    return opener


class PiSegments:
    """Four seven-segment digits, lit in turn by gpiozero.

    Raises
    ------
    DeviceMissing
        If there are no pins, or one is in use; none is claimed then.
    """

    def __init__(self, display: SevenSegment) -> None:
        factory = pin_factory()
        from gpiozero import LEDCharDisplay, LEDMultiCharDisplay

        self._shown = ""
        with claiming("seven-segment display"):
            char = LEDCharDisplay(
                *display.segments, font=FONT, active_high=not display.common_anode, pin_factory=factory
            )
            try:
                self._display = LEDMultiCharDisplay(char, *display.digits, pin_factory=factory)
            except BaseException:
                char.close()
                raise

    def show(self, screen: Screen) -> None:
        """Replace what is shown by the screen's four characters."""
        four = fit(screen.four)
        if four != self._shown and not self._display.closed:
            self._shown = four
            self._display.value = four

    def close(self, *, dark: bool = True) -> None:  # noqa: ARG002 (only a program that runs lights all four)
        """Dark in any case, and let go of the pins; may be called twice."""
        if not self._display.closed:
            self._display.value = fit("")
        self._display.close()
