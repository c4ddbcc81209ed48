"""The pictures and letters of the two kinds of display."""

from __future__ import annotations

import string
import unicodedata
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.devices import Screen
from hardware.glyphs import GLYPHS
from hardware.oled import LINE_CHARS, draw
from hardware.segments import FONT, WIDTH, drawn, fit, plain

ACCENTED = "ÄÖÜäöüßÁÉÍÓÚáéíóúÑñËÏëïÈè¿¡"
"""What German, Spanish and Dutch need besides ASCII."""

any_text = st.text(max_size=40)


def lit(screen: Screen) -> npt.NDArray[np.bool_]:
    return np.asarray(draw(screen))


@given(any_text, any_text, st.lists(any_text, max_size=5))
def test_whatever_the_words_there_is_a_picture_of_128_by_64(title: str, big: str, lines: list[str]) -> None:
    assert lit(Screen(title, big, tuple(lines), "")).shape == (64, 128)


@pytest.mark.parametrize("lines", [(), ("one",), ("one", "two"), ("one", "two", "three")])
@pytest.mark.parametrize("big", ["21", "COCKD", "MMMMM", "?"])
def test_the_big_word_touches_neither_the_title_nor_the_lines_nor_the_rim(big: str, lines: tuple[str, ...]) -> None:
    with_it = lit(Screen("", big, lines, ""))
    without = lit(Screen("", " ", (), ""))
    top, bottom = 10, 64 - 9 * len(lines)
    word = (with_it ^ without)[top:bottom]
    rows, columns = np.nonzero(word)
    rows.sort()
    columns.sort()

    assert rows[0] >= 2
    assert not lines or rows[-1] <= len(word) - 2
    assert columns[0] >= 1
    assert columns[-1] <= 126


@pytest.mark.parametrize(("lines", "least_rows"), [(0, 48), (1, 40), (2, 31), (3, 22)])
def test_the_score_takes_the_height_that_the_lines_leave(lines: int, least_rows: int) -> None:
    picture = lit(Screen("", "65", ("",) * lines, ""))[10:]

    assert picture.any(axis=1).sum() >= least_rows


def test_a_full_line_of_21_characters_is_not_cut() -> None:
    line = "M" * LINE_CHARS
    whole, cut = lit(Screen("", "", (line,), "")), lit(Screen("", "", (line[:-1],), ""))

    assert sorted(set(np.nonzero(whole ^ cut)[1].tolist())) == [120, 121, 122, 123, 124]


def test_different_screens_look_different() -> None:
    screens = [
        Screen("A", "21", (), ""),
        Screen("B", "21", (), ""),
        Screen("A", "31", (), ""),
        Screen("A", "21", ("pot 4",), ""),
        Screen("A", "21", ("pot 5",), ""),
        Screen("A", "", ("21",), ""),
    ]
    pictures = {lit(screen).tobytes() for screen in screens}

    assert len(pictures) == len(screens)


def test_every_printable_character_has_a_glyph_of_its_own() -> None:
    printable = [chr(code) for code in range(32, 127)]

    assert sorted(GLYPHS) == printable + sorted(ACCENTED)
    assert len(set(GLYPHS.values())) == len(GLYPHS)
    assert {len(columns) for columns in GLYPHS.values()} == {5}


def test_letters_of_other_languages_than_the_tables_lose_their_accents() -> None:
    assert (lit(Screen("Åsa", "ç", ("Łukasz Žižek",), "")) == lit(Screen("Asa", "C", ("?ukasz Zizek",), ""))).all()


@pytest.mark.parametrize("letter", [letter for letter in ACCENTED if letter.isalpha()])
def test_an_accent_is_seen_whether_it_is_written_with_the_letter_or_after_it(letter: str) -> None:
    bare = unicodedata.normalize("NFD", letter)

    assert (lit(Screen(letter, "", (letter,), "")) == lit(Screen(bare, "", (bare,), ""))).all()
    assert (lit(Screen("", "", (letter,), "")) != lit(Screen("", "", (plain(letter),), ""))).any()


def test_seven_segments_have_no_accents() -> None:
    assert [fit(text) for text in ("ÉÉN", "groß", "¡sí!", "¿año")] == ["EEN ", "GROS", "SI! ", "ANO "]


def test_all_letters_and_digits_have_segments_and_only_s_looks_like_5() -> None:
    same = {(a, b) for a, b in combinations(string.digits + string.ascii_uppercase, 2) if FONT[a] == FONT[b]}

    assert same == {("5", "S")}


@given(any_text)
def test_whatever_the_words_four_characters_fit_the_digits(text: str) -> None:
    assert len(fit(text)) == WIDTH
    assert set(fit(text)) <= set(FONT)


@given(any_text)
def test_drawn_text_has_three_rows(text: str) -> None:
    assert len(drawn(text)) == 3
