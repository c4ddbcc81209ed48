"""docs/commands.md says of every command, option, fault and event what a script can hold on to."""

import json
import re
from pathlib import Path

import click
import pytest

from firmware.cli import COMMANDS, cli
from mexico import catalogue, gamefile, mexican_words
from vision.motion import Watch
from vision.types import Fault

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")


def options_of(command: click.Command) -> list[str]:
    return [name for option in command.params for name in option.opts if name.startswith("--")]


def test_every_command_stands_there() -> None:
    for name in COMMANDS:
        assert re.search(rf"`(mexico-table )?{name}\b", PAGE), name


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_option_stands_there(name: str) -> None:
    command = cli.get_command(click.Context(cli), name) if name else cli
    assert command is not None
    missing = [option for option in options_of(command) if not re.search(rf"{option}\b", PAGE)]
    assert missing == []


def test_every_fault_and_every_event_of_a_stream_stands_there() -> None:
    for word in (*Fault, *Watch):
        assert f"`{word}`" in PAGE, word


def test_the_events_and_the_start_of_every_game_stand_there() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \(.*?\) \| (.*)$", PAGE, re.MULTILINE))
    above: set[str] = set()
    for game, row in rows.items():
        told, start = row.removesuffix(" |").rsplit(" | ", 1)
        events = set(re.findall(r"`(\w+)`", told)) | (above if told.startswith("as above") else set())
        words = catalogue.GAMES[game].words
        assert (game, events) == (game, set(words.EVENTS))
        assert (game, start.split(", ")) == (game, list(getattr(words, "START", mexican_words.START)))
        above = events
    assert set(rows) == set(catalogue.GAMES)


def test_the_game_file_there_is_one() -> None:
    (text,) = re.findall(r'```json\n(\{"format".*?)```', PAGE, re.DOTALL)
    game = json.loads(text)
    assert gamefile.setup(game).players == ("A", "B", "C")
