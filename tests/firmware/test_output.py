"""Where what was asked for goes: files that a person named, links, pipes, and streams that are closed."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli_common import complain
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


def test_a_unit_that_has_nowhere_to_go_is_no_success() -> None:
    command = f'exec "{sys.executable}" -m firmware install-service --print >&-'
    ended = subprocess.run(["sh", "-c", command], check=False, text=True, timeout=60, capture_output=True)

    assert ended.returncode == 2
    assert "standard output is closed" in ended.stderr


def test_a_wrong_call_is_one_also_where_nobody_reads_what_is_wrong() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run([sys.executable, "-m", "firmware", "nonsense"], check=False, timeout=60, stderr=writer)
    os.close(writer)

    assert ended.returncode == 2


def test_where_standard_error_is_closed_the_answer_comes_all_the_same() -> None:
    ended = odds("--verbose 2>&-")

    assert ended.returncode == 0
    assert ended.stdout == odds("").stdout != ""


def test_where_standard_error_is_full_the_other_pictures_are_read(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((240, 320, 3), 90, np.uint8))
    command = f'exec "{sys.executable}" -m firmware read gone.png "{tmp_path / "grey.png"}" 2>/dev/full'
    ended = subprocess.run(["sh", "-c", command], check=False, text=True, timeout=60, capture_output=True)

    assert ended.returncode == 2
    assert "grey.png" in ended.stdout


def test_where_standard_input_is_closed_it_is_empty() -> None:
    command = f'exec "{sys.executable}" -m firmware --calibrate <&-'
    ended = subprocess.run(["sh", "-c", command], check=False, text=True, timeout=60, capture_output=True)

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "camera" in ended.stderr


def test_a_name_that_standard_output_cannot_write_is_written_in_letters_it_has(tmp_path: Path) -> None:
    name = tmp_path / "b\u96ea.png"
    cv2.imwrite(str(name), np.full((240, 320, 3), 90, np.uint8))
    command = [sys.executable, "-m", "firmware", "read", str(name)]
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    ended = subprocess.run(command, check=False, timeout=60, capture_output=True, env=latin)

    assert ended.returncode == 0
    assert b"b\\u96ea.png" in ended.stdout


def test_what_a_terminal_would_obey_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    complain("\x1b[31mred\x07.json: is no\ncalibration")

    assert capsys.readouterr().err == "mexico-table: ?[31mred?.json: is no calibration\n"
