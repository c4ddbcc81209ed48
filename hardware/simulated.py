"""The table's devices without a table: what happens to them can be caused, and what they do can be looked at.

A press, a bounce, a stuck button, a pulled plug, a dark lens are methods of the device they happen to; what a person
at the table would see and hear (lit lamps, the screen, the tone) are its attributes. The contract suite holds these
devices to the same behaviour as the real ones.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from hardware.devices import CameraFrame, CameraLost, Clock, HardwareError, Key, Lamp, Screen
from hardware.edges import QUIET_S
from hardware.limits import in_range
from hardware.settler import OnChange, Settler

REMEMBERED = 1000
"""How many past screens, tones and lamp changes a device keeps: enough for a test, and flat over an evening."""


class SimulatedClock:
    """A clock that stands still until it is cranked by hand.

    Examples
    --------
    >>> clock = SimulatedClock()
    >>> clock.advance(2.5)
    >>> clock.now()
    2.5
    """

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s
        self._steps: list[Callable[[], float | None]] = []

    def now(self) -> float:
        """Return the seconds it was cranked to."""
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Crank on by *seconds*, stopping on the way wherever something is due."""
        if seconds < 0:
            raise ValueError(f"a clock only goes forward, not by {seconds} s")
        end_s = self._now_s + seconds
        while (due_s := self._step()) is not None and due_s <= end_s:
            self._now_s = max(self._now_s, due_s)
        self._now_s = end_s
        self._step()

    def attach(self, step: Callable[[], float | None]) -> None:
        """Call *step* whenever time passes; it returns when it wants to be called next, or None."""
        self._steps.append(step)

    def detach(self, step: Callable[[], float | None]) -> None:
        """Forget a *step* that was attached, if it was."""
        if step in self._steps:
            self._steps.remove(step)

    def _step(self) -> float | None:
        return min((due_s for step in tuple(self._steps) if (due_s := step()) is not None), default=None)


class SimulatedButtons:
    """Push buttons and the fingers on them.

    Parameters
    ----------
    clock
        Times the edges. Under a `SimulatedClock` every edge is reported before the method that caused it returns, and
        the second looks of the debouncing happen in `SimulatedClock.advance`; under a running clock both happen on
        a thread, as on a Pi.
    quiet_s
        Seconds of silence after a reported edge; 0 for fingers that are faster than any real ones.
    keys
        The buttons that are there.
    """

    def __init__(self, clock: Clock, quiet_s: float = QUIET_S, keys: tuple[Key, ...] = tuple(Key)) -> None:
        self._clock = clock
        self._keys = keys
        self._finger: dict[Key, bool] = dict.fromkeys(keys, False)
        self._stuck: dict[Key, bool] = {}
        self._closed = False
        self._settler = Settler(self._contact, clock, quiet_s)
        self._on_thread = not isinstance(clock, SimulatedClock) and quiet_s > 0
        if isinstance(clock, SimulatedClock):
            clock.attach(self._settler.step)

    def listen(self, on_change: OnChange) -> None:
        """Call ``on_change(key, pressed, time_s)`` at every edge from now on."""
        self._settler.listen(self._keys, on_change)
        if self._on_thread:
            self._settler.start()

    def held(self) -> frozenset[Key]:
        """Return the keys that are down at this moment; none once closed, as the pins are let go of."""
        return frozenset(key for key in self._keys if self._contact(key) and not self._closed)

    def close(self) -> None:
        """Report nothing any more; may be called twice."""
        self._closed = True
        self._settler.close()
        if isinstance(self._clock, SimulatedClock):
            self._clock.detach(self._settler.step)

    def press(self, key: Key) -> None:
        """Put a finger on *key*; a key this board does not have does nothing."""
        self._move(key, True)

    def release(self, key: Key) -> None:
        """Take the finger off *key*."""
        self._move(key, False)

    def bounce(self, key: Key, pressed: bool, times: int = 5, apart_s: float = 0.001) -> None:
        """Move the finger with a contact that chatters *times* times, *apart_s* seconds each, before it stays."""
        for _ in range(times):
            self._move(key, pressed)
            self._pass(apart_s)
            self._move(key, not pressed)
            self._pass(apart_s)
        self._move(key, pressed)

    def stick(self, key: Key, closed: bool = True) -> None:
        """Jam *key*: it stays *closed* (or open: a broken wire) whatever the finger does."""
        self._stuck[key] = closed
        self._edge(key)

    def unstick(self, key: Key) -> None:
        """Free *key* again: it follows the finger."""
        self._stuck.pop(key, None)
        self._edge(key)

    def _contact(self, key: Key) -> bool:
        return self._stuck.get(key, self._finger[key])

    def _move(self, key: Key, pressed: bool) -> None:
        if key in self._finger:
            self._finger[key] = pressed
            self._edge(key)

    def _edge(self, key: Key) -> None:
        if key in self._finger:
            self._settler.edge(key, self._contact(key), self._clock.now())
            if not self._on_thread:
                self._settler.step()

    def _pass(self, seconds: float) -> None:
        if isinstance(self._clock, SimulatedClock):
            self._clock.advance(seconds)


class SimulatedEncoder:
    """A rotary encoder and the hand that turns it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._on_turn: Callable[[int, float], None] | None = None

    def listen(self, on_turn: Callable[[int, float], None]) -> None:
        """Call ``on_turn(steps, time_s)`` at every detent from now on."""
        self._on_turn = on_turn

    def close(self) -> None:
        """Report nothing any more; may be called twice."""
        self._on_turn = None

    def turn(self, steps: int) -> None:
        """Turn by *steps* detents, clockwise when positive; each is reported on its own."""
        for _ in range(abs(steps)):
            if self._on_turn is not None:
                self._on_turn(1 if steps > 0 else -1, self._clock.now())


class SimulatedLamps:
    """Lamps one can look at.

    Attributes
    ----------
    changes
        The last `REMEMBERED` changes: seconds, lamp, lit or not.
    """

    def __init__(self, clock: Clock, lamps: tuple[Lamp, ...] = tuple(Lamp)) -> None:
        self._clock = clock
        self._lit: dict[Lamp, bool] = dict.fromkeys(lamps, False)
        self._closed = False
        self.changes: deque[tuple[float, Lamp, bool]] = deque(maxlen=REMEMBERED)

    @property
    def lit(self) -> frozenset[Lamp]:
        """The lamps that shine now."""
        return frozenset(lamp for lamp, on in self._lit.items() if on)

    def set(self, lamp: Lamp, on: bool) -> None:
        """Switch one lamp; a lamp the board does not have is ignored."""
        if not self._closed and self._lit.get(lamp, on) != on:
            self._lit[lamp] = on
            self.changes.append((self._clock.now(), lamp, on))

    def close(self, *, dark: bool = True) -> None:
        """All off, or if not *dark* left as they are; may be called twice."""
        for lamp in self._lit if dark else ():
            self.set(lamp, False)
        self._closed = True


class SimulatedDisplay:
    """A display one can read, and whose plug can be pulled.

    Attributes
    ----------
    screens
        The last `REMEMBERED` screens that were shown, the newest last.
    """

    def __init__(self) -> None:
        self._shown: Screen | None = None
        self._plugged = True
        self._closed = False
        self.screens: deque[Screen] = deque(maxlen=REMEMBERED)

    @property
    def shown(self) -> Screen | None:
        """What can be read on it now; None when it is dark."""
        return self._shown

    def show(self, screen: Screen) -> None:
        """Replace what is shown.

        Raises
        ------
        HardwareError
            While the plug is pulled. The next call tries again.
        """
        if self._closed:
            return
        if not self._plugged:
            raise HardwareError("the display does not answer; check its cable")
        self._shown = screen
        self.screens.append(screen)

    def close(self, *, dark: bool = True) -> None:
        """Dark, or if not *dark* left as it is; may be called twice."""
        if dark and not self._closed:
            self._shown = None
        self._closed = True

    def unplug(self) -> None:
        """Pull the plug: dark at once, and the next `show` fails."""
        self._plugged = False
        self._shown = None

    def replug(self) -> None:
        """Put the plug back: it stays dark until the next `show`."""
        self._plugged = True


class SimulatedSound:
    """A buzzer one can listen to.

    Attributes
    ----------
    tones
        The last `REMEMBERED` changes: seconds, and hertz or None for silence.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sounding_hz: float | None = None
        self._closed = False
        self.tones: deque[tuple[float, float | None]] = deque(maxlen=REMEMBERED)

    @property
    def sounding_hz(self) -> float | None:
        """The tone that sounds now in hertz; None for silence."""
        return self._sounding_hz

    def tone(self, frequency_hz: float | None) -> None:
        """Sound *frequency_hz* from now on, the nearest a buzzer can, or be silent for None."""
        if self._closed:
            return
        self._sounding_hz = None if frequency_hz is None else in_range(frequency_hz)
        self.tones.append((self._clock.now(), self._sounding_hz))

    def close(self) -> None:
        """Silent; may be called twice."""
        self.tone(None)
        self._closed = True


class SimulatedCamera:
    """A camera that sees whatever is put before it, and that can be unplugged, stalled or darkened.

    Parameters
    ----------
    scene
        The picture before the lens: uint8, shape (rows, columns, 3), blue-green-red; black when left out.
    fps
        Pictures per second. The camera's own clock moves on by ``1 / fps`` with every picture.
    wait
        Called with the seconds until the next picture; `time.sleep` makes it as slow as a real one.
    """

    def __init__(
        self,
        scene: npt.NDArray[np.uint8] | None = None,
        fps: float = 30.0,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self._scene = np.zeros((960, 1280, 3), np.uint8) if scene is None else scene
        self._fps = fps
        self._wait = wait
        self._taken = 0
        self._lost = ""
        self._light = 1.0
        self._closed = False
        self._held: dict[str, float] = {}

    def capture(self) -> CameraFrame:
        """Return the next picture, a copy of the caller's own.

        Raises
        ------
        CameraLost
            While it is unplugged, stalled or closed.
        """
        if self._wait is not None:
            self._wait(1.0 / self._fps)
        if self._closed:
            raise CameraLost("the camera is closed")
        if self._lost:
            raise CameraLost(self._lost)
        self._taken += 1
        image = self._scene.copy() if self._light == 1.0 else (self._scene * self._light).astype(np.uint8)
        return CameraFrame(image, self._taken / self._fps)

    def lock(self) -> Mapping[str, float]:
        """Hold exposure, white balance and focus as they are, and return them."""
        self._held = self._held or {"exposure_us": 8000.0, "gain": 1.0}
        return dict(self._held)

    def restore(self, held: Mapping[str, float]) -> None:
        """Set and hold what `lock` returned before."""
        self._held = dict(held)

    def release(self) -> None:
        """Hold nothing any more."""
        self._held = {}

    def close(self) -> None:
        """Let go of the camera; may be called twice."""
        self._closed = True

    def look_at(self, scene: npt.NDArray[np.uint8]) -> None:
        """Put another picture before the lens."""
        self._scene = scene

    def unplug(self) -> None:
        """Pull the plug: no more pictures."""
        self._lost = "the camera was unplugged; check its cable"

    def stall(self) -> None:
        """Let the camera hang: it is there, and gives no pictures."""
        self._lost = "the camera gives no pictures; check its cable"

    def replug(self) -> None:
        """End `unplug` and `stall`: pictures come again."""
        self._lost = ""

    def darken(self, light: float = 0.02) -> None:
        """Turn the light down to the fraction *light*; 1 is as bright as it was."""
        self._light = light


def running_camera(scene: npt.NDArray[np.uint8] | None = None) -> SimulatedCamera:
    """Return a simulated camera in real time: `SimulatedCamera.capture` waits for its next picture."""
    return SimulatedCamera(scene, wait=time.sleep)
