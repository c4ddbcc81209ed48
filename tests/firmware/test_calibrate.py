"""``--calibrate`` as a person meets it: bad pictures, the dice of the house, steps in a terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from benchmarks.throws import calibrated, case_of, setup_of
from firmware.calibrate_learn import doubts, learn
from firmware.calibrate_words import look
from firmware.drawings import may_replace
from vision import Calibration
from vision.render import RenderedDie, Table
from vision.types import Frame

if TYPE_CHECKING:
    from tests.firmware.conftest import Call

THROWS = (
    [RenderedDie(80, 80, 20, 5), RenderedDie(200, 130, 65, 2)],
    [RenderedDie(90, 140, 33, 6), RenderedDie(210, 70, 5, 1)],
    [RenderedDie(120, 60, 50, 4), RenderedDie(180, 150, 15, 3)],
)


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(seed=3)


@pytest.fixture(scope="module")
def pictures(table: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    cv2.imwrite(str(folder / "empty.png"), table.empty(1))
    cv2.imwrite(str(folder / "again.png"), table.empty(2))
    cv2.imwrite(str(folder / "small.png"), table.empty(1)[::2, ::2])
    cv2.imwrite(str(folder / "blurred.png"), cv2.GaussianBlur(table.empty(1), (0, 0), 6))
    cv2.imwrite(str(folder / "grey.png"), np.full((960, 1280, 3), 90, np.uint8))
    cv2.imwrite(str(folder / "hand.png"), table.picture((), hand=(150, 110)))
    glare = cv2.circle(np.zeros((960, 1280, 3), np.float32), (640, 480), 45, (600, 600, 600), -1)
    cv2.imwrite(str(folder / "glare.png"), np.minimum(table.empty(1) + cv2.GaussianBlur(glare, (0, 0), 8), 255))
    for number, dice in enumerate(THROWS):
        cv2.imwrite(str(folder / f"throw{number}.png"), table.picture(dice, seed=number))
    return folder


def corners(table: Table) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in table.corners_px)


# --- from photographs ---


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        pytest.param("throw0.png", (), "the tray is not empty", id="dice in the tray"),
        pytest.param("hand.png", (), "the tray is not empty", id="a hand in the tray"),
        pytest.param("glare.png", (), "or something white the size of dice", id="a lamp on the felt"),
        pytest.param("blurred.png", (), "blurred", id="blurred"),
        pytest.param("grey.png", (), "one colour", id="one colour"),
        pytest.param("empty.png", ("--from", "small.png"), "different sizes", id="two sizes"),
        pytest.param("empty.png", ("--from", "throw1.png"), "something is there", id="a die in one of two"),
        pytest.param("empty.png", ("--tray-mm", "0x0"), "40 to 2000", id="a tray of no size"),
        pytest.param("empty.png", ("--die-mm", "0"), "wanted are millimetres from 5 to 50;", id="a die of no size"),
        pytest.param("empty.png", ("--die-mm", "16mm"), "which are 5 to 50", id="a die of no number, with its unit"),
        pytest.param("empty.png", ("--die-mm", "nan"), "which are 5 to 50;", id="a die of no number"),
        pytest.param(
            "empty.png",
            ("--camera-mm", "45"),
            "45 is out of range; wanted are millimetres from 150 to 1500;",
            id="a camera among the dice",
        ),
        pytest.param("empty.png", ("--camera-mm", "nan"), "which are 150 to 1500;", id="a camera of no height"),
        pytest.param("empty.png", ("--target", "empty.png"), "0 of the target's 96 corners", id="no target"),
        pytest.param("empty.png", ("--target", "small.png"), "is 640 x 480 pixels", id="a target of another camera"),
        pytest.param("empty.png", ("--dice-from", "again.png"), "no die was understood", id="no dice to learn"),
        pytest.param("empty.png", ("--dice-from", "small.png"), "is 640 x 480 pixels", id="dice of another camera"),
        pytest.param("empty.png", ("--corners", "900,100 1300,100 1300,500 900,500"), "outside", id="outside"),
    ],
)
def test_what_cannot_be_calibrated_is_one_line_and_saves_nothing(
    call: Call, table: Table, pictures: Path, tmp_path: Path, name: str, options: tuple[str, ...], said: str
) -> None:
    given = [pictures / option if option.endswith(".png") else option for option in options]
    answer = call("--calibrate", "--from", pictures / name, "--corners", corners(table), "--tray-mm", "300x220",
                  *given, "--out", tmp_path / "cal.json")  # fmt: skip

    assert answer.code == 2
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_picture_that_is_given_twice_tells_no_noise(call: Call, table: Table, pictures: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied.png"
    copied.write_bytes((pictures / "empty.png").read_bytes())
    told = "--corners", corners(table), "--tray-mm", "300x220", "--from", pictures / "empty.png"
    once = call("--calibrate", *told, "--out", tmp_path / "once.json")
    twice = call("--calibrate", *told, "--from", copied, "--out", tmp_path / "twice.json")

    assert (once.code, twice.code) == (0, 0)
    assert "copied.png is there twice and counts once" in twice.out
    assert Calibration.load(tmp_path / "twice.json").noise == Calibration.load(tmp_path / "once.json").noise


def test_the_dice_are_learned_and_drawn(call: Call, table: Table, pictures: Path, tmp_path: Path) -> None:
    throws = [part for number in range(3) for part in ("--dice-from", pictures / f"throw{number}.png")]
    answer = call("--calibrate", "--from", pictures / "empty.png", "--corners", corners(table),
                  "--tray-mm", "300x220", *throws, "--out", tmp_path / "cal.json")  # fmt: skip

    (dice,) = Calibration.load(tmp_path / "cal.json").dice
    assert (answer.code, answer.err) == (0, "")
    assert "throw0.png: 5 2" in answer.out
    assert (dice.seen, dice.layout) == ((1, 2, 3, 4, 5, 6), "western")
    assert dice.side_mm == pytest.approx(16, abs=1)
    assert min(dice.body_bgr) > 180
    assert max(dice.pip_bgr) < 100
    drawn = cv2.imread(str(tmp_path / "cal.dice.png"))
    assert drawn is not None
    assert drawn.shape[1] >= 760


@pytest.fixture
def easy(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the floor be found by itself: where it is, and at once."""
    monkeypatch.setattr("vision.calibrating.find_floor", lambda _empty, _tray_mm: table.corners_px)


@pytest.mark.usefixtures("easy")
def test_a_floor_that_was_found_by_itself_is_drawn_to_be_looked_at(call: Call, pictures: Path, tmp_path: Path) -> None:
    told = ("--calibrate", "--from", pictures / "empty.png", "--tray-mm", "300x220", "--out", tmp_path / "cal.json")
    answers = [call(*told), call(*told)]
    drawn = cv2.imread(str(tmp_path / "cal.look.png"))

    assert [(answer.code, answer.err) for answer in answers] == [(0, "")] * 2
    assert all(f"look at {tmp_path / 'cal.look.png'}: is the green line" in answer.out for answer in answers)
    assert drawn is not None
    assert np.array_equal(drawn, look(Calibration.load(tmp_path / "cal.json")))


@pytest.mark.usefixtures("easy")
def test_the_floor_is_not_drawn_over_another_picture(call: Call, pictures: Path, tmp_path: Path) -> None:
    other = tmp_path / "cal.look.png"
    other.write_bytes((pictures / "small.png").read_bytes())
    answer = call("--calibrate", "--from", pictures / "empty.png", "--tray-mm", "300x220",
                  "--out", tmp_path / "cal.json")  # fmt: skip

    assert (answer.code, answer.err) == (0, "")
    assert f"note: {other} is there, and was not drawn by this program" in answer.out
    assert other.read_bytes() == (pictures / "small.png").read_bytes()


def test_a_floor_that_a_person_gave_is_not_drawn(call: Call, table: Table, pictures: Path, tmp_path: Path) -> None:
    answer = call("--calibrate", "--from", pictures / "empty.png", "--corners", corners(table), "--tray-mm", "300x220",
                  "--out", tmp_path / "cal.json")  # fmt: skip

    assert (answer.code, "green line" in answer.out) == (0, False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cal.empty.png", "cal.json"]


# --- the target ---


@pytest.mark.long
def test_a_camera_hangs_where_a_ruler_says(call: Call, table: Table, pictures: Path, tmp_path: Path) -> None:
    answer = call("--calibrate", "--from", pictures / "empty.png", "--corners", corners(table), "--tray-mm", "300x220",
                  "--camera-mm", "520", "--out", tmp_path / "cal.json")  # fmt: skip

    assert (answer.code, answer.err) == (0, "")
    assert "camera about 52 cm above" in answer.out
    assert Calibration.load(tmp_path / "cal.json").camera_height_mm == pytest.approx(520, abs=0.1)


def test_where_dice_tell_that_the_camera_hangs_is_said_and_kept() -> None:
    known = calibrated(setup_of(716450))
    assert known.camera_height_mm == pytest.approx(455, abs=5)

    lesson = learn(known, [case_of(716459)[2], case_of(716465)[2]], 2)

    assert lesson.learned.dice == lesson.dice
    assert lesson.learned.camera_height_mm == pytest.approx(353, rel=0.15)
    assert any("the camera hangs" in doubt and "not 455" in doubt for doubt in doubts(known, lesson))


@pytest.mark.parametrize(
    ("place", "said"),
    [
        pytest.param(("--out", "no/c.json"), "no/c.json: cannot be written (No such file or directory)", id="nowhere"),
        pytest.param(("--out", "."), "--out names no file", id="here"),
        pytest.param(("--out", "folder"), "folder: cannot be written (Is a directory)", id="a folder"),
        pytest.param(("--state", "file"), "file: cannot be made (File exists); name another --state", id="no folder"),
        pytest.param(("--state", "taken"), "cannot be written (Is a directory); name another --state", id="taken"),
    ],
)
def test_what_could_not_be_saved_is_told_before_anybody_is_asked(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: tuple[str, str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "taken" / "calibration.json").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    answer = call("--calibrate", *place)

    assert answer.code == 2
    assert said in answer.err
    assert sorted(tmp_path.rglob("*")) == before


# --- step by step, in a pseudo-terminal ---

TABLE_WITH_A_CAMERA = """
import sys
from pathlib import Path
import cv2
import numpy as np
import firmware.calibrate_looking
import firmware.cli_calibrate, firmware.seeing
from firmware.cli import main
from hardware.simulated import SimulatedCamera

class Looking(SimulatedCamera):
    def capture(self):
        self.look_at(cv2.imread(sys.argv[1]))
        seen = super().capture()
        noise = np.random.default_rng(round(seen.time_s * 30)).integers(0, 3, seen.image.shape, np.uint8)
        seen.image[:] = cv2.add(seen.image, noise)
        return seen

firmware.calibrate_looking.WARM_UP_FRAMES = 2
firmware.calibrate_looking.EMPTY_FRAMES = 3
firmware.seeing.open_camera = lambda name, fps: Looking()
main(sys.argv[2:])
"""
"""A process whose camera sees the picture in a file."""


class Session:
    """A person at a terminal, and the tray before them."""

    def __init__(self, table: Table, folder: Path, *options: str) -> None:
        self.state = folder / "state"
        self._scene = folder / "scene.png"
        self.put(table.empty(1))
        program = folder / "program.py"
        program.write_text(TABLE_WITH_A_CAMERA, encoding="utf-8")
        self._terminal, inside = pty.openpty()
        arguments = [
            sys.executable,
            str(program),
            str(self._scene),
            "--calibrate",
            "--state",
            str(self.state),
            *options,
        ]
        where = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        self.process = subprocess.Popen(
            arguments, stdin=inside, stdout=inside, stderr=inside, env=where, start_new_session=True
        )
        os.close(inside)
        self._unread = ""

    def put(self, picture: Frame) -> None:
        """Let the camera see *picture*."""
        cv2.imwrite(str(self._scene.with_name("new.png")), picture)
        os.replace(self._scene.with_name("new.png"), self._scene)

    def until(self, words: str) -> str:
        """Wait for *words* and return all that was said up to them."""
        end_s = time.monotonic() + 60
        while words not in self._unread:
            assert time.monotonic() < end_s, f"{words!r} does not stand in {self._unread!r}"
            if select.select([self._terminal], [], [], 0.2)[0]:
                self._unread += os.read(self._terminal, 4096).decode()
        said, _, self._unread = self._unread.partition(words)
        return said

    def answer(self, question: str, key: bytes) -> str:
        """Wait for *question* and press *key* when the terminal listens to single keys."""
        said = self.until(question)
        time.sleep(0.3)  # click empties the input when it begins to listen
        os.write(self._terminal, key)
        return said

    def end(self) -> tuple[int, str]:
        """Return the exit code and what was said at last."""
        rest = self._unread
        while True:
            try:
                if not (more := os.read(self._terminal, 4096)):
                    break
            except OSError:
                break
            rest += more.decode()
        return self.process.wait(30), rest

    def close(self) -> None:
        """Let go of the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._terminal)


@pytest.fixture
def session(table: Table, tmp_path: Path) -> Iterator[Callable[..., Session]]:
    begun: list[Session] = []

    def begin(*options: str) -> Session:
        begun.append(Session(table, tmp_path, *options))
        return begun[-1]

    yield begin
    for one in begun:
        one.close()


@pytest.mark.slow
def test_a_person_calibrates_learns_the_dice_and_proves_it(session: Callable[..., Session], table: Table) -> None:
    person = session("--corners", corners(table))
    person.put(table.picture(THROWS[0]))
    person.answer("then press Enter", b"\r")
    wrong = person.until("Put it right")
    person.put(table.empty(1))
    person.answer("press Enter", b"\r")
    for number in range(3):
        person.until("3. The dice")
        person.put(table.picture(THROWS[number]))
        person.answer("Esc: end)", b"\r")
        person.answer("y / n", b"y")
    person.until("3. The dice")
    person.answer("Esc: end)", b"d")
    person.answer("y / n", b"y")
    for number in range(3):
        person.until("4. The proof")
        person.put(table.picture(THROWS[number]))
        person.answer("Esc: end)", b"\r")
        person.answer("y / n", b"y")
    code, said = person.end()

    made = Calibration.load(person.state / "calibration.json")
    assert "the tray is not empty" in wrong
    assert (code, "3 throws were read right" in said) == (0, True)
    assert made.held == {"exposure_us": 8000.0, "gain": 1.0}
    assert [die.seen for die in made.dice] == [(1, 2, 3, 4, 5, 6)]
    assert may_replace(person.state / "calibration.dice.png"), "the next calibration draws there, too"


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "code", "said"),
    [
        pytest.param(b"\x1b", 1, "nothing was saved", id="Esc"),
        pytest.param(b"\x04", 1, "nothing was saved", id="nobody answers any more"),
        pytest.param(b"\x03", 130, "interrupted", id="Ctrl-C"),
    ],
)
def test_who_ends_half_way_has_the_calibration_of_before(
    session: Callable[..., Session], table: Table, key: bytes, code: int, said: str
) -> None:
    person = session("--corners", corners(table))
    person.state.mkdir()
    (person.state / "calibration.json").write_text("the old one", encoding="utf-8")
    person.answer("then press Enter (Esc: end)", b"\r")
    person.answer("3. The dice", b"s")
    person.answer("4. The proof", key)
    ended = person.end()

    assert ended[0] == code
    assert said in ended[1]
    assert [path.name for path in person.state.iterdir()] == ["calibration.json"]
    assert (person.state / "calibration.json").read_text(encoding="utf-8") == "the old one"


@pytest.mark.long
@pytest.mark.slow
def test_a_throw_that_is_read_wrong_saves_nothing(session: Callable[..., Session], table: Table) -> None:
    person = session("--corners", corners(table))
    person.answer("then press Enter (Esc: end)", b"\r")
    person.answer("3. The dice", b"s")
    person.until("4. The proof")
    person.put(table.picture(THROWS[1]))
    person.answer("Esc: end)", b"\r")
    said = person.answer("y / n", b"n")
    ended = person.end()

    assert "I read 6 1" in said
    assert ended[0] == 1
    assert "nothing was saved" in ended[1]
    assert not (person.state / "calibration.json").exists()
