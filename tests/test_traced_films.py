"""What is stored of a drawn film's time is what the engine of its dice really took."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

STEP_S = 1 / 960


class Engine(ModuleType):
    """Stands for Bullet, which lives in an environment of its own: a die that lies still, and counted steps."""

    def __init__(self) -> None:
        super().__init__("pybullet")
        self.steps = 0
        self.getBasePositionAndOrientation = lambda _die: ((5.0, 5.0, 0.8), (0, 0, 0, 1))
        self.getMatrixFromQuaternion = lambda _turn: (1, 0, 0, 0, 1, 0, 0, 0, 1)

    def stepSimulation(self) -> None:  # noqa: N802 (Bullet's name)
        self.steps += 1


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The scripts that let dice fall, and the engine that they ask."""
    engine = Engine()
    monkeypatch.setitem(sys.modules, "pybullet", engine)
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "scripts" / "traced"))
    names = ("rests", "shutter")
    yield SimpleNamespace(engine=engine, **{name: importlib.import_module(name) for name in names})
    for name in names:
        del sys.modules[name]


@pytest.mark.parametrize("shutter_s", [1 / 60, 1 / 200, 1 / 50, 1 / 25, 0.001])
def test_the_shutter_is_open_as_long_as_the_engine_steps(traced: Any, shutter_s: float) -> None:
    traced.rests._exposed([0], shutter_s)

    assert traced.shutter.open_s(shutter_s) == pytest.approx(traced.engine.steps * STEP_S)


@pytest.mark.parametrize("shutter_s", [1 / 60, 1 / 200, 1 / 50])
def test_pictures_are_as_far_apart_as_the_engine_steps(
    traced: Any, shutter_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests, still = traced.rests, iter((False, False, False, True))
    monkeypatch.setattr(rests, "_let_go", lambda *_: [0])
    monkeypatch.setattr(rests, "_is_still", lambda _die: next(still))
    film = rests.filmed(rests.Kind.ANY, None, (), shutter_s, 1 / 30)
    lying = round(rests.LYING_S / STEP_S)
    taken = len(film) - 1

    assert traced.shutter.apart_s(shutter_s, 1 / 30) == pytest.approx((traced.engine.steps - lying) * STEP_S / taken)


def test_a_film_of_thirty_pictures_a_second_is_a_little_slower(traced: Any) -> None:
    assert traced.shutter.open_s(1 / 60) == pytest.approx(0.01875)
    assert 1 / traced.shutter.apart_s(1 / 60, 1 / 30) == pytest.approx(28.24, abs=0.01)
