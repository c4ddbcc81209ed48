"""The bare ``mexico-table``: runs the real table or the virtual one."""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from firmware import loop, story
from firmware.bots import Bots
from firmware.bots_cup import CupBots
from firmware.cli_common import Common, complain, say, the_common
from firmware.cli_options import Wanted
from firmware.controller import Controller
from firmware.errors import TableError
from firmware.events import Event, FirstPicture, Pressed, Stop, Turned
from firmware.eyes import Eyes, OnFirst
from firmware.folder import StateFolder
from firmware.journal import Journal
from firmware.match import replayed
from firmware.service import INTERRUPTED, Watchdog, signals_into
from firmware.settings import Settings
from firmware.table import Table
from firmware.tellers import Teller, json_line, keep_picture, story_line
from firmware.views import View
from firmware.virtual import Hand, VirtualTray
from firmware.virtual_cup import Cups
from firmware.watching import Watching
from hardware.board import load_board
from hardware.cameras import open_camera
from hardware.devices import Clock, LockableCamera, Voice
from hardware.rig import Kind, Rig, Wiring, open_rig, silent
from hardware.speech import EspeakVoice
from mexico.catalogue import GAMES
from vision.calibration import Calibration
from vision.types import Frame, TrayReading

logger = logging.getLogger(__name__)

MODEL = Path("/proc/device-tree/model")
Inbox = SimpleQueue[Event]
ENDLESS = ("mexican_changsha", "mexican_wisconsin", "liars_individual", "liars_stanford")
"""Games that go on until closing time."""


def run(wanted: Wanted) -> int:
    """Run what the bare call asks for and return its exit code."""
    common = the_common()
    if wanted.calibrate:
        from firmware.cli_calibrate import calibrate_tray

        return calibrate_tray(wanted)
    real = wanted.hardware or (not wanted.asks_for_virtual and on_a_pi() and common.folder.calibration.is_file())
    common.log(least=1 if real else 0)
    return _run_real(common) if real else _run_virtual(wanted, common)


def on_a_pi(model: Path = MODEL) -> bool:
    """Return whether this computer is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in model.read_text(errors="replace")
    except OSError:
        return False


# --- the real table ---


def _run_real(common: Common) -> int:
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
    with _journal(folder, settings, "real") as journal, open_rig(Kind.PI, wiring) as rig:
        if isinstance(rig.camera, LockableCamera):
            rig.camera.restore(calibration.held)
        width = settings.journal.picture_width_px
        eyes = Eyes(rig.camera, calibration, inbox, picture_width_px=width, on_first=_first_into(inbox))
        listen(rig, inbox)
        table = Table(rig, journal, settings, "real", eyes.expect, eyes.look_again)
        controller = Controller(replace(table, self_test=settings.table.self_test, lamps=tuple(board.lamps)))
        watchdog = Watchdog()
        try:
            _pump(controller, inbox, rig, eyes, (watchdog,))
        finally:
            watchdog.stopping()
    return _goodbye(controller, "mexico-table --hardware", common)


def camera_name(settings: Settings) -> str:
    """Return the name of the camera that the settings ask for."""
    return {"auto": "camera", "pi": "pi", "usb": f"usb:{settings.camera.usb_index}"}[settings.camera.source]


def voice(settings: Settings) -> Callable[[Clock], Voice]:
    """Return what gives the table its voice; one that nobody hears where the house has no caller."""
    sound = settings.sound
    return partial(EspeakVoice, sound.voice, sound.words_per_minute) if sound.caller else silent


# --- the virtual table ---


def _run_virtual(wanted: Wanted, common: Common) -> int:
    settings, folder = with_game(common.settings(), wanted), common.folder
    if not wanted.auto and not sys.stdin.isatty():
        raise TableError("the virtual table needs a terminal for its keys; run it in one, or let it play with --auto")
    most = GAMES[settings.game.name].most_players
    players = wanted.players or min(settings.virtual.players, most)
    if players > most:
        raise TableError(f"{players} players are too many for {settings.game.name}: at most {most}; take fewer")
    board = load_board(settings.table.board)
    if players > board.seats:
        raise TableError(f"{players} players do not fit board {board.name} with {board.seats} seats; take fewer")
    seed = random.SystemRandom().randrange(2**31) if wanted.seed is None else wanted.seed
    logger.info("the seed is %d", seed)
    inbox: Inbox = SimpleQueue()
    live = not wanted.auto or (sys.stdout.isatty() and not wanted.fast and not wanted.json)
    with _journal(folder, settings, "virtual") as journal:
        tray = VirtualTray(seed, roll_s=0.0 if wanted.fast else settings.virtual.roll_s)
        chance = _chance(seed, journal)
        hand = Hand(tray, chance, odd_throws=settings.virtual.odd_throws)
        cups = Cups(tray, chance)
        keys = Keys(tray, hand, cups, inbox)
        wiring = Wiring(
            board=board,
            open_camera=lambda: tray,
            open_voice=silent if wanted.fast else voice(settings),
            on_other_key=keys,
            other_keys_help=f"space throw, shake, show   p peek   q end   the tray: {folder.tray_picture}",
        )
        tellers = [] if live else [Teller(json_line if wanted.json else story_line(), inbox)]
        with open_rig(Kind.TERMINAL if live else Kind.SIMULATED, wiring) as rig:
            keep = keep_picture(folder.tray_picture)

            def on_read(frame: Frame, reading: TrayReading) -> None:
                tray.answered(frame, reading)
                if not wanted.fast:
                    keep(frame, reading)

            width = settings.journal.picture_width_px
            calibration = tray.calibration()
            first = _first_into(inbox) if live else None
            eyes = Eyes(tray, calibration, inbox, picture_width_px=width, on_read=on_read, on_first=first)

            def expect(watching: Watching) -> None:
                eyes.expect(watching)
                hand.expect(watching)

            listen(rig, inbox)
            table = Table(rig, journal, settings, "virtual", expect, eyes.look_again, tellers)
            controller = Controller(
                replace(table, self_test=live and settings.table.self_test, lamps=tuple(board.lamps))
            )
            keys.view = lambda: controller.view
            think_s = 0.0 if wanted.fast else settings.virtual.think_s
            bots = Bots(
                controller,
                inbox.put,
                hand.throw,
                CupBots(cups, chance),
                players=players,
                games=wanted.games or 1,
                think_s=think_s,
            )
            _pump(controller, inbox, rig, eyes, (bots,) if wanted.auto else ())
    if live and controller.match is not None:
        say(f"game {controller.match.number}; the tray as last read: {folder.tray_picture}")
        for line in story.standing(controller.view.facts):
            say(line)
    return _goodbye(controller, "mexico-table --virtual", common)


def with_game(settings: Settings, wanted: Wanted) -> Settings:
    """Return *settings* with the game that is wanted; the computer plays no game without an end."""
    name = wanted.game or settings.game.name
    rules = dict(settings.game.house_rules) if name == settings.game.name else {}
    if wanted.auto and name in ENDLESS:
        rules = {"end.rounds": settings.virtual.rounds, **rules}
    game = settings.game.model_copy(update={"name": name, "house_rules": rules})
    return settings.model_copy(update={"game": game})


def _chance(seed: int, journal: Journal) -> random.Random:
    """Return the chance of this run: the same for the same seed, and another one where a game goes on."""
    last = journal.last()
    if last is None or last.given_up or not last.events or replayed(last).over:
        return random.Random(seed)  # noqa: S311 (dice of a game, no secret)
    return random.Random(f"{seed} goes on after {last.number}.{len(last.events)}")  # noqa: S311


class Keys:
    """The keys of the virtual table that are no device: space throws, q ends."""

    def __init__(self, tray: VirtualTray, hand: Hand, cups: Cups, inbox: Inbox) -> None:
        self._tray = tray
        self._hand = hand
        self._cups = cups
        self._inbox = inbox
        self.view: Callable[[], View] = View

    def __call__(self, key: str) -> str:
        """Do what *key* means, on the keyboard's thread, and return what only who pressed it may see."""
        view = self.view()
        if key == " " and self._tray.ready:
            self._cups.hands(view) if view.has_cup else self._hand.throw()
        elif key == "p" and view.has_cup and not view.awaited:
            return f"{view.player} looks: {' '.join(map(str, self._cups.peek(view.player or ''))) or 'nothing yet'}"
        elif key == "q":
            self._inbox.put(Stop("q was pressed"))
        return ""


# --- both ---


@contextmanager
def _journal(folder: StateFolder, settings: Settings, kind: str) -> Iterator[Journal]:
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


def _first_into(inbox: Inbox) -> OnFirst:
    """Return what puts into the queue that the camera has given its first picture."""
    return lambda fault: inbox.put(FirstPicture(fault))


def _pump(controller: Controller, inbox: Inbox, rig: Rig, eyes: Eyes, companions: tuple[loop.Ticking, ...]) -> None:
    """Let everything that happens flow into *controller* until it stops."""
    with signals_into(inbox), ExitStack() as stack:
        stack.callback(eyes.close)
        stack.callback(rig.camera.close)
        eyes.open()
        loop.run(controller, inbox, rig.clock.now, companions)


def _goodbye(controller: Controller, command: str, common: Common) -> int:
    if controller.exit_code == INTERRUPTED:
        state = f" --state {common.state}" if common.state else ""
        complain(f"interrupted, everything is stored; go on with: {command}{state}")
    return controller.exit_code
