"""Every address of the panel, with whatever a browser that is logged in could send: an answer each time."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.page import panel as panel_module
from firmware.settings import default
from mexico.catalogue import GAMES
from tests.page.panel.conftest import Browser, Desk

POSTS = ("/panel/order", "/panel/settings/save", "/panel/dice", "/panel/here")
KEYS = [f"{section}.{key}" for section, table in default().items() if isinstance(table, dict) for key in table]
RULES = sorted({rule.name for entry in GAMES.values() for rule in entry.house.rules})

leaf: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
tree = st.recursive(leaf, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4))
orders = st.fixed_dictionaries(
    {},
    optional={
        "order": st.sampled_from(["pause", "resume", "void"]) | st.text(),
        "reason": st.text() | leaf,
        "game": st.integers() | leaf,
        "event": st.integers() | leaf,
    },
)
words = st.text(max_size=12) | leaf | st.lists(st.text(max_size=9), max_size=9)
forms = st.fixed_dictionaries(
    {"version": st.just("SEEN") | st.text(), "answers": st.dictionaries(st.sampled_from(KEYS) | st.text(), words)},
    optional={"house_rules": st.none() | st.dictionaries(st.sampled_from(RULES) | st.text(), leaf, max_size=4)},
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(address=st.sampled_from(POSTS), body=orders | forms | tree)
def test_nonsense_is_answered_and_leaves_settings_that_start(
    desk: Desk, inside: Browser, caplog: pytest.LogCaptureFixture, address: str, body: Any
) -> None:
    inside.enter()
    if isinstance(body, dict) and body.get("version") == "SEEN":
        body["version"] = inside.get("/panel/settings").json()["version"]

    answer = inside.post(address, body)

    assert answer.status_code < 500, answer.text
    assert answer.json()
    assert inside.get("/panel/settings").status_code == 200, "what was saved can be read"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(more=st.text(), before=st.text())
def test_no_address_is_a_mistake_of_the_panel(
    desk: Desk, inside: Browser, monkeypatch: pytest.MonkeyPatch, more: str, before: str
) -> None:
    monkeypatch.setattr(panel_module, "FRESH_S", 0.0)
    for address in (f"/panel/games/{quote(more)}", f"/panel/evenings/{quote(more)}", f"/panel/{quote(more)}"):
        assert inside.get(address).status_code < 500
    assert inside.get(f"/panel/games?before={quote(before)}").status_code == 200
