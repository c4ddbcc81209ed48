"""What can be found out about a table while it runs, without disturbing it, and what cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Final

from firmware import computer
from firmware.checks import BRIGHT, DARK, Check, State, storage, warmth
from firmware.page.panel_site import PanelSite

STUCK_S: Final = 20.0
"""A button that is down for so long is not held by anybody."""

OLD_DAYS: Final = 90
SLOW: Final = 0.6
"""Which part of the pictures that were asked for is too few."""

MOST_REFUSED: Final = 0.3
"""Which part of the throws may be refused before something is wrong with the tray; and of how many at least."""
LEAST_THROWS: Final = 10

CLIPPED: Final = 0.15
AGAIN: Final = "calibrate: stop the table, then mexico-table --calibrate"

OFF: Final = (
    ("lamps", "each is lit in turn, and somebody has to look"),
    ("sound", "a tone, and somebody has to listen"),
    ("encoder", "it has to lie still, and then be turned"),
    ("flicker", "a series of pictures of the empty tray, the camera held as it was calibrated"),
    ("walk", "every button pressed, every lamp looked at: mexico-table doctor --walk"),
)
"""What needs the table to be off, and why."""


def findings(site: PanelSite, figures: Mapping[str, object] | None) -> Iterator[Check]:
    """Yield how the parts are; reads the disk and asks the computer, so on no event loop.

    Parameters
    ----------
    site
        The table.
    figures
        Of the newest picture, None where there is none or dice are hidden.
    """
    yield _camera(site)
    if site.real:
        yield _calibration(site)
    yield _light(site, figures)
    yield _reader(site)
    yield _buttons(site)
    yield _display(site)
    yield _events(site)
    yield storage(site.folder)
    warm = warmth(computer.run)
    yield warm
    yield from (Check(name, State.SKIPPED, why, "stop the table, then mexico-table doctor") for name, why in OFF)


def _camera(site: PanelSite) -> Check:
    lost, fps, wanted = site.gauges.view.camera.lost, site.gauges.fps, site.settings.camera.frames_per_s
    if lost is not None:
        found, _, do = lost.partition("; ")
        return Check("camera", State.FAILED, found, do or "check its cable")
    if fps is None:
        return Check("camera", State.OK, "has just begun")
    found = f"gives {fps:.0f} pictures a second"
    if fps == 0:
        return Check("camera", State.FAILED, "gives no pictures at this moment", "check its cable")
    if site.real and fps < SLOW * wanted:
        do = "see below whether the computer is slowed down; a USB camera may need more light to be faster"
        return Check("camera", State.FAILED, f"{found}, {wanted} were asked for", do)
    return Check("camera", State.OK, found)


def _calibration(site: PanelSite) -> Check:
    try:
        days = max(0.0, time.time() - site.folder.calibration.stat().st_mtime) / 86_400
    except OSError:
        return Check("calibration", State.FAILED, "its file is gone", AGAIN)
    found = f"calibrated {days:.0f} days ago"
    return Check("calibration", State.FAILED if days > OLD_DAYS else State.OK, found, AGAIN if days > OLD_DAYS else "")


def _light(site: PanelSite, figures: Mapping[str, object] | None) -> Check:
    if site.gauges.view.watching.blind:
        return Check("light", State.SKIPPED, "not looked at while dice are hidden")
    if figures is None:
        return Check("light", State.SKIPPED, "no picture has come yet")
    mean, clipped, blur = (figures[name] for name in ("mean", "clipped", "blur_px"))
    found = f"mean grey {mean} of 255"
    if isinstance(clipped, float):
        found += f", {clipped:.1%} clipped"
    if isinstance(blur, float):
        found += f", sharp to {blur:.1f} pixels"
    if isinstance(mean, float) and mean < DARK:
        return Check("light", State.FAILED, f"{found}: too dark", "switch the lamp on, or bring it nearer")
    if (isinstance(mean, float) and mean > BRIGHT) or (isinstance(clipped, float) and clipped > CLIPPED):
        return Check("light", State.FAILED, f"{found}: too bright", "turn the lamp down, or away from the lens")
    return Check("light", State.OK, found)


def _reader(site: PanelSite) -> Check:
    read, refused = site.gauges.readings()
    total, bad = read + refused.total(), refused.total()
    if not total:
        return Check("reader", State.OK, "no throw within the last hour")
    by_fault = ", ".join(f"{fault} {count}" for fault, count in refused.most_common())
    # Not what the evening counts: there stand only throws that the rules took for bad ones.
    found = f"{read} of {total} answers of the last hour were readings"
    found += f"; refused, whether it counted or not: {by_fault}" if bad else ""
    if total >= LEAST_THROWS and bad > MOST_REFUSED * total:
        return Check(
            "reader", State.FAILED, found, "look at the picture of the camera: lamp, lens, what lies in the tray"
        )
    return Check("reader", State.OK, found)


def _buttons(site: PanelSite) -> Check:
    down = site.gauges.stuck()
    stuck = {key: for_s for key, for_s in down.items() if for_s >= STUCK_S}
    if stuck:
        names = ", ".join(f"{key} for {for_s:.0f} seconds" for key, for_s in sorted(stuck.items()))
        return Check("buttons", State.FAILED, f"down: {names}", "free them, or check their wires")
    return Check("buttons", State.OK, "none is down for long" if down else "all are up")


def _display(site: PanelSite) -> Check:
    lost = site.gauges.display()
    if lost is None:
        return Check("display", State.OK, "takes what it is given")
    found, _, do = lost.partition("; ")
    return Check("display", State.FAILED, found, do or "check its cable")


def _events(site: PanelSite) -> Check:
    unsaved = site.gauges.view.unsaved
    if unsaved:
        return Check("events", State.FAILED, f"{unsaved} are in memory only", "make room on the disk, and leave it on")
    return Check("events", State.OK, "all are on the disk")
