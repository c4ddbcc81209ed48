"""What all tests share: where the shared data lies, and how to rewrite golden transcripts."""

import hashlib
import os
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import pytest
from hypothesis import HealthCheck, settings

import firmware  # noqa: F401  (before numpy: it keeps OpenBLAS to one thread, as at the table)
from tests.rendered import calibrated
from vision import Calibration
from vision.find_tray import find_floor
from vision.render import Table
from vision.types import Frame

settings.register_profile("soak", max_examples=4_000)
# A processor that is emulated is ten times slower: of few examples none is late (make aarch64).
settings.register_profile("emulated", max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# As at the table, and a sixth less work: the workers have all cores.
cv2.setNumThreads(1)

ROOT = Path(__file__).resolve().parents[1]


def pytest_configure() -> None:
    """Hear Ctrl-C: who is started in the background of a script ignores it, and so would every program tested here."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regold", action="store_true", help="rewrite tests/golden/*.txt, to be reviewed in the diff")
    parser.addoption("--all", action="store_true", help="also what is marked `long`, and every case of `one_in`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `--all` runs; who names a test by itself gets it."""
    if config.getoption("--all") or any("::" in argument for argument in config.args):
        return
    cases: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        function = item.nodeid.partition("[")[0]
        one_in = item.get_closest_marker("one_in")
        is_left = item.get_closest_marker("long") or (one_in and cases[function] % one_in.args[0])
        cases[function] += 1
        (left if is_left else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data beside the checkout; without it a test is skipped, and in CI it fails."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing("no shared data beside the checkout")
    return folder


_floors: dict[tuple[bytes, tuple[float, float]], Any] = {}


@pytest.fixture
def floors_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for the floor in one and the same picture but once, in whatever test: that takes four seconds of a core."""

    def find(empty: Frame, tray_mm: tuple[float, float]) -> Any:
        key = hashlib.sha256(empty.tobytes()).digest(), tray_mm
        if key not in _floors:
            _floors[key] = find_floor(empty, tray_mm)
        return _floors[key]

    monkeypatch.setattr("vision.calibrating.find_floor", find)


@pytest.fixture(scope="session")
def table() -> Table:
    """Return a rendered tray, the same for all who do not bring their own."""
    return Table(seed=3)


@pytest.fixture(scope="session")
def calibration(table: Table) -> Calibration:
    """Return what a calibration finds out about it."""
    return calibrated(table)
