"""The networks of the second opinion for torch: as the reader stores them, and their samples altered."""

import math
import random
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from rounding import rounded
from torch import nn
from torch.nn import functional

from vision.tray.opinion import FACES

CHANNELS = (5, 20, 40, 64, 96)
KERNELS = (5, 3, 3, 3)
PLACES = 16
"""Pixels of the last layer."""
HIDDEN = 48

BITS = 7
"""Significant bits of the stored weights: of the widest network they pack into four fifths of what those of half
precision do, and 1,500 answers changed by 0.0044 at most."""


class Net(nn.Module):
    """Four strided convolutions and two dense layers."""

    def __init__(self, answers: int = FACES) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(
            nn.Conv2d(a, b, size, stride=2, padding=size // 2)
            for (a, b), size in zip(pairwise(CHANNELS), KERNELS, strict=True)
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for channels in CHANNELS[1:])
        self.dense = nn.ModuleList((nn.Linear(CHANNELS[-1] * PLACES, HIDDEN), nn.Linear(HIDDEN, answers)))
        self.drop = nn.Dropout(0.2)

    def forward(self, seen):
        """Return the scores of *seen*, (K, 5, 64, 64): (K, answers)."""
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            seen = torch.relu(norm(convolution(seen)))
        # Pixel by pixel, as the reader has it.
        flat = seen.permute(0, 2, 3, 1).flatten(1)
        return self.dense[1](torch.relu(self.dense[0](self.drop(flat))))


def stored(weights: Path) -> Net:
    """Return the network of *weights*, its normalisation doing nothing."""
    values = {name: torch.tensor(value.astype(np.float32)) for name, value in np.load(weights).items()}
    net = Net(values["dense2"].shape[1])
    with torch.no_grad():
        for k, (convolution, norm) in enumerate(zip(net.convolutions, net.norms, strict=True), 1):
            convolution.weight.copy_(values[f"conv{k}"].permute(3, 2, 0, 1))
            convolution.bias.zero_()
            norm.weight.fill_(1)
            norm.bias.copy_(values[f"bias{k}"])
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
        for k, dense in enumerate(net.dense, 1):
            dense.weight.copy_(values[f"dense{k}"].T)
            dense.bias.copy_(values[f"offset{k}"])
    return net


def folded(net: Net) -> dict[str, np.ndarray]:
    """Return the weights as the reader uses them, each convolution with its normalisation in one."""
    out: dict[str, np.ndarray] = {}
    for k, (convolution, norm) in enumerate(zip(net.convolutions, net.norms, strict=True), 1):
        gain = norm.weight / (norm.running_var + norm.eps).sqrt()
        kernels = (convolution.weight * gain[:, None, None, None]).permute(2, 3, 1, 0)
        out[f"conv{k}"] = _rounded(kernels.detach().numpy())
        bias = (convolution.bias - norm.running_mean) * gain + norm.bias
        out[f"bias{k}"] = bias.detach().numpy().astype(np.float32)
    for k, dense in enumerate(net.dense, 1):
        out[f"dense{k}"] = _rounded(dense.weight.T.detach().numpy())
        out[f"offset{k}"] = dense.bias.detach().numpy().astype(np.float32)
    return out


def halfway(before: Mapping[str, np.ndarray], since: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the mean of two sets of weights, one of which was tuned from the other.

    It keeps much of what either knows that the other does not (Wortsman et al. 2022, "Robust fine-tuning").
    """
    means = {name: (before[name].astype(np.float32) + since[name]) / 2 for name in before}
    return {name: mean if mean.ndim == 1 else _rounded(mean) for name, mean in means.items()}


def _rounded(weights: np.ndarray) -> np.ndarray:
    return rounded(weights, BITS).astype(np.float16)


def altered(seen):
    """Turn, mirror, recolour, shade, blur and shift samples: what a die is does not depend on it."""
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
