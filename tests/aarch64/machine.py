"""A 64-bit Arm Python on any Debian: libraries unpacked from Debian's packages, run by QEMU's user emulation.

No maintainer script runs, nothing is mounted and nothing is registered with the kernel (binfmt_misc): the interpreter
is a shell script of two lines that calls QEMU, so whoever starts `sys.executable`, as many tests do, starts QEMU again.
The libraries of Python are chosen by that interpreter's own tags and markers, and fetched by this computer.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock
from platformdirs import user_cache_path

ROOT = Path(__file__).resolve().parents[2]

SYSTEMS = {"bookworm": "3.11", "trixie": "3.13"}
"""Raspberry Pi OS is one of these, with this Python."""

CPU = "cortex-a72"
"""A Raspberry Pi 4's: a library that was compiled for anything newer dies here as it would there."""

PROGRAMS = {"qemu-aarch64": "qemu-user", "mmdebstrap": "mmdebstrap", "gcc": "gcc libc6-dev"}
"""What is called, and the Debian packages that have it."""

PACKAGES = ("python3", "libstdc++6", "media-types", "tzdata")

MERGED_USR = "/usr/share/mmdebstrap/hooks/merged-usr"

USELESS = ("./dev", "./proc", "./run", "./sys", "./tmp", "./var")
"""Left out of a root: the program has those of this computer."""

KEPT_DAYS = 30


class Trouble(Exception):
    """Why something could not be run here: one line, and what to do about it."""


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Say how long *what* took, once it is done."""
    begin = time.monotonic()
    yield
    say(f"{what}: {time.monotonic() - begin:.0f} s")


def say(line: str) -> None:
    """Print one line at once."""
    print(f"aarch64: {line}", flush=True)


def run(
    command: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None, check: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run *command* and return what it said.

    Raises
    ------
    Trouble
        When it fails and *check* is set, with its last words.
    """
    environment = {**os.environ, **(env or {})}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        words = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        errors = [line for line in words if line.startswith(("E:", "error", "ERROR"))]
        why = (errors or words or ["it said nothing"])[-1]
        raise Trouble(f"{Path(command[0]).name} ended with {done.returncode}: {why}")
    return done


def need_programs() -> None:
    """Install what of `PROGRAMS` is missing, where this is a Debian and we may.

    Raises
    ------
    Trouble
        When we may not: with the command for whoever may.
    """
    missing = [packages for program, packages in PROGRAMS.items() if shutil.which(program) is None]
    if not missing:
        return
    packages = " ".join(missing).split()
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise Trouble(f"not run, because programs are missing here; on Debian: sudo apt install {' '.join(packages)}")
    with timed(f"apt-get install {' '.join(packages)}"):
        apt = ("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300")
        run([*apt, "update"])
        run([*apt, "install", "--no-install-recommends", *packages], env={"DEBIAN_FRONTEND": "noninteractive"})


def python_of(system: str) -> Path:
    """Return the emulated Python of *system*, with every library of `requirements-dev.txt`."""
    recipe = [system, CPU, *PACKAGES, *USELESS, inspect.getsource(_unpack)]
    root = _kept(f"{system}-root", recipe, lambda path: _unpack(system, path))
    lock = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    recipe = [root.name, lock, inspect.getsource(_install)]
    return _kept(f"{system}-venv", recipe, lambda path: _install(root, path)) / "bin" / "python"


def install(wheel: Path, python: Path, target: Path) -> None:
    """Install *wheel* alone for *python* into the folder *target*."""
    run([uv(), "pip", "install", "-q", "--no-deps", "--python", python, "--target", target, wheel])


def uv() -> Path:
    """Return the installer, which asks the emulated Python and does the rest without emulation."""
    return Path(sysconfig.get_path("scripts")) / "uv"


def _kept(kind: str, recipe: Sequence[str], make: Callable[[Path], None]) -> Path:
    """Return the cached folder that *make* makes of *recipe*; one that was broken off in the making is made anew."""
    cache = user_cache_path("mexico-table") / "aarch64"
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"{kind}-{hashlib.sha256(repr(recipe).encode()).hexdigest()[:16]}"
    with FileLock(f"{path}.lock"):
        if (path / "whole").exists():
            say(f"{kind}: cached")
        else:
            _forget_old(cache, kind)
            shutil.rmtree(path, ignore_errors=True)
            with timed(f"{kind}: made"):
                make(path)
        (path / "whole").touch()
    return path


def _forget_old(cache: Path, kind: str) -> None:
    """Delete folders of *kind* that nobody has used for a month."""
    for path in cache.glob(f"{kind}-*"):
        used = path / "whole"
        if used.exists() and time.time() - used.stat().st_mtime > KEPT_DAYS * 86_400:
            shutil.rmtree(path)


def _unpack(system: str, path: Path) -> None:
    """Unpack Debian's packages for 64-bit Arm into *path*, and put a script that calls QEMU for its Python."""
    with TemporaryDirectory() as scratch:
        archive = Path(scratch) / "root.tar"
        wanted = ["--architectures=arm64", "--variant=extract", f"--include={','.join(PACKAGES)}"]
        run(["mmdebstrap", "-q", *wanted, f"--hook-dir={MERGED_USR}", system, archive, *_mirrors()])
        path.mkdir()
        run(["tar", "-xf", archive, "-C", path, "--no-same-owner", *(f"--exclude={name}" for name in USELESS)])
    elf = path / "usr" / "bin" / f"python{SYSTEMS[system]}"
    script = path / "usr" / "bin" / "python3"
    script.unlink()
    # Called through a link, as in a virtual environment, Python must believe to be that link.
    script.write_text(f'#!/bin/sh\nexec {shutil.which("qemu-aarch64")} -cpu {CPU} -L {path} -0 "$0" {elf} "$@"\n')
    script.chmod(0o755)


def _mirrors() -> list[str]:
    """Return where this computer has its Debian from, as mmdebstrap wants it: empty, and it takes Debian's own."""
    if shutil.which("apt-get") is None:
        return []
    told = run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"], check=False).stdout
    return sorted({line for line in told.split() if line.endswith("/debian/")})[:1]


def _install(root: Path, path: Path) -> None:
    """Make a virtual environment of *root*'s Python in *path*: wheels only, pinned and hashed as on a table."""
    run([uv(), "venv", "-q", "--python", root / "usr" / "bin" / "python3", path])
    wanted = ("--only-binary", ":all:", "--require-hashes", "-r", ROOT / "requirements-dev.txt")
    run([uv(), "pip", "install", "-q", "--python", path / "bin" / "python", *wanted], env={"UV_LINK_MODE": "copy"})
    run([path / "bin" / "python", "-c", "import cv2, numpy, PIL, pydantic, simplejpeg"])
    # The checkout's program; whichever checkout it is begun in.
    program = path / "bin" / "mexico-table"
    program.write_text(f'#!/bin/sh\nexec {path}/bin/python -m firmware "$@"\n')
    program.chmod(0o755)


def own_python() -> Path:
    """Return the Python of this computer, which builds and draws."""
    return Path(sys.executable)
