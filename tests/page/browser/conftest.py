"""A real browser before a real table: the program runs as its own process, Debian's Chromium looks at its page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from tests.page.browser.running import Look, Running, Start

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return what starts a table with these arguments, in one state folder; all are ended after the test."""
    with ExitStack() as stack:

        def started(*arguments: str, address: str = "127.0.0.1:0") -> Running:
            command = [sys.executable, "-m", "firmware", "--state", str(tmp_path / "state"), "--page-address", address]
            process = subprocess.Popen(
                [*command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
            )
            stack.callback(ended, process)
            assert process.stdout is not None
            line = process.stdout.readline()
            assert " http://" in line, f"the table said {line!r} and not where its page is"
            return Running(process, line.split()[-1])

        yield started


def ended(process: subprocess.Popen[str]) -> None:
    """End *process* if it still runs."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=20)
    if process.stdout is not None:
        process.stdout.close()


@pytest.fixture(scope="module")  # for longer its event loop would be in the way of tests that run one of their own
def browser() -> Iterator[Browser]:
    """Return Chromium, without a window; tests are skipped where there is none, except on the build machine."""
    if CHROMIUM is None:
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing("no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except Error as error:
            pytest.fail(f"{CHROMIUM} does not start: {error}")
        yield chromium
        chromium.close()


@pytest.fixture
def look(browser: Browser) -> Iterator[Look]:
    """Return what opens an address in a window of its own; a script's error in any of them fails the test."""
    with ExitStack() as stack:
        wrong: list[str] = []

        def looked(address: str, width: int = 1280, height: int = 800, **context: object) -> Page:
            window = browser.new_context(viewport={"width": width, "height": height}, **context)  # type: ignore[arg-type]
            stack.callback(window.close)
            page = window.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.goto(address)
            return page

        yield looked
        assert not wrong
