"""Weights of networks with few significant bits: what is rounded packs well."""

import numpy as np


def rounded(weights: np.ndarray, bits: int) -> np.ndarray:
    """Return *weights* with so many significant *bits*, float32."""
    mantissa, exponent = np.frexp(weights)
    return np.ldexp(np.round(mantissa * 2**bits) / 2**bits, exponent).astype(np.float32)
