"""The example games of the rules' authors: every one must come out as they say."""

from pathlib import Path

import pytest

from mexico.catalogue import GAMES
from mexico.gamefile import differences, dump, parse, replay

PREFIXES = {
    "mexico": "MX",
    "mexican_changsha": "CH",
    "mexican_wisconsin": "WI",
    "liars_common": "LD",
    "liars_individual": "IH",
}
"""The games that have examples, and how the names of their files begin."""


def examples(shared: Path, game: str) -> list[Path]:
    """Return the example files of *game*."""
    files = sorted((shared / "rules" / "examples").glob(f"{PREFIXES[game]}-*.json"))
    assert files
    return files


PLAYED = [game for game in PREFIXES if game in GAMES]


@pytest.mark.parametrize("game", PLAYED)
def test_every_example_comes_out_as_it_says(shared: Path, game: str) -> None:
    found = {}
    for path in examples(shared, game):
        file = parse(path.read_text(encoding="utf-8"))
        found[path.stem] = differences(file, replay(file))
        assert file.setup.game == game

    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("game", PLAYED)
def test_every_example_is_written_back_equal(shared: Path, game: str) -> None:
    for path in examples(shared, game):
        file = parse(path.read_text(encoding="utf-8"))

        assert parse(dump(file)) == file


@pytest.mark.parametrize("wrong", ["cap", "paid"])
def test_an_example_with_a_wrong_fact_would_be_noticed(shared: Path, wrong: str) -> None:
    text = (shared / "rules" / "examples" / "MX-001.json").read_text(encoding="utf-8")
    file = parse(text.replace('"turn": "B"', f'"{wrong}": "C"'))

    assert len(differences(file, replay(file))) == 1
