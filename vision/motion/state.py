"""What the watch over a stream says, and what it remembers from one picture to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from vision.drift import Drift
from vision.motion.blinking import Blinking
from vision.motion.measure import Small
from vision.motion.tally import Tally
from vision.types import Die, Frame, TrayReading


class Watch(StrEnum):
    """What can be said about the tray; the words of the interface."""

    MOVING = "moving"
    SETTLED = "settled"
    READ = "read"
    REFUSED = "refused"
    COVERED = "covered"
    UNCOVERED = "uncovered"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, eq=False)
class WatchEvent:
    """Something happened.

    Attributes
    ----------
    kind
        What.
    reading
        With `Watch.READ` and `Watch.REFUSED` only.
    picture
        What *reading* was read from, the mean of a few pictures at rest.
    touched
        With `Watch.SETTLED`: the dice are not as they were judged, and yet were not thrown. Not to be counted.
    """

    kind: Watch
    reading: TrayReading | None = None
    picture: Frame | None = None
    touched: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Pictures in a row without motion.

    Attributes
    ----------
    still
        How many.
    done
        There is a verdict; nothing more is said before something moves.
    tally
        The readings.
    pictures
        The last few as they came.
    first
        The mean of the first few, shrunk. It and the readings are kept while something seems to move: if then all lies
        as before, it was noise, such as films have at every key frame.
    """

    still: int = 0
    done: bool = False
    tally: Tally = field(default_factory=Tally)
    pictures: tuple[Frame, ...] = ()
    first: Small | None = None


UNREST: Final = Rest()
NOTHING_BLINKS: Final = Blinking()


class Portrait(NamedTuple):
    """The *picture* in which *dice* were judged."""

    picture: Small
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WatchState:
    """All that is remembered from one picture to the next.

    Attributes
    ----------
    size
        Width and height of the pictures.
    last
        The last picture, shrunk.
    noises, grain
        How much still parts changed in the last pictures, and in the last pictures at rest; percent.
    grainy
        Whether most of the picture differed from the one before, of the last that were no doubles.
    blinking
        What moves in its place, and is nothing that comes to rest.
    doubled
        So many pictures just now were the same as before: the camera stalls.
    moving, covered, empty
        What was said last.
    stirred
        Something moved since the first picture of this size.
    hidden
        Something stood over the dice since they were judged.
    rest
        What is known since the last motion.
    judged
        The picture of the last verdict.
    bare
        That of the last one by which nothing lay there; before the first one the empty tray of the calibration.
    unlit
        The one of the last verdict, where that was that the light is wrong.
    lying, spent
        The dice that were judged and not seen to be taken away since, those of a throw before too if this one was
        refused for how they lay; whether it was.
    gone
        A picture since showed none of them, though the tray was not at rest for long enough to be called empty.
    portrait
        How those look that were judged last.
    drift
        The calibration as the evening has changed it.
    """

    size: tuple[int, int] | None = None
    last: Small | None = None
    noises: tuple[float, ...] = ()
    grain: tuple[float, ...] = ()
    grainy: tuple[bool, ...] = ()
    doubled: int = 0
    blinking: Blinking = NOTHING_BLINKS
    moving: bool = False
    covered: bool = False
    empty: bool = False
    stirred: bool = False
    hidden: bool = False
    rest: Rest = UNREST
    judged: Small | None = None
    bare: Small | None = None
    unlit: Small | None = None
    lying: tuple[Die, ...] = ()
    portrait: Portrait | None = None
    spent: bool = False
    gone: bool = False
    drift: Drift | None = None
