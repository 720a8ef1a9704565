"""A table that is open: its lock, its listeners, and the task that lets agents and dice move.

All methods run in the server's event loop; whatever computes runs in a thread (rules, drawing) or
in a search process. A search that was overtaken by a change of the table is thrown away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from stratagem.agents.best import adviser
from stratagem.core.game import as_batch
from stratagem.core.seats import CHANCE
from stratagem.web.drawing import TableDrawing
from stratagem.web.engine import Job
from stratagem.web.listeners import Listeners
from stratagem.web.notes import Notes
from stratagem.web.opponents import Player, resolve
from stratagem.web.pool import MOVE, Pool, Ticket
from stratagem.web.problems import Conflict, NotFound, Refusal
from stratagem.web.runs import Runs
from stratagem.web.schema import (
    Act,
    Preview,
    StateMessage,
    TableState,
    Thinking,
    ThinkingMessage,
)
from stratagem.web.settings import ServerLimits
from stratagem.web.summary import Activity, table_state
from stratagem.web.table import Table

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Session:
    """One open table."""

    def __init__(
        self, table: Table, notes: Notes, pool: Pool, runs: Runs, limits: ServerLimits
    ) -> None:
        self.table = table
        self.drawing = TableDrawing(table)
        self.notes = notes
        self.pool = pool
        self.runs = runs
        self.limits = limits
        self.lock = asyncio.Lock()
        self.listeners = Listeners()
        self.paused = False
        self.pace_ms = table.header.pace_ms
        self.error: str | None = None
        self.adviser = adviser(table.game)
        self._thinking: tuple[Ticket, int, str, int] | None = None  # ticket, seat, agent, limit
        self._driver: asyncio.Task[None] | None = None
        self._sent = 0  # events that every listener knows of

    # -- looking -----------------------------------------------------------------------------

    async def state(self, ply: int | None = None, since: int = 0) -> TableState:
        async with self.lock:
            return await self._draw(ply, since)

    async def reading(self, read: Callable[[], T]) -> T:
        """Something read from the table in a thread while nobody changes it."""
        async with self.lock:
            return await asyncio.to_thread(read)

    async def preview(self, action: int, ply: int | None) -> Preview:
        def look() -> Preview:
            self._check_turn(self.table.plies if ply is None else ply)
            if action not in self.table.game.legal_actions(self.table.state):
                raise Conflict(f"action {action} is not legal here: choose one from the list")
            return self.drawing.preview(action)

        return await self.reading(look)

    @property
    def thinking(self) -> Thinking | None:
        if self._thinking is None:
            return None
        ticket, seat, agent, limit = self._thinking
        return Thinking(
            seat=seat,
            agent=agent,
            visits=ticket.visits,
            limit=limit,
            seconds=ticket.seconds,
            queued=ticket.started is None,
        )

    @property
    def is_idle(self) -> bool:
        """Nobody watches and nothing goes on: it may be closed."""
        busy = self._driver is not None and not self._driver.done()
        return not busy and not self.listeners and not self.lock.locked()

    # -- doing -------------------------------------------------------------------------------

    async def act(self, wanted: Act) -> TableState:
        def play() -> None:
            self._check_turn(wanted.ply)
            self.table.play(wanted.action)

        return await self._change(play, wanted.ply)

    async def take_back(self, to_ply: int | None) -> TableState:
        return await self._change(lambda: self.table.take_back(to_ply), None)

    async def resign(self, seat: int | None) -> TableState:
        def resign() -> None:
            table = self.table
            if not table.is_live:
                raise Conflict("this game has ended")
            chosen = seat
            if chosen is None:
                chosen = table.seat if table.seat in table.humans else next(iter(table.humans), -1)
            if chosen not in table.humans:
                raise Conflict(f"no person sits in seat {seat}: nobody can resign for an agent")
            table.resign(chosen)

        return await self._change(resign, None)

    async def pause(self, paused: bool, pace_ms: int | None) -> TableState:
        self.paused = paused and not self.table.humans  # a person's game waits for that person
        if pace_ms is not None:
            self.pace_ms = pace_ms
        return await self._change(lambda: None, self.table.plies)

    async def stop_and_move(self) -> TableState:
        if self._thinking is None:
            raise Conflict("no agent is thinking: there is nothing to stop")
        self.pool.stop(self._thinking[0])
        return await self.state(since=self.table.plies)

    def go_on(self) -> None:
        """Let agents and dice move, if it is their turn; harmless if they already do."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def close(self) -> None:
        """End the task and the search; the journal keeps everything."""
        self._forget_search()
        if self._driver is not None:
            self._driver.cancel()
            await asyncio.gather(self._driver, return_exceptions=True)

    # -- inside ------------------------------------------------------------------------------

    def _check_turn(self, ply: int) -> None:
        table = self.table
        if not table.is_live:
            raise Conflict("this game has ended: nothing can be decided any more")
        if ply != table.plies:
            raise Conflict(f"the game is at ply {table.plies}, not {ply}: look again")
        if not table.waits_for_human:
            raise Conflict("it is not a person's turn")

    async def _change(self, change: Callable[[], None], since: int | None) -> TableState:
        async with self.lock:
            before = self.table.plies

            def work() -> TableState:  # in one thread: each change of threads costs time
                change()
                first = min(before, self.table.plies) if since is None else since
                calm = Activity(None, None, self.paused, self.pace_ms, self.adviser)
                return table_state(self.drawing, calm, None, first)

            state = await asyncio.to_thread(work)
            self.error = None
            self._forget_search()
        await self._tell()
        self.go_on()
        return state

    async def _draw(self, ply: int | None, since: int) -> TableState:
        if ply is not None and ply > self.table.plies:
            raise NotFound(f"ply {ply}: this game has positions 0 to {self.table.plies}")
        activity = Activity(self.thinking, self.error, self.paused, self.pace_ms, self.adviser)
        return await asyncio.to_thread(table_state, self.drawing, activity, ply, since)

    async def _tell(self) -> None:
        """Send the new state to whoever listens."""
        if not self.listeners:
            self._sent = self.table.plies
            return
        state = await self.state(since=min(self._sent, self.table.plies))
        self._sent = state.plies
        self.listeners.send(StateMessage(state=state))

    async def _drive(self) -> None:
        try:
            while await self._step():
                await self._tell()
        except Refusal as error:
            self.error = str(error)
            await self._tell()
        except Exception as error:  # a fault of ours: the game waits, and says so
            _log.exception("table %s", self.table.header.id)
            self.error = f"internal error: {type(error).__name__}: {error}"
            await self._tell()

    async def _step(self) -> bool:
        """One roll or one agent's move; False if it is nobody's turn here."""
        table = self.table
        async with self.lock:
            if not table.is_live or table.waits_for_human or self.error is not None:
                return False
            if not table.humans and (self.paused or not self.listeners):
                return False
            revision, ply, seat = table.revision, table.plies, table.seat
            if seat == CHANCE:
                await asyncio.to_thread(table.roll)
                return True
            player, job = await asyncio.to_thread(self._question, ply, seat)
        action = await self._ask(player, job, seat)
        async with self.lock:
            if action is None or table.revision != revision:
                return True  # overtaken: look again whose turn it is
            await asyncio.to_thread(table.play, action)
        if not table.humans:
            await asyncio.sleep(self.pace_ms / 1000.0)
        return True

    def _question(self, ply: int, seat: int) -> tuple[Player, Job]:
        """Who decides, and the search that finds out what."""
        table = self.table
        player = resolve(table.header.seats[seat], table.game, self.runs, self.limits.sims)
        state = as_batch(table.seen_by(seat, ply)).tobytes()
        seeds = (table.decision_seed(ply),)
        return player, Job("move", table.header.game, player.spec, state, seeds)

    async def _ask(self, player: Player, job: Job, seat: int) -> int | None:
        """What the agent in this seat decides; None if nobody wants to know any more."""
        ticket = self.pool.submit(job, MOVE, self._progress)
        self._thinking = (ticket, seat, self.table.header.seats[seat], player.sims)
        self.listeners.send(ThinkingMessage(thinking=self.thinking))
        await asyncio.wait([ticket.result])
        self._thinking = None
        if ticket.result.cancelled():
            return None
        return int(ticket.result.result()["action"])

    def _progress(self, visits: int, interim: dict[str, Any] | None) -> None:
        self.listeners.send(ThinkingMessage(thinking=self.thinking))

    def _forget_search(self) -> None:
        if self._thinking is not None:
            self.pool.drop(self._thinking[0])
            self._thinking = None
