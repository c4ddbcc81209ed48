"""The world round the virtual Pi's table: fingers, dice before the lens, eyes on lamps and display. Runs in the guest.

It makes the devices that raspi-config has switched on, says that it is ready, and then does what it is told over the
serial port called ``world``: one JSON object a line, answered by one with the same ``id``. It knows nothing of the
table's program: it pulls lines of the kernel's gpio-sim and reads what the kernel says of them.
"""

from __future__ import annotations

import base64
import json
import mmap
import os
import random
import socket
import struct
import subprocess
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

PORT: Final = Path("/dev/virtio-ports/world")
CONFIG: Final = Path("/boot/firmware/config.txt")
SIM: Final = Path("/sys/kernel/config/gpio-sim/pi")
LINES: Final = 28
OLED: Final = Path("/sys/kernel/debug/oled_bus")
OLED_MODULE: Final = Path("/sys/module/oled_bus/parameters")
TRACE: Final = Path("/sys/kernel/tracing")

SCENE: Final = Path("/dev/shm/scene")  # noqa: S108 (a name that devices/lens.c knows)
PICTURE_BYTES: Final = 1280 * 960 * 3 // 2
HEADER: Final = struct.Struct("4I")

DOWN: Final = "pull-down"
UP: Final = "pull-up"
BOUNCES: Final = 3
"""How often a contact opens and closes again before it rests."""

BOUNCE_S: Final = 0.015

WATCH_S: Final = 0.02

FRAME_S: Final = 0.5
"""From one picture of the camera to the next: emulated, the program could not keep up with thirty a second."""

Answer = dict[str, Any]


class Pins:
    """The far ends of the wires: buttons and the encoder to ground, lamps to be looked at."""

    def __init__(self) -> None:
        self._folder = next(Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*/sim_gpio0")).parent
        self._held: set[int] = set()
        threading.Thread(target=self._keep_down, daemon=True).start()

    def pull(self, pin: int, way: str) -> None:
        (self._folder / f"sim_gpio{pin}" / "pull").write_text(way)

    def close(self, pin: int, bounces: int) -> None:
        """Press: the contact closes, and bounces."""
        self._bounce(pin, DOWN, UP, bounces)
        self._held.add(pin)

    def open(self, pin: int, bounces: int) -> None:
        """Let go: the contact opens, and bounces."""
        self._held.discard(pin)
        self._bounce(pin, UP, DOWN, bounces)

    def _bounce(self, pin: int, to: str, back: str, bounces: int) -> None:
        """Go back and forth as long as a push button does at most, and then rest."""
        end_s = time.monotonic() + BOUNCE_S
        for _ in range(bounces):
            self.pull(pin, to)
            time.sleep(random.uniform(0.0002, 0.001))
            self.pull(pin, back)
            time.sleep(random.uniform(0.0002, 0.001))
            if time.monotonic() > end_s:
                break
        self.pull(pin, to)

    def _keep_down(self) -> None:
        """Hold what is held: a program that claims a line with its own pull-up does not lift a finger."""
        while True:
            for pin in tuple(self._held):
                if (self._folder / f"sim_gpio{pin}" / "pull").read_text().strip() != DOWN and pin in self._held:
                    self.pull(pin, DOWN)
            time.sleep(WATCH_S)

    def turn(self, a: int, b: int, steps: int, pause_s: float) -> None:
        """Turn an encoder: four changes a step, which end with both contacts open."""
        first, second = (a, b) if steps > 0 else (b, a)
        for _ in range(abs(steps)):
            for pin, way in ((first, DOWN), (second, DOWN), (first, UP), (second, UP)):
                self.pull(pin, way)
                time.sleep(pause_s)

    def values(self) -> list[int]:
        return [int((self._folder / f"sim_gpio{pin}" / "value").read_text()) for pin in range(LINES)]


class Lens:
    """What the camera sees: two pictures in memory that devices/lens.c reads, of which one is shown."""

    def __init__(self, period_s: float) -> None:
        with SCENE.open("wb") as file:
            file.truncate(HEADER.size + 2 * PICTURE_BYTES)
        SCENE.chmod(0o666)
        with SCENE.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 0)
        self._shown = 0
        self._word(1, round(period_s * 1e6))

    def show(self, picture: bytes) -> None:
        other = 1 - self._shown
        at = HEADER.size + other * PICTURE_BYTES
        self._memory[at : at + PICTURE_BYTES] = picture
        self._word(0, other)
        self._shown = other

    def stall(self, *, on: bool) -> None:
        self._word(2, int(on))

    def pace(self, period_s: float) -> None:
        self._word(1, round(period_s * 1e6))

    def frames(self) -> int:
        return int(HEADER.unpack_from(self._memory)[3])

    def _word(self, place: int, value: int) -> None:
        struct.pack_into("I", self._memory, 4 * place, value)


class World:
    """Everything the host may ask for; each public method is an order, named as it is asked for."""

    def __init__(self) -> None:
        self._pins = Pins()
        self._lens = Lens(FRAME_S)

    def press(self, pin: int, for_s: float = 0.2, bounces: int = BOUNCES) -> Answer:
        self._pins.close(pin, bounces)
        time.sleep(for_s)
        self._pins.open(pin, bounces)
        return {}

    def hold(self, pin: int, bounces: int = BOUNCES) -> Answer:
        self._pins.close(pin, bounces)
        return {}

    def let_go(self, pin: int, bounces: int = BOUNCES) -> Answer:
        self._pins.open(pin, bounces)
        return {}

    def turn(self, a: int, b: int, steps: int, pause_s: float = 0.02) -> Answer:
        self._pins.turn(a, b, steps, pause_s)
        return {}

    def pins(self) -> Answer:
        return {"values": self._pins.values()}

    def lit(self, pin: int, seconds: float) -> Answer:
        """Return for which part of so many seconds an output has power."""
        levels, end_s = [], time.monotonic() + seconds
        while time.monotonic() < end_s:
            levels.append(self._pins.values()[pin])
            time.sleep(WATCH_S)
        return {"part": sum(levels) / len(levels)}

    def scene(self, picture: bytes) -> Answer:
        self._lens.show(picture)
        return {"frames": self._lens.frames()}

    def camera(self, stalled: bool | None = None, period_s: float | None = None) -> Answer:
        if stalled is not None:
            self._lens.stall(on=stalled)
        if period_s is not None:
            self._lens.pace(period_s)
        return {"frames": self._lens.frames()}

    def display(self, unplugged: bool | None = None) -> Answer:
        """Return what the display was told since this was asked last, and pull its plug or put it back."""
        heard = bytearray()
        with (OLED / "heard").open("rb", buffering=0) as file:
            while part := file.read(1 << 16):
                heard += part
        if unplugged is not None:
            (OLED_MODULE / "unplugged").write_text("Y" if unplugged else "N")
        return {"heard": base64.b64encode(heard).decode(), "lost": int((OLED / "lost").read_text())}

    def edges(self, seconds: float, pins: list[int]) -> Answer:
        """Return every change that the kernel makes at output *pins* for so long: seconds, pin, level."""
        base = self._base()
        (TRACE / "events/gpio/gpio_value/filter").write_text(
            "get == 0 && (" + " || ".join(f"gpio == {base + pin}" for pin in pins) + ")"
        )
        (TRACE / "trace").write_text("")
        (TRACE / "events/gpio/gpio_value/enable").write_text("1")
        time.sleep(seconds)
        (TRACE / "events/gpio/gpio_value/enable").write_text("0")
        found = []
        for line in (TRACE / "trace").read_text().splitlines():
            if "gpio_value:" in line:
                words = line.split()
                at = words.index("gpio_value:")
                found.append((float(words[at - 1].rstrip(":")), int(words[at + 1]) - base, int(words[at + 3])))
        return {"edges": found}

    def _base(self) -> int:
        """Return the number that the kernel's own list gives the first line."""
        for line in Path("/sys/kernel/debug/gpio").read_text().splitlines():
            if line.startswith("gpiochip0:"):
                return int(line.split("GPIOs ")[1].split("-")[0])
        raise LookupError("the kernel has no gpiochip0")

    def run(self, command: str, seconds: float = 120) -> Answer:
        """Run *command* as whoever has logged in and may use sudo."""
        person = ["chrt", "--other", "0", "/bin/bash", "-c", command]  # waits for the processor, unlike the world
        done = subprocess.run(
            person, capture_output=True, text=True, errors="replace", timeout=seconds, check=False,
            cwd="/opt/mexico-table",
        )  # fmt: skip
        return {"code": done.returncode, "out": done.stdout, "err": done.stderr}


class Wire:
    """The serial port to the host: lines in, lines out."""

    def __init__(self, port: BinaryIO, world: World) -> None:
        self._port = port
        self._world = world
        self._writing = threading.Lock()

    def serve(self) -> None:
        while True:
            line = self._port.readline()
            if not line:
                time.sleep(0.05)  # nobody listens at the other end
                continue
            order = json.loads(line)
            if size := order.pop("bytes", 0):
                order["picture"] = zlib.decompress(self._exactly(size))
            threading.Thread(target=self._obey, args=(order,), daemon=True).start()

    def say(self, words: Answer) -> None:
        data = json.dumps(words).encode() + b"\n"
        with self._writing:
            while data:
                data = data[os.write(self._port.fileno(), data) :]

    def _obey(self, order: Answer) -> None:
        number, name = order.pop("id"), order.pop("do")
        try:
            method: Callable[..., Answer] = getattr(self._world, name)
            answer = method(**order)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        self.say({"id": number, **answer})

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            data += self._port.read(size - len(data))
        return bytes(data)


def switched_on(key: str) -> str | None:
    """Return what config.txt says of *key* after ``on``; None where it is off."""
    for line in CONFIG.read_text().splitlines():
        words = line.strip().removeprefix(key + "=").split(",")
        if line.startswith(key + "=") and words[0] == "on":
            return ",".join(words[1:])
    return None


def make_devices() -> None:
    """Load what a Pi has, and what raspi-config has switched on."""
    modprobe("pi_identity")
    modprobe("gpio-sim")
    (SIM / "bank0").mkdir(parents=True)
    (SIM / "bank0" / "num_lines").write_text(str(LINES))
    (SIM / "bank0" / "label").write_text("pinctrl-bcm2711")
    (SIM / "live").write_text("1")
    more = switched_on("dtparam=i2c_arm")
    if more is not None:
        baud = next((word.split("=")[1] for word in more.split(",") if word.startswith("i2c_arm_baudrate=")), "100000")
        modprobe("oled_bus", f"baud={baud}")
        modprobe("i2c-dev")


def modprobe(*words: str) -> None:
    subprocess.run(["modprobe", *words], check=True)


def tell_systemd(words: str) -> None:
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.sendto(words.encode(), address)


def main() -> None:
    make_devices()
    subprocess.run(["udevadm", "settle", "--timeout=30"], check=False)
    world = World()
    with PORT.open("r+b", buffering=0) as raw:
        wire = Wire(raw, world)
        tell_systemd("READY=1")
        wire.say({"id": 0, "up_s": float(Path("/proc/uptime").read_text().split()[0])})
        wire.serve()


if __name__ == "__main__":
    main()
