"""How the table signals: the rhythm of each lamp pattern and the tones of each melody, from a TOML file.

The only defaults are those of the packaged ``signals.toml``; a file of the house is laid over them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from firmware.errors import SignalsError
from firmware.lamps import MOVING, Pattern, Rhythm
from firmware.sounds import Melody, Tones
from firmware.toml import tables_of, text_of
from mexico.say import did_you_mean, seen

STANDARD: Final = "standard"
"""The name of the packaged signals."""

BEAT_S: Final = (0.05, 5.0)
HZ: Final = (220, 880)
"""What every buzzer has."""
TONE_S: Final = (0.02, 2.0)
MELODY_S: Final = 6.0
MOST: Final = 32
"""Beats of a pattern or tones of a melody."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What patterns and melodies are.

    Attributes
    ----------
    rhythms
        Of each pattern that moves.
    melodies
        The tones of each melody.
    """

    rhythms: Mapping[Pattern, Rhythm]
    melodies: Mapping[Melody, Tones]

    def lit(self, pattern: Pattern, now_s: float) -> bool:
        """Return whether a lamp with *pattern* shines at *now_s*."""
        rhythm = self.rhythms.get(pattern)
        return pattern is Pattern.ON if rhythm is None else rhythm.lit(now_s)

    def changes_s(self, pattern: Pattern, now_s: float) -> float | None:
        """Return when a lamp with *pattern* is to be switched next, None for never."""
        rhythm = self.rhythms.get(pattern)
        return None if rhythm is None else rhythm.changes_s(now_s)


def load(name: str = STANDARD) -> Signals:
    """Return the packaged signals, or with the file at the path *name* laid over them.

    Raises
    ------
    SignalsError
        If the file cannot be read or anything in it is wrong: all problems in one line.
    """
    if name == STANDARD:
        return parse("", name)
    instead = f'a TOML file, or "{STANDARD}", in table.signals'
    return parse(text_of(Path(name), "signals", instead, SignalsError, small=True), name)


def parse(text: str, name: str = "signals") -> Signals:
    r"""Return the packaged signals with the TOML *text* laid over them; *name* is used in messages.

    Raises
    ------
    SignalsError
        If *text* is not TOML or anything in it is wrong: all problems in one line.

    Examples
    --------
    >>> parse("[patterns]\nblink = [0.2, 0.2]").rhythms[Pattern.BLINK]
    Rhythm(beats_s=(0.2, 0.2))
    """
    own = tables_of(text, name, SignalsError)
    packaged = tomllib.loads((files("firmware") / "signals.toml").read_text(encoding="utf-8"))
    problems = [f"{key} is unknown{did_you_mean(key, packaged)}" for key in own.keys() - packaged.keys()]
    tables = {key: _laid_over(key, table, own.get(key, {}), problems) for key, table in packaged.items()}
    for key, wrong in (("patterns", _pattern_wrong), ("melodies", _melody_wrong)):
        said = ((entry, value, wrong(value)) for entry, value in tables[key].items())
        problems += [f"{key}.{entry} is {seen(value)}: {words}" for entry, value, words in said if words]
    if not problems:
        signals = _signals(tables["patterns"], tables["melodies"])
        problems += _alike(signals)
    if problems:
        raise SignalsError(f"{name}: {'; '.join(problems)}")
    return signals


def _laid_over(key: str, packaged: Mapping[str, object], own: object, problems: list[str]) -> dict[str, object]:
    if not isinstance(own, dict):
        problems.append(f"{key} is {seen(own)}: wanted a table")
        return {}
    for entry in own.keys() - packaged.keys():
        problems.append(f"{key}.{entry} is unknown: known are {', '.join(packaged)}{did_you_mean(entry, packaged)}")
    return {entry: own.get(entry, value) for entry, value in packaged.items()}


def _pattern_wrong(value: object) -> str | None:
    least, most = BEAT_S
    wanted = f"wanted seconds lit, dark, lit, dark ...: an even number of them, {least} to {most:g} each"
    if not isinstance(value, list) or not 2 <= len(value) <= MOST or len(value) % 2:
        return wanted
    return None if all(_number(beat_s, least, most) for beat_s in value) else wanted


def _melody_wrong(value: object) -> str | None:
    wanted = (
        f"wanted tones, each [hertz, seconds]: 0 for silence or {HZ[0]} to {HZ[1]} hertz, "
        f"{TONE_S[0]} to {TONE_S[1]:g} seconds, {MELODY_S:g} together"
    )
    if not isinstance(value, list) or not 1 <= len(value) <= MOST or not all(map(_is_tone, value)):
        return wanted
    return None if any(hz for hz, _ in value) and sum(seconds for _, seconds in value) <= MELODY_S else wanted


def _is_tone(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    hz, seconds = value
    return (_number(hz, *HZ) or _number(hz, 0, 0)) and _number(seconds, *TONE_S)


def _number(value: object, least: float, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


def _signals(patterns: Mapping[str, Any], melodies: Mapping[str, Any]) -> Signals:
    """Return the signals of two tables that have been checked."""
    return Signals(
        {pattern: Rhythm(tuple(map(float, patterns[pattern]))) for pattern in MOVING},
        {melody: tuple((hz or None, seconds) for hz, seconds in melodies[melody]) for melody in Melody},
    )


def _alike(signals: Signals) -> Iterator[str]:
    """Yield what nobody could tell apart."""
    for (one, rhythm), (other, another) in combinations(signals.rhythms.items(), 2):
        if rhythm.like(another):
            yield (
                f"patterns.{one} and patterns.{other} look alike: "
                "let one be half as fast again, or flash another number of times in a row"
            )
    for (tune, tones), (melody, others) in combinations(signals.melodies.items(), 2):
        if tones == others:
            yield f"melodies.{tune} and melodies.{melody} are the same: each must be known by its sound"
