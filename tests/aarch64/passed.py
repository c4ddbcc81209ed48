"""What has passed on the emulated Arm, remembered by the contents of all files it depends on."""

from __future__ import annotations

import hashlib
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_cache_path

from tests.aarch64.machine import ROOT, say


def is_known(paths: Sequence[str]) -> bool:
    """Return whether all of it has passed with these very files, and say when."""
    stamp = _stamp(paths)
    if not stamp.exists():
        return False
    say(
        f"passed on {stamp.read_text(encoding='utf-8')}; no file that it depends on has changed since, so not run again"
    )
    return True


def remember(paths: Sequence[str]) -> None:
    """Keep that all of it has passed with the files as they are, and forget what passed before."""
    stamp = _stamp(paths)
    for old in stamp.parent.glob("passed-*"):
        old.unlink()
    stamp.write_text(time.strftime("%Y-%m-%d at %H:%M"), encoding="utf-8")


def _stamp(paths: Sequence[str]) -> Path:
    total = hashlib.sha256()
    for name in _names(paths):
        path = ROOT / name
        total.update(name.encode() + hashlib.sha256(path.read_bytes() if path.is_file() else b"").digest())
    return user_cache_path("mexico-table") / "aarch64" / f"passed-{total.hexdigest()[:16]}"


def _names(paths: Sequence[str]) -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(set(filter(None, names)))
