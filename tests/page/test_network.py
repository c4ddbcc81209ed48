"""Where a phone finds the page, as the table's own network interfaces have it."""

from __future__ import annotations

import fcntl
import socket
from collections.abc import Iterator

import pytest

from firmware.page import network
from firmware.page.network import own_address, shared


class Listener:
    """A socket that listens somewhere, without a network."""

    def __init__(self, host: str, port: int = 8021) -> None:
        self.family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._name = (host, port)

    def getsockname(self) -> tuple[str, int]:
        return self._name


EVERYWHERE = "0.0.0.0"  # noqa: S104 (nothing listens there)


def at(host: str) -> str:
    return shared(Listener(host))  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.53", "::1", "fe80::1"])
def test_what_only_this_computer_can_open_is_shown_to_nobody(host: str) -> None:
    assert at(host) == ""


@pytest.mark.parametrize(
    ("host", "page"),
    [("192.168.1.20", "http://192.168.1.20:8021"), ("fd00::12", "http://[fd00::12]:8021")],
)
def test_an_interface_that_was_named_is_where_the_page_is(host: str, page: str) -> None:
    assert at(host) == page


def test_where_all_interfaces_are_listened_at_the_own_address_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {socket.AF_INET: "10.1.2.3", socket.AF_INET6: "2001:db8::7"}
    monkeypatch.setattr(network, "own_address", own.get)

    assert at(EVERYWHERE) == "http://10.1.2.3:8021"
    assert at("::") == "http://[2001:db8::7]:8021"


def test_without_a_network_there_is_nothing_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "own_address", lambda _family: None)

    assert at(EVERYWHERE) == at("::") == ""


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Return what a socket is asked to send; its routes lead nowhere."""
    asked: list[object] = []

    class NoRoute(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError(101, "Network is unreachable")

        def send(self, *words: object) -> int:
            asked.append(words)
            return 0

        sendto = sendmsg = sendall = send  # type: ignore[assignment]

    monkeypatch.setattr(socket, "socket", NoRoute)
    yield asked
    assert not asked


def test_a_network_that_leads_nowhere_has_an_address_too(sent: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with an access point of its own has no way out, and phones in the room reach it all the same."""
    addresses = {"lo": "127.0.0.1", "wlan0": "192.168.4.1"}

    def ask(_socket: object, request: int, interface: bytes) -> bytes:
        name = interface.rstrip(b"\0").decode()
        if request != network.SIOCGIFADDR or name not in addresses:
            raise OSError(99, "Cannot assign requested address")
        return interface[:20] + socket.inet_aton(addresses[name]) + bytes(8)

    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0"), (3, "wlan0")])
    monkeypatch.setattr(fcntl, "ioctl", ask)

    assert own_address(socket.AF_INET) == "192.168.4.1"
    assert own_address(socket.AF_INET6) is None
    addresses.pop("wlan0")
    assert own_address(socket.AF_INET) is None


def test_the_kernel_is_asked_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback is an interface of every Linux: what it answers is what is read here."""
    monkeypatch.setattr(network, "_useless", lambda address: not address.startswith("127."))

    assert network._of_an_interface() == "127.0.0.1"
