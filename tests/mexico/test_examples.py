"""The example games of the rules' authors: every one must come out as they say."""

from pathlib import Path

import pytest

from mexico.gamefile import differences, dump, parse, replay

EXAMPLES = 14


def test_every_example_of_mexico_comes_out_as_it_says(shared: Path) -> None:
    files = sorted((shared / "rules" / "examples").glob("MX-*.json"))
    found = {}
    for path in files:
        file = parse(path.read_text(encoding="utf-8"))
        found[path.stem] = differences(file, replay(file))

    assert len(files) >= EXAMPLES
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_every_example_of_mexico_is_written_back_equal(shared: Path) -> None:
    for path in (shared / "rules" / "examples").glob("MX-*.json"):
        file = parse(path.read_text(encoding="utf-8"))

        assert parse(dump(file)) == file


@pytest.mark.parametrize("wrong", ["cap", "paid"])
def test_an_example_with_a_wrong_fact_would_be_noticed(shared: Path, wrong: str) -> None:
    text = (shared / "rules" / "examples" / "MX-001.json").read_text(encoding="utf-8")
    file = parse(text.replace('"turn": "B"', f'"{wrong}": "C"'))

    assert len(differences(file, replay(file))) == 1
