"""Analyses of an open session: hints, candidates, a search tree.

Decides what may be analysed (nobody may see through another seat's eyes during a game with hidden
cards) and stores the results.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stratagem.core.game import state_hash
from stratagem.core.seeding import derive_seed
from stratagem.core.session import HUMAN
from stratagem.evaluate.analysis import perspective
from stratagem.web.engine import Job, JobKind
from stratagem.web.live_session import LiveSession
from stratagem.web.opponents import Player, resolve
from stratagem.web.pool import ASKED, Progress, Ticket
from stratagem.web.problems import Conflict, NotFound, Refusal, TooMany
from stratagem.web.schema import (
    Analysis,
    AnalysisMessage,
    LookInTree,
    Thinking,
    ThinkingMessage,
    TreeNode,
)

Purpose = Literal["move", "hint", "analyse", "graph", "tree", "compare"]

_log = logging.getLogger(__name__)

_MOST_AT_ONCE = 4  # simultaneous searches of one session
_LOST_BY_GUESSES = 16  # visits that may be missing, because simulations are divided among guesses


@dataclass(frozen=True)
class Question:
    """A search of some positions, with the hashes under which its answers are stored."""

    player: Player
    plies: tuple[int, ...]
    hashes: tuple[str, ...]
    job: Job


class Analyst:
    """Runs searches for the viewers of one session."""

    def __init__(self, live: LiveSession) -> None:
        self._live = live
        self._tickets: set[Ticket] = set()

    # -- one position ------------------------------------------------------------------------

    async def analyse(
        self,
        ply: int | None,
        agent: str | None,
        visits: int | None,
        report_every: float = 0.5,
        purpose: Purpose = "analyse",
    ) -> Analysis:
        """Search one position, or return an earlier search."""
        chosen = self._live.session.plies if ply is None else ply
        player = await self.player(agent, visits)
        question = await self._live.reading(lambda: self.ask("analyse", player, [chosen]))
        kept = self._live.notes.find(chosen, player.label)
        if kept is not None and kept.rootInfo.visits > player.sims - _LOST_BY_GUESSES:
            return kept

        def interim(_: int, found: dict[str, Any] | None) -> None:
            if found is not None:
                shown = self.answers(question, found, True)[0]
                self._live.listeners.send(AnalysisMessage(analysis=shown))

        found = await self.search(question, purpose, ASKED, interim, report_every)
        analysis = self.answers(question, found, False)[0]
        await self.keep([analysis])
        self._live.listeners.send(AnalysisMessage(analysis=analysis))
        return analysis

    async def hint(self) -> Analysis:
        """Return what the adviser would do for the person who decides."""
        session = self._live.session
        if not session.waits_for_human:
            raise Conflict("it is nobody's turn: there is nothing to hint at")
        if session.setup.serious:
            raise Conflict("this is a serious game: there are no hints")
        return await self.analyse(None, None, None, purpose="hint")

    async def look_in_tree(self, wanted: LookInTree) -> TreeNode:
        """Return a node of the tree grown by an analysis of the position."""
        ply = self._live.session.plies if wanted.ply is None else wanted.ply
        player = await self.player(wanted.agent, wanted.maxVisits)
        question = await self._live.reading(
            lambda: self.ask("tree", player, [ply], tuple(wanted.path), wanted.limit)
        )
        found = await self.search(question, "tree", ASKED)
        return TreeNode(agent=player.label, **found)

    def stop(self) -> None:
        """Stop every search of this game except for moves; they answer with what they have."""
        for ticket in list(self._tickets):
            self._live.pool.stop(ticket)

    def close(self) -> None:
        for ticket in list(self._tickets):
            self._live.pool.drop(ticket)

    # -- also used by reviews of the whole game ------------------------------------------------

    async def player(self, agent: str | None, visits: int | None) -> Player:
        live = self._live
        if agent == HUMAN:
            raise Refusal("a person cannot analyse: choose an agent that searches")
        if visits is not None and visits > live.limits.sims:
            raise Refusal(f"maxVisits: at most {live.limits.sims} on this server")
        name = agent or live.adviser
        player = await asyncio.to_thread(
            resolve, name, live.session.game, live.runs, live.limits.sims, visits
        )
        if not player.searches:
            raise Refusal(f"agent {name!r} does not search: use best, mcts:none or run:NAME")
        return player

    def _check_allowed(self, ply: int) -> None:
        session = self._live.session
        if ply > session.plies:
            raise NotFound(f"ply {ply}: this game has positions 0 to {session.plies}")
        if session.is_live and session.setup.serious:
            raise Conflict("this is a serious game: analyses are available when it is over")
        seat = int(session.states[ply]["seat"])
        if seat < 0:
            raise Conflict(f"ply {ply} is not a decision, so there is nothing to compare")
        if session.viewer is not None and seat != session.viewer:
            raise Conflict(f"ply {ply}: player {seat + 1} knows cards that you cannot see yet")

    def ask(
        self,
        kind: JobKind,
        player: Player,
        plies: Sequence[int],
        path: tuple[int, ...] = (),
        limit: int = 0,
    ) -> Question:
        session = self._live.session
        states = np.empty(len(plies), session.game.rules.dtype)
        for row, ply in enumerate(plies):
            self._check_allowed(ply)
            states[row] = session.seen_by(int(session.states[ply]["seat"]), ply)
        # Not from the session's seed: a search must not know the future dice of the game.
        seeds = tuple(derive_seed(0, "analyse", ply) for ply in plies)
        job = Job(kind, session.setup.game, player.spec, states.tobytes(), seeds, path, limit)
        hashes = tuple(state_hash(session.states[ply]) for ply in plies)
        return Question(player, tuple(plies), hashes, job)

    async def search(
        self,
        question: Question,
        purpose: Purpose,
        priority: int,
        interim: Progress | None = None,
        report_every: float = 0.0,
    ) -> dict[str, Any]:
        """Search in another process, and report its progress to the listeners."""
        if priority == ASKED and len(self._tickets) >= _MOST_AT_ONCE:
            raise TooMany(f"{_MOST_AT_ONCE} analyses of this game are running: wait for one")
        live, player = self._live, question.player

        def progress(visits: int, found: dict[str, Any] | None) -> None:
            thinking = Thinking(
                seat=live.session.seat,
                agent=player.label,
                visits=visits,
                limit=player.sims * len(question.plies),
                seconds=ticket.seconds,
                purpose=purpose,
            )
            live.listeners.send(ThinkingMessage(thinking=thinking))
            if interim is not None:
                interim(visits, found)

        ticket = live.pool.submit(question.job, priority, progress, report_every)
        with self._counted(ticket):
            await asyncio.wait([ticket.result])
        live.listeners.send(ThinkingMessage(thinking=live.thinking))
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
                self._live.pool.drop(ticket)

    def answers(self, asked: Question, found: dict[str, Any], during: bool) -> list[Analysis]:
        """Return what a search found about each requested position."""
        session, label = self._live.session, asked.player.label
        answers = []
        for row, ply in enumerate(asked.plies):
            one = found["positions"][row]
            played = session.events[ply].action if ply < session.plies else None
            moves = [{**move, "played": move["action"] == played} for move in one["moveInfos"]]
            values = {
                "id": f"{self._live.header.id}-{ply}-{label}",
                "turnNumber": ply,
                "isDuringSearch": during,
                "perspective": perspective(one["rootInfo"]["currentPlayer"]),
                "agent": label,
                "rootInfo": one["rootInfo"],
                "moveInfos": moves,
                "seconds": found.get("seconds", 0.0) / len(asked.plies),
                "position": asked.hashes[row],
            }
            answers.append(Analysis.model_validate(values))
        return answers

    async def keep(self, found: Sequence[Analysis]) -> None:
        def keep() -> None:
            for one in found:
                self._live.notes.add(one)

        await asyncio.to_thread(keep)
