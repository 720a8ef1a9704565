"""The listeners of a session: bounded queues of messages, one per WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Container

from pydantic import BaseModel

_LONGEST_QUEUE = 200


class Listeners:
    """Bounded queues of messages, one per WebSocket.

    A listener that does not keep up is disconnected; when it returns, it gets the whole state.
    """

    def __init__(self) -> None:
        self._queues: dict[asyncio.Queue[str | None], str] = {}

    def __len__(self) -> int:
        return len(self._queues)

    def join(self, person: str = "") -> asyncio.Queue[str | None]:
        """Return a new queue of JSON messages; None in the queue means: you were too slow."""
        queue: asyncio.Queue[str | None] = asyncio.Queue(_LONGEST_QUEUE)
        self._queues[queue] = person
        return queue

    def leave(self, queue: asyncio.Queue[str | None]) -> None:
        self._queues.pop(queue, None)

    @property
    def people(self) -> set[str]:
        """Return who is listening."""
        return set(self._queues.values())

    def send(self, message: BaseModel, to: Container[str] | None = None) -> None:
        """Put a message into the queues of some people, or of all; it is serialized once."""
        queues = [queue for queue, person in self._queues.items() if to is None or person in to]
        if not queues:
            return
        text = message.model_dump_json()
        for queue in queues:
            if queue.full():
                self.leave(queue)
                queue.get_nowait()
                queue.put_nowait(None)
            else:
                queue.put_nowait(text)
