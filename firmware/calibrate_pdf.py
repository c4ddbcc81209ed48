"""The target for the lens as a sheet to be printed: a PDF of rectangles and words, true to scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

PAGE_MM = (297.0, 210.0)
"""A4, lying."""

POINTS_PER_MM = 72 / 25.4
LEFT_MM, TOP_MM = 18.5, 9.0
"""Where the target begins on the sheet; printers leave some 5 mm white at the edges."""

RULER_MM = 100
RULER_TOP_MM = 195.0

Rectangle = tuple[float, float, float, float]


def target_pdf(black: Sequence[Rectangle]) -> bytes:
    """Return the sheet as a PDF file.

    Parameters
    ----------
    black
        The target's black rectangles: x, y, width, height in millimetres, y downwards.

    Notes
    -----
    PDF 1.4 (ISO 32000-1): five objects, a content stream of ``re`` and ``f``. *PrintScaling None* asks the printer's
    dialogue not to fit it to the page.
    """
    drawing = [_rectangle(LEFT_MM + x, TOP_MM + y, width, height) for x, y, width, height in black]
    content = "\n".join(["0 g", *drawing, "f", *_ruler(), *_words()]).encode("ascii")
    width, height = (side * POINTS_PER_MM for side in PAGE_MM)
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] /Contents 4 0 R "
            "/Resources << /Font << /F 5 0 R >> >> >>".encode("ascii"),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
    )


def _file(objects: Sequence[bytes]) -> bytes:
    """Return a PDF file of *objects*, numbered from 1; the first is the catalogue."""
    data = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    entries = b"".join(b"%010d 00000 n \n" % place for place in places)
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(objects) + 1, entries)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(data))
    return data + table + trailer


def _ruler() -> Iterator[str]:
    """Yield a bar of `RULER_MM` with a tick every ten."""
    yield _rectangle(LEFT_MM, RULER_TOP_MM, RULER_MM, 0.3)
    for tick in range(0, RULER_MM + 1, 10):
        yield _rectangle(LEFT_MM + tick - 0.1, RULER_TOP_MM, 0.2, 4.0 if tick % 50 == 0 else 2.5)
    yield "f"


def _words() -> Iterator[str]:
    said = (
        f"This bar is exactly {RULER_MM} mm long. Measure it: if not, print again at 100 %, not fitted to the page.",
        "Lay the sheet flat into the tray, photograph it with the table's camera; then some pictures more, tilted.",
    )
    for number, line in enumerate(said):
        x, y = LEFT_MM + RULER_MM + 6, RULER_TOP_MM + 2.5 + 4.0 * number
        yield f"BT /F 8 Tf {_pt(x):.3f} {_pt(PAGE_MM[1] - y):.3f} Td ({line}) Tj ET"


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle in points; a PDF counts y upwards."""
    return f"{_pt(x):.3f} {_pt(PAGE_MM[1] - y - height):.3f} {_pt(width):.3f} {_pt(height):.3f} re"


def _pt(mm: float) -> float:
    return mm * POINTS_PER_MM
