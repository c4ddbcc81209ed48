"""What keeps somebody from using a page, as far as a program can tell: names, order, keyboard, contrast, room.

A small check of our own in the manner of axe: each rule is one of WCAG 2.2 at level AA, named in what it finds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

HERE = Path(__file__).parent
_BARRIERS = (HERE / "barriers.js").read_text()
_CUT_OFF = (HERE / "cut_off.js").read_text()
SETTLED_S = 2.0
"""What a page shows of one event may arrive in parts: game, story and picture. Guests see the last within this."""


def barriers(page: Page) -> list[str]:
    """Return what of *page* as it is now somebody cannot see, hear of or reach; each with the rule it breaks."""
    return list(page.evaluate(_BARRIERS))


def cut_off(page: Page) -> list[str]:
    """Return what does not fit into its place on *page*, and that the page is broader than the window."""
    broad, wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    sideways = [f"the page is {broad} wide in a window of {wide}"] if broad > wide else []
    return [*sideways, *page.evaluate(_CUT_OFF)]


def lasting(page: Page, find: Callable[[Page], list[str]]) -> list[str]:
    """Return what *find* still finds on *page* when all parts of the news have had the time to arrive."""
    end_s = time.monotonic() + SETTLED_S
    while (found := find(page)) and time.monotonic() < end_s:
        page.wait_for_timeout(100)
    return found
