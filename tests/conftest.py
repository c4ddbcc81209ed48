"""What all tests share: where the shared data lies, and how to rewrite golden transcripts."""

import os
import signal
from pathlib import Path

import cv2
import pytest
from hypothesis import HealthCheck, settings

import firmware  # noqa: F401  (before numpy: it keeps OpenBLAS to one thread, as at the table)
from tests.rendered import calibrated
from vision import Calibration
from vision.render import Table

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


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data beside the checkout; without it a test is skipped, and in CI it fails."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing("no shared data beside the checkout")
    return folder


@pytest.fixture(scope="session")
def table() -> Table:
    """Return a rendered tray, the same for all who do not bring their own."""
    return Table(seed=3)


@pytest.fixture(scope="session")
def calibration(table: Table) -> Calibration:
    """Return what a calibration finds out about it."""
    return calibrated(table)
