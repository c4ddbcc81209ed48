"""Hidden dice on the page: nothing that any browser gets depends on them, nor when it gets it.

As in `tests/firmware/test_secrecy.py` the whole table is driven picture by picture, and here everything is kept that
the page would send: every message in its order, every picture of the camera, the last throw.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import numpy as np
import pytest

from firmware import settings
from firmware.controller import Controller
from firmware.events import Event
from firmware.eyes import Eyes
from firmware.folder import StateFolder
from firmware.journal import Journal
from firmware.page import pictures as pictures_module
from firmware.page.page import Page
from firmware.page.pictures import Pictures, jpeg_of
from firmware.page.site import Site
from firmware.page.stream import film
from firmware.table import Table as Wired
from firmware.watching import BLIND, NOTHING
from hardware.devices import Lamp
from hardware.rig import simulated_rig
from tests.firmware.conftest import Bench, at_the
from tests.firmware.test_secrecy import PAIRS, Evening, Lockstep, a_hand, lying
from tests.page.conftest import Desk
from vision import Calibration
from vision.render import Table
from vision.types import Frame, TrayReading

WHITE = np.full((480, 640, 3), 220, np.uint8)
DARK = jpeg_of(np.full((120, 160, 3), 24, np.uint8))
READ = TrayReading((6, 6), None)
GONE = b'event: reading\ndata: {"gone":true}\n\n'


class Watched(Evening):
    """A table before a film, and everything that its page sends."""

    def __init__(self, folder: Path, calibration: Calibration, game: str) -> None:
        rig = simulated_rig()
        self.journal = Journal.open(folder / "journal.sqlite3")
        self.bench = Bench(rig, self.journal)
        self.camera = Lockstep()
        self.inbox: SimpleQueue[Event] = SimpleQueue()
        self.sent: list[tuple[int, Event]] = []
        self.frames = 0
        parsed = settings.parse(at_the(game))
        self.page = Page(Site(parsed, StateFolder(folder), rig.clock))
        self.page.site.pictures.looking.take("somebody", lambda: None)
        self.eyes = Eyes(
            self.camera, calibration, self.inbox, picture_width_px=320, on_read=self.page.read, on_look=self.page.look
        )
        devices = self.page.mirror(rig, tuple(Lamp))

        def expect(watching: object) -> None:
            self.page.expect(watching)  # type: ignore[arg-type]
            self.eyes.expect(watching)  # type: ignore[arg-type]

        self.bench.controller = Controller(
            Wired(
                devices,
                self.journal,
                parsed,
                "real",
                expect,
                lambda _dice: None,
                (self.page.stored,),
                (self.page.view,),
            )
        )
        self.told: list[tuple[int, bytes]] = []
        self.seen: list[bytes] = []
        self.rolls: list[bytes | None] = []
        self.eyes.open()

    def see(self, frame: Frame, times: int = 20) -> None:
        """Let *frame* be before the lens, and keep what the page sends after each picture."""
        for _ in range(times):
            super().see(frame, 1)
            self.keep()

    def keep(self) -> None:
        """Keep what the page sends now."""
        hub, pictures = self.page.site.hub, self.page.site.pictures
        self.told += [
            (self.frames, message.wire) for message in hub.since(self.told_up_to)
        ]  # each as a browser gets it that waits for nothing else
        self.seen.append(asyncio.run(pictures.newer(0, 0.0)).jpeg)
        roll = asyncio.run(pictures.roll())
        self.rolls.append(None if roll is None else roll.jpeg)

    @property
    def told_up_to(self) -> int:
        """The number of the last message that was kept."""
        return int(self.told[-1][1].split(b"\n")[0].partition(b"-")[2]) if self.told else 0


@pytest.fixture
def watched(
    tmp_path: Path, calibration: Calibration, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Watched]]:
    """Return what opens a table with a page in a folder of its own; the time of day stands still."""
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    monkeypatch.setattr("firmware.page.hub.secrets", SimpleNamespace(token_hex=lambda _bytes: "0"))
    opened: list[Watched] = []

    def begin(name: str) -> Watched:
        folder = tmp_path / name
        folder.mkdir()
        opened.append(Watched(folder, calibration, "mexican_changsha"))
        return opened[-1]

    yield begin
    for one in opened:
        one.close()


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS[:2], ids=str)
def test_the_same_hand_with_other_hidden_dice_is_the_same_page_to_the_byte(
    watched: Callable[[str], Watched], table: Table, pair: tuple[tuple[int, ...], ...]
) -> None:
    before, after = [], []
    for name, hidden in zip(("one", "other"), pair, strict=True):
        played = watched(name)
        played.see(table.empty(5), 5)  # so far nothing is hidden
        open_until = len(played.seen)
        a_hand(played, table, hidden)
        before.append((list(played.told), list(played.seen), list(played.rolls)))
        assert set(played.seen[open_until + 1 :]) == {DARK}
        assert set(played.rolls[open_until + 1 :]) == {None}
        played.bench.seat(2)  # the claim is doubted: now the dice may be seen
        played.see(table.picture(lying(hidden), seed=9, cup=(150.0, 110.0)), 5)
        played.see(table.picture(lying(hidden), seed=10), 30)
        after.append((list(played.told), list(played.seen), list(played.rolls)))

    assert before[0] == before[1]
    assert len(before[0][0]) > 20
    assert b'"blind":true' in b"".join(wire for _, wire in before[0][0])
    assert after[0][0] != after[1][0], "what is laid open is told"
    assert after[0][1] != after[1][1], "and seen"


def desk_page(desk: Desk) -> Page:
    desk.site.pictures.looking.take("somebody", lambda: None)
    return Page(desk.site)


def kinds(page: Page) -> list[bytes]:
    return [message.wire.split(b"\n", 1)[1] for message in page.site.hub.since(0) if b"reading" in message.wire]


def test_the_last_throw_is_forgotten_when_dice_are_hidden_also_while_the_camera_is_away(desk: Desk) -> None:
    page, client = desk_page(desk), desk.client()
    page.look(WHITE)
    page.read(WHITE, READ)
    assert client.get("/roll.jpg").status_code == 200
    page.expect(BLIND)  # no picture comes any more that could say so

    assert client.get("/roll.jpg").status_code == 404
    assert asyncio.run(anext(film(page.site.pictures))).endswith(DARK + b"\r\n")
    assert kinds(page) == [GONE]


def test_what_was_being_read_when_dice_were_hidden_is_not_shown(desk: Desk) -> None:
    page, client = desk_page(desk), desk.client()
    page.expect(BLIND)
    page.look(WHITE)
    page.read(WHITE, READ)

    assert client.get("/roll.jpg").status_code == 404
    assert asyncio.run(anext(film(page.site.pictures))).endswith(DARK + b"\r\n")
    assert kinds(page) == [GONE]


def test_nothing_of_before_is_shown_after(desk: Desk) -> None:
    page, client = desk_page(desk), desk.client()
    page.read(WHITE, READ)
    page.expect(BLIND)
    page.expect(NOTHING)

    assert client.get("/roll.jpg").status_code == 404
    assert asyncio.run(anext(film(page.site.pictures))).endswith(DARK + b"\r\n")
    page.look(WHITE)
    assert not asyncio.run(anext(film(page.site.pictures))).endswith(DARK + b"\r\n")


def test_eyes_that_are_blind_are_enough(desk: Desk) -> None:
    page = desk_page(desk)
    page.read(WHITE, READ)
    page.look(None)

    assert desk.client().get("/roll.jpg").status_code == 404
    assert kinds(page) == [GONE]


def test_a_picture_that_was_being_made_when_dice_were_hidden_is_not_handed_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pictures, being_made, hidden = Pictures(), threading.Event(), threading.Event()

    def slowly(frame: Frame) -> bytes:
        if frame.mean() > 100:
            being_made.set()
            assert hidden.wait(20)
        return jpeg_of(frame)

    monkeypatch.setattr(pictures_module, "jpeg_of", slowly)
    for ask in (lambda: pictures.newer(0, 0.0), pictures.roll):
        pictures.hide(on=False)
        pictures.read(WHITE, READ)
        being_made.clear()
        hidden.clear()

        def hide() -> None:
            assert being_made.wait(20)
            pictures.hide(on=True)
            hidden.set()

        thread = threading.Thread(target=hide)
        thread.start()
        got = asyncio.run(ask())
        thread.join()

        assert got is None or got.jpeg == DARK


@dataclass
class Hammering:
    """A camera that sees, browsers that ask, and dice that are hidden again and again, all at once."""

    pictures: Pictures = field(default_factory=Pictures)
    over: threading.Event = field(default_factory=threading.Event)
    epoch: int = 0
    asked: int = 0
    wrong: list[str] = field(default_factory=list)

    def camera(self) -> None:
        while not self.over.is_set():
            self.pictures.look(WHITE)
            self.pictures.read(WHITE, READ)
            self.pictures.forget()
            self.pictures.look(WHITE)

    def browser(self) -> None:
        asyncio.run(self._look())

    async def _look(self) -> None:
        while not self.over.is_set():
            before = self.epoch
            shown, roll = await asyncio.gather(self.pictures.newer(0, 0.0), self.pictures.roll())
            self.asked += 1
            hidden_all_along = before % 2 == 1 and self.epoch == before
            if hidden_all_along and (shown.jpeg != b"dark" or roll is not None):
                self.wrong.append(f"{shown} {roll}")

    def table(self) -> None:
        end_s = time.monotonic() + 1.0
        while time.monotonic() < end_s or self.asked < 50:
            self.pictures.hide(on=True)
            self.epoch += 1
            time.sleep(0.01)
            self.epoch += 1
            self.pictures.hide(on=False)
            time.sleep(0.003)
        self.over.set()


@pytest.mark.parametrize("making_s", [0.0, 0.002])
def test_whoever_asks_while_dice_are_hidden_sees_nothing_however_the_threads_run(
    monkeypatch: pytest.MonkeyPatch, making_s: float
) -> None:
    def made(frame: Frame) -> bytes:
        time.sleep(making_s)
        return b"dark" if frame.shape == (120, 160, 3) else b"seen"

    monkeypatch.setattr(pictures_module, "jpeg_of", made)
    hammering = Hammering()
    threads = [threading.Thread(target=hammering.camera)]
    threads += [threading.Thread(target=hammering.browser) for _ in range(2)]
    for thread in threads:
        thread.start()
    hammering.table()
    for thread in threads:
        thread.join()

    assert hammering.wrong == []
