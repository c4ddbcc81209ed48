"""How often the test of the dice cries wolf, and how soon it finds loaded ones: `python -m benchmarks.fairness`.

Prints the tables of docs/statistics.md. Every run is the test as the table has it, looked at after every throw of two
dice.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from statistics import median

from firmware.fairness import ALPHA, Evidence, Fall, Watch
from mexico.throw import FACES

THROWS = 2_000
FAIR_RUNS, LOADED_RUNS = 5_000, 400
RATES = (0.05, 0.01, 0.001)
SIXES = (0.20, 0.25, 0.30)
COLOURS = ("#b41e20", "#f0f0ee")
FAIR = (1 / 6,) * 6


def loaded(six: float) -> tuple[float, ...]:
    """Return how often each face falls when the six does *six* of the time and the others share the rest alike."""
    return (*((1 - six) / 5,) * 5, six)


def pairs(rng: random.Random, first: Sequence[float], second: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield what two dice show, throw by throw, for as long as an evening may be."""
    yield from zip(rng.choices(FACES, first, k=THROWS), rng.choices(FACES, second, k=THROWS), strict=True)


def peaks(runs: int, seed: int) -> list[float]:
    """Return the most that the evidence against fair dice ever was, run by run, looked at after every throw."""
    rng, found = random.Random(seed), []
    for _ in range(runs):
        evidence = Evidence()
        for pair in pairs(rng, FAIR, FAIR):
            evidence.see(pair)
        found.append(evidence.peak)
    return found


def alarm_after(rng: random.Random, first: Sequence[float], second: Sequence[float], *, colours: bool) -> int | None:
    """Return after how many throws the table would say to swap the dice, None where it never does."""
    watch = Watch(ALPHA)
    for number, pair in enumerate(pairs(rng, first, second), 1):
        watch.see(Fall(pair, COLOURS if colours else ()))
        if watch.alarm:
            return number
    return None


def false_alarms(runs: int) -> str:
    """Return as Markdown how often fair dice came to an alarm."""
    found = peaks(runs, seed=1)
    rows = [f"| {rate:g} | {sum(peak >= 1 / rate for peak in found) / runs:.4f} |" for rate in RATES]
    return "\n".join(
        (f"| stated rate | alarms in {runs} runs of {THROWS} throws of two fair dice |", "|---|---|", *rows)
    )


def whole_alarms(runs: int, alpha: float) -> str:
    """Return as one line how often the whole test alarms over fair dice: all together, and each told apart."""
    rng, alarms = random.Random(2), 0
    for _ in range(runs):
        watch = Watch(alpha)
        for pair in pairs(rng, FAIR, FAIR):
            watch.see(Fall(pair, COLOURS))
        alarms += watch.alarm
    return f"The whole test on two fair dice told apart, at a stated rate of {alpha:g}: {alarms} alarms in {runs} runs."


def power(runs: int) -> str:
    """Return as Markdown how soon loaded dice are found."""
    rows = []
    for six in SIXES:
        cells = []
        for second, colours in ((loaded(six), False), (FAIR, False), (FAIR, True)):
            rng = random.Random(3)
            after = [alarm_after(rng, loaded(six), second, colours=colours) for _ in range(runs)]
            reached = [number for number in after if number is not None]
            middle = median(number if number is not None else THROWS + 1 for number in after)
            said = f"{middle:.0f}" if middle <= THROWS else f"over {THROWS}"
            cells.append(f"{said} ({len(reached) / runs:.0%})")
        rows.append(f"| {six:.0%} | {' | '.join(cells)} |")
    head = (
        "| a six falls | both dice loaded, one colour | one of two loaded, one colour | one of two loaded, told apart |"
    )
    return "\n".join((head, "|---|---|---|---|", *rows))


if __name__ == "__main__":
    part = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(false_alarms(round(FAIR_RUNS * part)), end="\n\n", flush=True)
    print(whole_alarms(round(FAIR_RUNS * part / 5), 0.05), end="\n\n", flush=True)
    print(power(round(LOADED_RUNS * part)))
