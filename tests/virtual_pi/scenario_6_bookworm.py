"""The other system of the page, bookworm: as far as apt and pip resolve what its commands ask for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.passed import ROOT
from tests.virtual_pi.build import mirror
from tests.virtual_pi.documented import commands

OF_RASPBERRY_PI_OS = {"python3-lgpio", "python3-picamera2"}
"""Packages that Debian has not."""

A_PI = ("manylinux_2_36_aarch64", "manylinux_2_28_aarch64", "manylinux2014_aarch64")


def packages() -> list[str]:
    """Return the packages that the page installs and that Debian has as well."""
    lines = [line for line in commands("1. First boot") if "apt install" in line]
    words = [word for line in lines for word in line.split("install", 1)[1].split()]
    named = {word for word in words if re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", word)}
    assert named >= OF_RASPBERRY_PI_OS
    return sorted(named - OF_RASPBERRY_PI_OS)


def test_apt_on_bookworm_finds_what_the_page_names() -> None:
    done = subprocess.run(
        ["mmdebstrap", "--simulate", "--variant=minbase", f"--include={','.join(packages())}", "bookworm", "/dev/null",
         f"deb {mirror()} bookworm main"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr[-2000:]


def test_pip_finds_every_pinned_library_for_bookworm_s_python_on_a_pi(tmp_path: Path) -> None:
    platforms = [word for name in A_PI for word in ("--platform", name)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--no-deps", "--require-hashes",
         "--ignore-installed", "--target", str(tmp_path), "--python-version", "3.11", "--implementation", "cp",
         "--only-binary", ":all:", *platforms, "-r", str(ROOT / "requirements.txt")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr[-2000:]
