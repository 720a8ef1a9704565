"""Analyses of an open table: one position, a whole game, two agents side by side, a search tree.

Decides what may be analysed (nobody may look through another seat's eyes while a game with hidden
cards is going on) and keeps what was found.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from stratagem.core.game import state_hash
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seed
from stratagem.web.engine import Job, JobKind
from stratagem.web.graph import value_graph
from stratagem.web.opponents import Player, resolve
from stratagem.web.pool import ASKED, BACKGROUND, Progress, Ticket
from stratagem.web.problems import Conflict, NotFound, Refusal, TooMany
from stratagem.web.schema import (
    HUMAN,
    Analysis,
    AnalysisMessage,
    ErrorMessage,
    GraphMessage,
    LookInTree,
    TreeNode,
    ValueGraph,
)
from stratagem.web.session import Session

_log = logging.getLogger(__name__)

_MOST_AT_ONCE = 4  # searches of one table that somebody waits for
_TOGETHER = 8  # positions of a whole game that are searched in one forest
_LOST_BY_GUESSES = 16  # visits that may be missing: simulations are shared out among guesses


@dataclass(frozen=True)
class _Question:
    """A search of some positions, with the hashes by which its answers will be kept."""

    player: Player
    plies: tuple[int, ...]
    hashes: tuple[str, ...]
    job: Job


class Analyst:
    """Searches on behalf of whoever looks at one table."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tickets: set[Ticket] = set()
        self._graph_task: asyncio.Task[None] | None = None
        self._graph_agent: str | None = None
        self._graph_total = 0

    # -- one position ------------------------------------------------------------------------

    async def analyse(
        self, ply: int | None, agent: str | None, visits: int | None, report_every: float
    ) -> Analysis:
        """Search one position, or find it searched already."""
        chosen = self._session.table.plies if ply is None else ply
        player = await self._player(agent, visits)
        question = await self._session.reading(lambda: self._ask("analyse", player, [chosen]))
        kept = self._session.notes.find(chosen, player.label)
        if kept is not None and kept.rootInfo.visits > player.sims - _LOST_BY_GUESSES:
            return kept

        def interim(_: int, found: dict[str, Any] | None) -> None:
            if found is not None:
                shown = self._answers(question, found, True)[0]
                self._session.listeners.send(AnalysisMessage(analysis=shown))

        found = await self._search(question.job, ASKED, interim, report_every)
        analysis = self._answers(question, found, False)[0]
        await self._keep([analysis])
        self._session.listeners.send(AnalysisMessage(analysis=analysis))
        return analysis

    async def hint(self) -> Analysis:
        """What the adviser would do where a person has to decide."""
        table = self._session.table
        if not table.waits_for_human:
            raise Conflict("no person has to decide now: there is nothing to hint at")
        if table.header.serious:
            raise Conflict("a serious game: there are no hints")
        return await self.analyse(None, None, None, 0.5)

    async def look_in_tree(self, wanted: LookInTree) -> TreeNode:
        """A node of the tree that an analysis of the position grows."""
        ply = self._session.table.plies if wanted.ply is None else wanted.ply
        player = await self._player(wanted.agent, wanted.maxVisits)
        question = await self._session.reading(
            lambda: self._ask("tree", player, [ply], tuple(wanted.path), wanted.limit)
        )
        found = await self._search(question.job, ASKED)
        return TreeNode(agent=player.label, **found)

    # -- the whole game ----------------------------------------------------------------------

    async def start_graph(self, agent: str | None, visits: int | None) -> ValueGraph:
        """Search every decision in the background; the graph grows on the WebSocket."""
        if self._is_running():
            raise Conflict("this game is being analysed already: stop it, or wait")
        player = await self._player(agent, visits)
        plies = await self._session.reading(self._decisions)
        self._graph_agent = player.label
        self._graph_total = len(plies)
        self._graph_task = asyncio.create_task(self._fill_graph(player, plies))
        return await self.graph()

    async def graph(self) -> ValueGraph:
        session = self._session
        return await session.reading(
            lambda: value_graph(
                session.drawing,
                session.notes,
                self._graph_agent,
                self._is_running(),
                self._graph_total,
            )
        )

    async def stop(self) -> ValueGraph:
        """End every search but that for a move; what was found is kept."""
        if self._graph_task is not None:
            self._graph_task.cancel()
            await asyncio.gather(self._graph_task, return_exceptions=True)
        for ticket in list(self._tickets):
            self._session.pool.stop(ticket)
        return await self.graph()

    async def close(self) -> None:
        if self._graph_task is not None:
            self._graph_task.cancel()
            await asyncio.gather(self._graph_task, return_exceptions=True)
        for ticket in list(self._tickets):
            self._session.pool.drop(ticket)

    # -- inside ------------------------------------------------------------------------------

    def _is_running(self) -> bool:
        return self._graph_task is not None and not self._graph_task.done()

    async def _player(self, agent: str | None, visits: int | None) -> Player:
        session = self._session
        if agent == HUMAN:
            raise Refusal("a person cannot be asked for an analysis: name an agent that searches")
        if visits is not None and visits > session.limits.sims:
            raise Refusal(f"maxVisits: at most {session.limits.sims} on this server")
        name = agent or session.adviser
        player = await asyncio.to_thread(
            resolve, name, session.table.game, session.runs, session.limits.sims, visits
        )
        if not player.searches:
            raise Refusal(f"agent {name!r} does not search: use best, mcts:none or run:NAME")
        return player

    def _check_allowed(self, ply: int) -> None:
        table = self._session.table
        if ply > table.plies:
            raise NotFound(f"ply {ply}: this game has positions 0 to {table.plies}")
        if table.is_live and table.header.serious:
            raise Conflict("a serious game: it is analysed when it is over")
        seat = int(table.states[ply]["seat"])
        if seat < 0:
            raise Conflict(f"ply {ply}: nobody decides there, so there is nothing to compare")
        if table.viewer is not None and seat != table.viewer:
            raise Conflict(f"ply {ply}: seat {seat} knows cards that you cannot see yet")

    def _ask(
        self,
        kind: JobKind,
        player: Player,
        plies: Sequence[int],
        path: tuple[int, ...] = (),
        limit: int = 0,
    ) -> _Question:
        table = self._session.table
        states = np.empty(len(plies), table.game.rules.dtype)
        for row, ply in enumerate(plies):
            self._check_allowed(ply)
            states[row] = table.seen_by(int(table.states[ply]["seat"]), ply)
        # Not from the table's seed: a search must not know the dice that the game will roll.
        seeds = tuple(derive_seed(0, "analyse", ply) for ply in plies)
        job = Job(kind, table.header.game, player.spec, states.tobytes(), seeds, path, limit)
        hashes = tuple(state_hash(table.states[ply]) for ply in plies)
        return _Question(player, tuple(plies), hashes, job)

    async def _search(
        self,
        job: Job,
        priority: int,
        progress: Progress | None = None,
        report_every: float = 0.0,
    ) -> dict[str, Any]:
        if priority == ASKED and len(self._tickets) >= _MOST_AT_ONCE:
            raise TooMany(f"{_MOST_AT_ONCE} analyses of this table are under way: wait for one")
        ticket = self._session.pool.submit(job, priority, progress, report_every)
        with self._counted(ticket):
            await asyncio.wait([ticket.result])
        if ticket.result.cancelled():
            raise Conflict("the search was stopped")
        return ticket.result.result()

    @contextmanager
    def _counted(self, ticket: Ticket) -> Iterator[None]:
        self._tickets.add(ticket)
        try:
            yield
        finally:
            self._tickets.discard(ticket)
            if not ticket.result.done():
                self._session.pool.drop(ticket)

    def _answers(self, asked: _Question, found: dict[str, Any], during: bool) -> list[Analysis]:
        """What a search found about each position that was asked for."""
        table, label = self._session.table, asked.player.label
        answers = []
        for row, ply in enumerate(asked.plies):
            one = found["positions"][row]
            played = table.events[ply].action if ply < table.plies else None
            moves = [{**move, "played": move["action"] == played} for move in one["moveInfos"]]
            values = {
                "id": f"{table.header.id}-{ply}-{label}",
                "turnNumber": ply,
                "isDuringSearch": during,
                "perspective": f"seat {one['rootInfo']['currentPlayer']}, who decides here",
                "agent": label,
                "rootInfo": one["rootInfo"],
                "moveInfos": moves,
                "seconds": found.get("seconds", 0.0) / len(asked.plies),
                "position": asked.hashes[row],
            }
            answers.append(Analysis.model_validate(values))
        return answers

    async def _keep(self, found: Sequence[Analysis]) -> None:
        def keep() -> None:
            for one in found:
                self._session.notes.add(one)

        await asyncio.to_thread(keep)

    def _decisions(self) -> list[int]:
        """Plies that may be analysed now."""
        table = self._session.table
        if table.is_live and table.header.serious:
            raise Conflict("a serious game: it is analysed when it is over")
        seats = [int(state["seat"]) for state in table.states]
        return [
            ply for ply, seat in enumerate(seats)
            if seat >= 0 and (table.viewer is None or seat == table.viewer)
        ]  # fmt: skip

    async def _fill_graph(self, player: Player, plies: list[int]) -> None:
        try:
            known = self._session.notes.find
            missing = [ply for ply in plies if known(ply, player.label) is None]
            for group in _groups(missing):
                question = await self._session.reading(
                    lambda group=group: self._ask("analyse", player, group)  # type: ignore[misc]
                )
                found = await self._search(question.job, BACKGROUND)
                await self._keep(self._answers(question, found, False))
                self._session.listeners.send(GraphMessage(graph=await self.graph()))
            await self._weigh_dice(player)
        except Refusal as error:
            self._session.listeners.send(ErrorMessage(detail=str(error)))
        except Exception:
            _log.exception("analysis of table %s", self._session.table.header.id)
            self._session.listeners.send(ErrorMessage(detail="the analysis failed; see the log"))
        self._graph_task = None
        self._session.listeners.send(GraphMessage(graph=await self.graph()))

    async def _weigh_dice(self, player: Player) -> None:
        """The luck of every roll; not while it could betray what is hidden."""
        table, notes = self._session.table, self._session.notes
        if table.viewer is not None:
            return
        rolls = [ply for ply, event in enumerate(table.events) if event.seat == CHANCE]
        for group in _groups([ply for ply in rolls if notes.luck(ply) is None]):
            states = np.empty(len(group), table.game.rules.dtype)
            for row, ply in enumerate(group):
                states[row] = table.states[ply]
            job = Job(
                "luck", table.header.game, player.spec, states.tobytes(), (0,) * len(group),
                outcomes=tuple(table.events[ply].action for ply in group),
            )  # fmt: skip
            found = await self._search(job, BACKGROUND)
            await asyncio.to_thread(notes.add_luck, group, found["luck"])
            self._session.listeners.send(GraphMessage(graph=await self.graph()))


def _groups(plies: list[int]) -> list[list[int]]:
    return [plies[start : start + _TOGETHER] for start in range(0, len(plies), _TOGETHER)]
