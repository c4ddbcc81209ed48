"""Who hears of stored events and readings: lines on standard output, the picture in the state folder."""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue

import cv2

from firmware import story
from firmware.cli_common import say
from firmware.events import Event, Stop
from firmware.eyes import OnRead
from firmware.folder import write_whole
from firmware.match import Stored
from vision.types import Frame, TrayReading

logger = logging.getLogger(__name__)

PIPE_CLOSED = 128 + signal.SIGPIPE


class Teller:
    """Prints a line for every event after it is stored; a reader that goes away ends the program quietly."""

    def __init__(self, line: Callable[[Stored], str], inbox: SimpleQueue[Event]) -> None:
        self._line = line
        self._inbox = inbox
        self._heard = True

    def __call__(self, stored: Stored) -> None:
        """Print *stored*, as long as somebody listens."""
        if not self._heard:
            return
        try:
            say(self._line(stored))
        except BrokenPipeError:
            self._heard = False
            self._inbox.put(Stop("nobody reads standard output any more", PIPE_CLOSED))


def json_line(stored: Stored) -> str:
    """Return the line of ``--json``: as ``replay --json`` has it, of no file, with the number of the game."""
    return json.dumps(
        {
            "game": stored.game,
            "file": None,
            "event": stored.number,
            "accepted": True,
            "why": None,
            "facts": stored.facts,
        }
    )


def story_line() -> Callable[[Stored], str]:
    """Return what tells each event in words, knowing the one before."""
    before: dict[int, Mapping[str, object]] = {}

    def line(stored: Stored) -> str:
        known = before.get(stored.game, {})
        before.clear()
        before[stored.game] = stored.facts
        text = f"game {stored.game} {story.told(stored.number, stored.event, known, stored.facts)}"
        return "\n".join((text, *story.standing(stored.facts))) if stored.over else text

    return line


def keep_picture(path: Path) -> OnRead:
    """Return what saves every picture that was read or refused at *path*, the last one only."""

    def keep(frame: Frame, _reading: TrayReading) -> None:
        done, data = cv2.imencode(".png", frame)
        try:
            if done:
                write_whole(path, data.tobytes())
        except OSError as error:
            logger.warning("the picture %s cannot be written: %s", path, error.strerror)

    return keep
