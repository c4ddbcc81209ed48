"""Make the weights of the second opinion from drawn dice: the .npz and the .onnx.bz2 in vision/tray/.

    python scripts/train_opinion.py draw 400 700 patches.npz          # tables 400 to 699; 11 s each on one core
    python scripts/train_opinion.py lean 3000 3200 more.npz           # the same, nearly all of it leaning dice
    python scripts/train_opinion.py slight 3400 3500 slight.npz       # the same, most of it leaning by 8 to 17 degrees
    python scripts/train_opinion.py hard 3200 3400 most.npz           # the same, most of it at walls, touching, heaped
    python scripts/train_opinion.py mirror 3600 3700 white.npz        # throws in which a top mirrors a lamp
    python scripts/train_opinion.py mirror-slight 3700 3800 both.npz  # the same, many leaning by 8 to 17 degrees
    python scripts/train_opinion.py small 7000 7100 small.npz         # the same, in pictures of 640x480
    python scripts/train_opinion.py faults 4300 4396 wrong.npz        # most of it what must be refused, of all kinds
    python scripts/train_opinion.py rare 4200 4240 rare.npz           # throws with clear dice, and with such as move
    python scripts/train_opinion.py marbled 23000 23030 veins.npz     # throws with marbled dice, half of which lean
    PYTHONPATH=. python scripts/train_opinion.py missed throws.jsonl missed.npz
                                                                      # throws of a benchmark: the refused ones, faults;
                                                                      # missed-small: of one with --small
    PYTHONPATH=. python scripts/train_opinion.py traced build/traced traced.npz
                                                                      # throws that scripts/traced drew
    python scripts/train_opinion.py moving 8000 8120 move.npz         # dice that move, and such as lie still: no faces
    PYTHONPATH=. python scripts/train_opinion.py traced-moving build/traced traced-move.npz
    python scripts/train_opinion.py train patches.npz more.npz ...    # needs torch, which nothing else here does
    python scripts/train_opinion.py tune patches.npz more.npz ...     # goes on from the weights that are there
    python scripts/train_opinion.py leaning patches.npz slight.npz ...
                                                                      # the same with the weights of leaning.npz
    python scripts/train_opinion.py doubted patches.npz traced.npz traced.npz ...
                                                                      # the deep one, which needs onnx as well: goes on
                                                                      # from build/doubted.pt, or from what is stored;
                                                                      # what is named twice counts twice
    python scripts/train_opinion.py doubted-anew patches.npz ...      # the same from nothing
    python scripts/train_opinion.py halfway opinion before.npz        # into opinion.npz the mean of it and the other
    python scripts/train_opinion.py motion move.npz traced-move.npz   # the deep one that tells motion: goes on from
                                                                      # build/moving.pt, or begins as the other
    PYTHONPATH=. python scripts/train_opinion.py covered 1 covered.npz patches.npz more.npz ...
                                                                      # flat dice of those, by that seed: as they are,
                                                                      # and with something painted on their middles
    python scripts/train_opinion.py middle covered.npz ...            # the deep one that tells which is which: so, too

Every table is drawn with throws of all kinds and with many that lean; every candidate that the reader proposes in them
is a sample: its face where a die of that face lies flat and whole just there, and nothing everywhere else. So is what
an outline fits, and every die just where it is, for of some the reader finds no pips (`opinion_samples.py`). Tables
from 1200 on that are not drawn here are for `benchmarks.throws`, which counts what the reader makes of dice it never
saw.
"""

import copy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import covered_samples
import motion_samples
import numpy as np
from opinion_samples import Sample, of_drawn, of_marbled, of_mirrors, of_missed, of_rare, of_traced

from vision.render.setup import LARGE, SMALL
from vision.tray.opinion import ANSWERS, CHANNELS, FACES, MOVES, PATCH

WEIGHTS = Path(__file__).parents[1] / "vision" / "tray"
SEEN = CHANNELS, PATCH, PATCH
LEANING = ("cocked_die", "cocked_wall")
SLIGHTLY = ("slight_die", "slight_wall")
TIERS = {"easy": 2, "normal": 4, "hard": 6, "many": 5, "faults": 3}

NAMES = {"train": "opinion", "tune": "opinion", "motion": "moving", "doubted-anew": "doubted"}
"""Of the weights, where it is not that of the verb."""

DEEP = ("doubted", "doubted-anew", "motion", "middle")
"""The verbs that train deep networks."""

TWICE = {"motion": MOVES, "middle": -1}
"""The answer that counts twice, where it is not that no die lies flat there; -1 for none."""

BATCH, NORMALISED = 128, 2048
"""Samples that are learned from together, and those that tell what stored weights are given."""


@dataclass(frozen=True)
class Course:
    """How a network is trained.

    Attributes
    ----------
    epochs
        How many times it sees every sample.
    rate
        The highest rate at which it learns.
    decay
        Of its weights, by `torch.optim.AdamW`.
    mean
        How much of the weights after each step comes into their mean (Polyak & Juditsky 1992), which is what is stored.
    norms
        Whether its normalisation learns: that of weights that were stored is part of them, and stays as it is.
    """

    epochs: int
    rate: float
    decay: float = 1e-3
    mean: float = 1e-3
    norms: bool = True


ANEW, TUNED = Course(32, 3e-3), Course(12, 2e-3, norms=False)
COURSES = {
    "train": ANEW,
    "motion": Course(10, 2e-3, decay=5e-3, mean=5e-3),
    "middle": Course(2, 1.5e-3, decay=5e-3, mean=5e-3),
    "doubted-anew": Course(12, 3e-3, decay=5e-3, mean=2e-3),
    "doubted": Course(1, 5e-4, decay=5e-3, mean=2e-3),
}
"""By the verb; all others tune."""

CHECKPOINTS = Path("build")
BITS = 6
"""Significant bits of the stored weights of the deep networks, so that each takes less than a megabyte."""

LEAN_TIERS = {"hard": 3, "normal": 1}
HARD_TIERS = {"easy": 3, "normal": 6, "hard": 20, "many": 8, "faults": 6}
WRONG_TIERS = {"easy": 2, "normal": 2, "hard": 6, "faults": 44}


def _store(samples: Iterator[Sample], out: str) -> None:
    patches, answers, tables = zip(*samples, strict=True)
    np.savez(out, x=np.stack(patches), y=np.array(answers), table=np.array(tables))


def train(patches: list[str], verb: str) -> None:
    """Train on *patches* and write the weights; every fifth table is kept back, and judged now and then."""
    import torch
    from opinion_net import altered
    from torch import nn

    torch.manual_seed(1)
    x, y, held = (torch.from_numpy(values) for values in _loaded(patches))
    # What must be refused counts twice, but where nothing but that is asked, and as many are.
    weight = torch.where(y == TWICE.get(verb, 0), 2.0, 1.0)
    learned = torch.nonzero(~held)[:, 0]
    course = COURSES.get(verb, TUNED)
    net = _begun(verb, x[learned[:NORMALISED]])
    mean = copy.deepcopy(net)
    # Twice as fast on a processor; so are products of half the precision if it has them, and ten times as slow if not.
    net.to(memory_format=torch.channels_last)
    halves = torch.cpu._is_avx512_bf16_supported()
    print(0, _judged(net, x[held], y[held]), flush=True)
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=course.decay)
    steps = course.epochs * (len(learned) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, course.rate, total_steps=steps)
    loss_of = nn.CrossEntropyLoss(reduction="none", label_smoothing=0.01)
    for epoch in range(course.epochs):
        net.train()
        if not course.norms:
            net.norms.eval()
        for some in learned[torch.randperm(len(learned))].split(BATCH):
            seen = altered(_planes(x[some])).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=halves):
                scores = net(seen)
            loss = (loss_of(scores.float(), y[some]) * weight[some]).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            with torch.no_grad():
                for slow, now in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
                    slow.lerp_(now, course.mean) if slow.is_floating_point() else slow.copy_(now)
        if epoch % 4 == 3 or epoch == course.epochs - 1:
            print(epoch + 1, _judged(mean, x[held], y[held]), flush=True)
            _write(mean, verb)


def _begun(verb: str, some):
    """Return the network that is trained on *some* samples and others, as it is before that."""
    from opinion_net import Net, stored

    if verb == "train":
        return Net()
    return _deep(verb, some) if verb in DEEP else stored(WEIGHTS / f"{NAMES.get(verb, verb)}.npz")


def _deep(verb: str, some):
    """Return the deep network of *verb* as it was left; if it was not, as it begins."""
    import deep_net
    import torch

    answers = FACES if verb in ("doubted", "doubted-anew") else ANSWERS
    deep, checkpoint = deep_net.Deep(answers), CHECKPOINTS / f"{NAMES.get(verb, verb)}.pt"
    if verb == "doubted-anew":
        return deep
    if checkpoint.exists():
        deep.load_state_dict(torch.load(checkpoint))
        return deep
    deep = deep_net.stored(WEIGHTS / "doubted.onnx.bz2")
    deep_net.normalise(deep, _planes(some))
    return deep if answers == FACES else deep_net.with_answers(deep, answers)


def _write(net, verb: str) -> None:
    import torch
    from opinion_net import folded

    name = NAMES.get(verb, verb)
    if verb not in DEEP:
        np.savez_compressed(WEIGHTS / f"{name}.npz", **folded(net))
        return
    import onnx_file

    CHECKPOINTS.mkdir(exist_ok=True)
    torch.save(net.state_dict(), CHECKPOINTS / f"{name}.pt")
    chances = torch.nn.Sequential(net, torch.nn.Softmax(1)).eval()
    onnx_file.write(chances, torch.zeros(1, *SEEN), WEIGHTS / f"{name}.onnx.bz2", axes={0: "patches"}, bits=BITS)


def mean_with(name: str, before: str) -> None:
    """Make the weights called *name* the mean of them and of what they were tuned from, the file *before*."""
    from opinion_net import halfway

    weights = WEIGHTS / f"{name}.npz"
    np.savez_compressed(weights, **halfway(np.load(before), np.load(weights)))


def _loaded(patches: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the samples of all *patches*, float16, their answers, and which are kept back."""
    files = [np.load(path) for path in patches]
    answers, tables = (np.concatenate([file[name] for file in files]) for name in ("y", "table"))
    x = np.empty((len(answers), *files[0]["x"].shape[1:]), np.float16)
    end = 0
    for file in files:
        start, end = end, end + len(file["y"])
        x[start:end] = file["x"]
    return x, answers.astype(np.int64), tables % 5 == 0


def _planes(samples):
    return samples.float().permute(0, 3, 1, 2)


def _judged(net, x, y) -> str:
    import torch

    net.eval()
    with torch.no_grad():
        chance = torch.cat([torch.softmax(net(_planes(some)), 1) for some in x.split(512)])
    flat = y > 0
    right = chance[flat].gather(1, y[flat][:, None])[:, 0]
    wrong = chance[~flat][:, 1:].max(1).values
    believed = ", ".join(f"{int((wrong > t).sum())} above {t}" for t in (0.5, 0.7, 0.9))
    doubted = ", ".join(f"{int((right < t).sum())} below {t}" for t in (0.5, 0.7, 0.9))
    return f"{len(right)} to be told: {doubted}; {len(wrong)} others: {believed}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["draw" | "lean" | "slight" | "hard" | "small" | "faults" as verb, first, last, out]:
            kinds = {
                "draw": (4 * LEANING, TIERS, LARGE),
                "lean": (7 * LEANING, LEAN_TIERS, LARGE),
                "slight": (10 * SLIGHTLY + LEANING, LEAN_TIERS, LARGE),
                "hard": (6 * LEANING, HARD_TIERS, LARGE),
                "small": (6 * LEANING, HARD_TIERS, SMALL),
                "faults": ((), WRONG_TIERS, LARGE),
            }[verb]
            _store(of_drawn(int(first), int(last), *kinds), out)
        case ["mirror" | "mirror-slight" as verb, first, last, out]:
            _store(of_mirrors(int(first), int(last), LEANING if verb == "mirror" else SLIGHTLY), out)
        case ["rare", first, last, out]:
            _store(of_rare(int(first), int(last)), out)
        case ["marbled", first, last, out]:
            _store(of_marbled(int(first), int(last), LEANING + SLIGHTLY), out)
        case ["missed" | "missed-small" as verb, results, out]:
            _store(of_missed(results, LARGE if verb == "missed" else SMALL), out)
        case ["traced", folder, out]:
            _store(of_traced(folder), out)
        case ["moving", first, last, out]:
            _store(motion_samples.of_drawn(int(first), int(last)), out)
        case ["covered", seed, out, *patches] if patches:
            _store(covered_samples.of_stored(patches, int(seed)), out)
        case ["traced-moving", folder, out]:
            _store(motion_samples.of_traced(folder), out)
        case ["halfway", "opinion" | "leaning" as name, before]:
            mean_with(name, before)
        case [verb, *patches] if patches and verb in ("train", "tune", "leaning", *DEEP):
            train(patches, verb)
        case _:
            sys.exit(__doc__)
