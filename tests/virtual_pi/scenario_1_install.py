"""From the first boot to a table that waits for guests: docs/install.md, 3 to 5, as they stand there."""

from __future__ import annotations

import json

import pytest

from tests.virtual_pi.documented import commands
from tests.virtual_pi.table import STATE, Table

NO_CAMERA_NEEDED = "buttons", "encoder", "lamps", "display", "sound", "storage"


def test_the_kernel_says_that_this_is_a_pi_with_its_pins_its_bus_and_its_camera(bare: Table) -> None:
    found = bare.machine.run(
        "tr -d '\\0' </proc/device-tree/model; echo; ls /dev/gpiochip0 /dev/i2c-1 /dev/udmabuf; "
        "cat /boot/firmware/config.txt; .venv/bin/python -c 'import cv2, picamera2; print(picamera2.__file__)'"
    )

    assert found.code == 0, found.said
    assert "Raspberry Pi 4 Model B" in found.out
    assert "dtparam=i2c_arm=on,i2c_arm_baudrate=400000" in found.out
    assert "/usr/lib/python3/dist-packages/picamera2" in found.out, "make venv sees the system's packages"


def test_the_page_s_commands_tell_what_belongs_where_on_this_board(bare: Table) -> None:
    every = commands("3. Is everything wired?")
    (command,) = [command for command in every if " wiring " in command]
    ran = bare.machine.run(command, 400)

    assert ran.code == 0, ran.said
    assert "GPIO18" in ran.out
    assert [command for command in every if " wiring " not in command] == commands("4. Calibrate"), "the doctor, below"


def test_the_doctor_finds_every_part_well_and_measures_it(bare: Table) -> None:
    bare.clear_unseen()
    (measured,) = [command for command in commands("4. Calibrate") if "doctor" in command]
    ran = bare.machine.run(measured.replace("doctor", "doctor --json"), 400)
    checks = json.loads(ran.out)

    assert ran.code == 0, ran.said
    assert {name: check["state"] for name, check in checks.items() if check["state"] != "absent"} == dict.fromkeys(
        ("camera", "light", *NO_CAMERA_NEEDED), "ok"
    )
    assert "1280 x 960" in checks["camera"]["found"]
    assert "I2C bus 1, address 0x3C" in checks["display"]["found"]


@pytest.mark.parametrize("command", commands("5. Let it start with the Pi"))
def test_the_service_is_installed_as_the_page_has_it(bare: Table, command: str) -> None:
    if " pin " in command:
        # Typed in a terminal, and again and again: what is typed before it is asked for is thrown away.
        command = f"for n in 1 2 3 4 5 6; do sleep 8; echo 83117; done | script -qec '{command}' /dev/null"
    ran = bare.machine.run(command, 300)

    assert ran.code == 0, f"{command}\n{ran.said}"


def test_the_self_test_is_green_and_the_table_asks_for_guests(bare: Table) -> None:
    bare.until(lambda: "MEXICO" in bare.words()[0], "the table asks for guests")
    bare.keep("1-empty-table")

    bare.until(lambda: "everything is well" in bare.journal(), "the self-test is over")
    assert bare.property("DynamicUser") == "yes"


def test_the_service_owns_its_folder_and_the_page_is_served(bare: Table) -> None:
    ran = bare.machine.run(
        f"stat -c %U {STATE}/ $(readlink -f {STATE})/journal.sqlite3; ls {STATE}/; "
        "python3 -c \"import urllib.request as u; print(u.urlopen('http://127.0.0.1:8021/').status)\""
    )

    assert ran.code == 0, ran.said
    assert set(ran.out.split()[:2]) <= {"mexico-table", "nobody"}, "systemd 257 maps the service's user to nobody"
    assert ran.out.split()[-1] == "200"
