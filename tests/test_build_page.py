"""docs/build.md says what the sums and the boards say, and its links lead somewhere."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from hardware.board import Board, SevenSegment, load_board
from hardware.devices import SEAT_KEYS

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "build.md").read_text(encoding="utf-8")
UPRIGHT_DEG = {"Camera Module 2": 48.8, "Camera Module 3": 41.0, "Camera Module 3 Wide": 67.0}
NEEDED_MM = (300 + 60, 220 + 60)
LEAST_PX_PER_MM = 2.5


def rows(first: str) -> list[list[str]]:
    """Return the rows of the table whose heading begins with *first*."""
    table = PAGE.split(f"| {first} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def picture_mm(camera: str, height_mm: float) -> tuple[float, float]:
    depth = 2 * height_mm * math.tan(math.radians(UPRIGHT_DEG[camera]) / 2)
    return depth * 4 / 3, depth


def test_the_table_of_heights_is_the_sum_that_stands_above_it() -> None:
    for camera, height, picture, px_per_mm, verdict in rows("camera"):
        wide, deep = picture_mm(camera, float(height))
        judged = "too low" if (wide < NEEDED_MM[0] or deep < NEEDED_MM[1]) else "good"
        judged = "too high" if 1280 / wide < LEAST_PX_PER_MM else judged

        assert picture == f"{wide:.0f} x {deep:.0f}"
        assert float(px_per_mm) == pytest.approx(1280 / wide, abs=0.051)
        assert verdict == judged
    assert {row[0] for row in rows("camera")} == set(UPRIGHT_DEG)


@pytest.mark.parametrize(
    ("camera", "lowest", "highest"),
    [("Camera Module 2", 350, 420), ("Camera Module 3", 375, 510), ("Camera Module 3 Wide", 212, 290)],
)
def test_the_heights_that_are_advised_are_good_at_both_ends(camera: str, lowest: int, highest: int) -> None:
    wide, deep = picture_mm(camera, lowest)
    assert wide >= NEEDED_MM[0] - 1
    assert deep >= NEEDED_MM[1]

    assert 1280 / picture_mm(camera, highest)[0] >= LEAST_PX_PER_MM


def parts_of(board: Board) -> dict[str, int]:
    digits = isinstance(board.display, SevenSegment)
    switched = len(board.lamps) + (len(board.display.digits) if isinstance(board.display, SevenSegment) else 0)
    return {
        "lit push buttons for seats": sum(key in board.buttons for key in SEAT_KEYS),
        "display: OLED": int(not digits),
        "display: four digits": int(digits),
        "transistors for lamps": len(board.lamps),
        "transistors for digits": len(board.display.digits) if isinstance(board.display, SevenSegment) else 0,
        "resistors of 330 ohms": len(board.display.segments) if isinstance(board.display, SevenSegment) else 0,
        "resistors of 1 kilohm before the bases": switched,
        "resistors of 10 kilohms from the gates": switched,
    }


@pytest.mark.parametrize(("name", "column"), [("standard", 1), ("compact", 2)])
def test_the_parts_are_counted_from_the_boards(name: str, column: int) -> None:
    listed = rows("part")
    for part, count in parts_of(load_board(name)).items():
        row = next(row for row in listed if row[0].startswith(part))

        assert int(row[column]) == count, part


@pytest.mark.parametrize("page", ["build.md", "install.md"])
def test_every_link_leads_to_a_page_that_is_there(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", text):
        path, _, anchor = link.partition("#")
        if not link.startswith("https://"):
            assert (DOCS / path).is_file(), link
            headings = (
                re.findall(r"^#+ (.+)$", (DOCS / path).read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
            )
            assert not anchor or anchor in {heading.lower().replace(" ", "-") for heading in headings}


def test_the_installation_names_only_options_that_exist() -> None:
    from firmware.cli import COMMANDS

    text = (DOCS / "install.md").read_text(encoding="utf-8")
    called = set(re.findall(r"bin/mexico-table ([a-z][a-z-]+)", text))

    assert {"doctor", "install-service", "wiring"} <= called <= set(COMMANDS)


def test_what_is_installed_asks_the_table_and_not_the_home_of_root() -> None:
    """Without --state a command reads the settings of whoever calls it, and wires another board."""
    text = (DOCS / "install.md").read_text(encoding="utf-8")
    calls = [line for line in text.splitlines() if "bin/mexico-table " in line and "install-service" not in line]

    assert len(calls) >= 6
    assert all("--state /var/lib/mexico-table" in line for line in calls)
