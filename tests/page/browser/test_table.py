"""A person plays at the virtual table in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.page.browser.conftest import Look, Start

pytestmark = pytest.mark.browser

SHORT = """
[game.house_rules]
buy_in = 1
lead_roll = false
[virtual]
odd_throws = 0
"""
