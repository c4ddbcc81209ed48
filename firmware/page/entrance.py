"""Where browsers come in: a listener that is there, or one that is tried for until it is."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from firmware.errors import PageError
from firmware.page.address import Address
from firmware.page.network import shared
from firmware.page.page import Page

logger = logging.getLogger(__name__)

AGAIN_S: Final = 10.0
"""An address that cannot be had is tried again after so long."""

END_S: Final = 5.0


class Entrance:
    """Where browsers find a table.

    Parameters
    ----------
    address
        Where they look for it; None where they find none.
    patient
        Whether a table goes on without its page until there is that address: a network may come long after the power.

    Raises
    ------
    PageError
        If it cannot be had and nobody is *patient*.
    """

    def __init__(self, address: Address | None, *, patient: bool = False) -> None:
        self._address = address
        self._listener: socket.socket | None = None
        self._over = threading.Event()
        if address is None:
            return
        try:
            self._listener = address.listen()
        except PageError as error:
            if not patient:
                raise
            logger.warning("the table has no page yet: %s; it is tried again every %.0f s", error, AGAIN_S)

    def phones(self) -> str:
        """Return where phones find the page at this moment, empty where they cannot. From any thread."""
        listener = self._listener
        if listener is not None:
            with suppress(OSError):  # it has just been closed
                return shared(listener)
        return ""

    def close(self) -> None:
        """Let nobody in any more."""
        if self._listener is not None:
            self._listener.close()

    @contextmanager
    def opened(self, page: Page) -> Iterator[None]:
        """Let browsers in to *page* for the time of a ``with`` block, as soon as that can be."""
        if self._address is None or self._listener is not None:
            with page.served(self._listener):
                yield
            return
        # On a thread of its own: a name that stands for an address may take seconds to be found out.
        waiting = threading.Thread(target=self._wait, args=(self._address, page), name="entrance", daemon=True)
        waiting.start()
        try:
            yield
        finally:
            self._over.set()
            waiting.join(timeout=END_S)

    def _wait(self, address: Address, page: Page) -> None:
        while not self._over.wait(AGAIN_S):
            with suppress(PageError):
                self._listener = address.listen()
                break
        if self._listener is None:
            return
        try:
            with page.served(self._listener):
                self._over.wait()
        except Exception:
            logger.exception("the table goes on without its page")
