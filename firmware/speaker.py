"""The caller at work: what it says, one sentence at a time, and which one waits. Nothing here waits itself."""

from __future__ import annotations

from typing import Final

from firmware.caller import Call, call
from firmware.views import View
from hardware.devices import Voice

LOOK_S: Final = 0.1
"""How often the voice is asked whether it has finished, while it speaks."""

LOOK_SOON_S: Final = 0.02
"""The same while it was told to be silent for something newer."""


class Speaker:
    """Says what happens at the table on a `Voice`.

    A sentence about something new cuts the running one short, any other waits until that is over; only the newest
    waits.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._shown: View | None = None
        self._next: Call | None = None
        self._due_s: float | None = None

    @property
    def next_deadline_s(self) -> float | None:
        """Return when `tick` is due, None in silence."""
        return self._due_s

    def show(self, view: View, now_s: float) -> None:
        """Say what there is to say of *view*, which the table shows from now on."""
        new = call(self._shown, view)
        self._shown = view
        if new is not None:
            self._next = new
            if new.cuts:
                self._voice.hush()
            self._go_on(now_s)

    def tick(self, now_s: float) -> None:
        """Go on with what waits, when the voice is free for it."""
        if self._due_s is not None and now_s >= self._due_s:
            self._go_on(now_s)

    def _go_on(self, now_s: float) -> None:
        if self._next is not None and not self._voice.busy:
            waiting, self._next = self._next, None
            self._voice.say(waiting.sentence)
        if not self._voice.busy and self._next is None:
            self._due_s = None
        else:
            self._due_s = now_s + (LOOK_S if self._next is None or not self._next.cuts else LOOK_SOON_S)
