"""Make the project's virtual environment, or say in one line why it cannot be made.

Usage: python3 scripts/make_venv.py FOLDER REQUIREMENTS

Runs before anything is installed, on whatever Python the machine has: nothing but the standard library, and no syntax
that an old Python would trip over before it can be told that it is too old. Two at once take turns, and what only adds
to an environment leaves standing what a running table is using.
"""

import fcntl
import os
import subprocess
import sys

FLOOR = (3, 11)

# A Pi's camera and pins come from the system's packages only: the environment must see them, where they are.
FROM_APT = ("libcamera", "lgpio")

# The one holds all of the other, in the same versions: the table runs in either.
TABLE, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"


def main(folder, requirements):
    """Return None when *folder* holds the environment of *requirements*, else one line that says what to do."""
    if sys.version_info < FLOOR:
        found = ".".join(str(part) for part in sys.version_info[:3])
        return "Python %s is too old: 3.11 or newer is needed; try: make PYTHON=python3.11" % found
    # The folder around it is what is locked: a file for that would be one more to explain, and lie about afterwards.
    around = os.open(os.path.dirname(os.path.abspath(folder)), os.O_RDONLY)
    try:
        _take_turns(around, folder)
        return _bring_about(folder, requirements)
    finally:
        os.close(around)


def _take_turns(around, folder):
    try:
        fcntl.flock(around, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _say("somebody else is making %s: waiting" % folder)
        fcntl.flock(around, fcntl.LOCK_EX)
    except OSError:
        pass  # a file system without locks: then it is up to whoever calls


def _bring_about(folder, requirements):
    stamp = os.path.join(folder, "made-from")
    made_from = _read(stamp) if os.path.exists(stamp) else None
    if made_from in (_fingerprint(requirements), _fingerprint(DEVELOPMENT)):
        return None
    problem = None
    if made_from == _fingerprint(TABLE):
        _say("adding to %s what tests need, which takes half a minute" % folder)
    else:
        _say("making %s, which takes a minute or two" % folder)
        problem = _make(folder)
    if problem is None:
        problem = _install(os.path.join(folder, "bin", "python"), requirements)
    if problem is None:
        _compile(os.path.join(folder, "bin", "python"))
        with open(stamp, "w") as file:
            file.write(_fingerprint(requirements))
    return problem


def _say(words):
    sys.stdout.write("mexico-table: %s\n" % words)
    sys.stdout.flush()


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
