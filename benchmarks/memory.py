"""Where the memory of a table with spectators goes: `python -m benchmarks.memory` prints a table of it.

A virtual table plays by itself: before nobody, before two hundred, and before nobody again. What is resident is told
apart by where it lies: the heap that the main thread grows, anonymous mappings (arenas of the other threads, and large
arrays), and files. The reader works on the camera's thread; spectators are served on another.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.spectators import SPECTATORS, Heard, spectate

PLAN = ((0, 120.0), (SPECTATORS, 90.0), (0, 30.0))
"""How many look on, and for how many seconds."""

STEP_S = 10.0
MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+\s*(.*)$")


def resident_mb(pid: int) -> dict[str, int]:
    """Return how many MB of a process are resident in its heap, in anonymous mappings, and of files."""
    kilobytes = {"heap": 0, "anonymous": 0, "files": 0}
    kind = "anonymous"
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if (mapping := MAPPING.match(line)) is not None:
            name = mapping[1]
            kind = "heap" if name == "[heap]" else "files" if name and not name.startswith("[") else "anonymous"
        elif line.startswith("Rss:"):
            kilobytes[kind] += int(line.split()[1])
    return {kind: size // 1024 for kind, size in kilobytes.items()}


async def measure(port: int, pid: int, plan: Sequence[tuple[int, float]] = PLAN) -> None:
    """Print a row every `STEP_S` while so many look on for so long."""
    began_s = time.monotonic()
    for number, for_s in plan:
        watching = [asyncio.create_task(spectate(port, Heard())) for _ in range(number)]
        end_s = time.monotonic() + for_s
        while time.monotonic() < end_s:
            await asyncio.sleep(STEP_S)
            found = resident_mb(pid)
            sizes = " | ".join(map(str, (*found.values(), sum(found.values()))))
            print(f"| {time.monotonic() - began_s:.0f} | {number} | {sizes} |", flush=True)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)


def main() -> None:
    """Start a table and measure it; the environment, such as ``MALLOC_ARENA_MAX``, is the caller's."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("--virtual", "--auto", "--games", "1000", "--seed", "7", "--state", folder)
        command = [sys.executable, "-m", "firmware", *words, "--page-address", "127.0.0.1:0"]
        print(f"MALLOC_ARENA_MAX={os.environ.get('MALLOC_ARENA_MAX', 'not set')}\n")
        print("| s | spectators | heap | anonymous | files | resident MB |\n|---|---|---|---|---|---|")
        with subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                port = int((process.stdout or sys.stdin).readline().rpartition(":")[2])
                with subprocess.Popen(  # the story of the game must not wait for a reader
                    ["/bin/cat"], stdin=process.stdout, stdout=subprocess.DEVNULL
                ) as drain:
                    asyncio.run(measure(port, process.pid))
                    process.terminate()
                    drain.wait(timeout=30)
            finally:
                process.terminate()
                process.wait(timeout=30)


if __name__ == "__main__":
    main()
