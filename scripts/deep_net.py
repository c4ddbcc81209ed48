"""The deep network of the second opinion for torch: residual (He et al. 2016), a halving and blocks at every size."""

import torch
from opinion_net import CHANNELS as SEEN
from opinion_net import PLACES
from torch import nn

from vision.tray.opinion import FACES

CHANNELS, BLOCKS = (24, 48, 96, 96), (1, 1, 2, 1)
"""Channels after each halving, and how many blocks follow it."""

HIDDEN = 96


class Block(nn.Module):
    """Two convolutions, added to what goes into them; at first they do nothing."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.a, self.b = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.na, self.nb = (nn.BatchNorm2d(channels) for _ in range(2))
        nn.init.zeros_(self.nb.weight)

    def forward(self, seen):
        """Return what is made of *seen*, of its shape."""
        return torch.relu(seen + self.nb(self.b(torch.relu(self.na(self.a(seen))))))


class Deep(nn.Module):
    """The deep network, of so many *answers*."""

    def __init__(self, answers: int = FACES) -> None:
        super().__init__()
        layers, last = [], SEEN[0]
        for k, (channels, blocks) in enumerate(zip(CHANNELS, BLOCKS, strict=True)):
            size = 3 if k else 5
            halving = nn.Conv2d(last, channels, size, stride=2, padding=size // 2, bias=False)
            layers.append(nn.Sequential(halving, nn.BatchNorm2d(channels), nn.ReLU()))
            layers += [Block(channels) for _ in range(blocks)]
            last = channels
        self.body = nn.Sequential(*layers)
        self.drop = nn.Dropout(0.3)
        self.d1, self.d2 = nn.Linear(last * PLACES, HIDDEN), nn.Linear(HIDDEN, answers)

    def forward(self, seen):
        """Return the scores of *seen*, (K, 5, 64, 64): (K, answers)."""
        return self.d2(torch.relu(self.d1(self.drop(self.body(seen).flatten(1)))))
