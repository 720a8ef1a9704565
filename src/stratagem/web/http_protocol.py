"""Closes connections that send nothing, or never complete a request."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0  # from the first byte of a request, or from connecting, to the end of its head


class ImpatientProtocol(H11Protocol):
    """Uvicorn's HTTP with a time limit for request headers."""

    _impatience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Wait for the rest of the headers, unless a request is answered or none has begun."""
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._stop_watching()
        elif self._impatience is None:
            self._impatience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_watching(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None

    def _give_up(self) -> None:
        self._impatience = None
        answering = self.cycle is not None and not self.cycle.response_complete
        if self.conn.their_state is h11.IDLE and not answering and not self.transport.is_closing():
            self.transport.close()
