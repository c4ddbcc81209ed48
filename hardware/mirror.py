"""What lamps, display and buzzer of a table show at this moment, for those who are not at the table.

A mirror stands between whoever sets the devices and the devices. It shows what was asked for, also where a real device
fails, and a display that it calls unplugged fails like a real one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hardware.devices import Display, HardwareError, Lamp, Lamps, Screen, Sound
from hardware.rig import Rig


@dataclass(frozen=True, slots=True)
class Mirrored:
    """What is shown.

    Attributes
    ----------
    screen
        On the display; None where it is dark.
    lit
        The lamps that are lit.
    tone_hz
        What the buzzer sounds, None when it is silent.
    """

    screen: Screen | None = None
    lit: frozenset[Lamp] = frozenset()
    tone_hz: float | None = None


class Mirror:
    """Lamps, display and buzzer of *rig*, and what they show.

    Parameters
    ----------
    rig
        The devices.
    lamps
        Those that are there.
    on_change
        Called with what is shown, on the thread that sets it, whenever that is something else.
    """

    def __init__(self, rig: Rig, lamps: tuple[Lamp, ...], on_change: Callable[[Mirrored], None]) -> None:
        self._lamps = lamps
        self._on_change = on_change
        self._shown = Mirrored()
        self.unplugged = False
        self.lost: str | None = None
        """Why the display did not take what it was given last, None when it did."""
        self.rig = Rig(
            buttons=rig.buttons,
            encoder=rig.encoder,
            lamps=_MirroredLamps(rig.lamps, self),
            display=_MirroredDisplay(rig.display, self),
            sound=_MirroredSound(rig.sound, self),
            voice=rig.voice,
            camera=rig.camera,
            clock=rig.clock,
        )

    @property
    def shown(self) -> Mirrored:
        """Return what is shown now. From any thread."""
        return self._shown

    def light(self, lamp: Lamp, on: bool) -> None:
        """See that *lamp* is switched."""
        if lamp in self._lamps:
            self._change(replace(self._shown, lit=self._shown.lit | {lamp} if on else self._shown.lit - {lamp}))

    def screen(self, screen: Screen | None) -> None:
        """See that the display shows *screen*, or nothing.

        Raises
        ------
        HardwareError
            If the display is called unplugged.
        """
        if self.unplugged:
            raise HardwareError("the display is unplugged; plug it in again")
        self._change(replace(self._shown, screen=screen))

    def unplug(self, *, on: bool) -> None:
        """Let the display be dark and fail like a real one, or plug it in again. From any thread."""
        self.unplugged = on
        self._change(replace(self._shown, screen=None))

    def tone(self, tone_hz: float | None) -> None:
        """See that the buzzer sounds *tone_hz*, or is silent."""
        self._change(replace(self._shown, tone_hz=tone_hz))

    def _change(self, shown: Mirrored) -> None:
        if shown != self._shown:
            self._shown = shown
            self._on_change(shown)


class _MirroredLamps:
    def __init__(self, lamps: Lamps, mirror: Mirror) -> None:
        self._lamps = lamps
        self._mirror = mirror

    def set(self, lamp: Lamp, on: bool) -> None:
        self._mirror.light(lamp, on)
        self._lamps.set(lamp, on)

    def close(self, *, dark: bool = True) -> None:
        self._lamps.close(dark=dark)


class _MirroredDisplay:
    def __init__(self, display: Display, mirror: Mirror) -> None:
        self._display = display
        self._mirror = mirror

    def show(self, screen: Screen) -> None:
        try:
            self._mirror.screen(screen)
            self._display.show(screen)
        except HardwareError as error:
            self._mirror.lost = str(error)
            raise
        self._mirror.lost = None

    def close(self, *, dark: bool = True) -> None:
        self._display.close(dark=dark)


class _MirroredSound:
    def __init__(self, sound: Sound, mirror: Mirror) -> None:
        self._sound = sound
        self._mirror = mirror

    def tone(self, frequency_hz: float | None) -> None:
        self._mirror.tone(frequency_hz)
        self._sound.tone(frequency_hz)

    def close(self) -> None:
        self._sound.close()
