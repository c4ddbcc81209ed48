"""Who is logged in at the panel. Pure.

A session is a random token that only its browser knows; the table keeps its hash. It ends after a while without anybody
touching the page, after an evening at the latest, when the PIN is changed, and with the program.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

IDLE_S: Final = 30 * 60.0
"""So long a page may lie untouched."""

EVENING_S: Final = 12 * 3600.0
"""So long a session lasts at most."""

MOST: Final = 32
"""So many may be logged in at once; who has not touched his page for longest makes room."""


@dataclass(slots=True)
class Session:
    """One browser that is logged in.

    Attributes
    ----------
    csrf
        What it shows with every change: a page of another site cannot know it.
    pin
        Which PIN it came with.
    begun_s, touched_s
        When it came, and when somebody last touched its page.
    """

    csrf: str
    pin: str
    begun_s: float
    touched_s: float

    def lasts(self, pin: str | None, now_s: float) -> bool:
        """Return whether it has not ended."""
        return self.pin == pin and now_s - self.touched_s < IDLE_S and now_s - self.begun_s < EVENING_S


class Sessions:
    """All who are logged in; used on the server's loop only.

    Examples
    --------
    >>> sessions = Sessions()
    >>> token = sessions.open("the pin", 0.0)
    >>> sessions.known(token, "the pin", 60.0) is not None, sessions.known("nonsense", "the pin", 60.0)
    (True, None)
    >>> sessions.known(token, "another pin", 60.0)
    """

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def open(self, pin: str, now_s: float) -> str:
        """Return the token of a new session."""
        while len(self._sessions) >= MOST:
            self._sessions.pop(min(self._sessions, key=lambda key: self._sessions[key].touched_s))
        token = secrets.token_urlsafe(32)
        self._sessions[_key(token)] = Session(secrets.token_urlsafe(32), pin, now_s, now_s)
        return token

    def known(self, token: str, pin: str | None, now_s: float) -> Session | None:
        """Return the session with this *token*, None if there is none or it has ended; *pin* is the PIN of today."""
        self._sessions = {key: session for key, session in self._sessions.items() if session.lasts(pin, now_s)}
        return self._sessions.get(_key(token))

    def close(self, token: str) -> None:
        """End the session with this *token*."""
        self._sessions.pop(_key(token), None)


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
