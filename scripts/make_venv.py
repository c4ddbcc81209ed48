"""Make the project's virtual environment, or say in one line why it cannot be made.

Usage: python3 scripts/make_venv.py FOLDER REQUIREMENTS

Runs before anything is installed, on whatever Python the machine has: nothing but the standard library, and no syntax
that an old Python would trip over before it can be told that it is too old.
"""

import os
import subprocess
import sys

FLOOR = (3, 11)

# A Pi's camera and pins come from the system's packages only: the environment must see them, where they are.
FROM_APT = ("libcamera", "lgpio")


def main(folder, requirements):
    """Return None when *folder* holds the environment of *requirements*, else one line that says what to do."""
    if sys.version_info < FLOOR:
        found = ".".join(str(part) for part in sys.version_info[:3])
        return "Python %s is too old: 3.11 or newer is needed; try: make PYTHON=python3.11" % found
    stamp = os.path.join(folder, "made-from")
    wanted = _fingerprint(requirements)
    if os.path.exists(stamp) and _read(stamp) == wanted:
        return None
    sys.stdout.write("mexico-table: making %s, which takes a minute or two\n" % folder)
    sys.stdout.flush()
    problem = _make(folder)
    if problem is None:
        problem = _install(os.path.join(folder, "bin", "python"), requirements)
    if problem is None:
        _compile(os.path.join(folder, "bin", "python"))
        with open(stamp, "w") as file:
            file.write(wanted)
    return problem


def _make(folder):
    try:
        import ensurepip  # noqa: F401 - Debian ships venv without it, and then fails half way
        import venv
    except ImportError:
        return "this Python has no venv: install it first (on Debian: apt install python3-venv), then make again"
    try:
        venv.create(folder, with_pip=True, clear=True, system_site_packages=_is_pi())
    except (OSError, subprocess.CalledProcessError) as error:
        return "the virtual environment %s cannot be made: %s" % (folder, error)
    return None


def _install(python, requirements):
    quiet = ["-q", "--disable-pip-version-check", "--no-input"]
    steps = (
        ("install", "--require-hashes", "-r", requirements),
        ("install", "--no-deps", "--no-build-isolation", "-e", "."),
    )
    for step in steps:
        done = subprocess.run([python, "-m", "pip", *quiet, *step], stderr=subprocess.PIPE)
        if done.returncode != 0:
            return _why(done.stderr.decode("utf-8", "replace"))
    return None


def _compile(python):
    # The reader's loops, so that no first picture waits for them; where it fails they are compiled when needed.
    subprocess.run([python, "-c", "from vision.compiled import warm_up; warm_up()"], stderr=subprocess.DEVNULL)


def _why(said):
    """Return pip's own last words, or that there is no network when that is what they mean."""
    signs = ("Failed to establish a new connection", "Temporary failure in name resolution", "No matching distribution")
    signs += ("NewConnectionError", "Could not find a version", "Connection refused", "ProxyError", "ReadTimeoutError")
    if any(sign in said for sign in signs):
        return (
            "the libraries cannot be fetched: no network, or the package index is out of reach; connect and make again"
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.upper().startswith("ERROR")]
    return "the libraries cannot be installed: " + (errors or lines or ["pip said nothing"])[-1]


def _is_pi():
    import importlib.util

    return any(importlib.util.find_spec(name) for name in FROM_APT)


def _fingerprint(requirements):
    seen = "with the system's packages" if _is_pi() else "alone"
    return "%s\n%s\n%s\n%s" % (sys.version, seen, _read(requirements), _read("pyproject.toml"))


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    try:
        complaint = main(*sys.argv[1:])
    except KeyboardInterrupt:
        complaint = "interrupted; the same command begins anew"
    if complaint is not None:
        sys.exit("mexico-table: " + complaint)
