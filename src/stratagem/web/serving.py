"""Runs the application: binds a port, announces its address, and shuts down cleanly."""

from __future__ import annotations

import gc
import re
import socket
from collections.abc import Callable

import uvicorn

from stratagem.core.errors import BadSetting
from stratagem.runs.lock import hold_run
from stratagem.web.app import create_app
from stratagem.web.http_protocol import ImpatientProtocol
from stratagem.web.settings import SESSIONS, ServerSettings

_TOKEN = re.compile(r"[A-Za-z0-9._~-]+")
_TOKEN_LENGTH = 16  # minimum length of a token chosen by the user
_RARER = 10  # times as seldom as Python would


def serve(settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `announce` gets the address once the port is bound."""
    if not settings.is_loopback and len(settings.token) < _TOKEN_LENGTH:
        raise BadSetting(
            f"--host {settings.host}: other machines need a token of at least {_TOKEN_LENGTH} "
            "characters; leave out --token to generate one"
        )
    if settings.token and not _TOKEN.fullmatch(settings.token):
        raise BadSetting(
            "--token: write letters, digits, '-', '_', '.' and '~' only: it becomes part of an "
            "address and of a cookie"
        )
    if settings.runs.exists() and not settings.runs.is_dir():
        raise BadSetting(f"--runs {settings.runs}: not a folder: give the folder with your runs")
    # Created now, not when the server starts, so that a disk error takes one line.
    (settings.data / SESSIONS).mkdir(parents=True, exist_ok=True)
    # Each server keeps its games in memory: two of them would overwrite each other's moves.
    with hold_run(settings.data, "used"):
        _serve(settings, announce)


def _serve(settings: ServerSettings, announce: Callable[[str], None]) -> None:
    listener = _bind(settings)
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        ws_max_size=settings.limits.message_bytes,
        server_header=False,
        http=ImpatientProtocol,
        timeout_keep_alive=60,  # people think longer than uvicorn's five seconds
        timeout_graceful_shutdown=3,
    )
    server = uvicorn.Server(config)
    announce(_address(settings, listener))
    _collect_rarely()
    try:
        server.run(sockets=[listener])
    finally:
        listener.close()


def _collect_rarely() -> None:
    """Let garbage collection halt the answers seldom: a full one takes 0.2 s.

    What was imported stays anyway, and the drawings of open games hold no cycles.
    """
    gc.collect()
    gc.freeze()
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, _RARER * old)


def _bind(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # TCP by name: otherwise asyncio delays every answer by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen()  # connections before the server is ready have to wait
    except (OSError, UnicodeError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadSetting(
            f"cannot listen on {settings.host} port {settings.port} ({reason.lower()}): "
            "choose another with --port, or any free one with --port 0"
        ) from None
    return listener


def _address(settings: ServerSettings, listener: socket.socket) -> str:
    name = settings.host
    if name in ("0.0.0.0", "::"):
        name = socket.gethostname()
    shown = f"[{name}]" if ":" in name else name
    query = f"/?token={settings.token}" if settings.token else "/"
    return f"http://{shown}:{listener.getsockname()[1]}{query}"
