"""The virtual Pi for the scenarios: built once, installed once as the page has it, and from then on a copy for each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.board import load_board
from tests.virtual_pi.build import CANNOT, Built, CannotBuildError, build
from tests.virtual_pi.machine import Machine, overlay
from tests.virtual_pi.table import Table


@pytest.fixture(scope="session")
def built() -> Built:
    """The disk that is booted; a machine that cannot make it fails, with one line."""
    try:
        return build()
    except CannotBuildError as error:
        pytest.exit(f"virtual-pi: NOT BUILT, NOT RUN: {error}", returncode=CANNOT)


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where the screens are put for a person to look at: VIRTUAL_PI_PICTURES, or a folder beside the tests' caches."""
    folder = Path(os.environ.get("VIRTUAL_PI_PICTURES", "build/virtual-pi"))
    shutil.rmtree(folder, ignore_errors=True)
    return folder


Start = Callable[[Path], Machine]


@pytest.fixture(scope="session")
def start(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Switch a Pi on whose disk begins as the one that is given; it is switched off when the scenario is over."""
    machines = []

    def started(below: Path) -> Machine:
        folder = tmp_path_factory.mktemp("machine")
        machine = Machine(built, overlay(below, folder / "disk.qcow2"), folder)
        machines.append(machine)
        machine.switch_on()
        return machine

    yield started
    for machine in machines:
        machine.cut_power()


@pytest.fixture(scope="session")
def table(start: Start, built: Built, pictures: Path) -> Table:
    """The standard table, its Pi just switched on."""
    return Table(start(built.disk), load_board("standard"), pictures)
