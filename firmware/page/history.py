"""What happened in the game on the table, for browsers: a line for each event, every round, the last throw. Pure.

It is made of stored events and public facts alone, in which dice that lie hidden never are. What was taken back counts
no longer, though the line that tells of it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, TypeVar

from firmware.caller_hands import bid_said, hand_said
from firmware.match import Stored
from firmware.story import round_told, told
from firmware.undo import CLAIMS, VOID, faces_of, is_throw

Json = Mapping[str, object]
T = TypeVar("T")

LINES: Final = 40
"""So many lines of what happened are shown."""

ROUNDS: Final = 60
"""So many rounds are shown; games without an end go on all evening."""

THROWS: Final = 24
"""So many throws back the last one can be found again after others were taken back."""


class Story:
    """What happened in the game on the table; `told` gives all of it as it is now."""

    def __init__(self) -> None:
        self.told: Callable[[], Json] = dict
        self.begins()

    def begins(self) -> None:
        """Forget everything: another game begins."""
        self._game = 0
        self._facts: Json = {}
        self._lines: list[str] = []
        self._rounds: list[Json] = []
        self._throws: list[tuple[int, Json]] = []
        self._claims: list[tuple[int, str]] = []
        self.told = dict

    def goes_on(self, stored: Stored) -> None:
        """Add *stored* at its end."""
        if stored.game != self._game:
            self.begins()
            self._game = stored.game
        event, before, after = stored.event, self._facts, stored.facts
        self._lines = [*self._lines, told(stored.number, event, before, after)][-LINES:]
        self._throws = [*_standing(self._throws, event), *_thrown(stored, before)][-THROWS:]
        self._claims = [*_standing(self._claims, event), *_claimed(stored)][-THROWS:]
        played, had = after.get("rounds_played"), before.get("rounds_played", 0)
        if isinstance(played, int) and isinstance(had, int):
            counting = [round_ for round_ in self._rounds if round_["round"] in range(played + 1)]
            self._rounds = [*counting, _round(played, before, after)][-ROUNDS:] if played > had else counting
        self._facts = after
        self.told = partial(
            dict,
            game=self._game,
            event=stored.number,
            lines=self._lines,
            rounds=self._rounds,
            last=self._throws[-1][1] if self._throws else None,
            claimed=self._claims[-1][1] if self._claims else None,
            winner=after.get("winner"),
        )

    def was(self, events: Iterable[Stored]) -> None:
        """Take up a game that goes on after *events*."""
        for stored in events:
            self.goes_on(stored)


def _standing(numbered: list[tuple[int, T]], event: Json) -> list[tuple[int, T]]:
    """Return those of *numbered* that *event* does not take back."""
    gone = event.get("event") if event.get("type") == VOID else None
    return [one for one in numbered if one[0] != gone]


def _thrown(stored: Stored, before: Json) -> Iterator[tuple[int, Json]]:
    """Yield what was thrown or shown, if something was: by whom, and the faces."""
    event, faces = stored.event, faces_of(stored.event)
    if is_throw(event) and faces:
        player = event.get("player") or before.get("turn")
        yield stored.number, {"event": stored.number, "player": player, "faces": list(faces)}


def _claimed(stored: Stored) -> Iterator[tuple[int, str]]:
    """Yield who claimed something, if somebody did."""
    if stored.event.get("type") in CLAIMS:
        yield stored.number, str(stored.event.get("player"))


def _round(number: int, before: Json, after: Json) -> Json:
    """Return how round *number* came out, from the facts before and after its last event."""
    kept = ("loser", "round_scores", "paid", "pot", "drinks", "payments", "winner_of_round", "count")
    return {"round": number, "said": round_told(after), "claim": _claim(before)} | {
        name: after[name] for name in kept if after.get(name) not in (None, {})
    }


def _claim(facts: Json) -> str | None:
    """Return what was claimed at the end of a round with a cup."""
    bid, call, value = facts.get("bid"), facts.get("call"), facts.get("to_beat")
    if isinstance(bid, (list, tuple)) and bid:
        return bid_said(*bid)
    if isinstance(call, (list, tuple)) and call:
        return hand_said(call)
    return str(value) if value else None
