"""The picture on the OLED display, pure: one `Screen` in, 128 x 64 pixels out.

The title stands in a bright bar, the big word takes all the height that the lines below leave, and nothing is cut:
what is too long for its place is drawn narrower, and only a line of more than 21 characters loses its end. A picture
that is as high as the display leaves the words what room there is beside it.
"""

from __future__ import annotations

import textwrap
import unicodedata

from PIL import Image

from hardware.devices import Bitmap, Screen
from hardware.glyphs import COLUMNS, GLYPHS, ROWS
from hardware.segments import plain

SIZE = (128, 64)
LINE_CHARS = 21
MAX_LINES = 3
_CELL = COLUMNS + 1
_TITLE_ROWS = 10
_LINE_ROWS = 9
_ALONE_ROWS = 13
_GAP = 2
_LIT = 255
_FINE = 16
_BROAD = 1.35
"""How much broader than the small font the big one is drawn where there is room."""
_BOLD = 0.3
"""How much thicker its upright strokes are, in parts of their own width."""


def draw(screen: Screen) -> Image.Image:
    """Return the picture of *screen*: mode "1", 128 x 64 pixels, lit where 255.

    Examples
    --------
    >>> picture = draw(Screen("ANNA rolls", "65", ("roll 2 of 3", "pot 4"), "65"))
    >>> picture.mode, picture.size
    ('1', (128, 64))
    """
    if screen.picture is not None and (screen.picture.width, screen.picture.height) == SIZE:
        return Image.frombytes("L", SIZE, screen.picture.pixels).convert("1", dither=Image.Dither.NONE)
    picture = Image.new("L", SIZE, 0)
    if screen.picture is not None and screen.picture.height == SIZE[1]:
        _draw_beside(picture, screen, screen.picture)
        return picture.convert("1", dither=Image.Dither.NONE)
    picture.paste(_LIT, (0, 0, SIZE[0], _TITLE_ROWS))
    title = _line(screen.title)
    picture.paste(0, ((SIZE[0] - title.width) // 2, 1), title)
    big = _drawable(screen.big.strip().upper())
    pitch = _LINE_ROWS if big or screen.picture else _ALONE_ROWS
    lines = screen.lines[:MAX_LINES]
    top = SIZE[1] - pitch * len(lines)
    if screen.picture is not None:
        _draw_picture(picture, screen.picture, _TITLE_ROWS + 1, top - 1)
    elif big:
        _draw_big(picture, big, _TITLE_ROWS + _GAP, top - (_GAP if lines else 0))
    else:
        top = (_TITLE_ROWS + top) // 2
    for index, line in enumerate(lines):
        picture.paste(_LIT, (0, top + index * pitch + 1), _line(line))
    return picture.convert("1", dither=Image.Dither.NONE)


def _drawable(text: str) -> str:
    """Return *text* with every character that has no glyph in its plain form."""
    return "".join(char if char in GLYPHS else plain(char) for char in unicodedata.normalize("NFC", text))


def _line(text: str) -> Image.Image:
    """Return one line of text as a mask: as wide as it is, eight rows for the descenders."""
    text = _drawable(text)[:LINE_CHARS].rstrip()
    mask = Image.new("L", (max(1, _CELL * len(text) - 1), ROWS + 1), 0)
    for index, char in enumerate(text):
        for column, bits in enumerate(GLYPHS[char]):
            for row in range(ROWS + 1):
                if bits >> row & 1:
                    mask.putpixel((index * _CELL + column, row), _LIT)
    return mask


def _draw_picture(picture: Image.Image, small: Bitmap, top: int, bottom: int) -> None:
    """Draw *small* in the middle between the rows *top* and *bottom*, made smaller where it does not fit."""
    drawn = Image.frombytes("L", (small.width, small.height), small.pixels)
    part = min(1.0, (bottom - top) / small.height, SIZE[0] / small.width)
    if part < 1:
        drawn = drawn.resize((max(1, int(small.width * part)), max(1, int(small.height * part))))
    picture.paste(drawn, ((SIZE[0] - drawn.width) // 2, (top + bottom - drawn.height) // 2))


def _draw_beside(picture: Image.Image, screen: Screen, high: Bitmap) -> None:
    """Draw *high*, which is as high as the display, at the left, and all words of *screen* in the room beside it."""
    picture.paste(Image.frombytes("L", (high.width, high.height), high.pixels), (0, 0))
    left, chars = high.width + 1, (SIZE[0] - high.width) // _CELL
    picture.paste(_LIT, (left, 0, SIZE[0], _TITLE_ROWS))
    title = _line(screen.title[:chars])
    picture.paste(0, (left + (SIZE[0] - left - title.width) // 2, 1), title)
    rows = [row for line in screen.lines for row in _wrapped(line, chars)]
    pitch = min(_ALONE_ROWS, (SIZE[1] - _TITLE_ROWS) // max(1, len(rows)))
    for index, row in enumerate(rows):
        picture.paste(_LIT, (left, _TITLE_ROWS + index * pitch + (pitch - ROWS) // 2 + 1), _line(row))


def _wrapped(line: str, chars: int) -> list[str]:
    """Return *line* on rows of so many characters; a number of the network is broken at its dots.

    Examples
    --------
    >>> _wrapped("on your phone", 11), _wrapped("192.168.178.20", 11)
    (['on your', 'phone'], ['192.168.', '178.20'])
    """
    if len(line) <= chars or " " in line:
        return textwrap.wrap(line, chars)
    breaks = [place + 1 for place, char in enumerate(line) if char in ".:/" and place + 1 <= chars]
    middle = min(breaks, key=lambda place: abs(2 * place - len(line)), default=chars)
    return [line[:middle], *_wrapped(line[middle:], chars)]


def _draw_big(picture: Image.Image, text: str, top: int, bottom: int) -> None:
    """Draw *text* as large and as bold as fits between the rows *top* and *bottom*, in the middle."""
    mask = _line(text).crop((0, 0, _CELL * len(text) - 1, ROWS))
    rows = bottom - top
    columns = min(SIZE[0] - 4, round(mask.width * rows / ROWS * _BROAD))
    bold = max(1, round(columns / mask.width * _BOLD))
    fine = mask.resize((mask.width * _FINE, ROWS * _FINE), Image.Resampling.NEAREST)
    scaled = fine.resize((columns, rows), Image.Resampling.BOX).point(lambda grey: _LIT if grey > _LIT // 2 else 0)
    left = (SIZE[0] - columns - bold) // 2
    for shift in range(bold + 1):
        picture.paste(_LIT, (left + shift, top), scaled)
