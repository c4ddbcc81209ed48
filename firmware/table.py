"""What a controller works with: the devices, the journal and the settings of one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware.journal import Journal
from firmware.match import OnStored
from firmware.settings import Settings
from firmware.views import View
from firmware.watching import Watching
from hardware.devices import Lamp
from hardware.rig import Rig

OnView = Callable[[View], None]


@dataclass(frozen=True, slots=True)
class Table:
    """What a controller works with.

    Attributes
    ----------
    rig
        Lamps, display and sound; buttons and camera send events on their own.
    journal
        Where every accepted event goes first.
    settings
        The house's settings.
    kind
        ``"real"`` or ``"virtual"``.
    expect
        Told what the camera may do: how many dice the next throw must show, or nothing at all.
    look_again
        Told which dice lie where when those that were read are to be read once more.
    on_stored
        Told of every event once it is on disk.
    on_view
        Told of everything that is shown.
    self_test
        Whether the table tests itself when it begins.
    lamps
        The lamps that it then lights in turn.
    page_address
        Gives where phones find the page of the table at this moment, empty where they cannot; without waiting.
    """

    rig: Rig
    journal: Journal
    settings: Settings
    kind: str = "real"
    expect: Callable[[Watching], None] = lambda _watching: None
    look_again: Callable[[Watching], None] = lambda _watching: None
    on_stored: Sequence[OnStored] = ()
    on_view: Sequence[OnView] = ()
    self_test: bool = False
    lamps: tuple[Lamp, ...] = tuple(Lamp)
    page_address: Callable[[], str] = str
