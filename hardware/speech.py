"""A voice by the program espeak-ng: a process for each sentence, its words on standard input, and nobody waits."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
from contextlib import suppress
from typing import Final

from hardware.devices import Clock

logger = logging.getLogger(__name__)

PROGRAM: Final = "espeak-ng"
INSTALL: Final = "sudo apt install espeak-ng"

LONGEST: Final = 2_000
"""A sentence has at most so many characters: any pipe takes them at once."""

SLOWEST: Final = 3.0
"""A sentence that takes so many times as long as its words need hangs, as without a sound card it may."""

SLACK_S: Final = 5.0
TRIAL_S: Final = 15.0
GRACE_S: Final = 0.3
"""So long a process that was asked to end may take over it."""


def command(voice: str, words_per_minute: int) -> tuple[str, ...]:
    """Return how espeak-ng is called to say what stands on its standard input, in UTF-8."""
    return PROGRAM, "-v", voice, "-s", str(words_per_minute), "-b", "1", "--stdin"


class EspeakVoice:
    """The voice of espeak-ng.

    Whatever is wrong with the program, it is missing, it dies, it hangs, is logged in one line until it has spoken
    again, and the table goes on in silence.

    Parameters
    ----------
    voice
        As ``espeak-ng --voices`` names it, such as ``en-gb``.
    words_per_minute
        How fast it speaks.
    clock
        Tells how long a sentence has taken.
    """

    def __init__(self, voice: str, words_per_minute: int, clock: Clock) -> None:
        self._command = command(voice, words_per_minute)
        self._word_s = 60.0 / words_per_minute
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._hushed = False
        self._end_s = 0.0
        self._complained = False
        self._closed = False

    @property
    def busy(self) -> bool:
        """Return whether it is still speaking; a process that is over is forgotten here, one that hangs is ended."""
        process = self._process
        if process is None:
            return False
        code = process.poll()
        if code is None:
            self._hurry(process)
            return True
        self._process = None
        if code == 0:
            self._complained = False
        elif not self._hushed:
            self._complain(f"{PROGRAM} ended with {_ended(code)}; see what mexico-table doctor says")
        return False

    def say(self, sentence: str) -> None:
        """Begin to say *sentence*; while it is busy that does nothing. What cannot be said is left unsaid."""
        if self._closed or self.busy:
            return
        try:
            # A session of its own: Ctrl-C at the table's terminal is not for it, and what it starts ends with it.
            self._process = subprocess.Popen(  # noqa: S603
                self._command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            self._complain(f"{PROGRAM} cannot be started: {error.strerror}; install it: {INSTALL}")
            return
        self._hushed = False
        words = len(sentence.split()) + sum(map(str.isdigit, sentence))
        self._end_s = self._clock.now() + SLACK_S + SLOWEST * self._word_s * words
        _write(self._process, sentence)

    def hush(self) -> None:
        """Break off; it is busy until it is silent, for a moment."""
        if self._process is not None and not self._hushed:
            self._hushed = True
            self._end_s = self._clock.now() + GRACE_S
            _signal(self._process, signal.SIGTERM)

    def close(self) -> None:
        """Silent for ever; may be called twice."""
        self._closed = True
        process, self._process = self._process, None
        if process is None:
            return
        _signal(process, signal.SIGTERM)
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            _signal(process, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):  # not even then: it waits in the kernel, for a device
                process.wait(GRACE_S)

    def _hurry(self, process: subprocess.Popen[bytes]) -> None:
        """End a process that takes too long, however it resists."""
        if self._clock.now() < self._end_s:
            return
        if self._hushed:
            _signal(process, signal.SIGKILL)
        else:
            self._complain(f"{PROGRAM} hangs and is ended; see what mexico-table doctor says")
            self.hush()

    def _complain(self, why: str) -> None:
        if not self._complained:
            logger.warning("the caller is silent: %s", why)
        self._complained = True


def trial(voice: str, words_per_minute: int, sentence: str = "Mexico") -> str | None:
    """Say *sentence* and wait for its end; return what went wrong, and after a semicolon what to do.

    Without a sound card espeak-ng complains and ends as if all were well, which is why the table itself cannot tell.
    """
    if shutil.which(PROGRAM) is None:
        return f"{PROGRAM} is not installed; install it: {INSTALL}"
    try:
        done = subprocess.run(  # noqa: S603
            command(voice, words_per_minute), input=sentence.encode(), capture_output=True, timeout=TRIAL_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{PROGRAM} hangs; see whether another program holds the sound card, and whether aplay -l lists one"
    except OSError as error:
        return f"{PROGRAM} cannot be started: {error.strerror}; install it anew: {INSTALL}"
    said = done.stderr.decode(errors="replace")
    if "voice does not exist" in said:
        return f'{PROGRAM} has no voice "{voice}"; set sound.voice to one that {PROGRAM} --voices lists'
    if done.returncode:
        return f"{PROGRAM} ended with {_ended(done.returncode)}; install it anew: {INSTALL}"
    if "error: " in said.lower():
        return f"{PROGRAM} finds no sound card; connect a loudspeaker and see whether aplay -l lists it"
    return None


def _write(process: subprocess.Popen[bytes], sentence: str) -> None:
    """Give *process* its words without waiting for it to read them."""
    with suppress(OSError):  # it is dead already, which `busy` finds out
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            with process.stdin as pipe:
                pipe.write(sentence[:LONGEST].encode())


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to *process* and all that it has started."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)


def _ended(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"signal {-code}"
