"""Networks of torch as the files that OpenCV runs: ONNX, their weights rounded, packed."""

import gzip
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper


def write(net: torch.nn.Module, example: torch.Tensor, path: Path, *, axes: Mapping[int, str], bits: int) -> None:
    """Store *net*, which *example* is like what it is asked of, but for its *axes*, with so many significant *bits*."""
    raw = io.BytesIO()
    names = {"input_names": ["asked"], "output_names": ["answer"]}
    torch.onnx.export(net, example, raw, dynamo=False, opset_version=13, dynamic_axes={"asked": dict(axes)}, **names)
    model = onnx.load_from_string(raw.getvalue())
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.ndim > 1:
            weights.CopyFrom(numpy_helper.from_array(rounded(values, bits), weights.name))
    path.write_bytes(gzip.compress(model.SerializeToString(), mtime=0))


def rounded(weights: np.ndarray, bits: int) -> np.ndarray:
    """Return *weights* with so many significant *bits*, float32: what is rounded packs well."""
    mantissa, exponent = np.frexp(weights)
    return np.ldexp(np.round(mantissa * 2**bits) / 2**bits, exponent).astype(np.float32)
