"""The caller's voice without a loudspeaker: what it said, and what was broken off, can be looked at."""

from __future__ import annotations

import math
from collections import deque

from hardware.devices import Clock
from hardware.simulated import REMEMBERED


class SimulatedVoice:
    """A voice one can listen to.

    Parameters
    ----------
    clock
        Times the sentences.
    word_s
        How long it takes over a word, in seconds; 0 for a voice that has said everything at once.

    Attributes
    ----------
    said
        The last `REMEMBERED` sentences: seconds when it began, and the words.
    cut
        The last `REMEMBERED` sentences that were broken off.
    """

    def __init__(self, clock: Clock, word_s: float = 0.35) -> None:
        self._clock = clock
        self._until_s = -math.inf
        self._closed = False
        self.word_s = word_s
        self.said: deque[tuple[float, str]] = deque(maxlen=REMEMBERED)
        self.cut: deque[str] = deque(maxlen=REMEMBERED)

    @property
    def busy(self) -> bool:
        """Return whether it is still speaking."""
        return self._clock.now() < self._until_s

    def say(self, sentence: str) -> None:
        """Begin to say *sentence*; while it is busy that does nothing."""
        if not self._closed and not self.busy:
            self.said.append((self._clock.now(), sentence))
            self._until_s = self._clock.now() + self.word_s * len(sentence.split())

    def hush(self) -> None:
        """Break off."""
        if self.busy:
            self.cut.append(self.said[-1][1])
            self._until_s = -math.inf

    def close(self) -> None:
        """Silent for ever; may be called twice."""
        self.hush()
        self._closed = True
