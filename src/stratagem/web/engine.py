"""A search process: it receives jobs through a pipe, reports progress, and answers with plain data.

A job chooses a move, analyses positions, looks into a tree, evaluates the dice, or preloads what
the next one needs. Every search runs in short portions; after each it may be told to stop. The
process lives as long as its pipe: when the server ends, for any reason, so does this process.

    to it:     ("job", number, Job, seconds between reports) · ("stop", number)
    from it:   ("ready",) · ("progress", number, visits, analysis or None) · ("done", number, data)
               · ("refused", number, text) · ("failed", number, text)
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Literal

import numpy as np

from stratagem.agents import Agent, make_agent
from stratagem.agents.kinds.mcts import MctsAgent, choose
from stratagem.core.compiling import WATCH
from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.game import Game, States
from stratagem.core.registry import load_game
from stratagem.search import Forest
from stratagem.web.findings import describe_positions, describe_tree
from stratagem.web.luck import luck_of_dice

# Called after each portion: visits so far, and how to get an interim analysis. True: stop now.
Watch = Callable[[int, Callable[[], dict[str, Any]]], bool]

_NICENESS = 5  # the server comes first, searches take what is left
_PROGRESS_SECONDS = 0.2  # between reports that contain only visits
_PORTION_SECONDS = 0.1
_KEPT_GAMES = 8
_KEPT_AGENTS = 6

JobKind = Literal["move", "analyse", "tree", "luck", "prepare"]


@dataclass(frozen=True)
class Job:
    """One thing to compute. States are sent as bytes."""

    kind: JobKind
    game: str
    agent: str  # an agent spec for this machine
    states: bytes
    seeds: tuple[int, ...]  # one per state
    path: tuple[int, ...] = ()  # for `tree`
    limit: int = 0  # for `tree`: children
    outcomes: tuple[int, ...] = ()  # for `luck`: the outcome in each state

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for jobs that grow the same trees."""
        return (self.game, self.agent, self.states, self.seeds)


class Engine:
    """Games and agents, loaded when first needed; the last tree of each agent is kept."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self._grown: dict[tuple[str, str], tuple[Any, Forest]] = {}

    def run(self, job: Job, watch: Watch) -> dict[str, Any]:
        """Do a job; errors that a person can fix are StratagemErrors."""
        game = self._game(job.game)
        states = np.frombuffer(job.states, game.rules.dtype).copy()
        agent = self._agent(job.game, job.agent, game)
        if job.kind == "move":
            compiled, started = WATCH.seconds, time.perf_counter()
            found = self._move(agent, job, states, watch)
            spent = time.perf_counter() - started - (WATCH.seconds - compiled)
            return {**found, "seconds": max(0.0, spent)}
        if not isinstance(agent, MctsAgent):
            raise BadSetting("this agent does not search: use one that does, such as mcts:none")
        if job.kind == "luck":
            return {"luck": luck_of_dice(game, agent, states, job.outcomes)}
        if job.kind == "prepare":  # loads what the first search needs
            next(agent.grow(states, np.array(job.seeds, np.uint64), (1,)))
            self._grown.pop((job.game, job.agent), None)  # its forest has been overwritten
            return {}
        started = time.perf_counter()
        forest = self._forest(agent, job, states, watch)
        if job.kind == "tree":
            return describe_tree(game, forest, job.path, job.limit, agent.guesses > 1)
        positions = describe_positions(agent, forest, states)
        return {"positions": positions, "seconds": time.perf_counter() - started}

    def _move(self, agent: Agent, job: Job, states: States, watch: Watch) -> dict[str, Any]:
        seeds = np.array(job.seeds, np.uint64)
        if not isinstance(agent, MctsAgent):
            return {"action": int(agent.act(states, seeds)[0]), "visits": 0}
        forest = self._forest(agent, job, states, watch)
        report = agent.report(forest, 1)
        action = int(choose(report, seeds, np.array([agent.temperature]))[0])
        return {"action": action, "visits": int(report.visits.sum())}

    def _forest(self, agent: MctsAgent, job: Job, states: States, watch: Watch) -> Forest:
        """Return the grown tree of a job: kept from the last time, or grown now."""
        name = (job.game, job.agent)
        kept = self._grown.get(name)
        if kept is not None and kept[0] == job.key:
            return kept[1]
        self._grown.pop(name, None)
        seeds = np.array(job.seeds, np.uint64)
        trees = np.arange(len(states) * agent.guesses)
        pace = _Pace()
        growing = agent.grow(states, seeds, pace)
        stopped = False
        while not stopped:
            started = time.perf_counter()
            grown = next(growing, None)
            if grown is None:
                break
            pace.took(time.perf_counter() - started)
            forest = grown  # every step yields the same forest, grown further
            interim = partial(_interim, agent, forest, states)
            stopped = watch(int(forest.root_visits(trees).sum()), interim)
        if not stopped:  # a tree that was stopped early is not what its settings promise
            self._grown[name] = (job.key, forest)
        return forest

    def _game(self, spec: str) -> Game:
        if spec not in self._games:
            self._games[spec] = load_game(spec)
            if len(self._games) > _KEPT_GAMES:
                self._games.popitem(last=False)
        self._games.move_to_end(spec)
        return self._games[spec]

    def _agent(self, game_spec: str, spec: str, game: Game) -> Agent:
        name = (game_spec, spec)
        if name not in self._agents:
            self._agents[name] = make_agent(spec, game)
            if len(self._agents) > _KEPT_AGENTS:
                forgotten, _ = self._agents.popitem(last=False)
                self._grown.pop(forgotten, None)
        self._agents.move_to_end(name)
        return self._agents[name]


def _interim(agent: MctsAgent, forest: Forest, states: States) -> dict[str, Any]:
    return {"positions": describe_positions(agent, forest, states)}


class _Pace:
    """Chooses the simulations per portion so that a portion takes about a tenth of a second."""

    def __init__(self) -> None:
        self._portion = 1

    def __iter__(self) -> Iterator[int]:
        while True:
            yield self._portion

    def took(self, seconds: float) -> None:
        """Report how long the last portion took, without the time between portions."""
        fitting = int(self._portion * _PORTION_SECONDS / max(seconds, 1e-4))
        self._portion = max(1, min(4 * self._portion, fitting))


def work(pipe: Connection) -> None:
    """Run a search process for its whole life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; it closes the pipe
    os.nice(_NICENESS)
    engine = Engine()
    try:
        pipe.send(("ready",))
        while True:
            message = pipe.recv()
            if message[0] == "job":
                pipe.send(_answer(engine, pipe, *message[1:]))
    except (EOFError, OSError):
        return  # the server is gone


def _answer(
    engine: Engine, pipe: Connection, number: int, job: Job, report_every: float
) -> tuple[Any, ...]:
    try:
        return ("done", number, engine.run(job, _Watcher(pipe, number, report_every)))
    except StratagemError as error:
        return ("refused", number, str(error))
    except (
        EOFError,
        ConnectionError,
    ):  # the server is gone; disk errors are reported to it instead
        raise
    except Exception as error:
        traceback.print_exc()
        return ("failed", number, f"{type(error).__name__}: {error}")


class _Watcher:
    """Called between portions of a search: reports progress, and returns whether to stop."""

    def __init__(self, pipe: Connection, number: int, report_every: float) -> None:
        self._pipe = pipe
        self._number = number
        self._report_every = report_every  # 0: never report a whole analysis
        self._sent = self._reported = time.monotonic()

    def __call__(self, visits: int, interim: Callable[[], dict[str, Any]]) -> bool:
        now = time.monotonic()
        if self._report_every and now - self._reported >= self._report_every:
            self._pipe.send(("progress", self._number, visits, interim()))
            self._reported = self._sent = time.monotonic()  # reporting takes time itself
        elif now - self._sent >= _PROGRESS_SECONDS:
            self._sent = now
            self._pipe.send(("progress", self._number, visits, None))
        stop = False
        while self._pipe.poll():
            message = self._pipe.recv()
            stop = stop or message == ("stop", self._number)
        return stop
