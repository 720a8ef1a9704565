"""A review of a whole game: every decision searched, every roll evaluated, in the background."""

from __future__ import annotations

import asyncio
import logging

import numpy as np

from stratagem.core.seats import CHANCE
from stratagem.web.analyst import Analyst, Question
from stratagem.web.engine import Job
from stratagem.web.graph import value_graph
from stratagem.web.live_session import LiveSession
from stratagem.web.opponents import Player
from stratagem.web.pool import BACKGROUND
from stratagem.web.problems import Conflict, Refusal
from stratagem.web.schema import ErrorMessage, GraphMessage, ValueGraph

_log = logging.getLogger(__name__)

_TOGETHER = 8  # positions searched in one forest


class Review:
    """The value graph of one session, and the task that fills it."""

    def __init__(self, live: LiveSession, analyst: Analyst) -> None:
        self._live = live
        self.analyst = analyst
        self._task: asyncio.Task[None] | None = None
        self._agent: str | None = None
        self._total = 0

    async def start(self, agent: str | None, visits: int | None) -> ValueGraph:
        """Search every decision; the growing graph is sent over the WebSocket."""
        if self._is_running():
            raise Conflict("this game is already being analysed: stop it, or wait")
        player = await self.analyst.player(agent, visits)
        plies = await self._live.reading(self._decisions)
        self._agent = player.label
        self._total = len(plies)
        self._task = asyncio.create_task(self._fill(player, plies))
        return await self.graph()

    async def graph(self) -> ValueGraph:
        """Return what is known so far."""
        live = self._live
        # Between people on several devices there is no review before the end.
        viewer = live.session.viewer if live.table is None else live.view("").viewer
        return await live.reading(
            lambda: value_graph(
                live.drawing, live.notes, self._agent, self._is_running(), self._total, viewer
            )
        )

    async def stop(self) -> ValueGraph:
        """Stop the review and every search except for a move; findings are kept."""
        await self.close()
        self.analyst.stop()
        graph = await self.graph()
        self._live.listeners.send(GraphMessage(graph=graph))
        return graph

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def _is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def _decisions(self) -> list[int]:
        """Return the plies that may be analysed now."""
        session = self._live.session
        if session.is_live and session.setup.serious:
            raise Conflict("this is a serious game: analyses are available when it is over")
        seats = [int(state["seat"]) for state in session.states]
        return [
            ply for ply, seat in enumerate(seats)
            if seat >= 0 and (session.viewer is None or seat == session.viewer)
        ]  # fmt: skip

    async def _fill(self, player: Player, plies: list[int]) -> None:
        listeners = self._live.listeners
        try:
            await self._search_decisions(player, plies)
            await self._weigh_dice(player)
        except Refusal as error:
            listeners.send(ErrorMessage(detail=str(error)))
        except Exception:  # a bug of ours: earlier findings are kept
            _log.exception("review of session %s", self._live.header.id)
            listeners.send(ErrorMessage(detail="the review failed; see the server's log"))
        self._task = None
        listeners.send(GraphMessage(graph=await self.graph()))

    async def _search_decisions(self, player: Player, plies: list[int]) -> None:
        """Search in as many processes as there are, people's decisions first."""
        live, people = self._live, self._live.session.humans
        missing = [ply for ply in plies if live.notes.find(ply, player.label) is None]
        missing.sort(key=lambda ply: int(live.session.states[ply]["seat"]) not in people)
        groups = iter(_groups(missing))

        async def search_groups() -> None:
            for group in groups:
                await self._search_group(player, group)

        lanes = [asyncio.create_task(search_groups()) for _ in range(live.pool.size)]
        try:
            await asyncio.gather(*lanes)
        finally:
            for lane in lanes:
                lane.cancel()

    async def _search_group(self, player: Player, plies: list[int]) -> None:
        analyst, live = self.analyst, self._live
        question = await live.reading(lambda: analyst.ask("analyse", player, plies))
        found = await analyst.search(question, "graph", BACKGROUND)
        await analyst.keep(analyst.answers(question, found, False))
        live.listeners.send(GraphMessage(graph=await self.graph()))

    async def _weigh_dice(self, player: Player) -> None:
        """Evaluate the luck of every roll, but not while it could reveal hidden information."""
        live = self._live
        if live.session.viewer is not None:
            return
        rolls = await live.reading(self._unweighed)
        for group in _groups(rolls):
            question = await live.reading(
                lambda group=group: self._luck_question(player, group)  # type: ignore[misc]
            )
            found = await self.analyst.search(question, "graph", BACKGROUND)
            await asyncio.to_thread(live.notes.add_luck, group, found["luck"])
            live.listeners.send(GraphMessage(graph=await self.graph()))

    def _unweighed(self) -> list[int]:
        session, notes = self._live.session, self._live.notes
        rolls = [ply for ply, event in enumerate(session.events) if event.seat == CHANCE]
        return [ply for ply in rolls if notes.luck(ply) is None]

    def _luck_question(self, player: Player, plies: list[int]) -> Question:
        session = self._live.session
        if plies[-1] >= session.plies:
            raise Conflict("moves were taken back: review the game again")
        states = np.empty(len(plies), session.game.rules.dtype)
        for row, ply in enumerate(plies):
            states[row] = session.states[ply]
        job = Job(
            "luck", session.setup.game, player.spec, states.tobytes(), (0,) * len(plies),
            outcomes=tuple(session.events[ply].action for ply in plies),
        )  # fmt: skip
        return Question(player, tuple(plies), (), job)


def _groups(plies: list[int]) -> list[list[int]]:
    return [plies[start : start + _TOGETHER] for start in range(0, len(plies), _TOGETHER)]
