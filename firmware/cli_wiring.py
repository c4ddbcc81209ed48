"""``mexico-table wiring``: how the parts are wired to the header of the Raspberry Pi."""

from __future__ import annotations

from pathlib import Path

import click

from firmware import wiring as words
from firmware.cli_common import Named, common, say, the_common
from firmware.folder import write_for
from hardware.board import load_board
from hardware.pictures import shown


@click.command(short_help="Print how the parts are wired.")
@click.option("--board", metavar="NAME", help="standard, compact, or a board file; default: that of the settings.")
@click.option("--svg", type=Named(), metavar="FILE", help="Write a drawing of the header there.")
@common
def wiring(board: str | None, svg: Path | None) -> int:
    """Print every wire from the 40-pin header as a table, and draw them."""
    shared = the_common()
    shared.log()
    checked = load_board(board if board is not None else shared.settings().table.board)
    if svg is None:
        for line in words.table(checked):
            say(line)
        return 0
    write_for("--svg", svg, words.drawing(checked).encode())
    say(f"drawn: {shown(svg)}")
    return 0
