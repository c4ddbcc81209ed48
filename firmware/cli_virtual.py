"""The virtual table of the bare ``mexico-table``: rendered dice before the real reader, in a terminal and a browser."""

from __future__ import annotations

import logging
import random
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from queue import SimpleQueue

from firmware import story
from firmware.bots import Bots
from firmware.bots_cup import CupBots
from firmware.calibrate_lent import LentCalibration
from firmware.cli_both import Inbox, first_into, goodbye, listen, open_journal, phones, pump, voice
from firmware.cli_common import Common, complain, say
from firmware.cli_options import Wanted
from firmware.controller import Controller
from firmware.errors import TableError
from firmware.events import Stop, Woken
from firmware.eyes import Eyes
from firmware.journal import Journal
from firmware.match import OnStored, replayed
from firmware.page.address import Address, address_of
from firmware.page.hands import Hands
from firmware.page.page import Page
from firmware.page.power import begin_anew_if_alone, pull_the_plug
from firmware.page.site import Site
from firmware.settings import Settings
from firmware.table import Table
from firmware.tellers import Teller, json_line, keep_picture, story_line
from firmware.views import View
from firmware.virtual import Hand, VirtualTray
from firmware.virtual_cup import Cups
from firmware.watching import Watching
from hardware.board import Board, load_board
from hardware.mirror import Mirror
from hardware.rig import Kind, Rig, Wiring, open_rig, silent
from hardware.simulated import SimulatedButtons, SimulatedEncoder
from mexico.catalogue import GAMES
from vision.calibration import Calibration
from vision.types import Frame, TrayReading

logger = logging.getLogger(__name__)

ENDLESS = ("mexican_changsha", "mexican_wisconsin", "liars_individual", "liars_stanford")
"""Games that go on until closing time."""


def run_virtual(wanted: Wanted, common: Common) -> int:
    """Run the virtual table and return its exit code."""
    settings = with_game(common.settings(), wanted)
    board = load_board(settings.table.board)
    players = _players(wanted, settings, board)
    with open_journal(common.folder, settings, "virtual") as journal, ExitStack() as stack:
        listener = _listener(wanted, settings, stack)
        if listener is None and not wanted.auto and not sys.stdin.isatty():
            raise TableError(
                "the virtual table needs a terminal for its keys, or a page; run it in a terminal, "
                "leave out --no-page, or let it play with --auto"
            )
        table = VirtualTable(wanted, common, settings, board, journal)
        if listener is not None and not table.live:
            found = f"the table is at {address_of(listener)}"
            complain(found) if wanted.json else say(found)
        controller = table.play(listener, players)
    if controller.anew:
        begin_anew_if_alone()
    if table.live and controller.match is not None:
        say(f"game {controller.match.number}; the tray as last read: {common.folder.tray_picture}")
        for line in story.standing(controller.view.facts):
            say(line)
    return goodbye(controller, "--virtual", common)


def with_game(settings: Settings, wanted: Wanted) -> Settings:
    """Return *settings* with the game that is wanted; the computer plays no game without an end."""
    name = wanted.game or settings.game.name
    rules = dict(settings.game.house_rules) if name == settings.game.name else {}
    if wanted.auto and name in ENDLESS:
        rules = {"end.rounds": settings.virtual.rounds, **rules}
    game = settings.game.model_copy(update={"name": name, "house_rules": rules})
    return settings.model_copy(update={"game": game})


def _players(wanted: Wanted, settings: Settings, board: Board) -> int:
    """Return how many seats the computer takes where it plays all of them."""
    most = GAMES[settings.game.name].most_players
    players = wanted.players or min(settings.virtual.players, most)
    if players > most:
        raise TableError(f"{players} players are too many for {settings.game.name}: at most {most}; take fewer")
    if players > board.seats:
        raise TableError(f"{players} players do not fit board {board.name} with {board.seats} seats; take fewer")
    return players


def _listener(wanted: Wanted, settings: Settings, stack: ExitStack) -> socket.socket | None:
    """Return where browsers will find the table, None where it has no page: the computer needs none to play."""
    if wanted.no_page or (wanted.auto and wanted.page_address is None):
        return None
    address = wanted.page_address or Address.parse(settings.page.address, exactly=False)
    return stack.enter_context(address.listen())


class VirtualTable:
    """A rendered tray, the hands that throw into it, and a table that sees only what its camera sees.

    Parameters
    ----------
    wanted, common
        What was asked for.
    settings, board
        Of the table.
    journal
        Where its games are stored.
    """

    def __init__(self, wanted: Wanted, common: Common, settings: Settings, board: Board, journal: Journal) -> None:
        self._wanted, self._folder, self._settings, self._board = wanted, common.folder, settings, board
        self._journal = journal
        self._settings_file = common.own_settings
        self._inbox: Inbox = SimpleQueue()
        seed = random.SystemRandom().randrange(2**31) if wanted.seed is None else wanted.seed
        logger.info("the seed is %d", seed)
        self._chance = _chance(seed, journal)
        self._tray = VirtualTray(seed, roll_s=0.0 if wanted.fast else settings.virtual.roll_s)
        self._hand = Hand(self._tray, self._chance, odd_throws=settings.virtual.odd_throws)
        self._cups = Cups(self._tray, self._chance)
        self._keys = Keys(self._tray, self._hand, self._cups, self._inbox)
        watched = sys.stdout.isatty() and not wanted.fast and not wanted.json
        self.live = watched if wanted.auto else sys.stdin.isatty()
        """Whether the terminal is the table's display."""

    def play(self, listener: socket.socket | None, players: int) -> Controller:
        """Let it be played at until it ends, and return what was left; the page is at *listener*, if there is one."""
        with ExitStack() as stack:
            rig = stack.enter_context(open_rig(Kind.TERMINAL if self.live else Kind.SIMULATED, self._wiring(listener)))
            page = Page(Site(self._settings, self._folder, rig.clock, seats=self._board.seats))
            page.found(self._journal.last())
            known = self._tray.calibration()
            page.panel(self._settings_file, self._inbox.put, known, real=False)
            devices = page.mirror(rig, tuple(self._board.lamps), self._hands)
            eyes = self._eyes(page, known)
            listen(rig, self._inbox)
            controller = Controller(self._table(devices, eyes, page, listener))
            self._keys.view = lambda: controller.view
            bots = self._bots(controller, players, page)
            stack.enter_context(page.served(listener))
            pump(controller, self._inbox, rig, eyes, (bots,))
        return controller

    def _wiring(self, listener: socket.socket | None) -> Wiring:
        where = f"the tray: {self._folder.tray_picture}" if listener is None else f"page: {address_of(listener)}"
        return Wiring(
            board=self._board,
            open_camera=lambda: self._tray,
            open_voice=silent if self._wanted.fast else voice(self._settings),
            on_other_key=self._keys,
            other_keys_help=f"space throw, shake, show   p peek   q end   {where}",
        )

    def _hands(self, rig: Rig, mirror: Mirror) -> Hands | None:
        """Return the hands with which browsers play; None where the rig is none that fingers of theirs could touch."""
        if not isinstance(rig.buttons, SimulatedButtons) or not isinstance(rig.encoder, SimulatedEncoder):
            return None
        return Hands(
            rig.buttons,
            rig.encoder,
            throw=lambda: self._keys.throw(),
            tray=self._tray,
            hand=self._hand,
            mirror=mirror,
            wake=lambda: self._inbox.put(Woken()),
            pull_the_plug=pull_the_plug,
        )

    def _eyes(self, page: Page, known: Calibration) -> Eyes:
        keep = keep_picture(self._folder.tray_picture)

        def on_read(frame: Frame, reading: TrayReading) -> None:
            self._tray.answered(frame, reading)
            if not self._wanted.fast:
                keep(frame, reading)
            page.read(frame, reading)

        eyes = Eyes(
            self._tray,
            known,
            self._inbox,
            picture_width_px=self._settings.journal.picture_width_px,
            on_read=on_read,
            on_look=page.look,
            on_stirred=page.stirred,
            on_first=first_into(self._inbox) if self.live else None,
        )
        page.calibrated_with(lambda: LentCalibration(eyes, known, self._folder, self._settings, real=False))
        return eyes

    def _table(self, rig: Rig, eyes: Eyes, page: Page, listener: socket.socket | None) -> Table:
        def expect(watching: Watching) -> None:
            page.expect(watching)
            eyes.expect(watching)
            self._hand.expect(watching)

        tellers: list[OnStored] = [self._cups.stored, page.stored]
        if not self.live:
            tellers.append(Teller(json_line if self._wanted.json else story_line(), self._inbox))
        return Table(
            rig,
            self._journal,
            self._settings,
            "virtual",
            expect,
            eyes.look_again,
            tellers,
            (page.view,),
            self_test=self.live and self._settings.table.self_test,
            lamps=tuple(self._board.lamps),
            page_address=phones(listener),
        )

    def _bots(self, controller: Controller, players: int, page: Page) -> Bots:
        return Bots(
            controller,
            self._inbox.put,
            self._hand.throw,
            CupBots(self._cups, self._chance),
            players=players,
            games=self._wanted.games or 1,
            think_s=0.0 if self._wanted.fast else self._settings.virtual.think_s,
            seats=None if self._wanted.auto else page.robots,
        )


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
        if key == " ":
            self.throw()
        elif key == "p" and view.has_cup and not view.awaited:
            return f"{view.player} looks: {' '.join(map(str, self._cups.peek(view.player or ''))) or 'nothing yet'}"
        elif key == "q":
            self._inbox.put(Stop("q was pressed"))
        return ""

    def throw(self) -> bool:
        """Throw, shake or show what is awaited, if the last throw was seen; False where not. From any thread."""
        view = self.view()
        if not self._tray.ready:
            return False
        return self._cups.hands(view) if view.has_cup else self._hand.throw()
