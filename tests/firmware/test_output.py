"""Where what was asked for goes: files that a person named, links, pipes, and streams that are closed."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from firmware.errors import FileError
from firmware.folder import write_for


def test_what_a_link_leads_to_is_replaced_and_not_the_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.pdf", tmp_path / "link.pdf"
    real.write_bytes(b"old")
    link.symlink_to("real.pdf")
    write_for("--out", link, b"new")

    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_into_a_pipe_it_is_written(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_for("--out", pipe, b"drawn")
    reader.join(timeout=10)

    assert read == [b"drawn"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        write_for("--out", tmp_path, b"drawn")


def test_into_a_folder_that_may_be_written_and_not_read_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def unreadable(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if Path(path) == tmp_path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", unreadable)
    write_for("--out", tmp_path / "odds.csv", b"drawn")

    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"drawn"]


def odds(redirected: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a shell that has *redirected* its output."""
    command = f'exec "{sys.executable}" -m firmware odds {redirected}'
    return subprocess.run(["sh", "-c", command], check=False, text=True, timeout=60, capture_output=True)


def test_where_standard_output_is_closed_that_is_said() -> None:
    ended = odds(">&-")

    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [
        "mexico-table: standard output is closed, and what was asked for has nowhere to go; leave it open"
    ]


def test_where_standard_error_is_closed_the_answer_comes_all_the_same() -> None:
    ended = odds("--verbose 2>&-")

    assert ended.returncode == 0
    assert ended.stdout == odds("").stdout != ""
