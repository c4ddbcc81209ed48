"""What the parts of the controller may ask of it."""

from __future__ import annotations

from typing import Protocol, Unpack

from firmware import sounds
from firmware.events import Stop
from firmware.match import Match, Stored
from firmware.views import Note, Phase, Shown, View
from mexico.errors import RulesError


class Stage(Protocol):
    """The controller, as its parts see it.

    Attributes
    ----------
    match
        The game on the table, None before the first.
    fresh_throw
        Whether dice were picked up since the last throw that counts, or counts no more.
    decisions
        How often something was decided: computer players act anew when it has grown.
    """

    match: Match | None
    fresh_throw: bool
    decisions: int

    @property
    def view(self) -> View:
        """Return what the table shows now."""
        ...

    def on_turn(self) -> Match:
        """Return the game on the table; there is one."""
        ...

    def seen(self, phase: Phase, note: Note) -> View:
        """Return the game as it is stored, in *phase*."""
        ...

    def show(self, view: View) -> None:
        """Show *view* from now on."""
        ...

    def note(self, note: Note, **shown: Unpack[Shown]) -> None:
        """Show *note* over the game as it is."""
        ...

    def not_now(self, error: RulesError) -> None:
        """Say that the rules refuse something."""
        ...

    def follow(self, stored: Stored, note: Note, **shown: Unpack[Shown]) -> None:
        """Show what an event that is now on disk has led to."""
        ...

    def play(self, note: Note, **shown: Unpack[Shown]) -> None:
        """Let the game wait for its next throw or press."""
        ...

    def pause(self, why: str) -> None:
        """Let the game wait until STOP is pressed."""
        ...

    def wait(self) -> None:
        """Await no throw, and let nothing be due."""
        ...

    def end(self, stop: Stop) -> None:
        """End the program."""
        ...

    def sound(self, melody: sounds.Melody) -> None:
        """Begin *melody*."""
        ...
