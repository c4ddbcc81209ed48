"""The GPIO pins of a Raspberry Pi, or one clear line why there are none."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hardware.devices import DeviceMissing


def pin_factory() -> Any:
    """Return gpiozero's pin factory: the Pi's pins, or the mock that a test has put there.

    Raises
    ------
    DeviceMissing
        If gpiozero is not installed or finds no pins on this computer.
    """
    try:
        import gpiozero
    except ImportError:
        raise DeviceMissing("GPIO pins: the library gpiozero is not installed; run: pip install gpiozero") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gpiozero.Device.ensure_pin_factory()
    except (gpiozero.exc.GPIOZeroError, ImportError, OSError, RuntimeError) as error:
        raise DeviceMissing(
            f"GPIO pins: this computer has none that gpiozero can use ({_words(error)}); "
            "on a Raspberry Pi run: sudo apt install python3-lgpio, elsewhere: mexico-table --virtual"
        ) from None
    return gpiozero.Device.pin_factory


@contextmanager
def claiming(what: str) -> Iterator[None]:
    """Turn whatever goes wrong while pins are claimed for *what* into one clear line.

    Raises
    ------
    DeviceMissing
        If a pin is in use elsewhere or cannot do what is asked of it.
    """
    from gpiozero.exc import GPIOZeroError

    try:
        yield
    except (GPIOZeroError, OSError, RuntimeError, ValueError, _lgpio_error()) as error:
        raise DeviceMissing(
            f"{what}: {_words(error)}; end other programs that use the pins, and compare the board file"
        ) from error


def _lgpio_error() -> type[Exception]:
    """Return what lgpio raises, for a busy pin for example; it is no child of any other error."""
    try:
        error = importlib.import_module("lgpio").error
    except (ImportError, AttributeError):
        return OSError
    return error if isinstance(error, type) and issubclass(error, Exception) else OSError


def _words(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
