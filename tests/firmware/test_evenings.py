"""Evenings drawn by Hypothesis: play and every kind of trouble with the devices, in any combination.

After each step nothing that was told is gone, the money adds up, and the display says what the journal says; in the
end everything is mended, and the table must be found in order and play on.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from benchmarks.soak.guests import out_of_the_game, reading
from benchmarks.soak.ledger import Ledger
from firmware import settings as table_settings
from firmware.cli_both import listen
from firmware.controller import Controller
from firmware.errors import StateFolderError
from firmware.events import TOUCHED, CameraState, Event, Stop, TrayRead, TrayStirred
from firmware.folder import StateFolder
from firmware.journal import Journal
from firmware.match import Stored
from firmware.screens import look
from firmware.table import Table
from firmware.texts import ENGLISH
from firmware.views import Phase, View
from firmware.watching import Watching
from hardware.devices import SEAT_KEYS, Key
from hardware.rig import simulated_rig
from vision.types import Fault, TrayReading

SHARE = 4
"""One evening for so many examples of the profile: each is a game of many steps."""

RULES = (
    "buy_in = 1",
    'buy_in = 2\nrebuy = "yes"',
    'buy_in = 2\nrebuy = "yes"\nleave = "holding_back"\nturn_seconds = 20',
    'buy_in = 1\nbad_roll = "counts_as_31"\nstakes = "tokens"',
    'preset = "one_life"',
)

KEYS = st.sampled_from([*SEAT_KEYS[:3], SEAT_KEYS[0], Key.STOP, Key.CONFIRM])
STUCK = st.sampled_from([(), (), (), (), (Key.SEAT_8,), (Key.CONFIRM,), (Key.STOP, Key.SEAT_2)])
DICE = st.lists(st.integers(1, 6), min_size=2, max_size=2)
THROWS = st.lists(DICE, max_size=12)
BEGIN = [[4, 4], [4, 4], [4, 4], [4, 4], [6, 5], [5, 4], [3, 1]]
"""Three sit down, one begins, and the first has the lead."""
WAITS = st.sampled_from([0.02, 0.5, 2.5, 9.0, 26.0])
STIRS = st.sampled_from(["moving", "settled", "covered", "empty", TOUCHED])
MOST_TICKS = 3_000
"""A table that wakes up oftener in half a minute never sleeps."""


def knocked_out(view: View) -> list[int]:
    """Return the seats that have lost all they had, and did not leave."""
    left = view.facts.get("left")
    gone = left if isinstance(left, (list, tuple)) else ()
    return [seat for seat in sorted(out_of_the_game(view)) if view.seats[seat] not in gone]


class Evening(RuleBasedStateMachine):
    """A table, whoever comes by, and whatever can happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.state = StateFolder(Path(self.folder.name) / "0")
        self.state.path.mkdir()
        self.wall_s = 1.7e9
        self.clock_patch = mock.patch("firmware.journal.time", SimpleNamespace(time=lambda: self.wall_s))
        self.clock_patch.start()
        self.told: dict[int, list[object]] = {}
        self.ledger = Ledger(self.state.journal)
        self.disk = "ok"
        self.camera_lost = False
        self.lies = reading(3, 3)
        self.lies_still = True
        self.locker: sqlite3.Connection | None = None

    # --- on and off ---

    @initialize(rules=st.sampled_from(RULES), stuck=STUCK, throws=st.lists(DICE, max_size=12))
    def switch_on(self, rules: str, stuck: tuple[Key, ...], throws: list[list[int]]) -> None:
        self.settings = table_settings.parse(f"[game.house_rules]\n{rules}")
        self.start(stuck)
        self.play([*throws, *BEGIN])

    def start(self, stuck: tuple[Key, ...] = ()) -> None:
        self.inbox: SimpleQueue[Event] = SimpleQueue()
        self.rig = simulated_rig()
        self.stuck = set(stuck)
        for key in stuck:
            self.rig.buttons.stick(key)
        self.journal = Journal.open(self.state.journal)
        self.dice = 0
        listen(self.rig, self.inbox)
        table = Table(self.rig, self.journal, self.settings, "real", self.expect, self.look_again, (self.hear,))
        self.controller = Controller(table)
        assert ("stuck" in str(self.controller.view.words)) == bool(stuck)
        self.unplugged = False
        self.break_disk(self.disk)
        if self.camera_lost:
            self.see(False)

    def expect(self, watching: Watching) -> None:
        self.dice = watching.dice

    def look_again(self, watching: Watching) -> None:
        self.inbox.put(TrayRead(self.lies if self.lies_still else reading(*([3] * watching.dice)), bytes(2_000)))

    def hear(self, stored: Stored) -> None:
        self.told.setdefault(stored.game, []).append(stored.event)

    @rule(stuck=STUCK, throws=THROWS)
    def pull_the_plug(self, stuck: tuple[Key, ...], throws: list[list[int]]) -> None:
        """Go on with what a kill at this instant leaves on the disk."""
        new = StateFolder(Path(self.folder.name) / str(int(self.state.path.name) + 1))
        new.path.mkdir()
        for name in ("journal.sqlite3", "journal.sqlite3-wal"):
            if (self.state.path / name).exists():
                shutil.copyfile(self.state.path / name, new.path / name)
        self.unlock()
        self.journal.close()
        self.state, self.ledger.path = new, new.journal
        self.start(stuck)
        self.play(throws)

    @rule(throws=THROWS)
    def end_and_start(self, throws: list[list[int]]) -> None:
        self.put(Stop("a test"))
        assert not self.controller.running
        assert self.controller.exit_code == (2 if self.unsaved else 0)
        self.unlock()
        self.journal.close()
        self.start()
        self.play(throws)

    @rule()
    def run_a_second_one(self) -> None:
        with self.state.held(), pytest.raises(StateFolderError, match="another mexico-table"), self.state.held():
            pass

    # --- the loop ---

    def put(self, *events: Event) -> None:
        for event in events:
            self.inbox.put(event)
        self.pump()

    def pump(self) -> None:
        """Do what the loop does until everything was heard."""
        self.controller.tick(self.rig.clock.now())
        while not self.inbox.empty():
            self.controller.handle(self.inbox.get())
            self.controller.tick(self.rig.clock.now())

    @rule(seconds=WAITS)
    def wait(self, seconds: float) -> None:
        end_s, ticks = self.rig.clock.now() + seconds, 0
        while (due_s := self.controller.next_deadline_s) is not None and due_s <= end_s:
            self.rig.clock.advance(max(0.0, due_s - self.rig.clock.now()))
            self.pump()
            ticks += 1
            assert ticks < MOST_TICKS
        self.rig.clock.advance(end_s - self.rig.clock.now())
        self.pump()

    # --- people ---

    @rule(key=KEYS)
    def tap(self, key: Key) -> None:
        self.hold(key, 0.1)

    @rule(key=KEYS, seconds=st.sampled_from([0.004, 2.1]))
    def hold(self, key: Key, seconds: float) -> None:
        self.rig.buttons.press(key)
        self.wait(seconds)
        self.rig.buttons.release(key)
        self.wait(0.1)

    @rule(key=KEYS, times=st.integers(1, 12))
    def tap_a_bad_contact(self, key: Key, times: int) -> None:
        for pressed in (True, False):
            self.rig.buttons.bounce(key, pressed, times)
            self.wait(0.1)

    @rule(steps=st.integers(-30, 30))
    def turn(self, steps: int) -> None:
        self.rig.encoder.turn(steps)
        self.pump()

    @rule(dice=DICE)
    def throw(self, dice: list[int]) -> None:
        self.answer(reading(*dice[: self.dice or 2]))

    @rule(dice=st.lists(st.integers(1, 6), min_size=1, max_size=3))
    def throw_any_number(self, dice: list[int]) -> None:
        self.answer(reading(*dice))

    @rule(fault=st.sampled_from(list(Fault)))
    def throw_badly(self, fault: Fault) -> None:
        self.answer(TrayReading.refused(fault))

    def answer(self, answer: TrayReading) -> None:
        """Let dice come to rest before the camera."""
        if not self.camera_lost:
            self.lies = answer
            self.put(TrayStirred("moving"), TrayRead(answer, bytes(6_000)))

    @rule(what=STIRS)
    def stir(self, what: str) -> None:
        if not self.camera_lost:
            self.put(TrayStirred(what))

    @rule(throws=THROWS)
    def play(self, throws: list[list[int]]) -> None:
        """Let people who know the game do the next things, whatever they find."""
        for dice in throws:
            view = self.controller.view
            match view.phase:
                case Phase.SITTING if len(view.seats) < 3:
                    self.tap(next(key for number, key in enumerate(SEAT_KEYS, 1) if number not in view.seats))
                case Phase.PLAYING if dice[0] == dice[1] and not view.table("scores") and knocked_out(view):
                    self.leave_or_come_back(SEAT_KEYS[knocked_out(view)[0] - 1])
                case Phase.PLAYING if not view.may_stop or sum(dice) < 6:
                    self.throw(dice)
                case Phase.OVER:
                    self.tap(Key.CONFIRM)
                case _:
                    self.tap(Key.STOP)

    @rule(hands=st.permutations(SEAT_KEYS[:3]), turned=st.integers(0, 2), same=st.booleans())
    def doubt(self, hands: list[Key], turned: int, same: bool) -> None:
        """Hold STOP, turn to what is offered, and let seats agree to it."""
        self.lies_still = same
        self.hold(Key.STOP, 2.1)
        self.turn(turned)
        for key in hands:
            self.tap(key)

    @rule(key=st.sampled_from(SEAT_KEYS[:3]))
    def leave_or_come_back(self, key: Key) -> None:
        self.hold(key, 2.1)
        self.tap(key)

    # --- devices ---

    @precondition(lambda self: self.controller.match is not None)
    @rule(how=st.sampled_from(["full", "read-only", "locked"]), throws=THROWS)
    def harm_the_disk(self, how: str, throws: list[list[int]]) -> None:
        self.break_disk(how)
        self.play(throws)

    @precondition(lambda self: self.disk != "ok")
    @rule()
    def mend_the_disk(self) -> None:
        self.break_disk("ok")

    def break_disk(self, how: str) -> None:
        """Let SQLite itself find the disk so."""
        file = self.journal._file
        self.unlock()
        self.disk = how
        pages = file.execute("PRAGMA page_count").fetchone()[0]
        file.execute(f"PRAGMA max_page_count = {pages if how == 'full' else 1_000_000}")
        file.execute(f"PRAGMA query_only = {int(how == 'read-only')}")
        file.execute("PRAGMA busy_timeout = 0")
        if how == "locked":
            self.locker = sqlite3.connect(self.state.journal, isolation_level=None)
            self.locker.execute("BEGIN IMMEDIATE")

    def unlock(self) -> None:
        if self.locker is not None:
            self.locker.close()
            self.locker = None

    @rule(sees=st.booleans())
    def see(self, sees: bool) -> None:
        self.camera_lost = not sees
        self.put(CameraState(None if sees else "the camera was unplugged; check its cable"))

    @rule()
    def unplug_the_display(self) -> None:
        self.rig.display.unplug()
        self.unplugged = True

    @precondition(lambda self: self.unplugged)
    @rule()
    def replug_the_display(self) -> None:
        self.rig.display.replug()
        self.unplugged = False

    @precondition(lambda self: not self.stuck)
    @rule(key=KEYS, closed=st.booleans())
    def jam(self, key: Key, closed: bool) -> None:
        self.rig.buttons.stick(key, closed)
        self.stuck.add(key)
        self.pump()

    @rule()
    def mend_everything(self) -> None:
        self.break_disk("ok")
        self.rig.display.replug()
        self.unplugged = False
        self.see(True)
        self.free_the_buttons()

    @precondition(lambda self: self.stuck)
    @rule()
    def free_the_buttons(self) -> None:
        for key in sorted(self.stuck):
            self.rig.buttons.unstick(key)
        self.stuck.clear()
        self.pump()

    @rule(seconds=st.sampled_from([-1e9, -3600.0, -0.5, 86_400.0]))
    def set_the_clock(self, seconds: float) -> None:
        """Let the clock on the wall jump, as it does when a Pi without one finds the time on the net."""
        self.wall_s = max(0.0, self.wall_s + seconds)

    # --- what is always true ---

    @property
    def unsaved(self) -> int:
        return 0 if self.controller.match is None else self.controller.match.unsaved

    @invariant()
    def nothing_told_is_lost_and_every_unit_is_there(self) -> None:
        self.ledger.read()

        assert {number: book.events for number, book in self.ledger.books.items() if book.events} == self.told

    @invariant()
    def what_is_shown_is_stored_or_said_to_be_in_memory(self) -> None:
        view, match = self.controller.view, self.controller.match
        if match is None or view.phase is Phase.SITTING:
            return
        book = self.ledger.books[match.number]

        assert bool(view.unsaved) == bool(match.unsaved)
        assert match.unsaved == 0 or self.disk != "ok" or self.controller.next_deadline_s is not None
        if not match.unsaved:
            assert view.facts == book.facts[-1]

    def teardown(self) -> None:
        try:
            if hasattr(self, "controller") and sys.exc_info()[0] is None:
                self.mended()
        finally:
            self.unlock()
            if hasattr(self, "journal"):
                self.journal.close()
            self.clock_patch.stop()
            self.folder.cleanup()

    def mended(self) -> None:
        """Put everything right: the table stores what waits, shows what is, and plays on."""
        self.mend_everything()
        self.wait(26.0)

        assert self.unsaved == 0
        assert self.rig.display.shown == look(self.controller.view).screen(ENGLISH)
        self.nothing_told_is_lost_and_every_unit_is_there()
        before = sum(map(len, self.told.values()))
        for _ in range(10):
            self.play([[6, 5], [4, 3]])
        self.nothing_told_is_lost_and_every_unit_is_there()
        self.what_is_shown_is_stored_or_said_to_be_in_memory()
        assert sum(map(len, self.told.values())) > before, self.controller.view


PROFILE = settings.default or settings()
TestEvening = pytest.mark.slow(Evening.TestCase)
TestEvening.settings = settings(
    PROFILE,
    max_examples=max(1, PROFILE.max_examples // SHARE),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
