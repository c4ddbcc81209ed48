"""The table's display, lamps and buzzer as text: a live picture in a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
from typing import TextIO

from hardware.devices import HardwareError, Lamp, Screen
from hardware.keyboard import HELP
from hardware.limits import in_range
from hardware.live import live_screen
from hardware.segments import drawn, fit

_NOTHING = Screen("", "", (), "")
_WIDTH = 46


class Console:
    """What the table shows, kept in one place and written whenever it changes.

    Parameters
    ----------
    lamps
        The lamps that are there.
    other_keys
        One more line of help: the keys that are no device.
    stream
        Standard output when left out.
    """

    def __init__(self, lamps: tuple[Lamp, ...], other_keys: str = "", stream: TextIO | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        self._lamps = lamps
        self._help = tuple(line for line in (HELP, other_keys) if line)
        self._screen = _NOTHING
        self._lit: frozenset[Lamp] = frozenset()
        self._tone_hz: float | None = None
        self._said: set[str] = set()
        self._closed = False
        self._aside = ""
        self._live = live_screen(self._stream)
        if self._live is not None:
            self._live.draw(self.picture())

    def show(self, screen: Screen) -> None:
        """Put *screen* on the display."""
        if screen != self._screen:
            self._screen = screen
            self._said.clear()
            self._changed(" | ".join(text for text in (screen.title, screen.big, *screen.lines) if text), "screen")

    def light(self, lamp: Lamp, on: bool) -> None:
        """Switch one lamp, if it is there."""
        lit = self._lit | {lamp} if on else self._lit - {lamp}
        if lamp in self._lamps and lit != self._lit:
            self._lit = lit
            self._changed(" ".join(_name(lamp) for lamp in self._lamps if lamp in lit) or "all off", "lamps")

    def sound(self, frequency_hz: float | None) -> None:
        """Let *frequency_hz* sound, or nothing."""
        if frequency_hz != self._tone_hz:
            self._tone_hz = frequency_hz
            if frequency_hz is None and self._live is None:
                return
            self._changed("silent" if frequency_hz is None else f"{frequency_hz:.0f} Hz", "sound")

    def whisper(self, text: str) -> None:
        """Show *text* below the live picture until the next key; in a pipe, which is kept, nothing."""
        self._aside = text
        if self._live is not None and not self._closed:
            self._live.draw(self.picture())

    def close(self) -> None:
        """Write nothing more and leave the terminal as it was; may be called twice."""
        if self._live is not None and not self._closed:
            self._live.close()
        self._closed = True

    def picture(self) -> list[str]:
        """Return the live picture as lines of text."""
        screen = self._screen
        rim = "+" + "-" * _WIDTH + "+"
        inside = [screen.title.center(_WIDTH), *(row.center(_WIDTH) for row in _block(screen.big)), ""]
        inside += [f"  {line}" for line in (*screen.lines, "", "", "")[:3]]
        body = [f"|{text[:_WIDTH]:<{_WIDTH}}|" for text in inside]
        lamps = " ".join(f"({_name(lamp)})" if lamp in self._lit else f" {_name(lamp)} " for lamp in self._lamps)
        tone = "" if self._tone_hz is None else f"~ {self._tone_hz:.0f} Hz ~"
        below = [
            "",
            f" lamps  {lamps}",
            f" sound  {tone}",
            f" four   [{fit(screen.four)}]",
            "",
            *(f" {line}" for line in self._help),
            f" {self._aside}",
        ]
        return [_encodable(line, self._stream) for line in (rim, *body, rim, *below)]

    def _changed(self, words: str, what: str) -> None:
        """Write the change: in a pipe every state once per screen, so that a pulsing lamp does not fill a disk."""
        if self._closed:
            return
        try:
            if self._live is not None:
                self._live.draw(self.picture())
            elif (line := f"{what}: {words}") not in self._said:
                self._said.add(line)
                self._stream.write(_encodable(line, self._stream) + "\n")
                self._stream.flush()
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            raise HardwareError(f"standard output cannot be written to ({error})") from error


class TerminalDisplay:
    """The display in the terminal."""

    def __init__(self, console: Console) -> None:
        self._console: Console | None = console

    def show(self, screen: Screen) -> None:
        """Replace what is shown.

        Raises
        ------
        HardwareError
            If standard output cannot be written to.
        """
        if self._console is not None:
            self._console.show(screen)

    def close(self, *, dark: bool = True) -> None:  # noqa: ARG002 (what was written stays)
        """Show nothing more; may be called twice."""
        self._console = None


class TerminalLamps:
    """The lamps in the terminal; a lit one stands in brackets."""

    def __init__(self, console: Console) -> None:
        self._console: Console | None = console

    def set(self, lamp: Lamp, on: bool) -> None:
        """Switch one lamp; a lamp the board does not have is ignored."""
        if self._console is not None:
            self._console.light(lamp, on)

    def close(self, *, dark: bool = True) -> None:
        """All off, or if not *dark* left as they are; may be called twice."""
        for lamp in Lamp if dark else ():
            self.set(lamp, False)
        self._console = None


class TerminalSound:
    """The buzzer in the terminal: it is written, not heard."""

    def __init__(self, console: Console) -> None:
        self._console: Console | None = console

    def tone(self, frequency_hz: float | None) -> None:
        """Sound *frequency_hz* from now on, the nearest a buzzer can, or be silent for None."""
        if self._console is not None:
            self._console.sound(None if frequency_hz is None else in_range(frequency_hz))

    def close(self) -> None:
        """Silent; may be called twice."""
        self.tone(None)
        self._console = None


def _block(text: str) -> tuple[str, ...]:
    """Return *text* in letters of three rows, padded so that the rows stay aligned when they are centred."""
    rows = drawn(text)
    return tuple(row.ljust(max(map(len, rows))) for row in rows)


def _name(lamp: Lamp) -> str:
    return lamp.removeprefix("seat_").upper()


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "ascii"
    return text.encode(encoding, "replace").decode(encoding)
