"""What all routes share: access to the server, fast answers, and the format of refusals."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Response
from fastapi.requests import HTTPConnection
from pydantic import BaseModel, TypeAdapter

from stratagem.web.context import ServerContext
from stratagem.web.live_session import LiveSession
from stratagem.web.review import Review
from stratagem.web.schema import Problem
from stratagem.web.table import is_person

PERSON_COOKIE = "stratagem_person"
_YEAR = 365 * 24 * 3600


# Async, because plain functions would each need a thread.
async def _context(connection: HTTPConnection) -> ServerContext:
    context: ServerContext = connection.app.state.context
    return context


ContextPart = Annotated[ServerContext, Depends(_context)]
SessionName = Annotated[str, Path(max_length=64, description="a session's twelve digits")]


async def _person(connection: HTTPConnection) -> str:
    """Return the cookie that identifies a person; empty if there is none of ours."""
    cookie = connection.cookies.get(PERSON_COOKIE, "")
    return cookie if is_person(cookie) else ""


PersonPart = Annotated[str, Depends(_person)]


async def _session(context: ContextPart, name: SessionName) -> LiveSession:
    return await context.sessions.find(name)


async def _review(context: ContextPart, name: SessionName) -> Review:
    return await context.sessions.review(name)


LivePart = Annotated[LiveSession, Depends(_session)]
ReviewPart = Annotated[Review, Depends(_review)]

REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "description": text}
    for code, text in (
        (400, "invalid"),
        (401, "no token"),
        (403, "wrong host or origin"),
        (404, "no such session, ply, run or opponent"),
        (409, "not possible now"),
        (413, "too large"),
        (422, "not of the described form"),
        (429, "a limit of the server is reached"),
        (503, "a search failed; the game is unharmed"),
    )
}


def reply(answer: BaseModel, status: int = 200) -> Response:
    """Return an answer as JSON, written only by pydantic's compiled serializer."""
    return Response(answer.model_dump_json(), status, media_type="application/json")


def remember(answer: Response, person: str) -> Response:
    """Give a person their cookie, which no script and no other site can read."""
    answer.set_cookie(PERSON_COOKIE, person, max_age=_YEAR, httponly=True, samesite="strict")
    return answer


def reply_list(kind: Any, answers: list[Any]) -> Response:
    """Return a list of answers of one kind."""
    text = TypeAdapter(list[kind]).dump_json(answers)
    return Response(text, media_type="application/json")
