"""The settings as a form: what there is to set, what is allowed, and a file with other answers and its old comments.

All of it comes from the model of `firmware.settings` and from the house rules of the games: a setting that is added
there is in the form. Pure, but for `problems`, which asks what a start of the program would ask.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, get_args, get_origin

import tomlkit
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from firmware import settings, signals
from firmware.errors import FirmwareError, SettingsError
from firmware.page.address import Address
from firmware.settings import Settings
from firmware.settings_labels import LABELS
from firmware.texts import languages
from hardware.board import load_board
from hardware.devices import HardwareError
from mexico.catalogue import GAMES

Value = bool | int | float | str | list[str]
HOUSE_RULES: Final = "game.house_rules"
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"table.language": tuple(languages()), "game.name": tuple(GAMES)}
"""What may be chosen where the type does not say so."""


def form(text: str, name: str) -> dict[str, object]:
    """Return the form for a settings file that says *text*; *name* is used in messages.

    Raises
    ------
    SettingsError
        If there is something wrong in the file as it is.
    """
    now = settings.parse(text, name=name).model_dump()
    usual = settings.default()
    fields = [
        {**_field(key, field), "value": _at(now, key), "usual": _at(usual, key)} for key, field in _fields(Settings)
    ]
    return {"fields": fields, "house_rules": _at(now, HOUSE_RULES), "games": {game: _rules(game) for game in GAMES}}


def _fields(section: type[BaseModel], within: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield every setting by its key, house rules apart."""
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _fields(kind, f"{within}{name}.")
        elif within + name != HOUSE_RULES:
            yield within + name, field


def _field(key: str, field: FieldInfo) -> dict[str, object]:
    """Return how a setting is asked for."""
    label, allowed = LABELS.get(key, key), field.description or ""
    asked: dict[str, object] = {"key": key, "label": label, "allowed": allowed, "kind": _kind(field.annotation)}
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else CHOICES.get(key)
    if choices:
        asked |= {"kind": "choice", "choices": list(choices)}
    for limit in field.metadata:
        least, most = getattr(limit, "ge", getattr(limit, "gt", None)), getattr(limit, "le", None)
        asked |= ({} if least is None else {"least": least}) | ({} if most is None else {"most": most})
    return asked


def _kind(annotation: object) -> str:
    names = {bool: "switch", int: "whole", float: "number", str: "text"}
    return names.get(annotation, "list")  # type: ignore[call-overload,no-any-return]


def _rules(game: str) -> list[dict[str, object]]:
    """Return the house rules of *game* as they are asked for."""
    return [
        {
            "name": rule.name,
            "values": list(rule.values),
            "usual": rule.default,
            "explains": rule.explains,
            "allowed": rule.allowed,
            "least": rule.least,
            "most": rule.most,
        }
        for rule in GAMES[game].house.rules
    ]


def _at(data: Mapping[str, Any], key: str) -> Any:
    for part in key.split("."):
        data = data[part]
    return data


# --- other answers ---


def changed(
    text: str, answers: Mapping[str, Value], rules: Mapping[str, str | int | bool] | None, name: str
) -> tuple[str, list[str]]:
    """Return the settings file *text* with other *answers*, and the keys that are others now; comments stay.

    Parameters
    ----------
    text, name
        What stands in the file, and what it is called in messages.
    answers
        By key; one that is as it was before changes nothing in the file.
    rules
        All house rules that are not left to preset and default; None leaves them as they are.

    Raises
    ------
    SettingsError
        If an answer is none to anything, or is not allowed.
    """
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise SettingsError(f"{name} is not a TOML file: {error}; correct it by hand first") from error
    now, kinds = (
        settings.parse(text, name=name).model_dump(),
        {key: field.annotation for key, field in _fields(Settings)},
    )
    others = []
    for key, answer in answers.items():
        if key not in kinds:
            raise SettingsError(f"{name}: {key!r} is no setting", (f"{key!r} is no setting",))
        value = float(answer) if kinds[key] is float and isinstance(answer, int) and answer is not True else answer
        if value != _at(now, key) or type(value) is not type(_at(now, key)):
            *tables, last = key.split(".")
            _table(document, tables)[last] = value
            others.append(key)
    if rules is not None and dict(rules) != _at(now, HOUSE_RULES):
        _write_rules(_table(document, HOUSE_RULES.split(".")), rules)
        others.append(HOUSE_RULES)
    written = tomlkit.dumps(document)
    found = problems(settings.parse(written, name=name))
    if found:
        raise SettingsError(f"{name}: {'; '.join(found)}", tuple(found))
    return written, others


def _table(document: tomlkit.TOMLDocument, names: list[str]) -> Table:
    """Return the table of *names*, made where the file has none."""
    at: Any = document
    for name in names:
        if name not in at:
            at[name] = tomlkit.table()
        at = at[name]
    table: Table = at
    return table


def _write_rules(table: Table, rules: Mapping[str, str | int | bool]) -> None:
    for name in [name for name in table if name not in rules]:
        del table[name]
    for name, value in rules.items():
        if name not in table or table[name] != value or type(table[name]) is not type(value):
            table[name] = value


def problems(wanted: Settings) -> list[str]:
    """Return what would keep the program from starting with these settings, though each is allowed by itself."""
    found = []
    try:
        board = load_board(wanted.table.board)
        players = min(wanted.virtual.players, GAMES[wanted.game.name].most_players)
        if players > board.seats:
            found.append(f"virtual.players is {players}: board {board.name} has {board.seats} seats; take fewer")
    except HardwareError as error:
        found.append(f"table.board: {error}")
    try:
        signals.load(wanted.table.signals)
    except FirmwareError as error:
        found.append(f"table.signals: {error}")
    for key, address in (("address", wanted.page.address), ("table_address", wanted.page.table_address)):
        why = _no_address(address)
        if why is not None:
            found.append(f"page.{key} is {address!r}: {why}; take an address of this computer, or 0.0.0.0 for all")
    return found


def _no_address(text: str) -> str | None:
    """Return why nothing can be served at the address in *text*, None where something can, or no page is wanted."""
    if not text:
        return None
    wanted = Address.parse(text, exactly=True)
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    try:
        socket.create_server((wanted.host, wanted.port), family=family).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:  # by this very program
            return error.strerror or str(error)
    return None
