"""Commands that need no camera: ``replay``, ``export``, ``odds``, ``status``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from firmware import story
from firmware.cli_common import Named, Whole, common, complain, say, say_json, the_common
from firmware.errors import FileError
from firmware.folder import write_for
from firmware.journal import Archive, StoredGame, reading
from firmware.match import replayed
from hardware.pictures import shown
from mexico import gamefile
from mexico import odds as chances

MOST_BYTES = 16 * 1024 * 1024


@click.command(short_help="Play game files through the rules.")
@click.argument("files", metavar="GAMEFILE...", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object per event.")
@common
def replay(files: tuple[str, ...], as_json: bool) -> int:
    """Play game files through the rules and print the facts after each event.

    Where a file says what it expects, a difference is told and the exit code is 1. A dash reads standard input.
    """
    the_common().log()
    wrong = different = 0
    for name in files:
        try:
            game = gamefile.parse(_game_text(name))
        except (FileError, gamefile.GameFileError) as error:
            complain(error if isinstance(error, FileError) else f"{shown(name)}: {error}")
            wrong += 1
            continue
        found = gamefile.differences(game, _steps_shown(name, game, as_json))
        for difference in found:
            complain(f"{shown(name)}: {difference}")
        different += bool(found)
        if not as_json:
            say(f"{shown(name)}: {len(game.events)} events, {'DIFFERENT' if found else 'as expected'}")
    return 2 if wrong else 1 if different else 0


def _game_text(name: str) -> str:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FileError(f"{shown(name)}: cannot be read ({why}); name a game file") from error
    if len(data) > MOST_BYTES:
        raise FileError(f"{shown(name)}: is larger than {MOST_BYTES >> 20} MB; a game file is much smaller")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(f"{shown(name)}: is not text in UTF-8; a game file is one JSON object") from error


def _steps_shown(name: str, game: gamefile.GameFile, as_json: bool) -> Iterator[gamefile.Step]:
    """Show every step of *game* as it passes; a long file has more of them than a small computer can keep."""
    before = gamefile.begin(game.setup).facts()
    for step in gamefile.replay(game):
        _show_step(name, game.events[step.event - 1], step, before, as_json)
        before = step.facts
        yield step


def _show_step(
    name: str, event: Mapping[str, object], step: gamefile.Step, before: Mapping[str, object], as_json: bool
) -> None:
    if as_json:
        say_json({"file": name, "event": step.event, "accepted": step.accepted, "why": step.why, "facts": step.facts})
    elif step.accepted:
        say(story.told(step.event, event, before, step.facts))
    else:
        say(story.refused(step.event, event, step.facts, str(step.why)))


@click.command(short_help="Write a played game as a game file.")
@click.option("--game", "number", type=Whole(1), metavar="N", help="Number of the game; the last if left out.")
@click.option("--out", type=Named(), metavar="FILE", help="Where to write; standard output if left out.")
@common
def export(number: int | None, out: Path | None) -> int:
    """Write a played game as a game file that mexico-table replay accepts."""
    the_common().log()
    with reading(the_common().folder.journal) as archive:
        stored = wanted_game(archive, number)
    text = gamefile.dump(replayed(stored))
    if out is None:
        say(text.removesuffix("\n"))
        return 0
    write_for("--out", out, text.encode())
    return 0


def wanted_game(archive: Archive, number: int | None) -> StoredGame:
    """Return game *number* of *archive*, the last for None.

    Raises
    ------
    FileError
        If there is no such game.
    """
    stored = archive.last() if number is None else archive.game(number)
    if stored is None:
        count = archive.count()
        wanted = "no game was played yet" if not count else f"there is no game {number}; there are 1 to {count}"
        raise FileError(f"{wanted} in {shown(archive.path.parent)}; name another folder with --state")
    return stored


@click.command(short_help="Print the exact chances.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated, chances as fractions.")
@common
def odds(as_csv: bool) -> int:
    """Print for each score how often it falls and how likely an opponent beats it with 1, 2 or 3 rolls."""
    if as_csv:
        say("score,rank,ways,exceed_1,exceed_2,exceed_3")
        for row in chances.table():
            say(f"{row.score},{row.rank},{row.ways},{row.exceed_1},{row.exceed_2},{row.exceed_3}")
        return 0
    say("score  rank  ways of 36  beaten by 1 roll        2 rolls          3 rolls")
    for row in chances.table():
        beaten = "  ".join(f"{float(chance):7.2%} {chance!s:>8}" for chance in (row.exceed_1, row.exceed_2))
        say(f"{row.score:>5}  {row.rank:>4}  {row.ways:>10}  {beaten}  {float(row.exceed_3):7.2%} {row.exceed_3!s:>12}")
    return 0


@click.command(short_help="Say where the last game stands.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@common
def status(as_json: bool) -> int:
    """Say where the last game stands, as it is stored; works while a table is running."""
    shared = the_common()
    shared.log()
    with reading(shared.folder.journal) as archive:
        stored = archive.last()
    if stored is None:
        nowhere = "" if shared.folder.path.is_dir() else f": there is no folder {shared.folder.path}"
        say_json({"game": None}) if as_json else say(f"no game was played yet{nowhere}")
        return 0
    playing = replayed(stored)
    facts = playing.facts()
    if as_json:
        head: dict[str, object] = {
            "game": stored.number,
            "name": playing.setup.game,
            "players": list(playing.setup.players),
        }
        first: dict[str, object] = {name: facts[name] for name in ("units", "pot") if name in facts}
        say_json({**head, **first, "events": len(stored.events), **facts})
        return 0
    for line in _status_lines(stored, playing):
        say(line)
    return 0


def _status_lines(stored: StoredGame, playing: gamefile.Playing) -> Iterator[str]:
    facts = playing.facts()
    state = "over" if playing.over else "given up" if stored.given_up else "goes on"
    rules = f" by rules #{stored.rules}" if stored.rules else ""
    yield f"game {stored.number}, {playing.setup.game}{rules}, {state} after {len(stored.events)} events"
    yield from story.standing(facts)
    if not playing.over and facts.get("stake") is not None:
        yield f"  stake {facts['stake']}, {facts['rounds_played']} rounds played"
