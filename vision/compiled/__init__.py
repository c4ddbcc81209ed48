"""Loops over pixels and spots, compiled when they are first needed and kept on disk from then on."""

from vision.compiled.compiler import Array, Compiled, compiled, part, warm_up

__all__ = ["Array", "Compiled", "compiled", "part", "warm_up"]
