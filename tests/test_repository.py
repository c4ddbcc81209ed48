"""What a newcomer holds on to: the four packages are ours, the README is true, the environment says what is wrong."""

import doctest
import fcntl
import os
import re
import runpy
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

import firmware
import hardware
import mexico
import vision

ROOT = Path(__file__).resolve().parents[1]


def test_the_four_packages_come_from_one_place() -> None:
    homes = {Path(str(package.__file__)).parents[1] for package in (firmware, hardware, mexico, vision)}

    assert homes == {ROOT}


def test_the_readme_tells_the_truth_about_the_rules() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert tried >= 4
    assert failures == 0


def test_the_readme_names_only_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"`?make ([a-z-]+)(?=`|  )", readme))

    assert {"run", "test"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    for link in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (ROOT / link).exists(), link


def test_make_help_lists_every_target_and_make_alone_still_runs_the_table() -> None:
    def make(*arguments: str) -> str:
        return subprocess.run(["make", *arguments], capture_output=True, text=True, cwd=ROOT, check=True).stdout

    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    listed = [re.fullmatch(r"make (\S+) +(\S.*)", line) for line in make("help").splitlines()]

    assert targets is not None
    assert {found[1] for found in listed if found} == set(targets[1].split())
    assert make("--dry-run") == make("--dry-run", "run")


def test_every_library_is_named_with_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for library in tomllib.loads(text)["project"]["dependencies"]:
        line = next(line for line in text.splitlines() if line.strip().startswith(f'"{library}"'))

        assert "#" in line, library


def test_the_locks_pin_what_the_project_asks_for_with_hashes_and_no_address() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        lock = (ROOT / name).read_text(encoding="utf-8")

        assert "://" not in lock
        assert all("==" in line for line in lock.splitlines() if re.match(r"[a-z]", line))
        assert "--hash=sha256:" in lock


def made(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "make_venv.py"), *arguments]
    environment = {**os.environ, **changes}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)


def test_a_machine_without_venv_is_told_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "ensurepip.py").write_text("raise ImportError('taken away')", encoding="utf-8")

    done = made(str(tmp_path / "venv"), "requirements.txt", PYTHONPATH=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "python3-venv" in done.stderr


NOWHERE = {
    "PIP_INDEX_URL": "http://127.0.0.1:9/",
    "PIP_RETRIES": "0",
    "PIP_NO_CACHE_DIR": "1",
    "PIP_FIND_LINKS": "",
}
"""A machine without a network, as pip sees it."""


@pytest.mark.long
@pytest.mark.slow
def test_a_machine_without_network_is_told_so_in_one_line(tmp_path: Path) -> None:
    done = made(str(tmp_path / "venv"), "requirements.txt", **NOWHERE)

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no network" in done.stderr
    assert not (tmp_path / "venv" / "made-from").exists()


@pytest.mark.long
@pytest.mark.slow
def test_the_environment_is_made_anew_when_pins_or_camera_come_from_apt_and_sees_them(tmp_path: Path) -> None:
    folder, apt = tmp_path / "venv", tmp_path / "apt"
    apt.mkdir()
    environment_of(folder, "requirements.txt")
    known = (folder / "made-from").read_text(encoding="utf-8")
    alone = (folder / "pyvenv.cfg").read_text(encoding="utf-8")
    assert "include-system-site-packages = false" in alone

    for name in ("lgpio", "libcamera"):
        (folder / "made-from").write_text(known, encoding="utf-8")
        (folder / "pyvenv.cfg").write_text(alone, encoding="utf-8")
        again = made(str(folder), "requirements.txt", PYTHONPATH=str(apt), **NOWHERE)
        (apt / f"{name}.py").touch()
        anew = made(str(folder), "requirements.txt", PYTHONPATH=str(apt), **NOWHERE)
        (apt / f"{name}.py").unlink()

        assert again.returncode == 0, "all of it is there"
        assert anew.returncode == 1, f"{name} is wanted, and there is no network"
        assert "include-system-site-packages = true" in (folder / "pyvenv.cfg").read_text(encoding="utf-8")


def environment_of(folder: Path, requirements: str) -> Path:
    """Return a file within an environment that says it was made from *requirements*."""
    venv.create(folder)
    known = runpy.run_path(str(ROOT / "scripts" / "make_venv.py"))["_fingerprint"](requirements)
    (folder / "made-from").write_text(known, encoding="utf-8")
    (folder / "in-use").touch()
    return folder / "in-use"


def test_who_makes_the_environment_waits_for_whoever_is_at_it(tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    environment_of(folder, "requirements.txt")
    around = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(around, fcntl.LOCK_EX)
    command = [sys.executable, str(ROOT / "scripts" / "make_venv.py"), str(folder), "requirements.txt"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as waiting:
        assert waiting.stdout is not None
        said = waiting.stdout.readline()
        is_waiting = waiting.poll() is None
        os.close(around)

    assert said == f"mexico-table: somebody else is making {folder}: waiting\n"
    assert is_waiting
    assert waiting.returncode == 0


def test_tests_add_to_an_environment_that_a_table_is_running_from(tmp_path: Path) -> None:
    in_use = environment_of(tmp_path / "venv", "requirements.txt")

    done = made(str(tmp_path / "venv"), "requirements-dev.txt")

    assert done.stdout.startswith("mexico-table: adding to ")
    assert "No module named pip" in done.stderr, "there is nothing to install with, and nothing was made anew"
    assert in_use.exists()


def test_a_table_runs_from_the_environment_of_the_tests(tmp_path: Path) -> None:
    in_use = environment_of(tmp_path / "venv", "requirements-dev.txt")

    done = made(str(tmp_path / "venv"), "requirements.txt")

    assert (done.returncode, done.stdout) == (0, "")
    assert in_use.exists()
