"""What the routes of the page work with."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware.folder import StateFolder
from firmware.page.guests import Guests
from firmware.page.hands import Hands
from firmware.page.hub import Hub
from firmware.page.panel_site import PanelSite
from firmware.page.pictures import Pictures
from firmware.settings import Settings
from hardware.devices import Clock


@dataclass(slots=True)
class Site:
    """One table and its page.

    Attributes
    ----------
    settings, folder
        Of the table.
    clock
        Of the table.
    address
        Where the page is, such as ``http://127.0.0.1:8021``.
    seats
        How many seats the board has.
    hub, pictures
        What is shown.
    hands
        What browsers may do with the virtual table; None for a real one.
    guests
        Who sits at it.
    panel
        What the bartender's panel works with; None where there is none.
    """

    settings: Settings
    folder: StateFolder
    clock: Clock
    address: str = ""
    seats: int = 8
    hub: Hub = field(default_factory=Hub)
    pictures: Pictures = field(default_factory=Pictures)
    hands: Hands | None = None
    guests: Guests = field(default_factory=Guests)
    panel: PanelSite | None = None
