"""The bare ``mexico-table``: runs the real table or the virtual one."""

from __future__ import annotations

import logging
import shlex
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from firmware import loop
from firmware.calibrate_lent import LentCalibration
from firmware.cli_common import Common, called, complain, the_common
from firmware.cli_options import Wanted
from firmware.controller import Controller
from firmware.errors import TableError
from firmware.events import Event, FirstPicture, Pressed, Turned
from firmware.eyes import Eyes, OnFirst
from firmware.folder import StateFolder
from firmware.journal import Journal
from firmware.match import replayed
from firmware.page.address import Address
from firmware.page.network import shared
from firmware.page.page import Page
from firmware.page.power import begin_anew_if_alone
from firmware.page.site import Site
from firmware.service import INTERRUPTED, Watchdog, signals_into
from firmware.settings import Settings
from firmware.table import Table
from firmware.watching import Watching
from hardware.board import load_board
from hardware.cameras import open_camera
from hardware.devices import Clock, LockableCamera, Voice
from hardware.rig import Kind, Rig, Wiring, open_rig, silent
from hardware.speech import EspeakVoice
from vision.calibration import Calibration

logger = logging.getLogger(__name__)

MODEL = Path("/proc/device-tree/model")
Inbox = SimpleQueue[Event]


def run(wanted: Wanted) -> int:
    """Run what the bare call asks for and return its exit code."""
    common = the_common()
    if wanted.calibrate:
        from firmware.cli_calibrate import calibrate_tray

        return calibrate_tray(wanted)
    from firmware.cli_virtual import run_virtual

    real = wanted.hardware or (not wanted.asks_for_virtual and on_a_pi() and common.folder.calibration.is_file())
    common.log(least=1 if real else 0)
    return _run_real(wanted, common) if real else run_virtual(wanted, common)


def on_a_pi(model: Path = MODEL) -> bool:
    """Return whether this computer is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in model.read_text(errors="replace")
    except OSError:
        return False


# --- the real table ---


def _run_real(wanted: Wanted, common: Common) -> int:
    settings, folder = common.settings(), common.folder
    if not folder.calibration.is_file():
        raise TableError(f"no calibration in {folder.path}; make one with mexico-table --calibrate")
    calibration = Calibration.load(folder.calibration)
    board = load_board(settings.table.board)
    wiring = Wiring(
        board=board,
        open_camera=lambda: open_camera(camera_name(settings), settings.camera.frames_per_s),
        open_voice=voice(settings),
    )
    inbox: Inbox = SimpleQueue()
    with open_journal(folder, settings, "real") as journal, ExitStack() as stack:
        listener = _listener(wanted, settings, stack)
        rig = stack.enter_context(open_rig(Kind.PI, wiring))
        if isinstance(rig.camera, LockableCamera):
            rig.camera.restore(calibration.held)
        page = Page(Site(settings, folder, rig.clock, seats=board.seats))
        page.found(journal.last())
        page.panel(common.own_settings, inbox.put, calibration, real=True)
        eyes = Eyes(
            rig.camera,
            calibration,
            inbox,
            picture_width_px=settings.journal.picture_width_px,
            on_read=page.read,
            on_look=page.look,
            on_stirred=page.stirred,
            on_first=first_into(inbox),
        )
        page.calibrated_with(lambda: LentCalibration(eyes, calibration, folder, settings, real=True))
        listen(rig, inbox)

        def expect(watching: Watching) -> None:
            page.expect(watching)
            eyes.expect(watching)

        table = Table(
            page.mirror(rig, tuple(board.lamps)),
            journal,
            settings,
            "real",
            expect,
            eyes.look_again,
            (page.stored,),
            (page.view,),
            self_test=settings.table.self_test,
            lamps=tuple(board.lamps),
            page_address=phones(listener),
        )
        controller = Controller(table)
        stack.enter_context(page.served(listener))
        watchdog = Watchdog()
        try:
            pump(controller, inbox, rig, eyes, (watchdog,))
        finally:
            watchdog.stopping()
    if controller.anew:
        begin_anew_if_alone()
    return goodbye(controller, "--hardware", common)


def _listener(wanted: Wanted, settings: Settings, stack: ExitStack) -> socket.socket | None:
    """Return where browsers find the table, None where the house wants no page."""
    address = wanted.page_address
    if address is None and settings.page.table_address:
        address = Address.parse(settings.page.table_address, exactly=True)
    return None if address is None or wanted.no_page else stack.enter_context(address.listen())


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


# --- what the virtual table does the same way ---


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
