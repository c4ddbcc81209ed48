"""The benchmark of drawn evenings: what happens in them, and what is made of what the watch says."""

import random
from dataclasses import replace

import pytest

from benchmarks.happenings import Evening, Scene
from benchmarks.streams import Came, judged, report
from vision.motion import Watch, WatchEvent
from vision.render import RenderedDie
from vision.render.tray import TRAY
from vision.types import Die, Fault, TrayReading

DIE = RenderedDie(100, 80, 0, 1)


def _evening(number: int) -> tuple[Evening, list[Scene]]:
    evening = Evening(random.Random(number), [DIE, DIE], TRAY)
    return evening, list(evening.scenes(12))


@pytest.mark.parametrize("number", range(6))
def test_nothing_but_a_throw_from_a_bare_tray_changes_a_face(number: int) -> None:
    evening, scenes = _evening(number)
    before = scenes[0]
    for scene in scenes[1:]:
        faces = tuple(sorted((die.top for die in scene.dice), reverse=True))
        if scene.dice and not before.dice:
            assert scene.rolls
        if len(scene.dice) == 2 and not (scene.rolls and scene.hand is None):
            assert faces == evening.thrown[scene.landed - 1]
        if scene.landed > before.landed:
            assert before.rolls
        before = scene

    assert before.landed == len(evening.thrown) > 0


def test_an_evening_is_always_the_same_one() -> None:
    assert _evening(3)[1] == _evening(3)[1]


def _read(*faces: int) -> WatchEvent:
    quad = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    return WatchEvent(Watch.READ, TrayReading.read(tuple(Die(face, (5, 5), None, 0, 1, quad) for face in faces)))


COCKED, REFUSED, DARK = (
    WatchEvent(Watch.REFUSED, TrayReading.refused(fault)) for fault in (Fault.COCKED, Fault.UNSURE, Fault.LIGHT)
)
TOUCHED = WatchEvent(Watch.SETTLED, touched=True)


@pytest.mark.parametrize(
    ("said", "came"),
    [
        pytest.param([], [Came.NOTHING], id="nothing"),
        pytest.param([_read(4, 1), TOUCHED], [Came.RIGHT], id="read, and touched later"),
        pytest.param([DARK, _read(4, 1)], [Came.RIGHT], id="read when there was light"),
        pytest.param([REFUSED], [Came.REFUSED], id="refused"),
        pytest.param([COCKED], [Came.SPENT], id="refused as cocked"),
        pytest.param([COCKED, _read(4, 1)], [Came.SPENT, Came.SECOND], id="refused as cocked, put right and read"),
        pytest.param([TOUCHED], [Came.TOUCHED], id="taken for touched"),
        pytest.param([_read(4, 1), _read(4, 1)], [Came.RIGHT, Came.SECOND], id="read again"),
        pytest.param([REFUSED, _read(4, 1)], [Came.LATER], id="refused, then read"),
        pytest.param([REFUSED, _read(4, 1), _read(4, 1)], [Came.LATER, Came.SECOND], id="refused, then read twice"),
        pytest.param([_read(4, 2)], [Came.LIE], id="read wrong"),
        pytest.param([REFUSED, _read(4, 2)], [Came.LIE], id="refused, then read wrong"),
    ],
)
def test_what_became_of_a_throw(said: list[WatchEvent], came: list[Came]) -> None:
    evening = Evening(random.Random(1), [DIE, DIE], TRAY)
    evening.thrown = [(4, 1)]
    told = judged(7, evening, [(Scene(landed=1), event) for event in said])

    assert [one.came for one in told] == came
    assert {(one.evening, one.throw) for one in told} == {(7, 1)}


def test_dice_that_are_read_while_they_roll_are_told() -> None:
    evening = Evening(random.Random(1), [DIE, DIE], TRAY)
    evening.thrown = [(4, 1), (4, 1)]
    rolling = Scene(landed=1, rolls=True)
    told = judged(7, evening, [(rolling, _read(4, 1)), (replace(rolling, landed=2, rolls=False), _read(4, 1))])

    assert [(one.throw, one.again, one.came) for one in told] == [
        (1, False, Came.NOTHING),
        (2, True, Came.RIGHT),
        (1, False, Came.EARLY),
    ]
    assert report(told).endswith("- evening 7, throw 1: no verdict\n- evening 7, throw 1: read before it lay still")


def test_a_bare_tray_that_is_read_is_told() -> None:
    evening = Evening(random.Random(1), [DIE, DIE], TRAY)
    evening.thrown = [(4, 1)]
    told = judged(7, evening, [(Scene(), COCKED), (Scene(), _read(6, 6)), (Scene(landed=1), _read(4, 1))])

    assert [(one.throw, one.came) for one in told] == [(1, Came.RIGHT), (0, Came.LIE)]
    assert report(told).endswith("- evening 7, throw 0: read wrong")
