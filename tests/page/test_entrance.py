"""Where browsers come in: at once, or as soon as the network or another program lets them."""

from __future__ import annotations

import logging
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from firmware.errors import PageError
from firmware.page import entrance
from firmware.page.address import Address
from firmware.page.entrance import Entrance
from firmware.page.page import Page
from tests.page.conftest import Desk, eventually

NOT_OURS = "192.0.2.7"  # for documents only (RFC 5737): no computer has it


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    """A listener of another program."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        yield listener


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def address_of(listener: socket.socket) -> Address:
    return Address("127.0.0.1", listener.getsockname()[1], exactly=True)


def test_an_address_that_cannot_be_had_is_an_error_where_nobody_is_to_wait(taken: socket.socket) -> None:
    with pytest.raises(PageError, match="taken by another program"):
        Entrance(address_of(taken))


def test_who_waits_is_served_as_soon_as_the_address_is_free(
    real: Desk, taken: socket.socket, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(entrance, "AGAIN_S", 0.01)
    port, tries = taken.getsockname()[1], list[int]()
    try_it = Address.listen

    def counted(address: Address) -> socket.socket:
        tries.append(1)
        return try_it(address)

    monkeypatch.setattr(Address, "listen", counted)
    caplog.set_level(logging.INFO)
    way_in = Entrance(address_of(taken), patient=True)
    with way_in.opened(Page(real.site)):
        eventually(lambda: len(tries) > 3, "nobody tries again")
        assert way_in.phones() == ""
        taken.close()
        eventually(lambda: answers(port), "nobody answers")

    assert caplog.text.count("taken by another program") == 1
    assert f"the page is at http://127.0.0.1:{port}" in caplog.text
    assert not answers(port)


def test_a_page_that_nobody_could_serve_ends_with_the_table(real: Desk, caplog: pytest.LogCaptureFixture) -> None:
    way_in = Entrance(Address(NOT_OURS, 8021, exactly=True), patient=True)
    with way_in.opened(Page(real.site)):
        assert way_in.phones() == ""

    assert f"no page can be served at {NOT_OURS}:8021" in caplog.text


def test_a_table_without_a_page_is_found_nowhere(real: Desk) -> None:
    way_in = Entrance(None)
    with closing(way_in), way_in.opened(Page(real.site)):
        assert way_in.phones() == ""


def test_an_address_that_can_be_had_is_told_to_phones_at_once(real: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "shared", lambda listener: f"at {listener.getsockname()[1]}")
    with ExitStack() as stack:
        way_in = Entrance(Address("127.0.0.1", 0, exactly=True), patient=True)
        stack.enter_context(way_in.opened(Page(real.site)))

        assert way_in.phones().startswith("at ")
        assert answers(int(way_in.phones().removeprefix("at ")))
