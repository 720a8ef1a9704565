"""A WebSocket's conversation: queued messages go out; the only valid input is a ping.

A client that sends anything else, or more than allowed, is disconnected with the reason.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from stratagem.web.schema import ClientMessage, ErrorMessage, PongMessage

NOT_POSSIBLE = 4004
_NOT_UNDERSTOOD, _TOO_SLOW = 1003, 1013
_LONGEST_REASON = 123  # bytes that fit into the frame

Queue = asyncio.Queue[str | None]


async def converse(socket: WebSocket, queue: Queue) -> None:
    """Send what is queued and answer pings until the client leaves."""
    receiving = asyncio.create_task(_receive(socket, queue))
    try:
        while not receiving.done():
            waiting = asyncio.create_task(queue.get())
            await asyncio.wait({waiting, receiving}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                waiting.cancel()
                break
            text = waiting.result()
            if text is None:
                await end(socket, _TOO_SLOW, "too slow: connect again")
                return
            await socket.send_text(text)
        problem = receiving.result() if not receiving.cancelled() else ""
        if problem:
            await end(socket, _NOT_UNDERSTOOD, problem)
    finally:
        receiving.cancel()


async def end(socket: WebSocket, code: int, reason: str) -> None:
    """Close a connection with an error message."""
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(ErrorMessage(detail=reason).model_dump_json())
        await socket.close(code, reason.encode()[:_LONGEST_REASON].decode(errors="ignore"))


async def _receive(socket: WebSocket, queue: Queue) -> str:
    """Answer pings; return what was wrong, or an empty string when the client has left."""
    while True:
        try:
            text = await socket.receive_text()
        except WebSocketDisconnect:
            return ""
        except (KeyError, RuntimeError):
            return "only text is accepted here"
        try:
            ClientMessage.model_validate_json(text)
        except ValidationError:
            return 'only {"type": "ping"} is accepted here: use HTTP for everything else'
        with suppress(asyncio.QueueFull):
            queue.put_nowait(PongMessage().model_dump_json())
