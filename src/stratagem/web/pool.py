"""The search processes: jobs are queued, a dead process is replaced and its job tried again.

Runs in the server's event loop, which only passes messages; one thread per process waits at its
pipe.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import multiprocessing
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from stratagem.web.engine import Job, work
from stratagem.web.problems import Broken, Refusal, TooMany

_MOST_TRIES = 3
_START_PAUSE = 1.0  # seconds before a process that died immediately is restarted

# Jobs that a person waits for come first.
MOVE, ASKED, BACKGROUND = 0, 1, 2

Progress = Callable[[int, dict[str, Any] | None], None]  # visits, interim analysis


@dataclass(eq=False)
class Ticket:
    """A queued or running job. `started` is None while it waits."""

    number: int
    job: Job
    result: asyncio.Future[dict[str, Any]]
    progress: Progress | None
    report_every: float
    tries: int = 0
    started: float | None = None
    visits: int = 0
    stopped: bool = False

    @property
    def seconds(self) -> float:
        return 0.0 if self.started is None else time.monotonic() - self.started


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    ticket: Ticket | None = None
    last_key: Any = None
    born: float = field(default_factory=time.monotonic)


class Pool:
    """A fixed number of search processes."""

    def __init__(self, size: int, most_queued: int) -> None:
        self.size = size
        self._most_queued = most_queued
        self._workers: list[_Worker] = []
        self._line: list[tuple[int, int, Ticket]] = []
        self._numbers = itertools.count()
        self._closed = False
        self._context = multiprocessing.get_context("spawn")  # no copies of running threads

    def start(self) -> None:
        """Start the processes; call this inside the running event loop."""
        self._loop = asyncio.get_running_loop()
        for _ in range(self.size):
            self._hire()

    def close(self) -> None:
        """End every process. Unfinished jobs are lost; their futures are cancelled."""
        self._closed = True
        for _, _, ticket in self._line:
            ticket.result.cancel()
        for worker in self._workers:
            if worker.ticket is not None:
                worker.ticket.result.cancel()
            worker.pipe.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(timeout=5)

    def submit(
        self,
        job: Job,
        priority: int,
        progress: Progress | None = None,
        report_every: float = 0.0,
    ) -> Ticket:
        """Queue a job; its result is awaited as `ticket.result`."""
        # Moves are never refused: there is at most one per session, and sessions are limited.
        if priority != MOVE and len(self._line) >= self._most_queued:
            raise TooMany(
                f"{len(self._line)} searches are waiting: try again when some have finished"
            )
        number = next(self._numbers)
        ticket = Ticket(number, job, self._loop.create_future(), progress, report_every)
        heapq.heappush(self._line, (priority, number, ticket))
        self._dispatch()
        return ticket

    def stop(self, ticket: Ticket) -> None:
        """Make a search answer with what it has; one that has not begun starts and ends soon."""
        ticket.stopped = True
        for worker in self._workers:
            if worker.ticket is ticket:
                with suppress(OSError):
                    worker.pipe.send(("stop", ticket.number))

    def drop(self, ticket: Ticket) -> None:
        """Drop a job because nobody wants the answer any more."""
        self._line = [entry for entry in self._line if entry[2] is not ticket]
        heapq.heapify(self._line)
        ticket.result.cancel()
        self.stop(ticket)

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid or 0 for worker in self._workers]

    # -- inside ------------------------------------------------------------------------------

    def _hire(self) -> None:
        mine, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, mine)
        self._workers.append(worker)
        threading.Thread(target=self._listen, args=(worker,), daemon=True).start()

    def _listen(self, worker: _Worker) -> None:
        """Run in a thread: pass every message of one process to the event loop."""
        while True:
            try:
                message = worker.pipe.recv()
            except (EOFError, OSError):
                message = ("gone",)
            except Exception as error:  # a message was cut short when its process died
                message = ("gone", str(error))
            with suppress(RuntimeError):  # the loop may already be closed
                self._loop.call_soon_threadsafe(self._receive, worker, message)
            if message[0] == "gone":
                return

    def _receive(self, worker: _Worker, message: tuple[Any, ...]) -> None:
        if message[0] == "gone":
            self._lose(worker)
            return
        ticket = worker.ticket
        if message[0] == "ready":
            self._dispatch()
        elif ticket is not None and message[1] == ticket.number:
            self._advance(worker, ticket, message)

    def _advance(self, worker: _Worker, ticket: Ticket, message: tuple[Any, ...]) -> None:
        if message[0] == "progress":
            ticket.visits = message[2]
            if ticket.progress is not None and not ticket.result.done():
                ticket.progress(message[2], message[3])
            return
        worker.ticket = None
        if not ticket.result.done():
            if message[0] == "done":
                ticket.result.set_result(message[2])
            elif message[0] == "refused":
                ticket.result.set_exception(Refusal(message[2]))
            else:
                ticket.result.set_exception(Broken(f"the search failed: {message[2]}"))
        self._dispatch()

    def _lose(self, worker: _Worker) -> None:
        """Replace a process that ended by itself, and give its job to another."""
        if self._closed or worker not in self._workers:
            return
        self._workers.remove(worker)
        worker.pipe.close()
        ticket = worker.ticket
        if ticket is not None and not ticket.result.done():
            if ticket.tries >= _MOST_TRIES:
                ticket.result.set_exception(
                    Broken(f"the search process died {ticket.tries} times over this position")
                )
            else:
                ticket.started = None
                heapq.heappush(self._line, (MOVE, ticket.number, ticket))
        died_at_once = time.monotonic() - worker.born < _START_PAUSE
        self._loop.call_later(_START_PAUSE if died_at_once else 0.0, self._replace)

    def _replace(self) -> None:
        if not self._closed:
            self._hire()
            self._dispatch()

    def _dispatch(self) -> None:
        """Give waiting jobs to idle processes, preferably to one that knows the tree."""
        while self._line:
            idle = [worker for worker in self._workers if worker.ticket is None]
            if not idle:
                return
            _, _, ticket = heapq.heappop(self._line)
            if ticket.result.done():
                continue
            knowing = [worker for worker in idle if worker.last_key == ticket.job.key]
            self._give((knowing or idle)[0], ticket)

    def _give(self, worker: _Worker, ticket: Ticket) -> None:
        worker.ticket = ticket
        worker.last_key = ticket.job.key
        ticket.tries += 1
        ticket.started = time.monotonic()
        with suppress(OSError):  # its thread will notice a dead process
            worker.pipe.send(("job", ticket.number, ticket.job, ticket.report_every))
            if ticket.stopped:
                worker.pipe.send(("stop", ticket.number))
