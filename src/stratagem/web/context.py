"""The parts of a running server: settings, search processes, runs, sessions, connections."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from stratagem.web.people import People
from stratagem.web.pool import Pool
from stratagem.web.problems import TooMany
from stratagem.web.runs import Runs
from stratagem.web.settings import ServerSettings
from stratagem.web.store import SessionStore

_THREADS = 24


class ConnectionLimiter:
    """Counts open connections; `with` adds one or is refused."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open = 0

    def __enter__(self) -> None:
        if self._open >= self._limit:
            raise TooMany(f"{self._limit} connections are open already: close one")
        self._open += 1

    def __exit__(self, *error: object) -> None:
        self._open -= 1


@dataclass(frozen=True)
class ServerContext:
    """The parts that requests need."""

    settings: ServerSettings
    pool: Pool
    runs: Runs
    sessions: SessionStore
    people: People
    connections: ConnectionLimiter

    @classmethod
    def build(cls, settings: ServerSettings) -> ServerContext:
        pool = Pool(settings.workers, settings.limits.queued)
        runs = Runs(settings.runs)
        people = People(settings.data)
        sessions = SessionStore(settings, pool, runs, people)
        return cls(
            settings, pool, runs, sessions, people, ConnectionLimiter(settings.limits.listeners)
        )

    def open(self) -> None:
        """Start the search processes; call this inside the event loop."""
        self.settings.data.mkdir(parents=True, exist_ok=True)
        # Compiling rules may take long, and other sessions must not wait for it.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS))
        self.pool.start()

    async def close(self) -> None:
        await self.sessions.close()
        self.pool.close()
