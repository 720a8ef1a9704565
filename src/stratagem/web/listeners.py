"""Who listens to a table or a run: bounded queues of messages, one per WebSocket.

A listener that does not keep up is disconnected; it comes back and gets the whole state.
"""

from __future__ import annotations

import asyncio

from pydantic import BaseModel

from stratagem.web.problems import TooMany

_LONGEST_QUEUE = 200


class Listeners:
    """The open ears of one table or run."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[str | None]] = set()

    def __len__(self) -> int:
        return len(self._queues)

    def join(self) -> asyncio.Queue[str | None]:
        """A queue of messages as JSON; None means: you were too slow."""
        queue: asyncio.Queue[str | None] = asyncio.Queue(_LONGEST_QUEUE)
        self._queues.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[str | None]) -> None:
        self._queues.discard(queue)

    def send(self, message: BaseModel) -> None:
        """Put a message into every queue; it is written out once."""
        if not self._queues:
            return
        text = message.model_dump_json()
        for queue in list(self._queues):
            if queue.full():
                self._queues.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)
            else:
                queue.put_nowait(text)


class Doorkeeper:
    """Counts open connections; `with` one more, or a refusal."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open = 0

    def __enter__(self) -> None:
        if self._open >= self._most:
            raise TooMany(f"{self._most} connections are open: close one")
        self._open += 1

    def __exit__(self, *error: object) -> None:
        self._open -= 1
