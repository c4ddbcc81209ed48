"""How a board is wired, for people: a table, and a drawing of the header with every wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from hardware.board import BOARDS, Board, load_board
from hardware.header import HeaderPin, Wire, header, wires

PITCH = 30
WIDE = 1120
TOP = 96
PIN_APART = 44
WIRE = 150
"""Pixels of the drawing: from pin to pin, across, above the first pin, between the two columns, of a wire."""

COLOURS = {
    "button": "#1f6feb",
    "encoder": "#1a7f37",
    "lamp": "#bf8700",
    "buzzer": "#8250df",
    "display": "#cf222e",
    "segment": "#cf222e",
    "digit": "#a40e26",
    "supply": "#24292f",
}
"""Of the wires, by kind; every wire says in words what it is as well."""

Row = tuple[str, str, str, str]


def rows(board: Board) -> list[Row]:
    """Return a line for every wire: pin of the header, its name, what it is for, and how it is connected."""
    return [(str(wire.pin.number), wire.pin.name, _words(wire), wire.how) for wire in wires(board)]


def table(board: Board) -> Iterator[str]:
    """Yield the wiring as lines of text, in columns."""
    listed = [("pin", "name", "for", "how"), *rows(board)]
    widths = [max(len(row[k]) for row in listed) for k in range(4)]
    for row in listed:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def page() -> str:
    """Return docs/wiring.md: every board that comes with the program, drawn and listed."""
    lines = [
        "# Wiring",
        "",
        "Written by `python -m firmware.wiring` from the boards in `hardware/boards/`; do not change it by hand.",
        "`mexico-table wiring --board FILE` prints and draws a board of your own.",
    ]
    for board in map(load_board, BOARDS):
        lines += [
            "",
            f"## {board.name}: {board.about}",
            "",
            f"![Every wire of the header](wiring-{board.name}.svg)",
            "",
        ]
        lines += ["| pin | name | for | how |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in rows(board)]
    return "\n".join(lines) + "\n"


def drawing(board: Board) -> str:
    """Return the header with every wire as an SVG picture."""
    high = TOP + 20 * PITCH + 30
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDE} {high}",
            "font-family": "Helvetica, Arial, sans-serif",
        },
    )
    _add(root, "rect", x=0, y=0, width=WIDE, height=high, fill="#ffffff")
    _text(root, WIDE / 2, 34, f"mexico-table, board {board.name}: {board.about}", size=20)
    _text(root, WIDE / 2, 60, "the header seen from above, the SD card at the top, pin 1 at the square", size=14)
    middle, edge = WIDE / 2, PITCH * 0.6
    _add(root, "rect", x=middle - PIN_APART, y=TOP - edge, width=2 * PIN_APART, height=20 * PITCH, rx=6, fill="#d0d7de")
    at = {wire.pin.number: wire for wire in wires(board)}
    for pin in header():
        _draw_pin(root, pin, at.get(pin.number))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _draw_pin(root: ElementTree.Element, pin: HeaderPin, wire: Wire | None) -> None:
    side = -1 if pin.number % 2 else 1
    x, y = WIDE / 2 + side * PIN_APART / 2, TOP + (pin.number - 1) // 2 * PITCH
    anchor = "end" if side < 0 else "start"
    if wire is not None:
        colour = COLOURS[wire.kind]
        end = WIDE / 2 + side * (PIN_APART + WIRE)
        _add(root, "line", x1=x, y1=y, x2=end, y2=y, stroke=colour, **{"stroke-width": 3})
        _add(root, "circle", cx=end, cy=y, r=4, fill=colour)
        _text(root, end + side * 10, y + (1 if wire.how else 5), _words(wire), size=14, anchor=anchor, colour=colour)
        _text(root, end + side * 10, y + 12, wire.how, size=10, anchor=anchor, colour=colour)
    shape = {"x": x - 8, "y": y - 8, "width": 16, "height": 16} if pin.number == 1 else {"cx": x, "cy": y, "r": 8}
    _add(
        root, "rect" if pin.number == 1 else "circle", **shape, fill="#fff8c5" if wire else "#ffffff", stroke="#24292f"
    )
    _text(root, x, y + 3.5, str(pin.number), size=9)
    _text(root, WIDE / 2 + side * (PIN_APART + 8), y - 4, pin.name, size=11, anchor=anchor)


def _words(wire: Wire) -> str:
    return wire.use.replace("_", " ")


def _add(parent: ElementTree.Element, tag: str, **values: object) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag, {name: _shown(value) for name, value in values.items()})


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _text(
    parent: ElementTree.Element,
    x: float,
    y: float,
    text: str,
    *,
    size: int,
    anchor: str = "middle",
    colour: str = "#24292f",
) -> None:
    written = _add(parent, "text", x=x, y=y, fill=colour)
    written.attrib |= {"font-size": str(size), "text-anchor": anchor}
    written.text = text


def write_docs(folder: Path) -> None:
    """Write page and drawings of the boards that come with the program."""
    (folder / "wiring.md").write_text(page(), "utf-8")
    for board in map(load_board, BOARDS):
        (folder / f"wiring-{board.name}.svg").write_text(drawing(board), "utf-8")


if __name__ == "__main__":
    write_docs(Path("docs"))
