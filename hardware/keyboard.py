"""A computer's keyboard as the table's buttons and encoder."""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
import termios
import threading
import tty
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Protocol, TextIO

from hardware.devices import SEAT_KEYS, Clock, Key
from hardware.simulated import SimulatedButtons, SimulatedEncoder

TAP_S = 0.1
"""How long a key press holds a button down, in seconds: a terminal does not say when a key is let go."""

HOLD_S = 2.5
"""How long the keys for holding do."""

TAPS: Mapping[str, Key] = MappingProxyType(
    {str(number): key for number, key in enumerate(SEAT_KEYS, start=1)}
    | {"s": Key.STOP, "c": Key.CONFIRM, "\n": Key.CONFIRM, "\r": Key.CONFIRM}
)
HOLDS: Mapping[str, Key] = MappingProxyType({"S": Key.STOP, "C": Key.CONFIRM})
TURNS: Mapping[str, int] = MappingProxyType(
    {"+": 1, "=": 1, "-": -1}
    | {f"\x1b{bracket}{letter}": step for bracket in "[O" for letter, step in zip("ABCD", (1, -1, 1, -1), strict=True)}
)
"""Plus, minus, and the arrow keys: up and right are clockwise."""

END_OF_INPUT = "\x04"
"""What Ctrl-D types, and what stands for the end of a pipe or of the terminal."""

HELP = "1-8 seats   s STOP (S: hold)   Enter confirm   arrows turn   Ctrl-C end"

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])")
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
_REST_S = 0.05
"""How long the rest of an arrow key's sequence may take, in seconds, before it counts as the escape key."""


class Readable(Protocol):
    """What the keyboard needs of standard input."""

    def fileno(self) -> int:
        """Return the file descriptor."""
        ...


def split_keys(text: str) -> tuple[list[str], str]:
    r"""Split what a terminal sent into keys, and the beginning of one that is not all there yet.

    Examples
    --------
    >>> split_keys("1s\x1b[C\x1b[")
    (['1', 's', '\x1b[C'], '\x1b[')
    """
    keys = []
    while text and not _UNFINISHED.match(text):
        sequence = _SEQUENCE.match(text)
        key = sequence.group() if sequence else text[0]
        keys.append(key)
        text = text[len(key) :]
    return keys, text


class TypedKeys:
    """Keys of standard input that are waited for, together with something that happens on another thread.

    On a terminal every key counts at once and is not echoed; Ctrl-C keeps its meaning.

    Parameters
    ----------
    source
        Where keys come from; standard input when left out.
    """

    def __init__(self, source: Readable | TextIO | None = None) -> None:
        self._input = _descriptor(sys.stdin if source is None else source)
        self._saved = _one_key_at_a_time(self._input)
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._keys: deque[str] = deque()
        self._wake, self._woken = os.pipe()
        os.set_blocking(self._woken, False)
        self._closed = False

    def wait(self, seconds: float) -> str | None:
        """Return the next key within *seconds*, `END_OF_INPUT` after the last; None when time is over or at `poke`."""
        if not self._keys:
            watched = [fd for fd in (self._wake, self._input) if fd is not None]
            ready, _, _ = select.select(watched, [], [], seconds)
            if self._wake in ready:
                os.read(self._wake, 1024)
            if self._input in ready or self._input is None:
                self._keys.extend(self._read())
        return self._keys.popleft() if self._keys else None

    def poke(self) -> None:
        """End a `wait`, from any thread."""
        if not self._closed:
            with suppress(BlockingIOError):  # the pipe is full: it will end anyway
                os.write(self._woken, b"x")

    def close(self) -> None:
        """Leave the terminal as it was; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._saved is not None and self._input is not None:
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._saved)
        os.close(self._wake)
        os.close(self._woken)

    def _read(self) -> list[str]:
        """Return the keys that were typed, with the rest of a sequence that has only begun."""
        text = ""
        while self._input is not None:
            try:
                data = os.read(self._input, 1024)
            except OSError:
                data = b""
            text += self._decoder.decode(data)
            keys, begun = split_keys(text)
            if not data:
                return [*keys, *([begun] if begun else []), END_OF_INPUT]
            if not begun:
                return keys
            if not select.select([self._input], [], [], _REST_S)[0]:
                return [*keys, begun]
        return [END_OF_INPUT]


class Keyboard:
    """Reads keys on a thread of its own and moves simulated buttons and a simulated encoder.

    On a terminal every key counts at once and is not echoed; Ctrl-C and Ctrl-Z keep their meaning. In a pipe every
    character is a key, except the end of a line, until the pipe ends.

    Parameters
    ----------
    buttons, encoder
        What the keys move.
    clock
        Says when a button is let go again.
    on_other_key
        Called on the keyboard's thread with every key that moves nothing.
    source
        Where keys come from; standard input when left out. Without a file descriptor there are none.
    """

    def __init__(
        self,
        buttons: SimulatedButtons,
        encoder: SimulatedEncoder,
        clock: Clock,
        on_other_key: Callable[[str], object],
        source: Readable | TextIO | None = None,
    ) -> None:
        self._buttons = buttons
        self._encoder = encoder
        self._clock = clock
        self._on_other_key = on_other_key
        self._down: dict[Key, float] = {}
        self._input = _descriptor(sys.stdin if source is None else source)
        self._saved = _one_key_at_a_time(self._input)
        self._wake, self._woken = os.pipe()
        self._thread: threading.Thread | None = threading.Thread(target=self._run, name="keyboard", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread and leave the terminal as it was; may be called twice."""
        if self._thread is None:
            return
        os.write(self._woken, b"x")
        self._thread.join()
        self._thread = None
        os.close(self._wake)
        os.close(self._woken)
        if self._saved is not None and self._input is not None:
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._saved)

    def act(self, key: str) -> None:
        """Do what *key* stands for."""
        if key in TAPS and not (self._saved is None and key in "\r\n"):
            self._push(TAPS[key], TAP_S)
        elif key in HOLDS:
            self._push(HOLDS[key], HOLD_S)
        elif key in TURNS:
            self._encoder.turn(TURNS[key])
        elif len(key) == 1 and key not in "\r\n":
            self._on_other_key(key)

    def let_go(self) -> float | None:
        """Release the buttons whose time is over; return in how many seconds the next one is, or None."""
        now_s = self._clock.now()
        for key, until_s in tuple(self._down.items()):
            if until_s <= now_s:
                del self._down[key]
                self._buttons.release(key)
        return None if not self._down else max(0.0, min(self._down.values()) - now_s)

    def _push(self, key: Key, seconds: float) -> None:
        if self._down.pop(key, None) is not None:
            self._buttons.release(key)
        self._buttons.press(key)
        self._down[key] = self._clock.now() + seconds

    def _run(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        begun = ""
        while True:
            wait_s = self.let_go()
            if begun:
                wait_s = _REST_S if wait_s is None else min(wait_s, _REST_S)
            ready, _, _ = select.select([fd for fd in (self._wake, self._input) if fd is not None], [], [], wait_s)
            if self._wake in ready:
                return
            if not ready and begun:
                self.act(begun[0])
                begun = ""
            if self._input in ready:
                keys, begun = split_keys(begun + decoder.decode(self._read()))
                for key in keys:
                    self.act(key)

    def _read(self) -> bytes:
        """Return what was typed; the end of a pipe, or of the terminal, is the end of the keys."""
        try:
            data = b"" if self._input is None else os.read(self._input, 1024)
        except OSError:
            data = b""
        if not data:
            self._input = None
        return data


def _descriptor(source: Readable | TextIO | None) -> int | None:
    try:
        return None if source is None else source.fileno()
    except (OSError, ValueError):
        return None


def _one_key_at_a_time(descriptor: int | None) -> list[Any] | None:
    """Let a terminal hand over every key at once; return how it was set before, None for no terminal."""
    if descriptor is None or not os.isatty(descriptor):
        return None
    saved = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor, termios.TCSANOW)
    return saved
