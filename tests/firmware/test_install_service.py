"""The service: a unit that systemd understands, and what to do next."""

from __future__ import annotations

import configparser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware.cli_service import program, unit_text

if TYPE_CHECKING:
    from tests.firmware.conftest import Call


def service(text: str) -> dict[str, str]:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    return dict(parser["Service"])


def test_the_unit_runs_this_program_under_a_watchdog_and_without_rights() -> None:
    unit = service(unit_text(Path("/opt/mexico-table/.venv/bin/mexico-table")))

    assert unit["ExecStart"] == "/opt/mexico-table/.venv/bin/mexico-table --hardware --state %S/mexico-table"
    assert (unit["Type"], unit["Restart"], unit["WatchdogSec"]) == ("notify", "always", "20")
    assert unit["DynamicUser"] == unit["NoNewPrivileges"] == "yes"
    assert unit["SupplementaryGroups"].split() == ["gpio", "i2c", "video", "audio"]
    assert unit["ProtectSystem"] == "strict"
    assert {"AF_INET", "AF_INET6"} <= set(unit["RestrictAddressFamilies"].split()), "without them no page is served"
    assert unit["WorkingDirectory"] == "%S/mexico-table", "lgpio writes where it is begun, and / is read-only"


def test_the_unit_may_ask_the_firmware_for_its_voltage() -> None:
    """The device of ``vcgencmd`` has another name in newer systems."""
    lines = unit_text(Path("/opt/mexico-table")).splitlines()

    assert {"DeviceAllow=/dev/vcio rw", "DeviceAllow=/dev/vcio_gencmd rw"} <= set(lines)


def test_a_folder_with_a_space_and_a_percent_sign_is_written_as_systemd_reads_it() -> None:
    unit = service(unit_text(Path("/opt/our table/100%/bin/mexico-table")))

    assert unit["ExecStart"].startswith('"/opt/our table/100%%/bin/mexico-table" --hardware')


def test_the_unit_is_written_and_the_next_steps_are_told(call: Call, tmp_path: Path) -> None:
    answer = call("install-service", "--unit", tmp_path / "mexico-table.service")

    assert answer.code == 0
    assert (tmp_path / "mexico-table.service").read_text() == unit_text(program())
    assert "systemctl enable --now mexico-table" in answer.out
    assert call("install-service", "--print").out == unit_text(program())


def test_where_nothing_may_be_written_sudo_is_advised(call: Call, tmp_path: Path) -> None:
    answer = call("install-service", "--unit", tmp_path / "nowhere" / "unit")

    assert answer.code == 2
    assert "or call it with sudo" in answer.err


def test_a_program_that_is_not_installed_is_one_clear_line(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    answer = call("install-service", "--unit", tmp_path / "unit")

    assert answer.code == 2
    assert "is not there" in answer.err
    assert not (tmp_path / "unit").exists()
