"""The settings file: TOML into a frozen, checked `Settings`; every problem in one message.

The only defaults are those of the packaged ``default.toml``; a user's file is laid over them.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails

from firmware.errors import SettingsError
from firmware.page.address import Address
from firmware.signals import STANDARD
from firmware.texts import languages
from firmware.toml import tables_of, text_of
from mexico.catalogue import GAMES
from mexico.errors import RulesError
from mexico.say import one_of

Seconds = Annotated[float, Field(gt=0, le=60, description="seconds, more than 0 and at most 60")]


class Section(BaseModel):
    """A table of the settings file: nothing unknown, nothing of another type, nothing changed later."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SpecialsSettings(Section):
    """What the house calls the specials that need consent."""

    smoochy: str = Field(pattern=r"^\S(.{0,10}\S)?$", description="a word or two, 1 to 12 characters")
    perform: str = Field(pattern=r"^\S(.{0,10}\S)?$", description="a word or two, 1 to 12 characters")


class TableSettings(Section):
    """The board, the names of its seats, and how it speaks."""

    board: str = Field(min_length=1, description='"standard", "compact" or the path of a board file')
    self_test: bool = Field(description="true or false")
    names: list[str] = Field(
        min_length=8, max_length=8, description="eight different names of 1 to 8 characters, one for each seat"
    )

    language: str = Field(description="one of " + ", ".join(f'"{code}"' for code in languages()))
    signals: str = Field(min_length=1, description=f'"{STANDARD}" or the path of a file of lamp patterns and melodies')
    mark: str = Field(pattern=r"^\S(.{0,6}\S)?$", description='"mark", "drink" or a word of 1 to 8 characters')
    specials: SpecialsSettings

    @field_validator("names")
    @classmethod
    def _short_and_different(cls, names: list[str]) -> list[str]:
        if len(set(names)) != len(names) or any(not 1 <= len(name) <= 8 or name != name.strip() for name in names):
            raise ValueError("names")
        return names

    @field_validator("language")
    @classmethod
    def _spoken(cls, language: str) -> str:
        if language not in languages():
            raise ValueError("language")
        return language


class GameSettings(Section):
    """The game and its house rules."""

    name: str = Field(description=f"a game: {one_of(GAMES)}")
    house_rules: dict[str, str | int | bool] = Field(description="house rules, each a word, a number or true/false")

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in GAMES:
            raise ValueError("name")
        return name


class CameraSettings(Section):
    """Which camera looks at the tray."""

    source: Literal["auto", "pi", "usb"] = Field(description='"auto", "pi" or "usb"')
    usb_index: int = Field(ge=0, le=63, description="the number of a camera, 0 to 63")
    frames_per_s: int = Field(ge=5, le=120, description="frames per second, 5 to 120")


class TraySettings(Section):
    """The tray and the dice of the house."""

    width_mm: float = Field(ge=100, le=1000, description="millimetres, 100 to 1000")
    depth_mm: float = Field(ge=100, le=1000, description="millimetres, 100 to 1000")
    die_mm: float = Field(ge=8, le=30, description="millimetres, 8 to 30")


class SoundSettings(Section):
    """The buzzer and the caller."""

    on: bool = Field(description="true or false")
    caller: bool = Field(description="true or false")
    voice: str = Field(
        pattern=r"^[A-Za-z][A-Za-z0-9+_/-]{0,39}$",
        description='a voice as espeak-ng --voices lists them, such as "en-gb" or "de"',
    )
    words_per_minute: int = Field(ge=80, le=450, description="words per minute, 80 to 450")


class TimingSettings(Section):
    """How long things take."""

    hold_s: Seconds
    refusal_s: Seconds
    round_over_s: Seconds
    display_retry_s: Seconds


class VirtualSettings(Section):
    """The virtual table."""

    players: int = Field(ge=2, le=8, description="a whole number of players, 2 to 8")
    rounds: int = Field(ge=1, le=999, description="a whole number of rounds, 1 to 999")
    odd_throws: int = Field(ge=0, le=10_000, description="a whole number of throws, 0 to 10000 (0: none)")
    roll_s: Seconds
    think_s: Seconds


class PageSettings(Section):
    """The page for browsers."""

    address: str = Field(description='where the virtual table has its page, such as "127.0.0.1:8021"')
    table_address: str = Field(description='where the real table has it, such as "0.0.0.0:8021"; "" for none')
    odds: bool = Field(description="true or false")

    @field_validator("address", "table_address")
    @classmethod
    def _an_address(cls, text: str, info: ValidationInfo) -> str:
        if text or info.field_name == "address":
            Address.parse(text, exactly=True)
        return text


class JournalSettings(Section):
    """What is kept beside the events."""

    picture_width_px: int = Field(ge=0, le=1920, description="pixels, 0 to 1920 (0: keep no pictures)")
    keep_pictures_games: int = Field(ge=0, le=100_000, description="a whole number of games, 0 to 100000")


class Settings(Section):
    """Everything the settings file says."""

    table: TableSettings
    game: GameSettings
    camera: CameraSettings
    tray: TraySettings
    sound: SoundSettings
    timing: TimingSettings
    virtual: VirtualSettings
    page: PageSettings
    journal: JournalSettings


def load(path: Path | None = None) -> Settings:
    """Return the packaged defaults with the file at *path* laid over them.

    Raises
    ------
    SettingsError
        If the file cannot be read or anything in it is wrong: all problems in one line.
    """
    text = "" if path is None else text_of(path, "settings", "a TOML file", SettingsError)
    return parse(text, name=str(path or "default.toml"))


def parse(text: str, *, name: str = "settings") -> Settings:
    r"""Return the packaged defaults with the TOML *text* laid over them; *name* is used in messages.

    Raises
    ------
    SettingsError
        If *text* is not TOML or anything in it is wrong: all problems in one line.

    Examples
    --------
    >>> parse("[virtual]\nplayers = 3").virtual.players
    3
    """
    data = _laid_over(default(), tables_of(text, name, SettingsError))
    problems = []
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        problems = [_told(detail, data) for detail in error.errors()]
        settings = None
    problems += _house_rule_problems(data)
    if settings is None or problems:
        told = tuple(dict.fromkeys(problems))
        raise SettingsError(f"{name}: {'; '.join(told)}", told)
    return settings


def default() -> dict[str, object]:
    """Return what the packaged ``default.toml`` says."""
    return tomllib.loads((files("firmware") / "default.toml").read_text(encoding="utf-8"))


def _laid_over(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _laid_over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _told(detail: ErrorDetails, data: Mapping[str, object]) -> str:
    """Return one problem in the words of the file: the key, what was found, what is wanted."""
    path = [part for part in detail["loc"] if isinstance(part, str)]
    key = ".".join(path)
    if detail["type"] == "missing":
        return f"{key} is missing: {_wanted(path)}"
    if detail["type"] == "extra_forbidden":
        return f"{key} is unknown{_meant(path)}"
    return f"{key} is {_found(path, data)!r}: {_wanted(path)}"


def _wanted(path: list[str]) -> str:
    section: type[BaseModel] = Settings
    for part in path:
        field = section.model_fields.get(part)
        if field is None:
            break
        if field.description:
            return f"wanted {field.description}"
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            section = field.annotation
    return "wanted a table with " + ", ".join(section.model_fields)


def _found(path: list[str], data: Mapping[str, object]) -> object:
    value: object = data
    for part in path:
        if not isinstance(value, Mapping) or part not in value:
            break
        value = value[part]
    return value


def _meant(path: list[str]) -> str:
    """Return the nearest known keys: first in the same table, then anywhere."""
    *tables, name = path
    known = list(_keys())
    here = {key.rpartition(".")[2]: key for key in known if key.rpartition(".")[0] == ".".join(tables)}
    close = difflib.get_close_matches(name, here, n=1)
    if close:
        return f", did you mean {close[0]}?"
    anywhere = {key.rpartition(".")[2]: key for key in known}
    close = difflib.get_close_matches(name, anywhere, n=1)
    if close:
        return f", did you mean {anywhere[close[0]]}?"
    return f": known here are {', '.join(here) or ', '.join(Settings.model_fields)}"


def _keys(section: type[BaseModel] = Settings, within: str = "") -> Iterator[str]:
    for name, field in section.model_fields.items():
        yield within + name
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _keys(field.annotation, f"{within}{name}.")


def _house_rule_problems(data: Mapping[str, object]) -> list[str]:
    game = data.get("game")
    rules = game.get("house_rules") if isinstance(game, Mapping) else None
    entry = GAMES.get(str(game.get("name"))) if isinstance(game, Mapping) else None
    if not isinstance(rules, Mapping) or entry is None:
        return []
    try:
        entry.house.check(rules)
    except RulesError as error:
        return [f"game.house_rules: {error}"]
    return []
