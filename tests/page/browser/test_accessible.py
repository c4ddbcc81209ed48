"""The check finds what it is for: a page on which everything is wrong, one thing at a time."""

from __future__ import annotations

import pytest

from tests.page.browser.accessible import barriers, cut_off
from tests.page.browser.running import Look

pytestmark = pytest.mark.browser

GOOD = (
    '<!doctype html><html lang="en"><head><title>a</title></head><body><main><h1>one</h1><h2>two</h2>'
    "<ul><li>a</li></ul>{}</main></body></html>"
)
BOX = "overflow: hidden; width: 40px; height: 40px"


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        pytest.param('<button style="width: 40px; height: 40px"></button>', "4.1.2", id="a button without a name"),
        pytest.param('<section aria-labelledby="x">a</section>', "4.1.2", id="a label that is not there"),
        pytest.param('<img src="data:,">', "1.1.1", id="a picture without words"),
        pytest.param('<svg width="9" height="9"></svg>', "1.1.1", id="a drawing neither named nor hidden"),
        pytest.param("<h4>four</h4>", "1.3.1", id="a level left out"),
        pytest.param('<p id="a">a</p><p id="a">a</p>', "4.1.1", id="one id for two"),
        pytest.param("<ul><b>a</b></ul>", "1.3.1", id="a list of something else"),
        pytest.param('<p tabindex="3">a</p>', "2.4.3", id="an order of its own"),
        pytest.param(
            f'<div style="{BOX}; overflow: auto"><p style="height: 90px">a</p></div>', "2.1.1", id="no way to scroll"
        ),
        pytest.param('<button style="width: 20px">x</button>', "2.5.8", id="nothing for a finger"),
        pytest.param('<p style="color: #888; background: #fff">a</p>', "1.4.3", id="grey on white"),
        pytest.param('<p style="opacity: 0.5; color: #555; background: #fff">a</p>', "1.4.3", id="half transparent"),
    ],
)
def test_what_is_wrong_is_found(look: Look, wrong: str, rule: str) -> None:
    page = look("about:blank")
    page.set_content(GOOD.format(""))
    assert barriers(page) == []
    page.set_content(GOOD.format(wrong))
    found = barriers(page)

    assert found
    assert all(what.startswith(rule) for what in found)


def test_what_is_cut_off_is_found(look: Look) -> None:
    page = look("about:blank", 360, 740)
    page.set_content(GOOD.format(f'<div style="{BOX}">short</div>'))
    assert cut_off(page) == []
    page.set_content(GOOD.format(f'<div style="{BOX}">a word that is broader than its place</div>'))
    assert len(cut_off(page)) == 1
    page.set_content(GOOD.format('<p style="width: 400px">a</p>'))
    assert cut_off(page) == ["the page is 408 wide in a window of 360"]
