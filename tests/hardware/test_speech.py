"""The voice of espeak-ng, with a stand-in for it on the path: cut short, dead, hanging, missing, and never a zombie."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardware.clock import MonotonicClock
from hardware.simulated import SimulatedClock
from hardware.simulated_voice import SimulatedVoice
from hardware.speech import LONGEST, EspeakVoice, trial

SAYS = 'printf "%s\\n" "$*" >> "$HERE/calls"; cat >> "$HERE/heard"; echo >> "$HERE/heard"'
HANGS = f'{SAYS}; echo $$ > "$HERE/pid"; exec sleep 60'
STUBBORN = f"trap '' TERM; {SAYS}; echo $$ > \"$HERE/pid\"; while :; do sleep 0.05; done"


@dataclass
class Stage:
    """A folder with a stand-in for espeak-ng that writes down what it is told."""

    path: Path

    def stand_in(self, script: str) -> None:
        program = self.path / "espeak-ng"
        program.unlink(missing_ok=True)
        program.write_text(f"#!/bin/sh\nHERE='{self.path}'\n{script}\n", encoding="utf-8")
        program.chmod(0o755)

    @property
    def heard(self) -> list[str]:
        return (self.path / "heard").read_text(encoding="utf-8").splitlines()

    @property
    def started(self) -> bool:
        """Whether a process that hangs has said its number."""
        pid = self.path / "pid"
        return pid.is_file() and pid.read_text().strip() != ""

    def runs(self) -> bool:
        return Path(f"/proc/{(self.path / 'pid').read_text().strip()}").exists()


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return Stage(tmp_path)


@pytest.fixture
def voice(clock: SimulatedClock) -> Iterator[EspeakVoice]:
    opened = EspeakVoice("en", 150, clock)
    yield opened
    opened.close()


def until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for another process to do something."""
    end_s = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end_s, "it did not happen in time"
        time.sleep(0.002)


def children_left() -> bool:
    """Whether a child of this process has ended and was not reaped."""
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


def test_the_words_go_in_at_standard_input_and_the_rest_is_in_the_call(stage: Stage, voice: EspeakVoice) -> None:
    stage.stand_in(SAYS)
    voice.say('Zo\u00eb: 54; $(reboot) "now"')
    until(lambda: not voice.busy)

    assert stage.heard == ['Zo\u00eb: 54; $(reboot) "now"']
    assert (stage.path / "calls").read_text() == "-v en -s 150 -b 1 --stdin\n"


def test_it_says_one_sentence_at_a_time(stage: Stage, voice: EspeakVoice) -> None:
    stage.stand_in(HANGS)
    voice.say("first")
    voice.say("second")
    until(lambda: stage.started)

    assert voice.busy
    assert stage.heard == ["first"]


@pytest.mark.parametrize("script", [pytest.param(HANGS, id="willing"), pytest.param(STUBBORN, id="stubborn")])
def test_a_sentence_that_is_cut_short_ends_and_makes_room(
    script: str, stage: Stage, voice: EspeakVoice, clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    stage.stand_in(script)
    voice.say("first")
    until(lambda: stage.started)
    voice.hush()
    voice.hush()
    if script is STUBBORN:
        assert voice.busy
        clock.advance(0.5)
    until(lambda: not voice.busy)
    stage.stand_in(SAYS)
    voice.say("second")
    until(lambda: not voice.busy)

    assert stage.heard == ["first", "second"]
    assert not stage.runs()
    assert not caplog.records


def test_what_a_wrapper_has_started_ends_with_it(stage: Stage, voice: EspeakVoice) -> None:
    stage.stand_in(f'{SAYS}; sleep 60 & echo $! > "$HERE/pid"; wait')
    voice.say("first")
    until(lambda: stage.started)
    voice.hush()
    until(lambda: not voice.busy)

    until(lambda: not stage.runs() or "Z" in Path(f"/proc/{(stage.path / 'pid').read_text().strip()}/stat").read_text())


def test_a_program_that_dies_is_told_once_and_once_more_after_it_has_spoken(
    stage: Stage, voice: EspeakVoice, caplog: pytest.LogCaptureFixture
) -> None:
    for script in ("exit 3", "exit 3", "kill -9 $$", SAYS, "exit 3"):
        stage.stand_in(script)
        voice.say("54")
        until(lambda: not voice.busy)

    assert [record.getMessage() for record in caplog.records] == 2 * [
        "the caller is silent: espeak-ng ended with exit code 3; see what mexico-table doctor says"
    ]


def test_a_program_that_is_missing_is_told_once(
    stage: Stage, voice: EspeakVoice, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(stage.path))
    for _ in range(3):
        voice.say("54")

        assert not voice.busy

    assert [record.getMessage() for record in caplog.records] == [
        "the caller is silent: espeak-ng cannot be started: No such file or directory; "
        "install it: sudo apt install espeak-ng"
    ]


def test_a_program_that_is_no_program_does_not_stop_the_table(
    stage: Stage, voice: EspeakVoice, caplog: pytest.LogCaptureFixture
) -> None:
    (stage.path / "espeak-ng").write_bytes(b"\x7fELF and no more")
    (stage.path / "espeak-ng").chmod(0o755)
    voice.say("54")

    assert not voice.busy
    assert "Exec format error" in caplog.text


@pytest.mark.parametrize("script", [pytest.param(HANGS, id="willing"), pytest.param(STUBBORN, id="stubborn")])
def test_a_program_that_hangs_is_ended_and_told(
    script: str, stage: Stage, voice: EspeakVoice, clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    stage.stand_in(script)
    voice.say("Ann, lead, roll 2: 54, stake 2.")
    until(lambda: stage.started)
    clock.advance(10)

    assert voice.busy
    assert not caplog.records

    clock.advance(20)
    assert voice.busy
    clock.advance(1)
    until(lambda: not voice.busy)

    assert not stage.runs()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "hangs and is ended" in caplog.text


def test_a_program_that_reads_nothing_makes_nobody_wait(stage: Stage, voice: EspeakVoice) -> None:
    stage.stand_in('echo $$ > "$HERE/pid"; exec sleep 60 <&-')
    began_s = time.monotonic()
    voice.say("x" * 1_000_000)

    assert time.monotonic() - began_s < 2.0


def test_a_sentence_without_end_is_cut(stage: Stage, voice: EspeakVoice) -> None:
    stage.stand_in(SAYS)
    voice.say("x" * 1_000_000)
    until(lambda: not voice.busy)

    assert [len(line) for line in stage.heard] == [LONGEST]


@pytest.mark.parametrize("script", [pytest.param(HANGS, id="willing"), pytest.param(STUBBORN, id="stubborn")])
def test_a_closed_voice_is_silent_and_stays_so(script: str, stage: Stage, voice: EspeakVoice) -> None:
    stage.stand_in(script)
    voice.say("first")
    until(lambda: stage.started)
    voice.close()
    voice.say("second")
    voice.close()

    assert not voice.busy
    assert not stage.runs()
    assert stage.heard == ["first"]


def test_after_two_hundred_sentences_nothing_is_left_of_them(stage: Stage) -> None:
    stage.stand_in(SAYS)
    files = len(os.listdir("/proc/self/fd"))
    voice = EspeakVoice("en", 150, MonotonicClock())
    for number in range(200):
        voice.say(f"sentence {number}")
        if number % 3 == 0:
            voice.hush()
        until(lambda: not voice.busy)

        assert not children_left()

    assert len(os.listdir("/proc/self/fd")) == files
    assert stage.heard[-1].endswith("sentence 199"), "one that was hushed may have got as far as half a line"


@pytest.mark.parametrize(
    ("script", "found", "do"),
    [
        pytest.param("echo 'Error: The specified espeak-ng voice does not exist.' >&2; exit 1",
                     'espeak-ng has no voice "en"', "set sound.voice", id="no such voice"),
        pytest.param("cat > /dev/null; echo 'error: No such file or directory' >&2",
                     "espeak-ng finds no sound card", "connect a loudspeaker", id="no sound card, and yet exit code 0"),
        pytest.param("exit 5", "espeak-ng ended with exit code 5", "install it anew", id="broken"),
        pytest.param(None, "espeak-ng is not installed", "sudo apt install espeak-ng", id="missing"),
    ],
)  # fmt: skip
def test_a_trial_says_what_is_wrong_and_what_to_do(
    script: str | None, found: str, do: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    if script is None:
        monkeypatch.setenv("PATH", str(stage.path))
    else:
        stage.stand_in(script)
    wrong = trial("en", 150)

    assert wrong is not None
    assert wrong.startswith(f"{found}; {do}") or (wrong.startswith(found) and do in wrong)


def test_a_trial_that_is_heard_finds_nothing_wrong(stage: Stage) -> None:
    stage.stand_in(SAYS)

    assert trial("de", 150) is None
    assert stage.heard == ["Mexico"]


def test_a_simulated_voice_takes_its_time_and_can_be_cut_short(clock: SimulatedClock) -> None:
    voice = SimulatedVoice(clock)
    voice.say("one two three")
    voice.say("four")
    clock.advance(1.0)
    busy = [voice.busy]
    voice.hush()
    voice.say("five")
    clock.advance(1.0)
    voice.close()
    voice.say("six")
    busy.append(voice.busy)

    assert busy == [True, False]
    assert list(voice.said) == [(100.0, "one two three"), (101.0, "five")]
    assert list(voice.cut) == ["one two three"]
