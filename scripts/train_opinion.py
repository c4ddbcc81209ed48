"""Make vision/opinion.npz, the weights of the second opinion, from dice that vision.render draws.

    python scripts/train_opinion.py draw 0 300 patches.npz     # tables 0 to 299; some 20 minutes on one core
    python scripts/train_opinion.py train patches.npz           # needs torch, which nothing else here does

Every table is drawn with throws of all kinds and with many that lean; every candidate that the reader proposes in them
is a sample: its face where a die of that face lies flat and whole just there, and nothing everywhere else.
"""

import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

WEIGHTS = Path(__file__).parents[1] / "vision" / "opinion.npz"
LEANING = ("cocked_die", "cocked_wall") * 4
TIERS = {"easy": 2, "normal": 3, "hard": 4, "many": 1, "faults": 4}
OTHERS = 3
"""So many candidates of a closeup that were not chosen are samples too."""

OFF = 0.12
"""In sides: a candidate farther from the middle of a die's top is wrong."""

EPOCHS = 60
BATCH = 64


def draw(first: int, last: int) -> Iterator[tuple[np.ndarray, int, int]]:
    """Yield patch, answer (0: no flat die) and table of every sample."""
    from vision import calibrate
    from vision.render_case import Tier, draw_case, make_case, make_fault
    from vision.render_setup import make_setup

    for seed in range(first, last):
        setup = make_setup(seed, is_good=seed % 2 == 0)
        calibration = calibrate(
            setup.empty(), tray_mm=setup.table.tray_mm, die_mm=setup.die_mm, corners=setup.corners_px
        )
        cases = [make_fault(setup, kind, k) for k, kind in enumerate(LEANING)]
        cases += [make_case(setup, Tier(tier), k) for tier, count in TIERS.items() for k in range(count)]
        for case in cases:
            yield from _samples(draw_case(setup, case), case, calibration, seed)
        print(f"table {seed}", flush=True)


def _samples(frame, case, calibration, seed: int) -> Iterator[tuple[np.ndarray, int, int]]:
    from vision.backdrop import backdrop_of
    from vision.closeup import closeups
    from vision.cover import choose
    from vision.flat import pips_of, propose_flat
    from vision.geometry import MARGIN_MM, PX_PER_MM
    from vision.glance import Glance, glance
    from vision.opinion import patch_of

    seen = glance(frame, calibration)
    if not isinstance(seen, Glance):
        return
    for closeup in closeups(frame, calibration, backdrop_of(calibration), seen):
        candidates = propose_flat(closeup, pips_of(closeup, thorough=True))
        chosen = choose(candidates, None)
        rest = [c for c in candidates if all(c is not other for other in chosen)]
        random.Random(seed).shuffle(rest)
        for candidate in (*chosen, *rest[:OTHERS]):
            x = (candidate.fit.x + closeup.x) / PX_PER_MM - MARGIN_MM
            y = (candidate.fit.y + closeup.y) / PX_PER_MM - MARGIN_MM
            lies = any(_lies_flat(die, candidate.fit.face, x, y) for die in case.dice)
            yield patch_of(closeup, candidate).astype(np.float16), candidate.fit.face if lies else 0, seed


def _lies_flat(die, face: int, x: float, y: float) -> bool:
    near = math.hypot(die.x_mm - x, die.y_mm - y) < OFF * die.size_mm
    still = not any(die.travel_mm) and not any(die.spin_deg)
    return near and still and die.tilt_deg < 3 and die.lift_mm < 2 and die.up == face


def train(patches: Path) -> None:
    """Train on *patches* and write the weights; every fifth table is kept back, and judged now and then."""
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            sizes = ((5, 16, 5), (16, 24, 3), (24, 32, 3))
            self.convolutions = nn.ModuleList(nn.Conv2d(a, b, k, stride=2, padding=k // 2) for a, b, k in sizes)
            self.norms = nn.ModuleList(nn.BatchNorm2d(b) for _, b, _ in sizes)
            self.dense = nn.ModuleList((nn.Linear(32 * 36, 32), nn.Linear(32, 7)))
            self.drop = nn.Dropout(0.2)

        def forward(self, seen):
            for convolution, norm in zip(self.convolutions, self.norms, strict=True):
                seen = torch.relu(norm(convolution(seen)))
            return self.dense[1](torch.relu(self.dense[0](self.drop(seen.flatten(1)))))

    torch.manual_seed(1)
    stored = np.load(patches)
    x, y = torch.tensor(stored["x"].astype(np.float32)), torch.tensor(stored["y"].astype(np.int64))
    held = torch.tensor(stored["table"] % 5 == 0)
    weight = torch.where(y == 0, 2.0, 1.0)
    learned = torch.nonzero(~held)[:, 0]
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-3)
    steps = EPOCHS * (len(learned) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps)
    loss_of = nn.CrossEntropyLoss(reduction="none", label_smoothing=0.01)
    for epoch in range(EPOCHS):
        net.train()
        for some in learned[torch.randperm(len(learned))].split(BATCH):
            loss = (loss_of(net(_altered(x[some])), y[some]) * weight[some]).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        if epoch % 5 == 4:
            print(epoch + 1, _judged(net, x[held], y[held]), flush=True)
    np.savez_compressed(WEIGHTS, **_folded(net))


def _altered(seen):
    """Turn, mirror, recolour, blur and shift samples: what a die is does not depend on it."""
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
    soft = functional.avg_pool2d(functional.pad(seen, (1, 1, 1, 1), mode="replicate"), 3, 1)
    seen = torch.where((torch.rand(count) < 0.3).view(-1, 1, 1, 1), (seen + soft) / 2, seen)
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
        chance = torch.softmax(net(x), 1)
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
        out[f"conv{k}"] = (convolution.weight * gain[:, None, None, None]).detach().numpy().astype(np.float16)
        bias = (convolution.bias - norm.running_mean) * gain + norm.bias
        out[f"bias{k}"] = bias.detach().numpy().astype(np.float32)
    for k, dense in enumerate(net.dense, 1):
        out[f"dense{k}"] = dense.weight.detach().numpy().astype(np.float16)
        out[f"offset{k}"] = dense.bias.detach().numpy().astype(np.float32)
    return out


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["draw", first, last, out]:
            patches, answers, tables = zip(*draw(int(first), int(last)), strict=True)
            np.savez(out, x=np.stack(patches), y=np.array(answers), table=np.array(tables))
        case ["train", patches]:
            train(Path(patches))
        case _:
            sys.exit(__doc__)
