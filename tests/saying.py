"""What a person reads when something is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def told_in_one_line(kind: type[Exception], said: str, begins: str = "") -> Iterator[None]:
    """Expect an error of *kind* that *begins* so, says *said*, and is one printable line."""
    with pytest.raises(kind) as caught:
        yield
    told = str(caught.value)

    assert told.startswith(begins)
    assert said in told
    assert told.isprintable()
