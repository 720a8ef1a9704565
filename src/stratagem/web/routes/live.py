"""The WebSocket of a training run: sends new rows of its metrics as they are written."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from stratagem.core.errors import StratagemError
from stratagem.runs.status import is_running
from stratagem.web.problems import Refusal
from stratagem.web.routes.connection import NOT_POSSIBLE, Queue, converse, end
from stratagem.web.routes.parts import ContextPart
from stratagem.web.runs import Run, gates_of
from stratagem.web.schema import MetricsMessage

router = APIRouter(prefix="/api")

_POLL_SECONDS = 1.0


@router.websocket("/runs/{run}/live")
async def run_live(socket: WebSocket, context: ContextPart, run: str) -> None:
    """New rows of a run's metrics as they are written."""
    await socket.accept()
    try:
        with context.connections:
            found = await asyncio.to_thread(context.runs.find, run)
            queue: Queue = asyncio.Queue()
            watcher = asyncio.create_task(_follow(found, queue))
            try:
                await converse(socket, queue)
            finally:
                watcher.cancel()
    except (Refusal, StratagemError) as error:
        await end(socket, NOT_POSSIBLE, str(error))
    except WebSocketDisconnect:
        return


async def _follow(run: Run, queue: Queue) -> None:
    """Watch a metrics file: rows are appended, and rewritten when a run is resumed."""
    sent, known = 0, None
    while True:
        now = await asyncio.to_thread(_state, run)
        if now != known:
            only_status = known is not None and now[0] == known[0]
            known = now
            message, sent = await asyncio.to_thread(_news, run.now(), sent, only_status)
            await queue.put(message.model_dump_json())
        await asyncio.sleep(_POLL_SECONDS)


def _state(run: Run) -> tuple[tuple[float, int], bool]:
    return run.folder.metrics_stamp(), is_running(run.folder)


def _news(run: Run, sent: int, only_status: bool) -> tuple[MetricsMessage, int]:
    """Return what is new since this many rows were sent, and how many are sent now."""
    rows = run.folder.metrics()
    first = min(sent, len(rows)) if only_status or len(rows) > sent else 0
    message = MetricsMessage(
        summary=run.summary(rows),
        first=first,
        rows=rows[first:],
        gates=gates_of(rows[first:]),
        checkpoints=run.checkpoints(),
        payoffs=run.payoffs(rows),
        newest_game=next(iter(run.games()), None),
    )
    return message, len(rows)
