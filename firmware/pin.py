"""The bartender's PIN: kept as a hash in the state folder, and how long who guesses has to wait.

A PIN has few digits, so the hash (scrypt) protects it only against a glance; what protects it against guessing is that
wrong PINs are counted for everybody together, on disk, before they are tried.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from firmware.errors import FirmwareError
from firmware.folder import write_whole

SHORTEST, LONGEST = 4, 12

COST: Final = 2**15
"""Of scrypt: with blocks of 8 it takes 32 MiB, and 0.2 seconds on a busy machine of two cores."""

FREE_TRIES: Final = 3
FIRST_WAIT_S, LONGEST_WAIT_S = 5.0, 300.0
"""How long everybody waits after so many wrong PINs, and at most: twelve guesses an hour, so that all PINs of four
digits take five weeks and all of six digits nine years."""


class PinError(FirmwareError, ValueError):
    """A PIN cannot be set, or the file of the PIN cannot be used."""


class PinFile(BaseModel):
    """What is stored of a PIN: the parameters of scrypt, salt and hash in hexadecimal digits."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: int = Field(ge=1, le=1)
    n: int = Field(ge=2, le=2**17)
    r: int = Field(ge=1, le=8)
    p: int = Field(ge=1, le=4)
    salt: str = Field(pattern=r"^([0-9a-f]{2}){8,64}$")
    hash: str = Field(pattern=r"^[0-9a-f]{64}$")

    @classmethod
    def of(cls, pin: str) -> Self:
        """Return what is to be stored of *pin*."""
        salt = secrets.token_bytes(16)
        return cls(format=1, n=COST, r=8, p=1, salt=salt.hex(), hash=_hash(pin, salt, COST, 8, 1).hex())

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """Return what is stored at *path*, None where no PIN was set.

        Raises
        ------
        PinError
            If the file cannot be read, or is none of this kind.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise PinError(
                f"the file of the PIN {path} cannot be read: {error.strerror}; set the PIN again with mexico-table pin"
            ) from error
        except ValidationError as error:
            raise PinError(f"the file of the PIN {path} is damaged; set the PIN again with mexico-table pin") from error

    def save(self, path: Path) -> None:
        """Write it to *path*, for the eyes of the table's program alone."""
        write_private(path, self.model_dump_json().encode())

    def is_of(self, pin: str) -> bool:
        """Return whether *pin* is this PIN; takes as long for one as for another, and some time: on no event loop."""
        found = _hash(pin, bytes.fromhex(self.salt), self.n, self.r, self.p)
        return hmac.compare_digest(found, bytes.fromhex(self.hash))


def _hash(pin: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=r, p=p, maxmem=256 * n * r + 2**20, dklen=32)


def write_private(path: Path, data: bytes) -> None:
    """Replace the file at *path* by *data*, readable by its owner alone: who owns the folder, where root writes."""
    write_whole(path, data, mode=0o600)
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)


def refused(pin: str) -> str | None:
    """Return why *pin* can be no PIN, None where it can.

    Examples
    --------
    >>> refused("12a4"), refused("4711")
    ('a PIN has 4 to 12 digits, and nothing but digits; choose another', None)
    >>> refused("345678")
    'a PIN of digits that are all alike, or follow one another, is guessed at once; choose another'
    """
    if not (SHORTEST <= len(pin) <= LONGEST and pin.isascii() and pin.isdecimal()):
        return f"a PIN has {SHORTEST} to {LONGEST} digits, and nothing but digits; choose another"
    steps = {(int(b) - int(a)) % 10 for a, b in itertools.pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        return "a PIN of digits that are all alike, or follow one another, is guessed at once; choose another"
    return None


# --- wrong PINs ---


class _TriesFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    wrong: int = Field(ge=0, le=10**9)
    last_s: float = Field(ge=0, allow_inf_nan=False)


@dataclass(slots=True)
class Tries:
    """Wrong PINs since the last right one, of everybody together; on disk, so that a restart forgives nothing.

    Attributes
    ----------
    path
        Of the file.
    wrong
        How many there were.
    last_s
        When the last one was, in seconds since 1970.
    """

    path: Path
    wrong: int = 0
    last_s: float = 0.0

    @classmethod
    def load(cls, path: Path) -> Tries:
        """Return what is stored at *path*; a file that cannot be used counts as one wrong PIN after the free ones."""
        try:
            stored = _TriesFile.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return cls(path)
        except (OSError, ValidationError):
            return cls(path, FREE_TRIES)
        return cls(path, stored.wrong, stored.last_s)

    def wait_s(self, now_s: float) -> float:
        """Return how long nobody may try, 0 for at once."""
        wait_s = wait_after_s(self.wrong)
        return max(0.0, min(wait_s, self.last_s + wait_s - now_s))

    def count(self, now_s: float) -> None:
        """Count a try as a wrong one, before it is known: who pulls the plug meanwhile gains nothing.

        Raises
        ------
        OSError
            If the disk does not take it; it counts all the same while the program runs.
        """
        self.wrong, self.last_s = self.wrong + 1, now_s
        self._save()

    def follow(self, now_s: float) -> None:
        """Let the last one be as late as *now_s* where a clock that was set back has it later still.

        So a computer without a battery for its clock makes nobody wait longer than after a wrong PIN, nor less.

        Raises
        ------
        OSError
            If the disk does not take it; it counts all the same while the program runs.
        """
        if self.last_s > now_s:
            self.last_s = now_s
            self._save()

    def right(self) -> None:
        """Forget the wrong ones.

        Raises
        ------
        OSError
            If the disk does not take it; they are forgotten while the program runs.
        """
        self.wrong = 0
        self._save()

    def _save(self) -> None:
        write_private(self.path, _TriesFile(wrong=self.wrong, last_s=max(0.0, self.last_s)).model_dump_json().encode())


def wait_after_s(wrong: int) -> float:
    """Return how long everybody waits after so many *wrong* PINs.

    Examples
    --------
    >>> [wait_after_s(wrong) for wrong in (2, 3, 4, 5, 8, 9, 1000)]
    [0.0, 5.0, 10.0, 20.0, 160.0, 300.0, 300.0]
    """
    if wrong < FREE_TRIES:
        return 0.0
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(wrong - FREE_TRIES, 20))
