"""What a browser may do at the virtual table: put a finger on a button, turn the knob, throw, and make trouble."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, auto

from firmware.virtual import Hand, VirtualTray
from hardware.devices import Key
from hardware.mirror import Mirror
from hardware.simulated import SimulatedButtons, SimulatedEncoder


class Trouble(StrEnum):
    """What can go wrong at a table, on demand."""

    COCKED = auto()
    HAND = auto()
    BUMP = auto()
    CAMERA = auto()
    DISPLAY = auto()
    POWER = auto()


@dataclass(frozen=True, slots=True)
class Hands:
    """Hands at the virtual table; all of it may be called from any thread.

    Attributes
    ----------
    buttons, encoder
        The devices that fingers are on.
    throw
        Throws, shakes or shows the dice that are awaited; False where that is not possible now.
    tray, hand
        The tray, and the hand that throws into it.
    mirror
        The display.
    wake
        Lets the computer's seats look up.
    pull_the_plug
        Ends the program as a power cut does, and begins it anew.
    """

    buttons: SimulatedButtons
    encoder: SimulatedEncoder
    throw: Callable[[], bool]
    tray: VirtualTray
    hand: Hand
    mirror: Mirror
    wake: Callable[[], None]
    pull_the_plug: Callable[[], None]

    def key(self, key: Key, *, down: bool) -> None:
        """Put a finger on *key* or take it off."""
        self.buttons.press(key) if down else self.buttons.release(key)

    def troubles(self) -> frozenset[Trouble]:
        """Return the troubles that go on until they are ended."""
        going_on = {
            Trouble.COCKED: self.hand.leans_next,
            Trouble.HAND: self.tray.reached_into,
            Trouble.BUMP: self.tray.bumped,
            Trouble.CAMERA: self.tray.unplugged,
            Trouble.DISPLAY: self.mirror.unplugged,
        }
        return frozenset(trouble for trouble, is_on in going_on.items() if is_on)

    def trouble(self, trouble: Trouble, *, on: bool) -> None:
        """Begin *trouble*, or end it; one that is as it is asked for stays so."""
        if trouble is not Trouble.POWER and on == (trouble in self.troubles()):
            return
        match trouble:
            case Trouble.COCKED:
                self.hand.leans_next = on
            case Trouble.HAND:
                self.tray.reach_in(on=on)
            case Trouble.BUMP:
                self.tray.bump(on=on)
            case Trouble.CAMERA:
                self.tray.unplug(on=on)
            case Trouble.DISPLAY:
                self.mirror.unplug(on=on)
            case Trouble.POWER if on:
                self.pull_the_plug()
