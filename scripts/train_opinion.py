"""Make vision/tray/opinion.npz and leaning.npz, the weights of the second opinion, from dice that vision.render draws.

    python scripts/train_opinion.py draw 400 700 patches.npz          # tables 400 to 699; 11 s each on one core
    python scripts/train_opinion.py lean 3000 3200 more.npz           # the same, nearly all of it leaning dice
    python scripts/train_opinion.py slight 3400 3500 slight.npz       # the same, most of it leaning by 8 to 17 degrees
    python scripts/train_opinion.py hard 3200 3400 most.npz           # the same, most of it at walls, touching, heaped
    python scripts/train_opinion.py mirror 3600 3700 white.npz        # throws in which a top mirrors a lamp
    python scripts/train_opinion.py mirror-slight 3700 3800 both.npz  # the same, many leaning by 8 to 17 degrees
    python scripts/train_opinion.py small 7000 7100 small.npz         # the same, in pictures of 640x480
    PYTHONPATH=. python scripts/train_opinion.py missed throws.jsonl missed.npz
                                                                      # throws of a benchmark: the refused ones, faults;
                                                                      # missed-small: of one with --small
    PYTHONPATH=. python scripts/train_opinion.py traced build/traced traced.npz
                                                                      # throws that scripts/traced drew
    python scripts/train_opinion.py train patches.npz more.npz ...    # needs torch, which nothing else here does
    python scripts/train_opinion.py tune patches.npz more.npz ...     # goes on from the weights that are there
    python scripts/train_opinion.py leaning patches.npz slight.npz ...
                                                                      # the same with the weights of leaning.npz

Every table is drawn with throws of all kinds and with many that lean; every candidate that the reader proposes in them
is a sample: its face where a die of that face lies flat and whole just there, and nothing everywhere else. So is what
an outline fits, and every die just where it is, for of some the reader finds no pips (`opinion_samples.py`). Tables
from 1200 on that are not drawn here are for `benchmarks.throws`, which counts what the reader makes of dice it never
saw.
"""

import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from opinion_samples import Sample, of_drawn, of_mirrors, of_missed, of_traced

from vision.render.setup import LARGE, SMALL

WEIGHTS = Path(__file__).parents[1] / "vision" / "tray" / "opinion.npz"
LEANING_WEIGHTS = WEIGHTS.with_name("leaning.npz")
LEANING = ("cocked_die", "cocked_wall")
SLIGHTLY = ("slight_die", "slight_wall")
TIERS = {"easy": 2, "normal": 4, "hard": 6, "many": 5, "faults": 3}

EPOCHS = 32
TUNING_EPOCHS = 12
BATCH = 128
RATE = 3e-3
TUNING_RATE = 2e-3

LEAN_TIERS = {"hard": 3, "normal": 1}
HARD_TIERS = {"easy": 3, "normal": 6, "hard": 20, "many": 8, "faults": 6}


def _store(samples: Iterator[Sample], out: str) -> None:
    patches, answers, tables = zip(*samples, strict=True)
    np.savez(out, x=np.stack(patches), y=np.array(answers), table=np.array(tables))


def train(patches: list[str], verb: str) -> None:
    """Train on *patches* and write the weights; every fifth table is kept back, and judged now and then."""
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            sizes = ((5, 20, 5), (20, 40, 3), (40, 64, 3), (64, 96, 3))
            self.convolutions = nn.ModuleList(nn.Conv2d(a, b, k, stride=2, padding=k // 2) for a, b, k in sizes)
            self.norms = nn.ModuleList(nn.BatchNorm2d(b) for _, b, _ in sizes)
            self.dense = nn.ModuleList((nn.Linear(96 * 16, 48), nn.Linear(48, 7)))
            self.drop = nn.Dropout(0.2)

        def forward(self, seen):
            for convolution, norm in zip(self.convolutions, self.norms, strict=True):
                seen = torch.relu(norm(convolution(seen)))
            # Pixel by pixel, as the reader has it.
            flat = seen.permute(0, 2, 3, 1).flatten(1)
            return self.dense[1](torch.relu(self.dense[0](self.drop(flat))))

    torch.manual_seed(1)
    stored = [np.load(path) for path in patches]
    x = torch.tensor(np.concatenate([one["x"] for one in stored]).transpose(0, 3, 1, 2))
    y = torch.tensor(np.concatenate([one["y"] for one in stored]).astype(np.int64))
    held = torch.tensor(np.concatenate([one["table"] for one in stored]) % 5 == 0)
    weight = torch.where(y == 0, 2.0, 1.0)
    learned = torch.nonzero(~held)[:, 0]
    # Twice as fast on a processor.
    net = Net().to(memory_format=torch.channels_last)
    tune = verb != "train"
    epochs, rate = (TUNING_EPOCHS, TUNING_RATE) if tune else (EPOCHS, RATE)
    weights = LEANING_WEIGHTS if verb == "leaning" else WEIGHTS
    if tune:
        _unfold(net, weights)
        print(0, _judged(net, x[held], y[held]), flush=True)
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-3)
    steps = epochs * (len(learned) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    loss_of = nn.CrossEntropyLoss(reduction="none", label_smoothing=0.01)
    for epoch in range(epochs):
        net.train()
        # The normalisation of weights that were stored is part of them, and stays as it is.
        net.norms.train(not tune)
        for some in learned[torch.randperm(len(learned))].split(BATCH):
            seen = _altered(x[some].float()).contiguous(memory_format=torch.channels_last)
            loss = (loss_of(net(seen), y[some]) * weight[some]).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        if epoch % 4 == 3:
            print(epoch + 1, _judged(net, x[held], y[held]), flush=True)
    np.savez_compressed(weights, **_folded(net))


def _altered(seen):
    """Turn, mirror, recolour, shade, blur and shift samples: what a die is does not depend on it."""
    import torch
    from torch.nn import functional

    count = len(seen)
    seen = torch.rot90(seen, random.randrange(4), (2, 3)).clone()
    if random.random() < 0.5:
        seen = seen.flip(3)
    hue = torch.rand(count).mul(2 * math.pi).view(-1, 1, 1)
    a, b = seen[:, 1].clone(), seen[:, 2].clone()
    seen[:, 1], seen[:, 2] = torch.cos(hue) * a - torch.sin(hue) * b, torch.sin(hue) * a + torch.cos(hue) * b
    seen[:, :3] *= (0.6 + 0.8 * torch.rand(count)).view(-1, 1, 1, 1)
    seen[:, 0] = torch.where((torch.rand(count) < 0.15).view(-1, 1, 1), -seen[:, 0], seen[:, 0])
    seen[:, 3] *= (0.6 + 0.8 * torch.rand(count)).view(-1, 1, 1)
    seen[:, :4] += torch.randn_like(seen[:, :4]) * (0.08 * torch.rand(count)).view(-1, 1, 1, 1)
    across, down = (torch.rand(count, 1, 1) - 0.5 for _ in range(2))
    ramp = torch.linspace(-1, 1, seen.shape[2])
    seen[:, 0] += across * ramp[None, None] + down * ramp[None, :, None]
    soft = functional.avg_pool2d(functional.pad(seen, (1, 1, 1, 1), mode="replicate"), 3, 1)
    seen = torch.where((torch.rand(count) < 0.3).view(-1, 1, 1, 1), (seen + soft) / 2, seen)
    if random.random() < 0.5:
        return seen
    turn, scale = (torch.rand(count) - 0.5) * 0.14, 1 + (torch.rand(count) - 0.5) * 0.05
    pose = torch.zeros(count, 2, 3)
    pose[:, 0, 0] = pose[:, 1, 1] = torch.cos(turn) * scale
    pose[:, 1, 0] = torch.sin(turn) * scale
    pose[:, 0, 1] = -pose[:, 1, 0]
    pose[:, :, 2] = (torch.rand(count, 2) - 0.5) * 0.05
    grid = functional.affine_grid(pose, list(seen.shape), align_corners=False)
    return functional.grid_sample(seen, grid, padding_mode="border", align_corners=False)


def _judged(net, x, y) -> str:
    import torch

    net.eval()
    with torch.no_grad():
        chance = torch.cat([torch.softmax(net(some.float()), 1) for some in x.split(512)])
    flat = y > 0
    right = chance[flat].gather(1, y[flat][:, None])[:, 0]
    wrong = chance[~flat][:, 1:].max(1).values
    believed = ", ".join(f"{int((wrong > t).sum())} above {t}" for t in (0.5, 0.9))
    doubted = ", ".join(f"{int((right < t).sum())} below {t}" for t in (0.5, 0.9))
    return f"{len(right)} flat dice: {doubted}; {len(wrong)} others: {believed}"


def _folded(net) -> dict[str, np.ndarray]:
    """Return the weights as the reader uses them, each convolution with its normalisation in one."""
    out: dict[str, np.ndarray] = {}
    for k, (convolution, norm) in enumerate(zip(net.convolutions, net.norms, strict=True), 1):
        gain = norm.weight / (norm.running_var + norm.eps).sqrt()
        kernels = (convolution.weight * gain[:, None, None, None]).permute(2, 3, 1, 0)
        out[f"conv{k}"] = kernels.detach().numpy().astype(np.float16)
        bias = (convolution.bias - norm.running_mean) * gain + norm.bias
        out[f"bias{k}"] = bias.detach().numpy().astype(np.float32)
    for k, dense in enumerate(net.dense, 1):
        out[f"dense{k}"] = dense.weight.T.detach().numpy().astype(np.float16)
        out[f"offset{k}"] = dense.bias.detach().numpy().astype(np.float32)
    return out


def _unfold(net, weights: Path) -> None:
    """Give *net* the stored *weights*, its normalisation doing nothing."""
    import torch

    stored = {name: torch.tensor(values.astype(np.float32)) for name, values in np.load(weights).items()}
    with torch.no_grad():
        for k, (convolution, norm) in enumerate(zip(net.convolutions, net.norms, strict=True), 1):
            convolution.weight.copy_(stored[f"conv{k}"].permute(3, 2, 0, 1))
            convolution.bias.zero_()
            norm.weight.fill_(1)
            norm.bias.copy_(stored[f"bias{k}"])
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
        for k, dense in enumerate(net.dense, 1):
            dense.weight.copy_(stored[f"dense{k}"].T)
            dense.bias.copy_(stored[f"offset{k}"])


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["draw" | "lean" | "slight" | "hard" | "small" as verb, first, last, out]:
            kinds = {
                "draw": (4 * LEANING, TIERS, LARGE),
                "lean": (7 * LEANING, LEAN_TIERS, LARGE),
                "slight": (10 * SLIGHTLY + LEANING, LEAN_TIERS, LARGE),
                "hard": (6 * LEANING, HARD_TIERS, LARGE),
                "small": (6 * LEANING, HARD_TIERS, SMALL),
            }[verb]
            _store(of_drawn(int(first), int(last), *kinds), out)
        case ["mirror" | "mirror-slight" as verb, first, last, out]:
            _store(of_mirrors(int(first), int(last), LEANING if verb == "mirror" else SLIGHTLY), out)
        case ["missed" | "missed-small" as verb, results, out]:
            _store(of_missed(results, LARGE if verb == "missed" else SMALL), out)
        case ["traced", folder, out]:
            _store(of_traced(folder), out)
        case ["train" | "tune" | "leaning" as verb, *patches] if patches:
            train(patches, verb)
        case _:
            sys.exit(__doc__)
