"""The application: routes, the guard in front of them, and answers to errors."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.middleware.gzip import GZipMiddleware

import stratagem
from stratagem.core.errors import NotAllowed, StratagemError, UnknownName
from stratagem.web import pages
from stratagem.web.context import ServerContext
from stratagem.web.guard import Guard
from stratagem.web.problems import Broken, Refusal, disk_problem
from stratagem.web.routes import analysis, catalogue, live, sessions, training
from stratagem.web.settings import ServerSettings

_log = logging.getLogger(__name__)

_SMALLEST_ZIPPED = 16 * 1024  # on the same machine, smaller answers are faster uncompressed


def create_app(settings: ServerSettings) -> FastAPI:
    """Create a server for one data folder; its search processes live as long as it does."""
    context = ServerContext.build(settings)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        context.open()
        yield
        await context.close()

    app = FastAPI(
        title="Stratagem",
        version=stratagem.__version__,
        lifespan=life,
        docs_url=None,  # FastAPI's own pages load scripts from elsewhere; ours do not
        redoc_url=None,
    )
    app.state.context = context
    for module in (catalogue, sessions, analysis, training, live):
        app.include_router(module.router)
    app.include_router(pages.router)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(StratagemError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(OSError, _not_kept)
    app.add_exception_handler(Exception, _failed)
    if not settings.is_loopback:
        app.add_middleware(GZipMiddleware, minimum_size=_SMALLEST_ZIPPED, compresslevel=1)
    app.add_middleware(Guard, settings=settings)
    return app


def _refused(request: Request, error: Exception) -> JSONResponse:
    ours = {UnknownName: 404, NotAllowed: 409}
    status = ours.get(type(error), getattr(error, "status", 400))
    return JSONResponse({"detail": " ".join(str(error).split())}, status)


def _not_kept(request: Request, error: Exception) -> JSONResponse:
    """Tell the person what could not be written, because they can fix it."""
    if isinstance(error, FileNotFoundError):  # two clicks at once, and one of them deleted it
        _log.warning("%s: %s", request.url.path, error)
        return JSONResponse({"detail": "this has been deleted: see the list"}, 404)
    if told := disk_problem(error):
        _log.warning("%s: %s", request.url.path, error)
        return JSONResponse({"detail": told}, Broken.status)
    raise error


def _failed(request: Request, error: Exception) -> JSONResponse:
    """Report a bug of ours; the traceback goes to the server's log."""
    return JSONResponse({"detail": f"internal error: {type(error).__name__}"}, 500)


def _malformed(request: Request, error: Exception) -> JSONResponse:
    """Describe the first problem in one line: where, and what was expected."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    more = f" (and {len(error.errors()) - 1} more)" if len(error.errors()) > 1 else ""
    return JSONResponse({"detail": f"{where}: {first['msg']}{more}"}, 422)
