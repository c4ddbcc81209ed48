"""The doctor's walk round the table: what only a person can press, see or hear, one thing after the other.

It waits for buttons, the knob and the keys of the terminal together; every step has its time, and can be skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, Protocol, TypeAlias, TypeVar

import cv2
import numpy as np

from firmware.checks import Check, State
from firmware.doctor import WARM_UP_FRAMES, Parts, told
from firmware.errors import TableError
from firmware.events import Pressed, Turned
from firmware.self_test import PATTERN
from firmware.texts import ENGLISH
from hardware.board import Oled
from hardware.devices import (
    Buttons,
    Camera,
    Clock,
    Display,
    Encoder,
    HardwareError,
    Key,
    Lamp,
    Lamps,
    Screen,
    Sound,
)
from hardware.header import wires
from hardware.keyboard import END_OF_INPUT
from vision.types import Frame, Gray, as_uint8

LIMIT_S: Final = 30.0
"""So long a step waits for a person."""

STILL_S: Final = 0.5
"""So long the knob must be still before it is asked for the other direction."""

CLICKS: Final = 3
"""So many steps to one side, more than to the other, are a turn and no slip of the hand."""

HAND: Final = 0.05
"""The part of the picture that a hand over the tray changes at least."""

CHANGED: Final = 30
"""By how many grey levels a pixel must change to count."""

ESC: Final = "\x1b"
READ_ME: Final = Screen("MEXICO", "21", ("the display", "is", "well"), "21 !")
BLIND: Final = "the blind lamp beside the lens"


class Ended(TableError):
    """The person has ended the walk."""


class _Closeable(Protocol):
    def close(self) -> None: ...


D = TypeVar("D", bound=_Closeable)


class Person(Protocol):
    """Who stands before the terminal."""

    def wait(self, seconds: float) -> str | None:
        """Return the next key within *seconds*; None when the time is over, or somebody has called `poke`."""
        ...

    def poke(self) -> None:
        """End a `wait`, from any thread: something has happened elsewhere."""
        ...


@dataclass(frozen=True, slots=True)
class Typed:
    """A key of the terminal."""

    key: str


Heard: TypeAlias = Pressed | Turned | Typed


class Walk:
    """One walk.

    Parameters
    ----------
    parts
        What there should be, and how each device is opened.
    person
        Who answers.
    clock
        Times the steps.
    tell
        Says one line to the person.
    missing
        How a device is that cannot be opened.
    """

    def __init__(
        self, parts: Parts, person: Person, clock: Clock, tell: Callable[[str], None], missing: State = State.FAILED
    ) -> None:
        self._parts = parts
        self._person = person
        self._clock = clock
        self._tell = tell
        self._missing = missing
        self._inbox: SimpleQueue[Heard] = SimpleQueue()
        self._at = "the beginning"
        self._wires = {wire.use: f"GPIO {wire.pin.gpio}, pin {wire.pin.number}" for wire in wires(parts.board)}

    def checks(self) -> Generator[Check, None, None]:
        """Yield a check of every device as soon as it is done.

        Raises
        ------
        Ended
            If the person ends the walk, or the input is over.
        """
        parts = self._parts
        yield from self._device("buttons", parts.buttons, self._buttons)
        yield from self._device("encoder", parts.encoder, self._encoder)
        yield from self._device("lamps", parts.lamps, self._lamps)
        yield from self._device("display", parts.display, self._display)
        yield from self._device("sound", parts.sound, self._sound)
        yield from self._device("camera", parts.camera, self._camera)

    def _device(
        self, name: str, opener: Callable[[], D], walked: Callable[[D], Iterator[Check]]
    ) -> Generator[Check, None, None]:
        """Yield the checks of one device, or why it cannot be opened, or why it failed on the way."""
        try:
            device = opener()
        except HardwareError as error:
            yield told(name, error, self._missing)
            return
        with closing(device):
            try:
                yield from walked(device)
            except HardwareError as error:
                yield told(name, error, State.FAILED)

    # --- what a person presses and turns ---

    def _buttons(self, buttons: Buttons) -> Iterator[Check]:
        stuck = buttons.held()
        buttons.listen(lambda key, down, time_s: self._put(Pressed(key, down, time_s)))
        for key in self._parts.board.buttons:
            if key in stuck:
                do = f"free it, or check its wire: {self._wire(f'button {key}')}"
                yield Check(f"button {key}", State.FAILED, "down with nobody pressing", do)
            else:
                yield self._button(key)

    def _button(self, key: Key) -> Check:
        name, do = f"button {key}", f"check its wires: {self._wire(f'button {key}')}, and ground"
        asked = "push the knob" if key is Key.CONFIRM else f"press {_words(key)}"
        self._ask(name, f"{asked}  (s: skip)")
        until_s, others = self._clock.now() + LIMIT_S, list[Key]()
        while True:
            match self._next(until_s):
                case None if others:
                    heard = ", ".join(dict.fromkeys(others))
                    return Check(name, State.FAILED, f"{heard} was heard in its place", f"{do}; it may be crossed")
                case None:
                    return Check(name, State.FAILED, f"no press was heard in {LIMIT_S:g} seconds", do)
                case Typed("s"):
                    return Check(name, State.SKIPPED, "not pressed")
                case Pressed(pressed, True) if pressed == key:
                    break
                case Pressed(pressed, True):
                    others.append(pressed)
                    self._tell(f"   That was {_words(pressed)}.")
        while (heard_next := self._next(until_s)) is not None:
            if isinstance(heard_next, Pressed) and heard_next.key == key and not heard_next.down:
                return Check(name, State.OK, f"was heard on {self._wire(f'button {key}')}")
        return Check(name, State.FAILED, "stays down after it was pressed", "free it, or let it be changed")

    def _encoder(self, encoder: Encoder) -> Iterator[Check]:
        encoder.listen(lambda steps, time_s: self._put(Turned(steps, time_s)))
        yield self._turns()

    def _turns(self) -> Check:
        where = f"{self._wire('encoder a')} and {self._wire('encoder b')}"
        for side, wanted in (("right", 1), ("left", -1)):
            self._ask("encoder", f"turn the knob some clicks to the {side}  (s: skip)")
            turned = self._turned()
            if turned is None:
                return Check("encoder", State.SKIPPED, "not turned")
            if turned == -wanted:
                return Check("encoder", State.FAILED, f"turned to the {side} it says the other side",
                             "swap a and b of [encoder] in the board file, or its two wires")  # fmt: skip
            if turned == 0:
                return Check("encoder", State.FAILED, f"no turn to the {side} was heard in {LIMIT_S:g} seconds",
                             f"check its wires: {where}, and ground")  # fmt: skip
            while self._next(self._clock.now() + STILL_S) is not None:
                pass  # more clicks of the same turn
        return Check("encoder", State.OK, f"turns both ways on {where}")

    def _turned(self) -> int | None:
        """Return 1 for a turn to the right, -1 to the left, 0 for none in time, None where it is skipped."""
        until_s, total = self._clock.now() + LIMIT_S, 0
        while abs(total) < CLICKS:
            match self._next(until_s):
                case None:
                    return 0
                case Typed("s"):
                    return None
                case Turned(steps):
                    total += steps
        return 1 if total > 0 else -1

    # --- what a person sees and hears ---

    def _lamps(self, lamps: Lamps) -> Iterator[Check]:
        for lamp in self._parts.board.lamps:
            where = self._wire(f"lamp {lamp}")
            lamps.set(lamp, True)
            asked = BLIND if lamp is Lamp.BLIND else f"the lamp of {_words(lamp)}"
            yield self._seen(
                f"lamp {lamp}",
                f"do you see {asked} shine, and no other?",
                (where, "its transistor"),
                "was not seen to shine alone",
            )
            lamps.set(lamp, False)

    def _display(self, display: Display) -> Iterator[Check]:
        shown_on = self._parts.board.display
        oled = isinstance(shown_on, Oled)
        where = self._wire("display SDA") if oled else "the segments and digits of docs/wiring.md"
        display.show(PATTERN.screen(ENGLISH))
        dots = "dot of the display" if oled else "segment of all four digits (8888)"
        seen = self._seen("display", f"is every {dots} lit?", (where, "the display itself"), "parts of it stay dark")
        if seen.state is State.OK:
            display.show(READ_ME)
            seen = self._seen(
                "display",
                "do you read 21 on it, upright and sharp?",
                (where, "its driver in the board file"),
                "cannot be read",
            )
        yield seen

    def _sound(self, sound: Sound) -> Iterator[Check]:
        sound.tone(440.0)
        yield self._seen(
            "sound", "do you hear a tone?", (self._wire("buzzer"), "that the buzzer is a passive one"), "was not heard"
        )

    def _seen(self, name: str, question: str, look_at: tuple[str, str], bad: str) -> Check:
        """Return the check of what only eyes and ears can tell."""
        self._ask(name, f"{question}  (y / n, s: skip)")
        until_s = self._clock.now() + LIMIT_S
        while True:
            match self._next(until_s):
                case None:
                    return Check(name, State.SKIPPED, f"nobody answered in {LIMIT_S:g} seconds")
                case Typed("s"):
                    return Check(name, State.SKIPPED, "not looked at")
                case Typed("y"):
                    return Check(name, State.OK, f"is well, on {look_at[0]}")
                case Typed("n"):
                    return Check(name, State.FAILED, bad, f"check its wires: {look_at[0]}, and {look_at[1]}")

    # --- what the camera sees ---

    def _camera(self, camera: Camera) -> Iterator[Check]:
        taken = [_small(camera.capture().image) for _ in range(WARM_UP_FRAMES)]
        self._ask("camera", "hold your hand over the tray  (s: skip)")
        yield self._hand(camera, taken[-1])

    def _hand(self, camera: Camera, before: Gray) -> Check:
        until_s, most = self._clock.now() + LIMIT_S, 0.0
        while self._clock.now() < until_s:
            now = _small(camera.capture().image)
            most = max(most, float((cv2.absdiff(now, before) > CHANGED).mean()))
            if most > HAND:
                return Check("camera", State.OK, f"saw it in {most:.0%} of the picture")
            if self._next(self._clock.now()) == Typed("s"):
                return Check("camera", State.SKIPPED, "not tried")
        return Check("camera", State.FAILED, f"saw no hand in {LIMIT_S:g} seconds, {most:.1%} of the picture changed",
                     "take the cap off the lens, and see that it looks at this tray")  # fmt: skip

    # --- waiting ---

    def _put(self, heard: Heard) -> None:
        self._inbox.put(heard)
        self._person.poke()

    def _ask(self, name: str, words: str) -> None:
        """Say what is to be done now, and forget what was pressed and typed before: a second y answers nothing."""
        while self._next(self._clock.now()) is not None:
            pass
        self._at = name
        self._tell(f"{words[0].upper()}{words[1:]}")

    def _next(self, until_s: float) -> Heard | None:
        """Return what is heard next, None when it is *until_s* and nothing was."""
        while True:
            with suppress(Empty):
                return self._inbox.get_nowait()
            left_s = until_s - self._clock.now()
            key = self._person.wait(max(0.0, left_s))
            if key in (ESC, END_OF_INPUT):
                raise Ended(f"the walk was ended at {self._at}; begin again with: mexico-table doctor --walk")
            if key is not None:
                return Typed(key.lower())
            if left_s <= 0:
                return None

    def _wire(self, use: str) -> str:
        return self._wires.get(use, use)


def _words(part: Key | Lamp) -> str:
    """Return what a person calls a button or a lamp."""
    return "STOP" if part == Key.STOP else part.replace("_", " ")


def _small(picture: Frame) -> Gray:
    """Return *picture* small, grey and soft: what noise and dust do to it does not count."""
    return as_uint8(
        np.asarray(cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (160, 120), interpolation=cv2.INTER_AREA))
    )
