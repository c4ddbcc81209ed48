"""The options of the bare ``mexico-table``, and which of them go together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click

from firmware.cli_common import Named, Whole
from firmware.page.address import Address
from mexico.catalogue import GAMES

Point: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Point, Point, Point, Point]
F = TypeVar("F", bound=Callable[..., Any])


class Millimetres(click.FloatRange):
    """A number of millimetres; what is none is told what is allowed."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low, high)
        self._low, self._high = low, high
        self.name = f"number of millimetres, which are {low:g} to {high:g}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that *value* says; "nan" is none."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            self.fail(f"{value!r} is no {self.name}", param, ctx)
        if not self._low <= number <= self._high:
            limits = f"{self._low:g} to {self._high:g}"
            self.fail(f"{number:g} is out of range; wanted are millimetres from {limits}", param, ctx)
        return number


def tray_mm(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[float, float] | None:
    """Return a width and a height in millimetres from words such as 300x220."""
    if value is None:
        return None
    try:
        wide, high = (float(part) for part in value.lower().split("x"))
    except ValueError:
        raise click.BadParameter(f"{value!r} is no size; wanted are millimetres such as 300x220") from None
    if not (40 <= wide <= 2000 and 40 <= high <= 2000):
        raise click.BadParameter(f"{value!r} is no tray; wanted are 40 to 2000 millimetres each way, such as 300x220")
    return wide, high


def corners(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Quad | None:
    """Return four points in pixels from words such as ``"1,2 3,4 5,6 7,8"``."""
    if value is None:
        return None
    try:
        points = [tuple(float(number) for number in point.split(",")) for point in value.split()]
        one, two, three, four = ((x, y) for x, y in points)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not four corners; wanted are pixels, clockwise from the top left, "
            'such as "100,80 1180,80 1180,880 100,880"'
        ) from None
    return one, two, three, four


def page_address(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Address | None:
    """Return where the page is to be served from words such as 127.0.0.1:8021."""
    if value is None:
        return None
    try:
        return Address.parse(value, exactly=True)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is no address; wanted are a host and a port, such as 127.0.0.1:8021 or 0.0.0.0:80"
        ) from None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the bare ``mexico-table`` was asked for; a field is named as its option."""

    virtual: bool
    hardware: bool
    calibrate: bool
    auto: bool
    game: str | None
    players: int | None
    seed: int | None
    games: int | None
    fast: bool
    json: bool
    page_address: Address | None
    no_page: bool
    from_: tuple[str, ...]
    corners: Quad | None
    tray_mm: tuple[float, float] | None
    die_mm: float | None
    camera_mm: float | None
    target: tuple[str, ...]
    dice_from: tuple[str, ...]
    print_target: Path | None
    out: Path | None

    def check(self) -> None:
        """Refuse options that do not go together."""
        if sum((self.virtual, self.hardware, self.calibrate)) > 1:
            raise click.UsageError("--virtual, --hardware and --calibrate exclude one another; take one")
        if not self.calibrate:
            given = ("from_", "corners", "tray_mm", "die_mm", "camera_mm", "target", "dice_from", "print_target", "out")
            self._refuse(given, "goes with --calibrate")
        if self.calibrate or self.hardware:
            self._refuse(("auto", "game", "players", "seed", "games", "fast", "json"), "goes with --virtual")
        if self.json and not self.auto:
            raise click.UsageError("--json goes with --auto: a person at the virtual table sees its display")
        if self.page_address is not None and (self.no_page or self.calibrate):
            raise click.UsageError("--page-address does not go with --no-page or --calibrate; leave one out")
        if self.games is not None and not self.auto:
            raise click.UsageError("--games goes with --auto: people press q when they have enough")

    @property
    def asks_for_virtual(self) -> bool:
        """Return True when any option of the virtual table was given."""
        return self.virtual or bool(self._given(("auto", "game", "players", "seed", "games", "fast", "json")))

    def refuse_before(self, command: str) -> None:
        """Refuse options of the bare call that stand before *command*."""
        self._refuse(tuple(field.name for field in fields(self)), f"does not go with {command}, or stands after it")

    def _given(self, names: tuple[str, ...]) -> list[str]:
        return [name for name in names if getattr(self, name) not in (None, False, ())]

    def _refuse(self, names: tuple[str, ...], why: str) -> None:
        given = self._given(names)
        if given:
            raise click.UsageError(f"--{given[0].strip('_').replace('_', '-')} {why}")


def table_options(command: F) -> F:
    """Give a command the options of the bare call."""
    options = (
        click.option("--virtual", is_flag=True, help="The virtual table: rendered dice before the real reader."),
        click.option("--hardware", is_flag=True, help="The real devices, or an error that says which is missing."),
        click.option("--calibrate", is_flag=True, help="Set the camera up for this tray and save the calibration."),
        click.option("--auto", is_flag=True, help="Virtual: every seat is played by the computer."),
        click.option("--game", type=click.Choice(tuple(GAMES)), help="Virtual: which game is played (mexico)."),
        click.option("--players", type=Whole(2, 8), metavar="N", help="Virtual: how many seats sit down."),
        click.option("--seed", type=Whole(0), metavar="S", help="Virtual: the same seed, the same dice."),
        click.option("--games", type=Whole(1), metavar="N", help="Virtual: end after so many games (1)."),
        click.option("--fast", is_flag=True, help="Virtual: no waiting."),
        click.option("--json", is_flag=True, help="Virtual: one JSON object per stored event."),
        click.option("--page-address", callback=page_address, metavar="HOST:PORT",
                     help="Serve the page there (a virtual table: 127.0.0.1:8021)."),
        click.option("--no-page", is_flag=True, help="Serve no page."),
        click.option("--from", "from_", multiple=True, metavar="EMPTY.jpg", help="Calibrate: the empty tray."),
        click.option(
            "--corners",
            callback=corners,
            metavar="X,Y X,Y X,Y X,Y",
            help="Calibrate: corners of the floor, pixels.",
        ),
        click.option("--tray-mm", callback=tray_mm, metavar="WxH", help="Calibrate: floor inside, such as 300x220."),
        click.option("--die-mm", type=Millimetres(5, 50), metavar="MM", help="Calibrate: edge of the dice (16)."),
        click.option("--camera-mm", type=Millimetres(150, 1500), metavar="MM",
                     help="Calibrate: how high its lens is above the felt, by a ruler."),
        click.option("--target", multiple=True, metavar="PHOTO", help="Calibrate: the printed target, for the lens."),
        click.option("--dice-from", multiple=True, metavar="THROW.jpg", help="Calibrate: throws to learn dice from."),
        click.option("--print-target", type=Named(), metavar="TARGET.pdf",
                     help="Calibrate: write the target, to be printed on A4, and end."),
        click.option("--out", type=Named(), metavar="CAL.json", help="Calibrate: where to save."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command
