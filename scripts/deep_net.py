"""The deep networks of the second opinion for torch: residual (He et al. 2016), a halving and blocks at every size."""

import bz2
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
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
    """A deep network, of so many *answers*."""

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


def stored(weights: Path) -> Deep:
    """Return the network of *weights*, as `onnx_file.write` packed it, its normalisation doing nothing."""
    graph = onnx.load_from_string(bz2.decompress(weights.read_bytes())).graph
    values = {one.name: torch.tensor(numpy_helper.to_array(one)) for one in graph.initializer}
    convolutions, dense = ([node for node in graph.node if node.op_type == kind] for kind in ("Conv", "Gemm"))
    net = Deep(len(values[dense[-1].input[2]]))
    with torch.no_grad():
        for (convolution, norm), node in zip(_normalised(net), convolutions, strict=True):
            convolution.weight.copy_(values[node.input[1]])
            norm.weight.fill_(1)
            norm.bias.copy_(values[node.input[2]])
            norm.running_var.fill_(1 - norm.eps)
        for layer, node in zip((net.d1, net.d2), dense, strict=True):
            layer.weight.copy_(values[node.input[1]])
            layer.bias.copy_(values[node.input[2]])
    return net


def with_answers(net: Deep, answers: int) -> Deep:
    """Return *net* with a last layer that knows nothing yet, of so many *answers*."""
    net.d2 = nn.Linear(net.d2.in_features, answers)
    return net


def normalise(net: Deep, seen) -> None:
    """Let the normalisation of *net* do what it does in training, by what *seen* gives it; no answer changes.

    Weights that were stored have it folded into the convolutions, and could not be trained with it otherwise.
    """
    given: dict[nn.BatchNorm2d, torch.Tensor] = {}
    norms = [norm for _, norm in _normalised(net)]
    hooks = [norm.register_forward_pre_hook(lambda norm, args: given.__setitem__(norm, args[0])) for norm in norms]
    net.eval()
    with torch.no_grad():
        net(seen)
        for norm in norms:
            mean, var = given[norm].mean((0, 2, 3)), given[norm].var((0, 2, 3))
            gain = norm.weight / (norm.running_var + norm.eps).sqrt()
            norm.bias.add_(gain * (mean - norm.running_mean))
            norm.weight.copy_(gain * (var + norm.eps).sqrt())
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
    for hook in hooks:
        hook.remove()


def _normalised(net: Deep) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Return all convolutions of *net* with what normalises them, in the order in which they are asked."""
    pairs = []
    for layer in net.body:
        pairs += [(layer.a, layer.na), (layer.b, layer.nb)] if isinstance(layer, Block) else [(layer[0], layer[1])]
    return pairs
