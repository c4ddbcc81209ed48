"""What the routes of the panel work with: nothing in here, or reached from here, knows dice that are hidden."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firmware.calibrate_stages import ByPhone
from firmware.events import Event
from firmware.folder import StateFolder
from firmware.page.gauges import Gauges
from firmware.page.pictures import Pictures
from firmware.settings import Settings
from hardware.devices import Clock


@dataclass(slots=True)
class PanelSite:
    """One table, as its bartender sees it.

    Attributes
    ----------
    settings, settings_file
        Of the running program, and the file that the next one will read.
    folder, clock
        Of the table.
    pictures, gauges
        What the camera sees, and what the table tells of itself.
    put
        Puts an order into the table's queue.
    outline
        Where the floor of the tray is in the picture.
    real
        Whether this is a real table, with a calibration and devices of its own.
    calibrator
        Begins a calibration, None where that cannot be done from here.
    today_s
        Gives the seconds since 1970.
    """

    settings: Settings
    settings_file: Path
    folder: StateFolder
    clock: Clock
    pictures: Pictures
    gauges: Gauges
    put: Callable[[Event], None]
    outline: Mapping[str, object] = field(default_factory=dict)
    real: bool = True
    calibrator: Callable[[], ByPhone] | None = None
    today_s: Callable[[], float] = time.time
