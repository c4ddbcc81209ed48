"""The virtual Pi for the scenarios: built once, and one evening from its first boot to the last scenario."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.board import load_board
from tests.virtual_pi.build import CANNOT, Built, CannotBuildError, build
from tests.virtual_pi.documented import commands
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


@pytest.fixture(scope="session")
def bare(built: Built, pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """The standard table, its Pi just switched on; what it writes is gone when the last scenario is over."""
    folder = tmp_path_factory.mktemp("machine")
    machine = Machine(built, overlay(built.disk, folder / "disk.qcow2"), folder)
    machine.switch_on()
    yield Table(machine, load_board("standard"), pictures)
    machine.cut_power()


@pytest.fixture(scope="session")
def table(bare: Table) -> Table:
    """The standard table as the first scenario leaves it; where that was left out, its service is installed now."""
    if bare.property("UnitFileState") != "enabled":
        bare.clear_unseen()
        for command in commands("5. Let it start with the Pi"):
            if " pin " not in command:  # only for the bartender's page
                bare.machine.run(command, 300)
        bare.shows("MEXICO: press a seat")
    return bare
