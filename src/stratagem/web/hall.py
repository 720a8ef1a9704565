"""Everything a running server consists of, put together and taken apart. Knows no route."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from stratagem.web.listeners import Doorkeeper
from stratagem.web.pool import Pool
from stratagem.web.runs import Runs
from stratagem.web.settings import ServerSettings
from stratagem.web.tables import Tables

_THREADS = 24


@dataclass(frozen=True)
class Hall:
    """The parts that requests need."""

    settings: ServerSettings
    pool: Pool
    runs: Runs
    tables: Tables
    listening: Doorkeeper

    @classmethod
    def build(cls, settings: ServerSettings) -> Hall:
        pool = Pool(settings.workers, settings.limits.queued)
        runs = Runs(settings.runs)
        tables = Tables(settings, pool, runs)
        return cls(settings, pool, runs, tables, Doorkeeper(settings.limits.listeners))

    def open(self) -> None:
        """Start the search processes; call inside the event loop."""
        (self.settings.data / "tables").mkdir(parents=True, exist_ok=True)
        # Rules may have to be compiled, which takes long; other tables must not wait for it.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS))
        self.pool.start()

    async def close(self) -> None:
        await self.tables.close()
        self.pool.close()
