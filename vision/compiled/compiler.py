"""Loops over pixels and spots, compiled when they are first needed and kept on disk from then on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar, cast

import numpy.typing as npt

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

Array: TypeAlias = npt.NDArray[Any]
"""An array that one part of a compiled function hands to another; the type is that of its first caller."""

_known: list[Compiled[..., Any]] = []


class Compiled(Generic[P, R]):
    """A function that is compiled for one signature, and for no other: a second one would take seconds in mid-game.

    Parameters
    ----------
    function : callable
        In the part of Python that Numba compiles. It may call what is a `part` of the same file: the kept code of a
        function is thrown away when its own file changes, and only then.
    signature : str
        Types of the result and of the arguments, as Numba writes them: ``f8(u1[:, ::1])``.
    """

    def __init__(self, function: Callable[P, R], signature: str) -> None:
        self._function = function
        self._signature = signature
        _known.append(self)

    def __call__(self, *given: P.args, **named: P.kwargs) -> R:
        """Do what the function does.

        Raises
        ------
        TypeError
            If an argument is not of the type of the signature: a bug in the caller.
        """
        return self.ready(*given, **named)

    @cached_property
    def ready(self) -> Callable[P, R]:
        """The function in the language of the machine: from disk, or compiled now."""
        # A cache that a power cut has left in pieces, or that no folder can be found for, must stop nobody's evening.
        for is_kept in (True, True, False):
            try:
                function = _njit(self._function, self._signature, cache=is_kept)
            except Exception:
                if not is_kept:
                    raise
                self._forget()
            else:
                return function
        raise AssertionError("the last try returns or raises")

    def _forget(self) -> None:
        with suppress(Exception):
            lazy = _njit(self._function, cache=True)
            # Numba has no other way to throw the kept code of a function away.
            cast(Any, lazy)._cache.flush()


def compiled(signature: str) -> Callable[[Callable[P, R]], Compiled[P, R]]:
    """Compile the function that follows for *signature*, when it is first called or `warm_up` is."""
    return lambda function: Compiled(function, signature)


@dataclass(frozen=True, slots=True)
class _Part:
    """A function that only compiled ones can call."""

    function: Callable[..., Any]


def part(function: F) -> F:
    """Make *function* one that compiled functions of the same file may call; it has no life of its own."""
    return cast(F, _Part(function))


def _njit(function: Callable[..., Any], signature: str | None = None, *, cache: bool = False) -> Callable[..., Any]:
    # Numba takes half a second to import, which what reads no picture need not wait for.
    from numba import njit

    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    names = function.__globals__
    for name, value in list(names.items()):
        if isinstance(value, _Part):
            names[name] = njit(**options)(value.function)
    return cast(Callable[..., Any], njit(signature, cache=cache, **options)(function))


def warm_up(enough: Callable[[], bool] = lambda: False) -> None:
    """Have every compiled function ready, so that no reading waits for it; stop between two when *enough* is said.

    Fetched from disk that takes some tenths of a second; the first time on a computer it takes many seconds, or a
    minute, in which other threads go on.
    """
    for one in _known:
        if enough():
            return
        _ = one.ready
