"""What the real table and the virtual one do the same way, from the journal that is opened to the last line."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from queue import SimpleQueue
from typing import TypeAlias

from firmware import loop
from firmware.cli_common import Common, called, complain
from firmware.controller import Controller
from firmware.errors import TableError
from firmware.events import Event, FirstPicture, Pressed, Turned
from firmware.eyes import Eyes, OnFirst
from firmware.folder import StateFolder
from firmware.journal import Journal
from firmware.match import replayed
from firmware.page.network import shared
from firmware.service import INTERRUPTED, signals_into
from firmware.settings import Settings
from hardware.devices import Clock, Voice
from hardware.rig import Rig, silent
from hardware.speech import EspeakVoice

Inbox: TypeAlias = SimpleQueue[Event]
"""What happens at the table, in its order."""


def phones(listener: socket.socket | None) -> Callable[[], str]:
    """Return what tells where phones find the page at *listener*; nowhere, if there is none."""
    return str if listener is None else partial(shared, listener)


def camera_name(settings: Settings) -> str:
    """Return the name of the camera that the settings ask for."""
    return {"auto": "camera", "pi": "pi", "usb": f"usb:{settings.camera.usb_index}"}[settings.camera.source]


def voice(settings: Settings) -> Callable[[Clock], Voice]:
    """Return what gives the table its voice; one that nobody hears where the house has no caller."""
    sound = settings.sound
    return partial(EspeakVoice, sound.voice, sound.words_per_minute) if sound.caller else silent


@contextmanager
def open_journal(folder: StateFolder, settings: Settings, kind: str) -> Iterator[Journal]:
    """Be alone on the state folder and open its journal, if no game of the other kind of table waits there."""
    with folder.held():
        keep = settings.journal.keep_pictures_games
        with closing(Journal.open(folder.journal, keep_pictures_games=keep)) as journal:
            _refuse_other_kind(journal, folder, kind)
            yield journal


def _refuse_other_kind(journal: Journal, folder: StateFolder, kind: str) -> None:
    """Refuse to go on with real dice where a virtual game waits, and the other way round."""
    last = journal.last()
    if last is None or last.table_kind == kind or last.given_up or replayed(last).over:
        return
    raise TableError(
        f"game {last.number} of the {last.table_kind} table is interrupted in {folder.path}; "
        f"end it there first, or give the {kind} table a folder of its own with --state DIR"
    )


def listen(rig: Rig, inbox: Inbox) -> None:
    """Let presses and turns go into the queue; before the table asks for any."""
    rig.buttons.listen(lambda key, down, time_s: inbox.put(Pressed(key, down, time_s)))
    rig.encoder.listen(lambda steps, time_s: inbox.put(Turned(steps, time_s)))


def first_into(inbox: Inbox) -> OnFirst:
    """Return what puts into the queue that the camera has given its first picture."""
    return lambda fault: inbox.put(FirstPicture(fault))


def pump(controller: Controller, inbox: Inbox, rig: Rig, eyes: Eyes, companions: tuple[loop.Ticking, ...]) -> None:
    """Let everything that happens flow into *controller* until it stops."""
    with signals_into(inbox), ExitStack() as stack:
        stack.callback(eyes.close)
        stack.callback(rig.camera.close)
        eyes.open()
        loop.run(controller, inbox, rig.clock.now, companions)


def goodbye(controller: Controller, table: str, common: Common) -> int:
    """Return the exit code of *controller*; who interrupted it is told how to go on."""
    if controller.exit_code == INTERRUPTED:
        state = f" --state {shlex.quote(str(common.state))}" if common.state else ""
        complain(f"interrupted, everything is stored; go on with: {called()} {table}{state}")
    return controller.exit_code
