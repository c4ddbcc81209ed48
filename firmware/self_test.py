"""What the table shows of itself when power comes: every lamp in turn, every dot of the display, then what was found.

Pure: a moment of the test in, lamps and display out. `power_on` asks the devices and keeps the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, NamedTuple

from firmware.four import Four, four
from firmware.lamps import Look, Pattern
from firmware.layout import Layout, Wrapped
from firmware.texts import Words, big, words
from hardware.devices import SEAT_KEYS, Bitmap, Key, Lamp
from vision.types import Fault

TRIED_S: Final = 0.6
"""So long the lamps light in turn while the display shows all it has."""

WELL_S: Final = 0.4
TROUBLE_S: Final = 1.2
"""So long what was found is shown after that, where all is well and where it is not: a second together, two at most."""


class Trouble(NamedTuple):
    """Something that is not well: big, in a line, in four characters."""

    big: Words
    line: Words
    four: Four


# --- every text of the self-test ---

TITLE: Final = words("SELF-TEST")
_ALL_DOTS: Final = Bitmap(128, 64, bytes([255]) * 128 * 64)
PATTERN: Final = Layout(TITLE, "88888", (words("every lamp, every dot"),), "8888", _ALL_DOTS)
WELL: Final = Layout(TITLE, big("OK"), (words("the camera sees well,"), words("no button is stuck")), four("well"))
NO_PICTURE: Final = Trouble(big("CAM?"), words("no picture yet"), four("no_picture"))
FAULTS: Final[Mapping[Fault, Trouble]] = {
    Fault.LIGHT: Trouble(big("LAMP?"), words("light not as set up"), four("other_light")),
    Fault.CAMERA_MOVED: Trouble(big("MOVED"), words("calibrate again"), four("calibrate")),
}
"""What the first picture may tell; anything else depends on dice."""

OTHERS: Final[Mapping[Key, tuple[Words, Four]]] = {
    Key.STOP: (words("STOP"), four("stuck_stop")),
    Key.CONFIRM: (words("knob"), four("stuck_knob")),
}
"""The buttons that are no seats."""


# --- a moment of it ---


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One moment of the test.

    Attributes
    ----------
    lamps
        The lamps that are there, in the order in which they light.
    begun_s
        When it began, in seconds of the table's clock.
    lit
        How many lamps have had their turn before the one that shines; all of them: what was found is shown.
    stuck
        Buttons that are down since power came.
    picture
        Whether the camera has given a picture.
    fault
        What that picture says of light and camera, None when it is as it was calibrated.
    """

    lamps: tuple[Lamp, ...]
    begun_s: float
    lit: int = 0
    stuck: tuple[Key, ...] = ()
    picture: bool = False
    fault: Fault | None = None

    @property
    def tried(self) -> bool:
        """Return whether every lamp has had its turn."""
        return self.lit >= len(self.lamps)

    @property
    def next_s(self) -> float:
        """Return when the next moment is due."""
        if not self.tried:
            return self.begun_s + (self.lit + 1) * TRIED_S / len(self.lamps)
        return self.begun_s + TRIED_S + (TROUBLE_S if troubles(self) else WELL_S)

    def at(self, now_s: float) -> SelfTest | None:
        """Return the test as it is at *now_s*, None when it is over; who comes late skips lamps, not time."""
        test: SelfTest = self
        while now_s >= test.next_s:
            if test.tried:
                return None
            test = replace(test, lit=test.lit + 1)
        return test


def troubles(test: SelfTest) -> tuple[Trouble, ...]:
    """Return everything that is not well."""
    return tuple(_troubles(test))


def _troubles(test: SelfTest) -> Iterator[Trouble]:
    if test.stuck:
        yield Trouble(big("STUCK"), stuck_words(test.stuck), stuck_four(test.stuck[0]))
    if not test.picture:
        yield NO_PICTURE
    elif test.fault is not None:
        yield FAULTS.get(test.fault, NO_PICTURE)


def stuck_words(stuck: Sequence[Key]) -> Words:
    """Return which buttons are down with nobody pressing, seats by their numbers.

    Examples
    --------
    >>> str(stuck_words([Key.SEAT_3]))
    'seat 3 is stuck'
    >>> str(stuck_words([Key.SEAT_2, Key.SEAT_3, Key.STOP]))
    'stuck: seats 2 3, STOP'
    """
    numbers = [str(SEAT_KEYS.index(key) + 1) for key in stuck if key in SEAT_KEYS]
    names = [OTHERS[key][0] for key in stuck if key in OTHERS]
    if numbers:
        one, more = words("seat {number}", number=numbers[0]), words("seats {numbers}", numbers=" ".join(numbers))
        names.insert(0, one if len(numbers) == 1 else more)
    if len(stuck) == 1:
        return words("{name} is stuck", name=names[0])
    listed = reduce(lambda said, name: words("{said}, {name}", said=said, name=name), names)
    return words("stuck: {names}", names=listed)


def stuck_four(key: Key) -> Four:
    """Return in four characters which button is down with nobody pressing."""
    return OTHERS[key][1] if key in OTHERS else four("stuck_seat", seat=SEAT_KEYS.index(key) + 1)


def look(test: SelfTest) -> Look:
    """Return what the devices show at this moment of the test; the lamp of a stuck seat blinks."""
    if not test.tried:
        return Look(PATTERN, {test.lamps[test.lit]: Pattern.ON})
    found = troubles(test)
    if not found:
        return Look(WELL)
    lamps = {Lamp(key): Pattern.BLINK for key in test.stuck if key is not Key.CONFIRM}
    lines = tuple(Wrapped(trouble.line) for trouble in found)
    return Look(Layout(TITLE, found[0].big, lines, found[0].four), lamps)
