"""One bundle of devices, opened together or not at all; a service waits for display and camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

from hardware.board import Board, Oled, load_board
from hardware.clock import MonotonicClock
from hardware.devices import Buttons, Camera, Clock, DeviceMissing, Display, Encoder, Lamps, Sound, Voice
from hardware.edges import QUIET_S
from hardware.late import LateCamera, LateDisplay
from hardware.simulated import (
    SimulatedButtons,
    SimulatedCamera,
    SimulatedClock,
    SimulatedDisplay,
    SimulatedEncoder,
    SimulatedLamps,
    SimulatedSound,
    running_camera,
)
from hardware.simulated_voice import SimulatedVoice


class Kind(StrEnum):
    """Which devices a rig is made of."""

    SIMULATED = "simulated"
    TERMINAL = "terminal"
    PI = "pi"


def silent(clock: Clock) -> Voice:
    """Return the voice of a table that nobody hears speak."""
    return SimulatedVoice(clock, word_s=0)


def _nobody(_: str) -> str:
    """Take a key that nobody waits for."""
    return ""


@dataclass(frozen=True, slots=True)
class Wiring:
    """What `open_rig` connects.

    Attributes
    ----------
    board
        The pin map; also says how many seats have a button and a lamp.
    open_camera
        Opens the camera: of kind `pi` the Raspberry Pi or USB camera when left out, else a simulated one.
    open_voice
        Gives the voice of the caller, timed by the clock; one that nobody hears when left out.
    clock
        The clock that times the edges.
    on_other_key
        Of kind `terminal`: called on the keyboard's thread with every key that is no device, such as ``" "``.
    other_keys_help
        Of kind `terminal`: one line about those keys, for the screen.
    quiet_s
        Seconds of silence after a reported edge of a button; of kind `terminal` there is none.
    patient
        Of kind `pi`: a display or camera that is missing is no error, but looked for until it is there. Until then it
        is one that does not answer.
    """

    board: Board = field(default_factory=lambda: load_board("standard"))
    open_camera: Callable[[], Camera] | None = None
    open_voice: Callable[[Clock], Voice] = silent
    clock: Clock = field(default_factory=MonotonicClock)
    on_other_key: Callable[[str], str] = _nobody
    other_keys_help: str = ""
    quiet_s: float = QUIET_S
    patient: bool = False


@dataclass(frozen=True, slots=True)
class Rig:
    """The devices of one table."""

    buttons: Buttons
    encoder: Encoder
    lamps: Lamps
    display: Display
    sound: Sound
    voice: Voice
    camera: Camera
    clock: Clock


@dataclass(frozen=True, slots=True)
class SimulatedRig(Rig):
    """The same, with causes: every device is known to be a simulated one."""

    buttons: SimulatedButtons
    encoder: SimulatedEncoder
    lamps: SimulatedLamps
    display: SimulatedDisplay
    sound: SimulatedSound
    voice: SimulatedVoice
    camera: SimulatedCamera
    clock: SimulatedClock


class _Closeable(Protocol):
    def close(self) -> None: ...


_Device = TypeVar("_Device", bound=_Closeable)


def simulated_rig(clock: SimulatedClock | None = None) -> SimulatedRig:
    """Return a table of simulated devices on a clock that is cranked by hand: what a test holds on to.

    Examples
    --------
    >>> from hardware.devices import Key
    >>> rig = simulated_rig()
    >>> rig.buttons.listen(lambda key, pressed, time_s: print(key, pressed, time_s))
    >>> rig.buttons.press(Key.STOP)
    stop True 0.0
    """
    clock = clock or SimulatedClock()
    return SimulatedRig(
        SimulatedButtons(clock),
        SimulatedEncoder(clock),
        SimulatedLamps(clock),
        SimulatedDisplay(),
        SimulatedSound(clock),
        SimulatedVoice(clock),
        SimulatedCamera(),
        clock,
    )


@contextmanager
def open_rig(kind: Kind | str, wiring: Wiring | None = None) -> Iterator[Rig]:
    """Open all devices of one kind for the time of a ``with`` block.

    Parameters
    ----------
    kind
        `simulated`, `terminal` or `pi`.
    wiring
        The board, the camera and the clock; the standard ones when left out.

    Yields
    ------
    Rig
        The open devices. All are closed at the end of the block, however it ends.

    Raises
    ------
    HardwareError
        If one device is missing that is not waited for: which one and what to do, in one line. Those already open are
        closed again.
    ValueError
        If there is no such kind: a bug in the caller.

    Examples
    --------
    >>> from hardware.devices import Lamp
    >>> with open_rig("simulated") as rig:
    ...     rig.lamps.set(Lamp.STOP, True)
    """
    openers = {Kind.SIMULATED: _open_simulated, Kind.TERMINAL: _open_terminal, Kind.PI: _open_pi}
    with ExitStack() as stack:
        yield openers[Kind(kind)](wiring or Wiring(), stack)


def _open(stack: ExitStack, device: _Device) -> _Device:
    stack.callback(device.close)
    return device


def _now_or(
    later: Callable[[Callable[[], _Device]], _Device], opener: Callable[[], _Device], wiring: Wiring
) -> _Device:
    """Return what *opener* gives, or, where the wiring is patient and it is missing, what looks for it *later*."""
    try:
        return opener()
    except DeviceMissing:
        if not wiring.patient:
            raise
        return later(opener)


def _open_camera(wiring: Wiring) -> Camera:
    if wiring.open_camera is not None:
        return wiring.open_camera()
    clock = wiring.clock
    return SimulatedCamera() if isinstance(clock, SimulatedClock) else running_camera()


def _open_simulated(wiring: Wiring, stack: ExitStack) -> Rig:
    clock, board = wiring.clock, wiring.board
    return Rig(
        buttons=_open(stack, SimulatedButtons(clock, wiring.quiet_s, tuple(board.buttons))),
        encoder=_open(stack, SimulatedEncoder(clock)),
        lamps=_open(stack, SimulatedLamps(clock, tuple(board.lamps))),
        display=_open(stack, SimulatedDisplay()),
        sound=_open(stack, SimulatedSound(clock)),
        voice=_open(stack, wiring.open_voice(clock)),
        camera=_open(stack, _open_camera(wiring)),
        clock=clock,
    )


def _open_terminal(wiring: Wiring, stack: ExitStack) -> Rig:
    from hardware.keyboard import Keyboard
    from hardware.terminal import Console, TerminalDisplay, TerminalLamps, TerminalSound

    clock, board = wiring.clock, wiring.board
    camera = _open(stack, _open_camera(wiring))  # first: what it complains about is still seen
    buttons = _open(stack, SimulatedButtons(clock, 0.0, tuple(board.buttons)))
    encoder = _open(stack, SimulatedEncoder(clock))
    console = _open(stack, Console(tuple(board.lamps), wiring.other_keys_help))
    rig = Rig(
        buttons=buttons,
        encoder=encoder,
        lamps=_open(stack, TerminalLamps(console)),
        display=_open(stack, TerminalDisplay(console)),
        sound=_open(stack, TerminalSound(console)),
        voice=_open(stack, wiring.open_voice(clock)),
        camera=camera,
        clock=clock,
    )
    _open(stack, Keyboard(buttons, encoder, clock, lambda key: console.whisper(wiring.on_other_key(key))))
    return rig


def _open_pi(wiring: Wiring, stack: ExitStack) -> Rig:
    from hardware.cameras import open_camera
    from hardware.pi_buttons import PiButtons
    from hardware.pi_display import PiOled, PiSegments
    from hardware.pi_encoder import PiEncoder
    from hardware.pi_lamps import PiLamps
    from hardware.pi_sound import PiSound

    clock, board = wiring.clock, wiring.board
    shown_on = board.display

    def open_display() -> Display:
        return PiOled(shown_on) if isinstance(shown_on, Oled) else PiSegments(shown_on)

    return Rig(
        buttons=_open(stack, PiButtons(board.buttons, clock, wiring.quiet_s)),
        encoder=_open(stack, PiEncoder(*board.encoder, clock)),
        lamps=_open(stack, PiLamps(board.lamps)),
        display=_open(stack, _now_or(LateDisplay, open_display, wiring)),
        sound=_open(stack, PiSound(board.buzzer)),
        voice=_open(stack, wiring.open_voice(clock)),
        camera=_open(stack, _now_or(LateCamera, wiring.open_camera or open_camera, wiring)),
        clock=clock,
    )
