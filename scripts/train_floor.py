"""Make vision/find_tray/floor.onnx.gz, the network that sees where the floor of an empty tray is.

    python scripts/train_floor.py draw 60000 61100 drawn.npz     # empty trays of these tables; 0.3 s each on one core
    python scripts/train_floor.py traced build/trays traced.npz  # those that scripts/traced --trays drew
    python scripts/train_floor.py train drawn.npz traced.npz ... # needs torch and onnx, which nothing else here does

Every tenth tray is kept back, and judged after each round. What is named twice counts twice.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from floor_samples import COLUMNS, ROWS, Sample, altered, floor_of, of_drawn, of_traced

WEIGHTS = Path(__file__).parents[1] / "vision" / "find_tray" / "floor.onnx.gz"
EPOCHS, BATCH, RATE = 24, 16, 4e-3
KEPT_BACK = 10
HALF = 11
"""Significant bits of a number of half the precision."""
EDGE_PX, EDGE = 7, 6
"""What lies within so many pixels of the floor's edge counts so much more: all else is easy."""


def _store(samples: Iterator[Sample], out: str) -> None:
    pictures, outlines = zip(*samples, strict=True)
    np.savez(out, x=np.stack(pictures), outline=np.stack(outlines))


def _loaded(files: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return pictures and outlines of all *files*, and which of them are kept back."""
    stored = [np.load(path) for path in files]
    kept = np.concatenate([np.arange(len(file["x"])) % KEPT_BACK == 0 for file in stored])
    return (*(np.concatenate([file[name] for file in stored]) for name in ("x", "outline")), kept)


def train(files: list[str]) -> None:
    """Train on the trays of *files* and write the network."""
    import torch
    from floor_net import Net, loss_of, tones_of

    torch.manual_seed(0)
    chance = np.random.default_rng(0)
    pictures, outlines, kept = _loaded(files)
    learned, held = np.nonzero(~kept)[0], np.nonzero(kept)[0]
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-3)
    steps = EPOCHS * (len(learned) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.15)

    def of(some: np.ndarray, change) -> tuple:
        seen, floors = zip(*(change(pictures[k], outlines[k]) for k in some), strict=True)
        return tones_of(torch.from_numpy(np.stack(seen))), torch.from_numpy(np.stack([floor_of(f) for f in floors]))

    for epoch in range(EPOCHS):
        net.train()
        order = chance.permutation(learned)
        for k in range(len(order) // BATCH):
            seen, floors = of(order[k * BATCH :][:BATCH], lambda *sample: altered(*sample, chance))
            loss = loss_of(net(seen)[:, 0], floors, EDGE_PX, EDGE)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        net.eval()
        with torch.no_grad():
            judged = [
                (net(seen)[:, 0] > 0, floors > 0.5)
                for seen, floors in (
                    of(some, lambda x, y: (x.astype(np.float32), y))
                    for some in np.split(held, range(BATCH, len(held), BATCH))
                )
            ]
        both = torch.cat([(a & b).sum((1, 2)) / (a | b).sum((1, 2)) for a, b in judged])
        print(
            f"{epoch}: loss {loss.item():.3f}, kept back: in common {both.mean():.4f}, {both.min():.3f} at worst",
            flush=True,
        )
        _write(net)


def _write(net) -> None:
    """Store *net* as the reader uses it: in half the precision, which changes no chance by 0.002, and packed."""
    import onnx_file
    import torch

    example = torch.zeros(1, 3, ROWS, COLUMNS)
    onnx_file.write(net, example, WEIGHTS, axes={2: "rows", 3: "columns"}, bits=HALF)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["draw", first, last, out]:
            _store(of_drawn(int(first), int(last)), out)
        case ["traced", folder, out]:
            _store(of_traced(folder), out)
        case ["train", *files] if files:
            train(files)
        case _:
            sys.exit(__doc__)
