"""The settings at the panel: a form of all there is to set, and a file that is checked as a whole before it is kept."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from contextlib import suppress
from typing import Annotated

from pydantic import AfterValidator, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware import settings_form
from firmware.errors import SettingsError
from firmware.folder import replace_whole
from firmware.page.commands import Command, Refused, body
from firmware.page.once import OneAtATime
from firmware.page.panel_site import PanelSite

logger = logging.getLogger(__name__)


def _in_one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("wanted letters, digits, signs and spaces, in one line")
    return text


Word = Annotated[str, Field(max_length=200), AfterValidator(_in_one_line)]
Number = Annotated[int, Field(ge=-(2**53), le=2**53)]
Answer = (
    bool | Number | Annotated[float, Field(allow_inf_nan=False)] | Word | Annotated[list[Word], Field(max_length=16)]
)
Rule = bool | Number | Word


class Save(Command):
    """Other answers, given by somebody who has seen *version* of the file."""

    version: Annotated[str, Field(max_length=64)]
    answers: Annotated[dict[Word, Answer], Field(max_length=200)]
    house_rules: Annotated[dict[Word, Rule], Field(max_length=100)] | None = None


class PanelSettings:
    """The settings file of *site*: what the next start of the program will read."""

    def __init__(self, site: PanelSite) -> None:
        self._site = site
        self._one = OneAtATime()
        self._began = ""
        """The version that the running program has read."""
        with suppress(Refused):
            self._began = self._file()[1]

    async def form(self, _request: Request) -> Response:
        """Return the form, and which version of the file it shows."""
        return JSONResponse(await asyncio.to_thread(self._form))

    async def save(self, request: Request) -> Response:
        """Save other answers, if all is allowed and nobody else has saved meanwhile."""
        wanted = await body(request, Save)
        async with self._one:
            try:
                told = await asyncio.to_thread(self._save, wanted)
            except SettingsError as error:
                return JSONResponse({"error": str(error), "problems": list(error.problems)}, 422)
        return JSONResponse(told)

    def _form(self) -> dict[str, object]:
        text, version = self._file()
        try:
            form = settings_form.form(text, str(self._site.settings_file))
        except SettingsError as error:
            raise Refused(409, f"{error}; correct the file by hand first") from None
        return {"version": version, "file": str(self._site.settings_file), **form, "waits": version != self._began}

    def _save(self, wanted: Save) -> dict[str, object]:
        text, version = self._file()
        if version != wanted.version:
            raise Refused(409, "somebody else has saved the settings meanwhile; look at what is other now, then save")
        path = self._site.settings_file
        written, others = settings_form.changed(text, wanted.answers, wanted.house_rules, str(path))
        if others:
            try:
                replace_whole(path, written.encode())
            except OSError as error:
                raise Refused(503, f"{path} cannot be written: {error.strerror}; nothing was changed") from None
            logger.info("settings changed at the panel: %s", ", ".join(others))
        return {"version": _version(written if others else text), "changed": others}

    def _file(self) -> tuple[str, str]:
        """Return what stands in the file, and its version."""
        try:
            text = self._site.settings_file.read_text(encoding="utf-8")
        except FileNotFoundError:
            text = ""
        except (OSError, ValueError) as error:
            raise Refused(503, f"{self._site.settings_file} cannot be read: {error}; correct it by hand") from None
        return text, _version(text)


def _version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
