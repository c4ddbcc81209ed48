"""The virtual Pi, switched on: QEMU, the wire to the world in it, and what a maker would do at a table."""

from __future__ import annotations

import base64
import itertools
import json
import socket
import subprocess
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.virtual_pi.build import Built
from tests.virtual_pi.display import Ssd1306

BOOT_S: Final = 900.0
"""So long a boot may take on a very busy machine."""

ANSWER_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did in the guest."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Return all of it, for whoever reads a failure."""
        return f"{self.out}\n{self.err}".strip()


def overlay(below: Path, path: Path) -> Path:
    """Make *path* a disk that begins as the raw image *below* and keeps what is written; *below* is not touched."""
    command = ["qemu-img", "create", "-q", "-f", "qcow2", "-b", str(below), "-F", "raw", str(path)]
    subprocess.run(command, check=True)
    return path


class Machine:
    """One virtual Pi with a disk of its own.

    Parameters
    ----------
    built
        Kernel and first disk.
    disk
        What it is switched on with, and writes to.
    folder
        Where console and socket go.
    """

    def __init__(self, built: Built, disk: Path, folder: Path) -> None:
        self._built = built
        self._disk = disk
        self._folder = folder
        self._numbers = itertools.count(1)
        self._answers: dict[int, dict[str, Any]] = {}
        self._change = threading.Condition()
        self._writing = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._wire: socket.socket | None = None
        self.chip = Ssd1306()

    def switch_on(self) -> float:
        """Boot; return after how many of its seconds the world was ready."""
        path = self._folder / "world.socket"
        path.unlink(missing_ok=True)
        self.chip = Ssd1306()
        with self._change:
            self._answers.clear()
        self._process = subprocess.Popen(self._command(path), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wire = socket.socket(socket.AF_UNIX)
        # Its file is there a moment before it listens.
        eventually(lambda: wire.connect_ex(str(path)) == 0, 20, "QEMU listens on its socket", self._alive)
        self._wire = wire
        threading.Thread(target=self._listen, args=(wire,), daemon=True).start()
        return float(self._answer(0, BOOT_S)["up_s"])

    def cut_power(self) -> None:
        """Pull the plug: what the guest had not yet written is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate(timeout=20)
        if self._wire is not None:
            self._wire.close()
        self._process = self._wire = None

    def shut_down(self) -> None:
        """Switch it off as a person would, and wait until the disk is at rest."""
        self.order("run", command="systemctl poweroff --no-block")
        if self._process is not None:
            self._process.wait(BOOT_S)
        self.cut_power()

    def order(self, do: str, *, picture: bytes | None = None, wait_s: float = ANSWER_S, **what: Any) -> dict[str, Any]:
        """Tell the world to do something and return its answer."""
        number = next(self._numbers)
        packed = b"" if picture is None else zlib.compress(picture, 1)
        words = {"id": number, "do": do, **what} | ({"bytes": len(packed)} if packed else {})
        assert self._wire is not None, "it is switched off"
        with self._writing:
            self._wire.sendall(json.dumps(words).encode() + b"\n" + packed)
        answer = self._answer(number, wait_s)
        assert "error" not in answer, f"{do}: {answer['error']}"
        return answer

    def run(self, command: str, seconds: float = 240) -> Ran:
        """Run a command as a person who is logged in."""
        answer = self.order("run", wait_s=ANSWER_S + 5 * seconds, command=command, seconds=seconds)
        return Ran(answer["code"], answer["out"], answer["err"])

    def look(self, unplugged: bool | None = None) -> Ssd1306:
        """Return the display as it is now; with *unplugged* its plug is pulled, or put in again, after that."""
        answer = self.order("display", unplugged=unplugged)
        assert answer["lost"] == 0, "the bus heard more than it could keep"
        self.chip.hear(base64.b64decode(answer["heard"]))
        if unplugged:
            self.chip = Ssd1306()  # without power it forgets everything
        return self.chip

    def console(self) -> str:
        """Return what the kernel said."""
        return (self._folder / "console").read_text(errors="replace")

    def _command(self, path: Path) -> list[str]:
        return [
            "setpriv", "--pdeathsig", "KILL",  # when the tests are killed, nothing of them goes on
            "qemu-system-x86_64", "-M", "q35", "-accel", "tcg", "-smp", "1", "-m", "1536",
            # Without what is slow to emulate: instructions that copy byte by byte, and those that multiply and add,
            # with which the second opinion takes three times as long; who knows AVX expects them.
            "-cpu", "max,erms=off,fsrm=off,avx=off,avx2=off,fma=off,f16c=off",
            # The guest's clock counts instructions, half a thousand million a second: what it takes for late does not
            # depend on how busy this machine is.
            "-icount", "shift=1",
            "-display", "none", "-monitor", "none", "-no-reboot", "-nic", "none", "-vga", "none",
            "-serial", f"file:{self._folder / 'console'}",
            "-kernel", str(self._built.kernel), "-initrd", str(self._built.initrd),
            "-append", "console=ttyS0 quiet panic=-1 mitigations=off nokaslr random.trust_cpu=on "
                       "systemd.show_status=no net.ifnames=0",
            "-drive", f"file={self._disk},format=qcow2,if=virtio",
            "-device", "virtio-serial", "-chardev", f"socket,id=world,path={path},server=on,wait=on",
            "-device", "virtserialport,chardev=world,name=world",
        ]  # fmt: skip

    def _alive(self) -> None:
        if self._process is not None and self._process.poll() is not None:
            said = b"" if self._process.stderr is None else self._process.stderr.read()
            raise AssertionError(f"QEMU has ended: {said.decode(errors='replace')}")

    def _listen(self, wire: socket.socket) -> None:
        try:
            with wire.makefile("rb") as lines:
                for line in lines:
                    answer = json.loads(line)
                    with self._change:
                        self._answers[answer["id"]] = answer
                        self._change.notify_all()
        except (OSError, ValueError):
            return  # the plug was pulled

    def _answer(self, number: int, wait_s: float) -> dict[str, Any]:
        end_s = time.monotonic() + wait_s
        with self._change:
            while number not in self._answers:
                self._change.wait(0.5)
                if number not in self._answers:
                    self._alive()
                    if time.monotonic() > end_s:
                        raise AssertionError(f"no answer in {wait_s:g} s; the console ends:\n{self.console()[-2000:]}")
            return self._answers.pop(number)


def eventually(true: Callable[[], bool], seconds: float, what: str, meanwhile: Callable[[], None]) -> None:
    end_s = time.monotonic() + seconds
    while not true():
        meanwhile()
        assert time.monotonic() < end_s, f"not in {seconds:g} s: {what}"
        time.sleep(0.05)
