"""Networks of torch as the files that OpenCV runs: ONNX, their weights rounded, packed."""

import bz2
import gzip
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from rounding import rounded


def write(net: torch.nn.Module, example: torch.Tensor, path: Path, *, axes: Mapping[int, str], bits: int) -> None:
    """Store *net* in *path*, packed as its suffix says, .gz or .bz2.

    What it is asked of is like *example*, but for the length of its *axes*; of its weights so many significant *bits*
    are kept.
    """
    raw = io.BytesIO()
    names = {"input_names": ["asked"], "output_names": ["answer"]}
    torch.onnx.export(net, example, raw, dynamo=False, opset_version=13, dynamic_axes={"asked": dict(axes)}, **names)
    model = onnx.load_from_string(raw.getvalue())
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.ndim > 1:
            weights.CopyFrom(numpy_helper.from_array(rounded(values, bits), weights.name))
    stored = model.SerializeToString()
    path.write_bytes(bz2.compress(stored) if path.suffix == ".bz2" else gzip.compress(stored, mtime=0))
