"""Who may use the server: checks Host, Origin, token and size before anything else runs.

Without these checks, any web page that the user visits could send requests to a server on their
machine (cross-site requests and WebSockets), or pretend to be that machine (DNS rebinding). Pure
ASGI: the same rules apply to requests and WebSockets.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import math
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stratagem.web.backing_off import BackingOff
from stratagem.web.settings import LOOPBACK, ServerSettings

COOKIE = "stratagem_token"
UPLOAD_PATH = "/api/records"
_BODY_SECONDS = 30.0

_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Refuses what is not allowed and passes everything else on."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings
        self._names = _names(settings)
        self._backing_off = BackingOff()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        problem = self._host_problem(headers) or self._origin_problem(scope, headers)
        if problem:
            await _refuse(scope, receive, send, 403, problem)
            return
        if self._settings.token and not await self._admitted(scope, headers, receive, send):
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        limits = self._settings.limits
        limit = limits.upload_bytes if scope["path"] == UPLOAD_PATH else limits.message_bytes
        if _declared_length(headers) > limit:
            await _refuse(scope, receive, send, 413, f"at most {limit} bytes are accepted")
            return
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                body = await _read_body(receive, limit)
        except TimeoutError:
            await _refuse(scope, receive, send, 408, "the message did not arrive in time")
            return
        if body is None:
            await _refuse(scope, receive, send, 413, f"at most {limit} bytes are accepted")
            return
        await self._app(scope, _replayed(body, receive), _with_headers(send))

    def _host_problem(self, headers: dict[str, str]) -> str:
        host = headers.get("host", "")
        name = _host_name(host)
        if name in self._names or (not self._settings.is_loopback and _is_address(name)):
            return ""
        return f"host {host[:100]!r} is not served here: use the address that the server printed"

    def _origin_problem(self, scope: Scope, headers: dict[str, str]) -> str:
        """Check the origin sent by browsers: only this server's own page may send requests."""
        origin = headers.get("origin")
        if origin is not None:
            came_from = _netloc(origin)
            if came_from != headers.get("host", "").lower() or not came_from:
                return f"origin {origin[:100]!r} may not use this server"
        elif headers.get("sec-fetch-site") == "cross-site" and scope["path"].startswith("/api"):
            return "another site may not use this server"
        return ""

    async def _admitted(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> bool:
        """Check the token; a page opened with the token in its address gets it as a cookie."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        offered = [
            *query.get("token", []),
            headers.get("authorization", "").removeprefix("Bearer ").strip(),
            _cookie(headers.get("cookie", "")),
        ]
        sender = str((scope.get("client") or ("",))[0])
        wait = self._backing_off.wait(sender)
        if wait > 0:
            text = f"too many wrong tokens: try again in {math.ceil(wait)} seconds"
            await _refuse(scope, receive, send, 429, text)
            return False
        if not any(_same(one, self._settings.token) for one in offered):
            if any(offered):
                self._backing_off.note_wrong(sender)
            await _refuse(
                scope,
                receive,
                send,
                401,
                "a token is needed: open the address that the server printed",
            )
            return False
        self._backing_off.note_right(sender)
        opened = scope["type"] == "http" and scope["method"] == "GET" and "token" in query
        if not opened or scope["path"].startswith("/api"):
            return True
        rest = urlencode({key: v for key, v in query.items() if key != "token"}, doseq=True)
        # Quoted: browsers treat a backslash as a slash, and two of them as another server.
        place = quote(scope["path"]) + (f"?{rest}" if rest else "")
        if not place.startswith("/") or place.startswith("//"):
            place = "/"
        cookie = f"{COOKIE}={self._settings.token}; Path=/; HttpOnly; SameSite=Strict"
        await _answer(send, 303, b"", [("location", place), ("set-cookie", cookie)])
        return False


def _names(settings: ServerSettings) -> frozenset[str]:
    """Return the names under which browsers may reach this server."""
    names: Iterable[str] = (*LOOPBACK, settings.host, *settings.allowed_hosts)
    if not settings.is_loopback:
        names = (*names, socket.gethostname(), socket.getfqdn())
    return frozenset(name.lower() for name in names if name)


def _host_name(host: str) -> str:
    """Return `localhost` for `localhost:8000`, `::1` for `[::1]:8000`."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _netloc(origin: str) -> str:
    """Return host and port of an origin; empty if the text is not an origin."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # such as "http://["
        return ""


def _is_address(name: str) -> bool:
    # A numeric address cannot be redirected to us by somebody else's DNS.
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _same(offered: str, token: str) -> bool:
    return hmac.compare_digest(offered.encode(), token.encode())


def _declared_length(headers: dict[str, str]) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isdecimal() and len(text) < 16 else 0


async def _read_body(receive: Receive, limit: int) -> bytes | None:
    """Read the whole body, or return None if it is longer than allowed."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
        if size > limit:
            return None
    return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def replay() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_headers(send: Send) -> Send:
    extra = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *extra]}
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()  # the handshake must be read before it can be refused
        await send({"type": "websocket.close", "code": 1008, "reason": reason[:120]})
        return
    body = json.dumps({"detail": reason}).encode()
    await _answer(send, status, body, [("content-type", "application/json")])


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[str, str]]) -> None:
    lines = [*headers, ("content-length", str(len(body))), *_HEADERS.items()]
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in lines],
        }
    )
    await send({"type": "http.response.body", "body": body})
