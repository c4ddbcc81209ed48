"""A table that runs as its own process, and what starts one and opens its page."""

from __future__ import annotations

import signal
import subprocess
from dataclasses import dataclass
from typing import Protocol

from playwright.sync_api import Page


@dataclass
class Running:
    """A table that runs as its own process."""

    process: subprocess.Popen[str]
    address: str

    @property
    def host(self) -> str:
        """Return host and port, to start another one at the same place."""
        return self.address.removeprefix("http://")

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=20)


class Start(Protocol):
    """Starts a table with these arguments; the same state folder for all tables of a test."""

    def __call__(self, *arguments: str, address: str = "127.0.0.1:0") -> Running: ...


class Look(Protocol):
    """Opens an address in a window of its own; *context* is that of Playwright, such as ``color_scheme``."""

    def __call__(self, address: str, width: int = 1280, height: int = 800, **context: object) -> Page: ...
