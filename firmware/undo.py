"""What was taken back: events stay in the journal for ever, and an event of the table says which no longer count. Pure.

A row ``{"type": "void", "event": 12, "by": [...]}`` takes back event 12, the last that counted until then. A row
``{"type": "read_again", ...}`` says that a doubted throw was read again and stands; ``pause`` and ``resume`` say who
let the game wait and go on from elsewhere than the table, and why. None of them is an event of a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Event = Mapping[str, object]

VOID = "void"
READ_AGAIN = "read_again"
PANEL = "panel"
"""Who is named where a bartender decided at the panel: *why* is in his words then."""

PAUSE = "pause"
RESUME = "resume"
NOTED = (PAUSE, RESUME)
"""What is noted of the evening: nothing in the game changes, and it stands for no throw."""

ASIDE = (READ_AGAIN, *NOTED)
"""Rows that neither count nor take anything back."""

ANEW = "read it again"
"""Why a throw was taken back when it was to be read once more."""

FOUND = "count this roll"
"""Why a throw stands that nobody saw come to rest: it was found after a power cut, and agreed on."""

THROWS = ("die", "roll", "bad_roll", "cup_lifted", "show_special", "reveal", "roll_outside", "show")
"""Events of a game that dice in the tray made; so is a shake that left a die beside the cup."""

SHAKE = "shake"

CLAIMS = ("announce", "bid", "call")
"""Events of a game that somebody entered with the knob; one may be taken back until something else happens."""

FOLLOWS = ("stop", "choose", "concede", "leave", "rebuy")
"""Events that settle what a throw began, or come between rounds: with them alone no other round is begun."""


def counting(events: Sequence[Event]) -> tuple[int, ...]:
    """Return the numbers, from 1, of those of *events* that count: no event of the table, and not taken back.

    Raises
    ------
    ValueError
        If an event is taken back that is not the last that counts.

    Examples
    --------
    >>> counting([{"type": "roll"}, {"type": "stop"}, {"type": "void", "event": 2}, {"type": "roll"}])
    (1, 4)
    """
    numbers: list[int] = []
    for number, event in enumerate(events, 1):
        if event.get("type") == VOID:
            if not numbers or event.get("event") != numbers[-1]:
                raise ValueError(f"event {number} takes back event {event.get('event')}, which is not the last")
            numbers.pop()
        elif event.get("type") not in ASIDE:
            numbers.append(number)
    return tuple(numbers)


def game_events(events: Sequence[Event]) -> Iterator[Event]:
    """Yield those of *events* that count."""
    yield from (events[number - 1] for number in counting(events))


def last_throw(events: Sequence[Event]) -> int | None:
    """Return how many of the last *events* are to be taken back to undo the last throw or claim; None without one.

    Examples
    --------
    >>> last_throw([{"type": "roll"}, {"type": "roll"}, {"type": "stop"}])
    2
    """
    for back, event in enumerate(reversed(events), 1):
        if back == 1 and event.get("type") in CLAIMS:
            return back
        if is_throw(event):
            return back
        if event.get("type") == SHAKE:
            return None  # other dice lie under the cup now
    return None


def is_throw(event: Event) -> bool:
    """Whether *event* rests on dice that were seen."""
    return event.get("type") in THROWS or (event.get("type") == SHAKE and bool(event.get("exposed")))


def only_followed(events: Sequence[Event]) -> bool:
    """Whether all that happened since the first of *events*, a throw, belongs to it."""
    return all(event.get("type") in FOLLOWS for event in events[1:])


def faces_of(event: Mapping[str, object]) -> tuple[int, ...]:
    """Return what was read at a throw, empty where it was refused.

    Examples
    --------
    >>> faces_of({"type": "roll", "faces": [5, 2]}), faces_of({"type": "shake", "exposed": [4]})
    ((5, 2), (4,))
    """
    faces = event.get("faces", event.get("exposed"))
    if isinstance(faces, (list, tuple)):
        return tuple(map(int, faces))
    face = event.get("face")
    return (face,) if isinstance(face, int) else ()
