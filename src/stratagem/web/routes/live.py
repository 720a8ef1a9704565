"""The WebSockets: what happens at a table or in a run, told as it happens.

A client only listens; all it may say is ping. Whoever sends anything else, or more than is taken,
is disconnected with the reason.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from stratagem.core.errors import StratagemError
from stratagem.web.problems import Refusal
from stratagem.web.routes.parts import HallPart
from stratagem.web.runs import Run, gates_of
from stratagem.web.schema import (
    ClientMessage,
    ErrorMessage,
    MetricsMessage,
    PongMessage,
    StateMessage,
)

router = APIRouter(prefix="/api")

_POLL_SECONDS = 1.0
_NOT_UNDERSTOOD, _NOT_POSSIBLE, _TOO_SLOW = 1003, 4004, 1013

Queue = asyncio.Queue[str | None]


@router.websocket("/tables/{name}/live")
async def table_live(socket: WebSocket, hall: HallPart, name: str) -> None:
    """The state of a table now and after every change, thinking, analyses, the value graph."""
    await socket.accept()
    try:
        with hall.listening:
            session = (await hall.tables.find(name)).session
            queue = session.listeners.join()
            try:
                await socket.send_text(StateMessage(state=await session.state()).model_dump_json())
                session.go_on()  # agents among themselves play only while somebody watches
                await _converse(socket, queue)
            finally:
                session.listeners.leave(queue)
    except (Refusal, StratagemError) as error:
        await _end(socket, _NOT_POSSIBLE, str(error))
    except WebSocketDisconnect:
        return


@router.websocket("/runs/{run}/live")
async def run_live(socket: WebSocket, hall: HallPart, run: str) -> None:
    """New rows of a run's metrics as they are written."""
    await socket.accept()
    try:
        with hall.listening:
            found = await asyncio.to_thread(hall.runs.find, run)
            queue: Queue = asyncio.Queue()
            watcher = asyncio.create_task(_follow(found, queue))
            try:
                await _converse(socket, queue)
            finally:
                watcher.cancel()
    except (Refusal, StratagemError) as error:
        await _end(socket, _NOT_POSSIBLE, str(error))
    except WebSocketDisconnect:
        return


async def _converse(socket: WebSocket, queue: Queue) -> None:
    """Send what is queued and answer pings until the client leaves."""
    hearing = asyncio.create_task(_hear(socket, queue))
    try:
        while not hearing.done():
            telling = asyncio.create_task(queue.get())
            await asyncio.wait({telling, hearing}, return_when=asyncio.FIRST_COMPLETED)
            if not telling.done():
                telling.cancel()
                break
            text = telling.result()
            if text is None:
                await _end(socket, _TOO_SLOW, "too slow: connect again")
                return
            await socket.send_text(text)
        problem = hearing.result() if not hearing.cancelled() else ""
        if problem:
            await _end(socket, _NOT_UNDERSTOOD, problem)
    finally:
        hearing.cancel()


async def _hear(socket: WebSocket, queue: Queue) -> str:
    """Answer pings; returns what was wrong, or nothing when the client has left."""
    while True:
        try:
            text = await socket.receive_text()
        except WebSocketDisconnect:
            return ""
        except (KeyError, RuntimeError):
            return "only text is understood here"
        try:
            ClientMessage.model_validate_json(text)
        except ValidationError:
            return 'only {"type": "ping"} is understood here: everything else goes by HTTP'
        with suppress(asyncio.QueueFull):
            queue.put_nowait(PongMessage().model_dump_json())


async def _end(socket: WebSocket, code: int, reason: str) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(ErrorMessage(detail=reason).model_dump_json())
        await socket.close(code, reason[:120])


async def _follow(run: Run, queue: Queue) -> None:
    """Watch a metrics file: rows are appended, and rewritten when a run is resumed."""
    sent, known = 0, (-1.0, -1)
    while True:
        now = await asyncio.to_thread(run.folder.metrics_stamp)
        if now != known:
            known = now
            rows = await asyncio.to_thread(run.folder.metrics)
            first = min(sent, len(rows)) if len(rows) > sent else 0
            message = MetricsMessage(
                summary=run.summary(rows),
                first=first,
                rows=rows[first:],
                gates=gates_of(rows[first:]),
                newest_game=next(iter(run.games()), None),
            )
            sent = len(rows)
            await queue.put(message.model_dump_json())
        await asyncio.sleep(_POLL_SECONDS)
