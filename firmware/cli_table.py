"""The bare ``mexico-table``: runs the real table or the virtual one."""

from __future__ import annotations

import logging
from contextlib import ExitStack, closing
from queue import SimpleQueue

from firmware.calibrate_lent import LentCalibration
from firmware.cli_both import Inbox, camera_name, first_into, goodbye, listen, open_journal, pump, voice
from firmware.cli_common import Common, the_common
from firmware.cli_options import Wanted
from firmware.computer import on_a_pi
from firmware.controller import Controller
from firmware.errors import TableError
from firmware.eyes import Eyes
from firmware.page.address import Address
from firmware.page.entrance import Entrance
from firmware.page.page import Page
from firmware.page.power import begin_anew_if_alone
from firmware.page.site import Site
from firmware.service import Watchdog, looked_after
from firmware.settings import Settings
from firmware.table import Table
from firmware.watching import Watching
from hardware.board import load_board
from hardware.cameras import open_camera
from hardware.devices import LockableCamera
from hardware.rig import Kind, Wiring, open_rig
from vision.calibration import Calibration

logger = logging.getLogger(__name__)


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
        patient=looked_after(),  # nobody reads an error of a service: the table says what it lacks
    )
    inbox: Inbox = SimpleQueue()
    with open_journal(folder, settings, "real") as journal, ExitStack() as stack:
        entrance = _entrance(wanted, settings, stack)
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
            page_address=entrance.phones,
        )
        controller = Controller(table)
        stack.enter_context(entrance.opened(page))
        watchdog = Watchdog()
        try:
            pump(controller, inbox, rig, eyes, (watchdog,))
        finally:
            watchdog.stopping()
    if controller.anew:
        begin_anew_if_alone()
    return goodbye(controller, "--hardware", common)


def _entrance(wanted: Wanted, settings: Settings, stack: ExitStack) -> Entrance:
    """Return where browsers find the table; nowhere, where the house wants no page.

    An address from the command line must be there at once: whoever asks for it sits at a terminal. That of the settings
    may come later: when power comes a table is often there before its network.
    """
    address = wanted.page_address
    if address is None and settings.page.table_address:
        address = Address.parse(settings.page.table_address, exactly=True)
    way_in = Entrance(None if wanted.no_page else address, patient=wanted.page_address is None)
    return stack.enter_context(closing(way_in))
