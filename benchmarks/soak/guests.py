"""People at the table who play, doubt, leave, come back, and do to its devices what bars do to devices."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from random import Random

from firmware.bots import stops
from firmware.controller import Controller
from firmware.events import CameraState, Event, Stop, TrayRead, TrayStirred
from firmware.lobby import LEAST_PLAYERS
from firmware.views import Phase, View
from firmware.watching import Watching
from hardware.devices import SEAT_KEYS, Key
from hardware.rig import SimulatedRig
from vision.types import Die, Fault, TrayReading

PLAYERS = 4
JPEG_BYTES = (500, 12_000)
"""Pictures that go with a throw: the sizes of real ones, so that the journal's pages come and go as they do."""

_SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def reading(*faces: int) -> TrayReading:
    """Return what the reader answers to dice that show *faces*."""
    return TrayReading.read(tuple(Die(face, (0.5, 0.5), None, 0.0, 1.0, _SQUARE) for face in faces))


class Guests:
    """A companion of the loop: whenever the table has heard everything, somebody does the next thing.

    Parameters
    ----------
    rig
        What they press, turn and pull; they crank its clock.
    inbox
        Where the reader's answers go.
    rng
        Their whims and their dice.
    refuse
        Lets the disk take nothing, or everything again.
    """

    def __init__(
        self, rig: SimulatedRig, inbox: SimpleQueue[Event], rng: Random, refuse: Callable[[bool], None]
    ) -> None:
        self._rig = rig
        self._inbox = inbox
        self._rng = rng
        self._refuse = refuse
        self._expected = 0
        self._blind = False
        self._troubles: list[tuple[float, Callable[[], None]]] = []

    def sit_down(self, controller: Controller, until: Callable[[], bool]) -> None:
        """Play at *controller* until *until* says so."""
        self._controller = controller
        self._over = until

    def expect(self, watching: Watching) -> None:
        """Hear how many dice are wanted."""
        self._expected = watching.dice

    def look_again(self, watching: Watching) -> None:
        """Read the dice once more: mostly the same, now and then others or nothing certain."""
        self._answer(self._rng.choice([reading(*self._faces(watching.dice)), TrayReading.refused(Fault.UNSURE)]))

    @property
    def next_deadline_s(self) -> float | None:
        """Return a time that is always past: nobody here waits."""
        return 0.0

    def tick(self, _now_s: float) -> None:
        """Do the next thing, if everything was heard."""
        if not self._inbox.empty():
            return
        if self._over():
            self._inbox.put(Stop("the guests go home"))
            return
        self._rig.clock.advance(self._rng.choice([0.05, 0.4, 3.0]))
        self._mend(self._rig.clock.now())
        if self._rng.random() < 0.03:
            self._trouble()
        self._act(self._controller.view)

    # --- what people do ---

    def _act(self, view: View) -> None:
        match view.phase:
            case Phase.SITTING if len(view.seats) < PLAYERS:
                self._tap(SEAT_KEYS[len(view.seats)])
            case Phase.PLAYING:
                self._play(view)
            case Phase.DISPUTED:
                self._quarrel(view)
            case Phase.OVER if self._rng.random() < 0.3:
                self._tap(Key.CONFIRM)
            case Phase.PAUSED if self._rng.random() < 0.02:
                self._tap(Key.CONFIRM)
            case _:
                self._tap(Key.STOP)

    def _play(self, view: View) -> None:
        whim = self._rng.random()
        if whim < 0.02:
            self._hold(Key.STOP)
        elif whim < 0.05:
            seat = self._rng.choice(sorted(out_of_the_game(view)) or list(view.seats))
            self._hold(SEAT_KEYS[seat - 1])
            if len(view.seats) - len(out_of_the_game(view)) > LEAST_PLAYERS or seat in out_of_the_game(view):
                self._tap(SEAT_KEYS[seat - 1])
        elif whim < 0.08:
            self._throw(TrayReading.refused(self._rng.choice(list(Fault))))
        elif view.may_stop and stops(view):
            self._tap(Key.STOP)
        else:
            self._throw(reading(*self._faces(self._expected)))

    def _quarrel(self, view: View) -> None:
        """Doubt a throw: turn to an offer, two press, or nobody cares."""
        self._rig.encoder.turn(self._rng.randrange(3))
        for seat in self._rng.sample(list(view.seats), 2):
            self._tap(SEAT_KEYS[seat - 1])
        self._tap(self._rng.choice([Key.STOP, Key.CONFIRM]))

    def _faces(self, dice: int) -> tuple[int, ...]:
        return tuple(self._rng.randint(1, 6) for _ in range(dice))

    def _throw(self, answer: TrayReading) -> None:
        if self._blind:
            return
        self._inbox.put(TrayStirred("moving"))
        self._answer(answer)

    def _answer(self, answer: TrayReading) -> None:
        self._inbox.put(TrayRead(answer, self._rng.randbytes(self._rng.randint(*JPEG_BYTES))))

    def _tap(self, key: Key) -> None:
        self._rig.buttons.press(key)
        self._rig.clock.advance(0.1)
        self._rig.buttons.release(key)
        self._rig.clock.advance(0.1)

    def _hold(self, key: Key) -> None:
        self._rig.buttons.press(key)
        self._rig.clock.advance(2.1)
        self._rig.buttons.release(key)
        self._rig.clock.advance(0.1)

    # --- what happens to devices ---

    def _trouble(self) -> None:
        """Let something break; it is mended after a while."""
        breaks: list[tuple[Callable[[], None], Callable[[], None]]] = [
            (self._rig.display.unplug, self._rig.display.replug),
            (lambda: self._see(False), lambda: self._see(True)),
            (lambda: self._refuse(True), lambda: self._refuse(False)),
            (lambda: self._rig.encoder.turn(self._rng.randint(-40, 40)), lambda: None),
            (lambda: self._rig.buttons.bounce(Key.SEAT_8, True), lambda: self._rig.buttons.release(Key.SEAT_8)),
        ]
        harm, mend = self._rng.choice(breaks)
        harm()
        self._troubles.append((self._rig.clock.now() + self._rng.uniform(1.0, 30.0), mend))

    def _mend(self, now_s: float) -> None:
        due = [mend for at_s, mend in self._troubles if at_s <= now_s]
        self._troubles = [trouble for trouble in self._troubles if trouble[0] > now_s]
        for mend in due:
            mend()

    def _see(self, sees: bool) -> None:
        self._blind = not sees
        self._inbox.put(CameraState(None if sees else "the camera was unplugged; check its cable"))


def out_of_the_game(view: View) -> frozenset[int]:
    """Return the seats that are out of the game."""
    out = view.facts.get("out")
    names = out if isinstance(out, (list, tuple)) else ()
    return frozenset(seat for seat, name in view.seats.items() if name in names)
