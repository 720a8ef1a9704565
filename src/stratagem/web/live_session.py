"""A session that is open on the server: its lock, its listeners, and the task that drives it.

All methods run in the server's event loop; computation runs in a thread (rules, drawing) or in a
search process. If the session changes during a search, the result is discarded.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from stratagem.agents.shipped import adviser
from stratagem.core.agent import FORFEIT
from stratagem.core.errors import StratagemError
from stratagem.core.game import as_batch
from stratagem.core.seats import CHANCE
from stratagem.core.session import GameSession
from stratagem.web.drawing import Activity, SessionDrawing
from stratagem.web.engine import Job
from stratagem.web.listeners import Listeners
from stratagem.web.notes import Notes
from stratagem.web.opponents import Player, resolve
from stratagem.web.people import People
from stratagem.web.pool import BACKGROUND, MOVE, Pool, Ticket
from stratagem.web.problems import Conflict, NotFound, Refusal, disk_problem
from stratagem.web.runs import Runs
from stratagem.web.saved import SessionHeader
from stratagem.web.schema import (
    Act,
    Preview,
    SessionState,
    StateMessage,
    Thinking,
    ThinkingMessage,
)
from stratagem.web.settings import ServerLimits
from stratagem.web.shortcuts import check
from stratagem.web.table import Table, View

T = TypeVar("T")
States = list[tuple[set[str], SessionState]]  # what each group of people sees

_log = logging.getLogger(__name__)


class LiveSession:
    """One open session: `session` is the game, `notes` are the findings about it."""

    def __init__(
        self,
        header: SessionHeader,
        session: GameSession,
        notes: Notes,
        pool: Pool,
        runs: Runs,
        limits: ServerLimits,
        table: Table | None = None,
    ) -> None:
        self.header = header
        self.session = session
        self.drawing = SessionDrawing(session)
        self.notes = notes
        self.pool = pool
        self.runs = runs
        self.limits = limits
        self.table = table
        self.guest_key = ""
        self.people: People | None = None
        self._prepared = False
        self.lock = asyncio.Lock()
        self.listeners = Listeners()
        self.paused = False
        self.pace_ms = header.pace_ms
        self.error: str | None = None
        self.adviser = adviser(session.game)
        self._players: dict[int, Player] = {}  # by seat, from their first move on
        self._thinking: tuple[Ticket, int, str, int] | None = None  # ticket, seat, agent, limit
        self._driver: asyncio.Task[None] | None = None
        self._sent = 0  # events that every listener knows

    # -- reading -------------------------------------------------------------------------------

    def view(self, person: str) -> View:
        """Return what this person may see and do now."""
        return View.of(self.session, self.table, person)

    async def state(self, ply: int | None = None, since: int = 0, person: str = "") -> SessionState:
        async with self.lock:
            if ply is not None and ply > self.session.plies:
                raise NotFound(f"ply {ply}: this game has positions 0 to {self.session.plies}")
            view, activity = self.view(person), self._activity()
            return await asyncio.to_thread(self._state, view, activity, ply, since)

    async def reading(self, read: Callable[[], T]) -> T:
        """Read from the game in a thread, while nobody changes it."""
        async with self.lock:
            return await asyncio.to_thread(read)

    async def preview(self, action: int, ply: int | None, person: str = "") -> Preview:
        def look() -> Preview:
            self._check_turn(self.session.plies if ply is None else ply, person)
            if action not in self.session.game.legal_actions(self.session.state):
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
        """Whether nobody watches and nothing is running, so that the session may be closed."""
        busy = self._driver is not None and not self._driver.done()
        return not busy and not self.listeners and not self.lock.locked()

    # -- changing ------------------------------------------------------------------------------

    async def act(self, wanted: Act, person: str = "") -> SessionState:
        def play() -> None:
            self._check_turn(wanted.ply, person)
            session, actions = self.session, [wanted.action, *wanted.then]
            if wanted.then and not check(session.game, session.state, actions):
                raise Conflict(
                    "these decisions are not possible one after another: nothing was done"
                )
            for action in actions:
                session.play(action)

        return await self._change(play, wanted.ply, person)

    async def take_back(self, to_ply: int | None, person: str = "") -> SessionState:
        def take_back() -> None:
            if self.table is not None and not self.view(person).takes_back(self.session):
                raise Conflict(
                    "when playing with others, you can take back only steps of your own turn"
                )
            self.session.take_back(to_ply)

        return await self._change(take_back, person=person)

    async def join(self, person: str, invitation: str, name: str) -> SessionState:
        """Take a free seat in a game for people on several devices."""
        table = self.table
        if table is None:
            raise Conflict("this game is played on one screen: there is no seat to take")

        def join() -> None:
            table.join(person, invitation, name, self.session.humans)

        return await self._change(join, 0, person)

    async def note_rematch(self, session: str) -> None:
        """Tell everybody in this game where the next one is."""
        if self.table is not None:
            await asyncio.to_thread(self.table.note_rematch, session)
            await self._notify()

    async def resign(self, seat: int | None, person: str = "") -> SessionState:
        def resign() -> None:
            session = self.session
            if not session.is_live:
                raise Conflict("this game has ended")
            chosen = seat
            if chosen is None:
                people = sorted(self.view(person).seats)
                chosen = session.seat if session.seat in people else next(iter(people), -1)
            if chosen not in session.humans:
                who = "playing" if seat is None else f"player {seat + 1}"
                raise Conflict(f"no person is {who}: nobody can resign for an agent")
            if chosen not in self.view(person).seats:
                raise Conflict(
                    "that seat belongs to somebody else: you can resign only for yourself"
                )
            session.resign(chosen)

        return await self._change(resign, person=person)

    async def pause(self, paused: bool, pace_ms: int | None, person: str = "") -> SessionState:
        self.check_seated(person)
        self.paused = paused and not self.session.humans  # a game with people always waits for them
        if pace_ms is not None:
            self.pace_ms = pace_ms
        self._players.clear()  # after an error the agents are loaded again
        return await self._change(lambda: None, self.session.plies, person)

    async def stop_and_move(self, person: str = "") -> SessionState:
        self.check_seated(person)
        if self._thinking is None:
            raise Conflict("no agent is thinking: there is nothing to stop")
        self.pool.stop(self._thinking[0])
        return await self.state(since=self.session.plies, person=person)

    def check_seated(self, person: str) -> None:
        """Refuse actions by spectators of a game between people."""
        if self.table is not None and not self.view(person).seats:
            raise Conflict("you are watching this game: only its players can do that")

    def go_on(self) -> None:
        """Let agents and dice move, if it is their turn; does nothing if they already do."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def close(self) -> None:
        """Stop the task and the search; the journal keeps everything."""
        self._forget_search()
        if self._driver is not None:
            self._driver.cancel()
            await asyncio.gather(self._driver, return_exceptions=True)

    # -- inside ------------------------------------------------------------------------------

    def _check_turn(self, ply: int, person: str) -> None:
        session = self.session
        if not session.is_live:
            raise Conflict("this game has ended: there are no more decisions")
        if ply != session.plies:
            raise Conflict(f"the game is at ply {session.plies}, not {ply}: reload it")
        if not session.waits_for_human:
            raise Conflict("it is not a person's turn")
        if not self.view(person).acts(session):
            raise Conflict("it is another player's turn")

    async def _change(
        self, change: Callable[[], None], since: int | None = None, person: str = ""
    ) -> SessionState:
        """Change the game; send the new state to the caller and to all listeners."""
        async with self.lock:
            before = self.session.plies if since is None else since
            people = {person, *self.listeners.people}

            def work() -> States:  # in one thread: each switch between threads costs time
                change()
                return self._states(people, Activity(), min(before, self._sent))

            states = await asyncio.to_thread(work)
            self.error = None
            self._forget_search()
            self._send(states)
        self.go_on()
        return next(state for group, state in states if person in group)

    def _states(self, people: Iterable[str], activity: Activity, since: int) -> States:
        """Return the newest position for each group of people who see the same."""
        groups: dict[View, set[str]] = {}
        for person in people:
            groups.setdefault(self.view(person), set()).add(person)
        return [(who, self._state(view, activity, None, since)) for view, who in groups.items()]

    def _state(self, view: View, activity: Activity, ply: int | None, since: int) -> SessionState:
        full = replace(
            activity,
            paused=self.paused,
            pace_ms=self.pace_ms,
            adviser=self.adviser,
            key=self.guest_key,
        )
        return self.drawing.state(self.header, view, full, ply, since)

    def _activity(self) -> Activity:
        return Activity(self.thinking, self.error)

    async def _notify(self) -> None:
        """Send the new state to all listeners."""
        if not self.listeners:
            self._sent = self.session.plies
            return
        async with self.lock:
            activity, people = self._activity(), self.listeners.people
            self._send(await asyncio.to_thread(self._states, people, activity, self._sent))

    def _send(self, states: States) -> None:
        self._sent = self.session.plies
        for people, state in states:
            self.listeners.send(StateMessage(state=state), people)

    async def _drive(self) -> None:
        try:
            while await self._step():
                await self._notify()
            self._prepare_review()
        except FileNotFoundError:
            return  # the game was deleted while an agent was thinking
        except (Refusal, StratagemError) as error:
            self.error = str(error)
            await self._notify()
        except Exception as error:  # a bug of ours: the game pauses and reports it
            _log.exception("session %s", self.header.id)
            self.error = disk_problem(error) or f"internal error: {type(error).__name__}: {error}"
            await self._notify()

    async def _step(self) -> bool:
        """Play one roll, one agent's move, or a person's forced action; return False if there is
        nothing to do."""
        session = self.session
        async with self.lock:
            if not session.is_live or session.waits_for_human or self.error is not None:
                return False
            if not session.humans and (self.paused or not self.listeners):
                return False
            revision, seat = session.revision, session.seat
            if seat == CHANCE:
                await asyncio.to_thread(session.roll)
                return True
            only = session.forced()
            if only is not None:
                await asyncio.to_thread(session.play, only)
                return True
            player, job = await asyncio.to_thread(self._question, seat)
        action = await self._ask(player, job, seat)
        async with self.lock:
            if action is None or session.revision != revision:
                return True  # the game has changed: check again whose turn it is
            if action == FORFEIT:
                await asyncio.to_thread(session.resign, seat)
            else:
                await asyncio.to_thread(session.play, action)
        if not session.humans:
            await asyncio.sleep(self.pace_ms / 1000.0)
        return True

    def _prepare_review(self) -> None:
        """Load the adviser after a person's game has ended, while they read the result."""
        session = self.session
        if self._prepared or session.is_live or not session.humans or not session.events:
            return
        self._prepared = True
        if self.people is not None:
            helped = session.revision != session.plies + (session.resigned is not None)
            helped = helped or bool(self.notes.all())
            self.people.note_result(self.header.id, session, helped)
        player = resolve(self.adviser, session.game, self.runs, self.limits.sims)
        seats = [int(state["seat"]) for state in session.states]
        last = next((ply for ply in reversed(range(len(seats))) if seats[ply] >= 0), None)
        if last is None or not player.searches:
            return
        state = as_batch(session.seen_by(seats[last], last)).tobytes()
        job = Job("prepare", session.setup.game, player.spec, state, (0,))
        for _ in range(self.pool.size):
            self.pool.submit(job, BACKGROUND).result.add_done_callback(lambda done: done.exception)

    def _question(self, seat: int) -> tuple[Player, Job]:
        """Return the player who decides, and the search for its decision."""
        session = self.session
        player = self._players.get(seat)
        if player is None:
            name = session.setup.agents[seat]
            player = resolve(name, session.game, self.runs, self.limits.sims)
            self._players[seat] = player
        state = as_batch(session.seen_by(seat)).tobytes()
        seeds = (session.decision_seed(),)
        return player, Job("move", session.setup.game, player.spec, state, seeds)

    async def _ask(self, player: Player, job: Job, seat: int) -> int | None:
        """Return the decision of the agent in this seat; None if it is no longer needed."""
        ticket = self.pool.submit(job, MOVE, self._progress)
        self._thinking = (ticket, seat, self.session.setup.agents[seat], player.sims)
        self.listeners.send(ThinkingMessage(thinking=self.thinking))
        await asyncio.wait([ticket.result])
        self._thinking = None
        if ticket.result.cancelled():
            return None
        if self.people is not None and ticket.result.exception() is None:
            name = self.session.setup.agents[seat]
            spent = ticket.result.result()["seconds"]
            self.people.note_move(self.session.setup.game, name, spent)
        return int(ticket.result.result()["action"])

    def _progress(self, visits: int, interim: dict[str, Any] | None) -> None:
        self.listeners.send(ThinkingMessage(thinking=self.thinking))

    def _forget_search(self) -> None:
        if self._thinking is not None:
            self.pool.drop(self._thinking[0])
            self._thinking = None
