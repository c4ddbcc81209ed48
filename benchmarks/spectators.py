"""Two hundred spectators look at a game: `python -m benchmarks.spectators [FILE]` writes docs/spectators.md to FILE.

A virtual table plays by itself as a process of its own; the spectators are plain sockets in this one. Published and
received are times of the same monotonic clock. A message counts as received with it or with a newer one of its kind.
The same game is watched by a few and by all in turn, for other programs on the machine come and go: its pace with all
of them is compared with that just before.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

SPECTATORS = 200
SLOW = 10
SLOW_BYTES_PER_S = 200
PHASE_S = 12.0
TURNS = 5
SETTLE_S = 3.0
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
Published = Sequence[tuple[int, float, str]]
"""Number, time and kind of every message."""

EVENT = re.compile(rb"id: [0-9a-f]+-(\d+)\nevent: (\w+)\ndata: ([^\n]*)\n\n")


@dataclass
class Heard:
    """What one spectator heard: when, which number, which kind."""

    slow: bool = False
    events: list[tuple[float, int, str]] = field(default_factory=list)
    let_go: int = 0


@dataclass
class Phase:
    """The game for a while, before so many spectators."""

    spectators: int
    from_s: float = 0.0
    to_s: float = 0.0
    stored: int = 0
    cpu_s: float = 0.0
    rss_mb: list[float] = field(default_factory=list)

    @property
    def per_minute(self) -> float:
        """The pace of the game: events stored in a minute."""
        return 60 * self.stored / (self.to_s - self.from_s)

    @property
    def cpu(self) -> float:
        """What the program took of one core."""
        return self.cpu_s / (self.to_s - self.from_s)


# --- the table, in a process of its own ---


def table(times: Path, arguments: Sequence[str]) -> int:
    """Run the table with *arguments*, and write into *times* when each message was published."""
    from firmware import cli
    from firmware.page import hub

    published: list[tuple[int, float, str]] = []
    message = hub.Message

    def noted(number: int, head: str, make: hub.Make) -> hub.Message:
        published.append((number, time.monotonic(), head.split("event: ")[1].strip()))
        return message(number, head, make)

    hub.Message = noted  # type: ignore[assignment, misc]
    try:
        return cli.run_command_line(list(arguments))
    finally:
        times.write_text(json.dumps(published))


# --- the spectators ---


async def spectate(port: int, heard: Heard, story: list[int] | None = None) -> None:
    """Look on for as long as nobody minds; come back when it is over, as a browser does."""
    while True:
        with suppress(OSError):
            await _once(port, heard, story)
        heard.let_go += 1
        await asyncio.sleep(1.0)


async def _once(port: int, heard: Heard, story: list[int] | None) -> None:
    line = socket.socket()
    if heard.slow:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setblocking(False)
    await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
    limit = 4096 if heard.slow else 65_536
    reader, writer = await asyncio.open_connection(sock=line, limit=limit)
    try:
        writer.write(b"GET /news HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        kept = b""
        while data := await reader.read(SLOW_BYTES_PER_S if heard.slow else 65_536):
            now_s = time.monotonic()
            # The chunks' own lengths stand between lines: what is left of an event is found by its form.
            kept += re.sub(rb"\r\n[0-9a-f]+\r\n", b"", data) if not heard.slow else b""
            end = 0
            for event in EVENT.finditer(kept):
                end, kind = event.end(), event[2].decode()
                heard.events.append((now_s, int(event[1]), kind))
                told = json.loads(event[3]) if story is not None and kind == "story" else {}
                if story is not None and told.get("event") is not None:  # a table that has just begun has none
                    story.append(int(told["event"]) + 100_000 * int(told["game"]))
            kept = kept[end:][-65_536:]
            if heard.slow:
                await asyncio.sleep(1.0)
    finally:
        writer.close()


# --- the measurement ---


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def cpu_s(pid: int) -> float:
    """Return the seconds for which a process has had a core."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / TICKS_PER_S


async def measure(port: int, pid: int, phase_s: float) -> tuple[list[Phase], list[Heard]]:
    """Let a few look on, then all, and again; the slow ones are there all the time."""
    loop, story = asyncio.get_running_loop(), list[int]()
    crowd = [Heard(slow=number < SLOW) for number in range(SPECTATORS)]
    steady = [loop.create_task(spectate(port, Heard(), story))]
    steady += [loop.create_task(spectate(port, heard)) for heard in crowd if heard.slow]
    phases = []
    for number in range(2 * TURNS):
        watching = [loop.create_task(spectate(port, heard)) for heard in crowd if number % 2 and not heard.slow]
        await asyncio.sleep(SETTLE_S)
        phase = Phase(len(watching) + len(steady) - 1, time.monotonic())
        stored, cpu = len(set(story)), cpu_s(pid)
        while time.monotonic() < phase.from_s + phase_s:
            await asyncio.sleep(1.0)
            phase.rss_mb.append(resident_mb(pid))
        phase.to_s = time.monotonic()
        phase.stored, phase.cpu_s = len(set(story)) - stored, cpu_s(pid) - cpu
        phases.append(phase)
        await _ended(watching)
    await _ended(steady)
    return phases, crowd


async def _ended(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception) and not isinstance(ended, OSError):
            raise ended


def due(published: Published, phase: Phase) -> Published:
    """Return the messages of *phase* that had a second or more to arrive in it."""
    return [message for message in published if phase.from_s <= message[1] <= phase.to_s - 1.0]


def delays(published: Published, heard: Heard, phase: Phase) -> dict[int, float]:
    """Return after how many seconds *heard* had each message of *phase*, or a newer one of its kind."""
    after: dict[int, float] = {}
    by_kind: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, time_s, kind in due(published, phase):
        by_kind[kind].append((number, time_s))
    for kind, messages in by_kind.items():
        own = [(now_s, number) for now_s, number, of in heard.events if of == kind]
        events = [event for event in own if phase.from_s <= event[0] <= phase.to_s]
        at = 0
        for number, time_s in messages:
            while at < len(events) and events[at][1] < number:
                at += 1
            if at < len(events):
                after[number] = events[at][0] - time_s
    return after


def report(name: str, phases: Sequence[Phase], crowd: Sequence[Heard], published: Published) -> str:
    """Return a section of the page."""
    few, all_of_them = phases[::2], phases[1::2]
    every, last, messages = list[float](), list[float](), 0
    quick = [heard for heard in crowd if not heard.slow]
    for phase in all_of_them:
        each = [delays(published, heard, phase) for heard in quick]
        messages += len(due(published, phase))
        every += [delay_s * 1000 for one in each for delay_s in one.values()]
        numbers = set.intersection(*(set(one) for one in each))
        last += [max(one[number] for one in each) * 1000 for number in numbers]
    seconds = sum(phase.to_s - phase.from_s for phase in all_of_them)
    deliveries = messages * len(quick)

    def row(what: str, values: Sequence[float]) -> str:
        if len(values) < 2:
            return f"| {what} |  |  |  |"
        cuts = statistics.quantiles(values, n=20)
        return f"| {what} | {statistics.median(values):.0f} | {cuts[18]:.0f} | {max(values):.0f} |"

    def phase_row(phase: Phase) -> str:
        work_ms = f"{1000 * phase.cpu_s / phase.stored:.0f}" if phase.stored else ""
        return (
            f"| {phase.spectators} | {phase.per_minute:.0f} | {100 * phase.cpu:.0f} % | {work_ms} "
            f"| {statistics.median(phase.rss_mb):.0f} |"
        )

    return "\n".join(
        (
            f"## {name}",
            "",
            "| milliseconds from published to | median | 95 % | most |",
            "|---|---|---|---|",
            row("any of the others", every),
            row("the last of them", last),
            "",
            f"{messages} messages in {seconds:.0f} s, {len(last)} heard by all; {deliveries - len(every)} of "
            f"{deliveries} deliveries never came. The slow ones were let go "
            f"{sum(heard.let_go for heard in crowd if heard.slow)} times, the others "
            f"{sum(heard.let_go for heard in quick)} times.",
            "",
            "| spectators | events of the game in a minute | of one core | ms of it for an event | resident MB |",
            "|---|---|---|---|---|",
            *map(phase_row, phases),
            "",
            _pace(few, all_of_them),
        )
    )


def _pace(few: Sequence[Phase], all_of_them: Sequence[Phase]) -> str:
    """Return how fast the game went on; where it had stood still just before, there is nothing to compare with."""
    paired = zip(few, all_of_them, strict=True)
    paces = [with_all.per_minute / without.per_minute for without, with_all in paired if without.stored]
    if not paces:
        return "The game stood still with the slow ones alone."
    pace = statistics.median(paces)
    return f"The game went on at {pace:.2f} times the pace that it had just before, with the slow ones alone."


def run(name: str, arguments: Sequence[str], phase_s: float) -> str:
    """Start a table with *arguments*, measure, and return a section of the page."""
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times.json"
        command = [sys.executable, "-m", "benchmarks.spectators", "table", str(times), "--state", folder]
        with subprocess.Popen(  # noqa: S603
            [*command, "--page-address", "127.0.0.1:0", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            try:
                port = int((process.stdout or sys.stdin).readline().rpartition(":")[2])
                # Nobody reads the story of the game: it must not wait for that.
                drain = subprocess.Popen(["/bin/cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
                phases, crowd = asyncio.run(measure(port, process.pid, phase_s))
            finally:
                process.terminate()
                process.wait(timeout=30)
                drain.wait(timeout=30)
        return report(name, phases, crowd, json.loads(times.read_text()))


def page(phase_s: float = PHASE_S) -> str:
    """Return the whole page."""
    where = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    auto = ("--virtual", "--auto", "--games", "1000", "--seed", "7")
    parts = [
        "# Spectators, measured",
        f"{SPECTATORS} browsers hear the news of a virtual table that plays by itself; {SLOW} of them read "
        f"{SLOW_BYTES_PER_S} bytes a second. They run on the same machine ({where}), which takes its share. "
        "`python -m benchmarks.spectators docs/spectators.md` measures anew.",
        run("A game as fast as guests play", auto, phase_s),
        run("A game as fast as the machine plays", (*auto, "--fast"), phase_s),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["table"]:
        sys.exit(table(Path(sys.argv[2]), sys.argv[3:]))
    text = page(float(os.environ.get("PHASE_S", PHASE_S)))
    print(text, end="")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
