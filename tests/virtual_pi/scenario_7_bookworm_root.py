"""The page's commands on a bookworm, line by line, for a table with a USB camera; nothing has booted it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.virtual_pi.build import build_bookworm, within
from tests.virtual_pi.documented import commands


@pytest.fixture(scope="module")
def system() -> Path:
    """The root folder in which the page's 1, 2 and 5 have been run, and the table calibrated from pictures."""
    return build_bookworm()


def test_the_environment_is_bookworm_s_python_and_sees_the_pins_of_apt(system: Path) -> None:
    python = (
        "import sys, lgpio, gpiozero.pins.lgpio as pins; print(sys.version_info[:2], lgpio.__file__, pins.__file__)"
    )
    ran = within(system, f'. /etc/os-release; echo $VERSION_CODENAME; .venv/bin/python -c "{python}"')

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("bookworm\n(3, 11) /usr/lib/python3/dist-packages/lgpio.py /opt/mexico-table/.venv/")


def test_the_service_is_installed_and_switched_on(system: Path) -> None:
    unit = system / "etc" / "systemd" / "system" / "mexico-table.service"

    assert "ExecStart=/opt/mexico-table/.venv/bin/mexico-table" in unit.read_text("utf-8")
    assert (unit.parent / "multi-user.target.wants" / unit.name).is_symlink()
    assert "table_address" in (system / "var" / "lib" / "mexico-table" / "settings.toml").read_text("utf-8")
    assert "i2c_arm_baudrate=400000" in (system / "boot" / "firmware" / "config.txt").read_text("utf-8")


def test_what_belongs_where_is_told_and_the_doctor_names_what_is_not_there(system: Path) -> None:
    (wiring,) = [command for command in commands("3. Is everything wired?") if " wiring " in command]
    (doctor,) = [command for command in commands("4. Calibrate") if "doctor" in command]
    told, measured = within(system, wiring), within(system, doctor.replace("doctor", "doctor --json"))

    assert told.returncode == 0, told.stderr
    assert "GPIO18" in told.stdout
    assert measured.returncode == 0, measured.stderr
    states = {name: check["state"] for name, check in json.loads(measured.stdout).items()}
    assert {name for name, state in states.items() if state == "ok"} == {"storage"}
    assert set(states.values()) == {"ok", "absent"}, "no camera, no pins, no bus: nothing that is there has failed"


def test_a_whole_game_is_played_on_it(system: Path) -> None:
    ran = within(system, ".venv/bin/mexico-table --virtual --auto --fast --players 2 --seed 7 --state /tmp/evening")

    assert ran.returncode == 0, ran.stderr
    assert "wins" in ran.stdout
