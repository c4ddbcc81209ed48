"""Build the virtual Raspberry Pi: kernel, devices, system and program, in stages, each kept under what it is made of.

Run as ``python -m tests.virtual_pi.build``; prints how long each stage took and the folder of the last one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.passed import ROOT, of_checkout
from tests.virtual_pi.documented import commands, install
from tests.virtual_pi.scenes import Tray

HERE: Final = Path(__file__).resolve().parent
STAGES: Final = HERE / "stages"

PACKAGES: Final = {
    "mmdebstrap": "mmdebstrap",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "modprobe": "kmod",
    "busybox": "busybox-static",
    "cpio": "cpio",
    "zstd": "zstd",
    "xz": "xz-utils",
    "mke2fs": "e2fsprogs",
    "git": "git",
}
"""Program to the Debian package that has it."""

PROGRAM: Final = (
    "firmware", "hardware", "mexico", "vision", "scripts", "docs/install.md", "Makefile", "pyproject.toml",
    "requirements.txt", "requirements-dev.txt", "README.md", "LICENSE", ".gitignore",
)  # fmt: skip
"""What of the checkout gets into the Pi."""


CANNOT: Final = 2
"""What a program ends with on a machine that cannot build the virtual Pi."""

NEEDED_GB: Final = 6


class CannotBuildError(Exception):
    """This machine cannot build the virtual Pi: why, and what to do, in one line."""


class StageError(Exception):
    """A stage has failed on a machine that can build: something in it, or in what it is made of, is wrong."""


@dataclass(frozen=True, slots=True)
class Built:
    """What the scenarios boot.

    Attributes
    ----------
    kernel, initrd
        What QEMU starts.
    disk
        The system with the program installed, as a raw image nobody writes to.
    """

    kernel: Path
    initrd: Path
    disk: Path


def cache() -> Path:
    """Return the folder in which stages are kept."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if os.path.isabs(home) else Path.home() / ".cache") / "mexico-table" / "virtual-pi"


@dataclass(frozen=True, slots=True)
class Keys:
    """What each stage is made of, as a key that changes when any of it does; `program` stands for all of it."""

    tools: str
    card: str
    parts: str
    system: str
    libraries: str
    program: str
    bookworm: str


def keys() -> Keys:
    """Return the keys of all stages; nothing needs to be built for that."""
    tools, card = (_key([STAGES / "common.sh", STAGES / f"{name}.sh"]) for name in ("tools", "card"))
    parts = _key([STAGES / "parts.sh", *_files_of("devices")], tools)
    system = _key([STAGES / "system.sh"], card, parts, *commands("1. First boot"))
    makes = [ROOT / name for name in ("requirements.txt", "pyproject.toml", "scripts/make_venv.py")]
    libraries = _key(makes, system)
    ours = [STAGES / "program.sh", HERE / "scenes.py", *_files_of("guest")]
    names = of_checkout(PROGRAM)
    source = _key([ROOT / name for name in names], *names)
    program = _key(ours, libraries, source, *install("/src"))
    lines = [line for page in _pages_of_bookworm() for line in page]
    theirs = [STAGES / "bookworm.sh", HERE / "scenes.py", HERE / "devices" / "raspi-config"]
    bookworm = _key(theirs, tools, source, *lines)
    return Keys(tools, card, parts, system, libraries, program, bookworm)


def build() -> Built:
    """Build what is not there yet, say how long each stage took, and return what is booted."""
    kept = cache()
    kept.mkdir(parents=True, exist_ok=True)
    _prepare(kept)
    key = keys()
    # Two that know nothing of each other, and wait for the network for most of their time.
    with ThreadPoolExecutor() as pool:
        both = [pool.submit(_stage, kept, "tools", key.tools), pool.submit(_stage, kept, "card", key.card)]
        tools, card = (one.result() for one in both)
    parts = _stage(kept, "parts", key.parts, tools)
    with tempfile.TemporaryDirectory(prefix="virtual-pi-") as name:
        work = Path(name)
        first = _written(work / "first.sh", commands("1. First boot"))
        system = _stage(kept, "system", key.system, card, parts, first)
        second = _written(work / "second.sh", install("/src"))
        _copy_source(work / "source")
        Tray().write(work / "pictures")
        # The environment is kept between versions of the program: `make venv` finds it as it left it.
        venv = kept / f"venv-{key.libraries}"
        program = _stage(kept, "program", key.program, system, second, work / "source", work / "pictures", venv)
    return Built(parts / "vmlinuz", parts / "initrd", program / "disk.img")


def build_bookworm() -> Path:
    """Build the page's other system if it is not there, and return its root folder."""
    kept = cache()
    kept.mkdir(parents=True, exist_ok=True)
    _prepare(kept)
    key = keys()
    tools = _stage(kept, "tools", key.tools)
    with tempfile.TemporaryDirectory(prefix="virtual-pi-") as name:
        work = Path(name)
        pages = [_written(work / f"{k}.sh", page) for k, page in enumerate(_pages_of_bookworm())]
        _copy_source(work / "source")
        Tray().write(work / "pictures")
        return _stage(kept, "bookworm", key.bookworm, tools, *pages, work / "source", work / "pictures") / "root"


def within(system: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Return what *command* says in the root folder *system*, which nothing has booted."""
    words = ["unshare", "--mount", "bash", str(STAGES / "within.sh"), str(system), command]
    environment = {**os.environ, "PATH": _PATH}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def _pages_of_bookworm() -> list[list[str]]:
    """Return the commands of the page's 1, 2 and 5 that a bookworm of Debian's, which nobody has booted, can run.

    It has no Python binding of libcamera, so no picamera2: its table has a USB camera. A PIN is typed in a terminal,
    and no systemd is there to be told of a unit: the service is switched on for the next boot.
    """
    pages = [commands("1. First boot"), install("/src"), commands("5. Let it start with the Pi")]
    others = ("python3-picamera2", " pin ", "daemon-reload")
    kept = [[line for line in page if not any(word in line for word in others)] for page in pages]
    return [[line.replace("systemctl enable --now", "systemctl --root=/ enable") for line in page] for page in kept]


def say(words: str) -> None:
    """Tell whoever waits."""
    sys.stdout.write(f"virtual-pi: {words}\n")
    sys.stdout.flush()


def mirror() -> str:
    """Return the address of this machine's own Debian mirror."""
    script = f'. "{STAGES}/common.sh" && echo "$mirror"'
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.strip()


def _prepare(kept: Path) -> None:
    """Fetch what the stages call, or say that this machine cannot."""
    missing = sorted({package for name, package in PACKAGES.items() if shutil.which(name, path=_PATH) is None})
    if os.geteuid() != 0:
        raise CannotBuildError("it needs root, to put systems together with chroot and mount; run it with sudo")
    if shutil.which("apt-get") is None:
        raise CannotBuildError("it is made of Debian's packages, and this machine has no apt-get; run it on a Debian")
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
        raise CannotBuildError("it mounts folders, which this machine forbids; run it outside of the container")
    free_gb = shutil.disk_usage(kept).free / 1e9
    if free_gb < NEEDED_GB:
        raise CannotBuildError(
            f"{kept} has {free_gb:.0f} GB left, it takes {NEEDED_GB}: make room, or set XDG_CACHE_HOME"
        )
    if missing:
        say(f"fetching {' '.join(missing)}")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for step in (("update",), ("install", "--no-install-recommends", *missing)):
            done = subprocess.run(["apt-get", "-qq", *step], env=quiet, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                said = " ".join(done.stderr.split()[-30:])
                raise CannotBuildError(f"apt-get {step[0]} failed ({said}); connect, or install {' '.join(missing)}")


_PATH: Final = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))


def _stage(kept: Path, name: str, key: str, *arguments: Path) -> Path:
    """Return the folder of a stage, filled by its script if it is not there; older ones of it are thrown away."""
    folder = kept / f"{name}-{key}"
    began_s = time.monotonic()
    if (folder / "done").exists():
        say(f"{name:8} kept")
        return folder
    for old in kept.glob(f"{name}-*"):
        # Not through a folder that a stage which was killed had mounted there.
        subprocess.run(["rm", "-rf", "--one-file-system", str(old)], check=True)
    folder.mkdir()
    environment = {**os.environ, "PATH": _PATH}
    # In a view of the file system of its own: what it mounts is gone when it ends, however it ends.
    command = ["unshare", "--mount", "bash", str(STAGES / f"{name}.sh"), str(folder), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    (folder / "log").write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode != 0:
        last = "\n".join(done.stderr.strip().splitlines()[-15:])
        raise StageError(f"the stage {name} failed; all of it is in {folder / 'log'}:\n{last}")
    (folder / "done").touch()
    say(f"{name:8} made in {time.monotonic() - began_s:.0f} s")
    return folder


def _copy_source(folder: Path) -> None:
    """Put it into *folder*, which becomes the repository that the Pi clones."""
    for name in of_checkout(PROGRAM):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


def _files_of(folder: str) -> list[Path]:
    """Return the files in *folder*, without what Python keeps there of modules that it has compiled."""
    return sorted(path for path in (HERE / folder).iterdir() if path.is_file())


def _key(files: Iterable[Path], *words: str) -> str:
    """Return a key for the contents of *files* and *words*."""
    total = hashlib.sha256()
    for path in files:
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    for word in words:
        total.update(hashlib.sha256(word.encode()).digest())
    return total.hexdigest()[:16]


def _written(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def main(run: Callable[[], Built] = build) -> int:
    """Build and name the disk; one line where this machine cannot."""
    began_s = time.monotonic()
    try:
        built = run()
    except CannotBuildError as error:
        sys.stderr.write(f"virtual-pi: NOT BUILT, NOT RUN: {error}\n")
        return CANNOT
    except StageError as error:
        sys.stderr.write(f"virtual-pi: {error}\n")
        return 1
    say(f"{built.disk} in {time.monotonic() - began_s:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
