"""What a browser sends to have something done: a small JSON object with nothing unknown in it, or a refusal."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response


class Command(BaseModel):
    """What a browser sends: nothing unknown, nothing of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


C = TypeVar("C", bound=Command)


class Refused(Exception):
    """A command that is not carried out: status and words."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


async def refused(_request: Request, error: Exception) -> Response:
    """Answer a command that is not carried out."""
    status = error.status if isinstance(error, Refused) else 500
    return JSONResponse({"error": str(error)}, status)


async def body(request: Request, kind: type[C]) -> C:
    """Return the command in the body of *request*.

    Raises
    ------
    Refused
        If it is none of this *kind*.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "a command is a JSON object, sent as application/json")
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, wrong["loc"]))[:60] or "the command"
        raise Refused(400, f"{where}: {wrong['msg']}") from None
