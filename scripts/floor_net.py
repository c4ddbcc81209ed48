"""The network that sees where the floor of an empty tray is, for torch: a small U-Net (Ronneberger et al. 2015)."""

import torch
from torch import nn
from torch.nn import functional

from vision.find_tray.edges import DARK
from vision.find_tray.witness import HUE


def _layer(channels: int, out: int, size: int = 3, *, stride: int = 1, apart: int = 1) -> nn.Sequential:
    padding = apart * (size // 2)
    convolution = nn.Conv2d(channels, out, size, stride, padding, apart, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(out), nn.ReLU())


class Net(nn.Module):
    """Down to a sixteenth, where layers look far around, and up to half the size again."""

    def __init__(self) -> None:
        super().__init__()
        self.halves = _layer(3, 16, 5, stride=2)
        self.quarters = nn.Sequential(_layer(16, 24, stride=2), _layer(24, 24))
        self.eighths = nn.Sequential(_layer(24, 40, stride=2), _layer(40, 40))
        around = (_layer(64, 64, apart=far) for far in (1, 2, 4, 2))
        self.sixteenths = nn.Sequential(_layer(40, 64, stride=2), *around)
        self.up = nn.ModuleList((_layer(104, 40), _layer(64, 24), _layer(40, 16)))
        self.last = nn.Conv2d(16, 1, 3, padding=1)

    def forward(self, tones):
        """Return the log odds of the floor in *tones*, (K, 3, M, N): (K, 1, M / 2, N / 2)."""
        half = self.halves(tones)
        quarter = self.quarters(half)
        eighth = self.eighths(quarter)
        seen = self.sixteenths(eighth)
        for join, beside in zip(self.up, (eighth, quarter, half), strict=True):
            larger = functional.interpolate(seen, scale_factor=2, mode="nearest")
            seen = join(torch.cat([larger, beside], 1))
        return self.last(seen)


def tones_of(pictures):
    """Return what `vision.find_tray.witness` makes of *pictures*, float32, (K, M, N, 3): (K, 3, M, N)."""
    blue, green, red = torch.log(pictures + DARK).unbind(3)
    light = (blue + green + red) / 3
    light = light - light.mean((1, 2), keepdim=True)
    return torch.stack([light, HUE * (red - green), HUE * (blue - (red + green) / 2)], 1)


def loss_of(scores, floors, edge_px: int, edge: float):
    """Return the cross entropy of *scores*, (K, M, N), where *floors* are; near an edge it counts *edge* times more."""
    most, least = (functional.max_pool2d(sign * floors[:, None], edge_px, 1, edge_px // 2)[:, 0] for sign in (1, -1))
    weight = 1 + edge * (most + least).clamp(0, 1)
    losses = functional.binary_cross_entropy_with_logits(scores, floors, reduction="none")
    return (losses * weight).sum() / weight.sum()
