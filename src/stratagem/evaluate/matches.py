"""Matches: many games at once, with one batched call per agent and step.

Every game has its own seeded streams, so neither the batch size nor the other games change what
happens in it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stratagem.agents.spec import make_agent
from stratagem.backend import Backend
from stratagem.core.agent import FORFEIT, Agent, MayForfeit
from stratagem.core.driver import GameBatch, GameStreams, Rows
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States, require_game
from stratagem.core.record import GameRecord, record_game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds
from stratagem.evaluate.match_progress import (
    MatchProgress,
    OnMatchProgress,
    Reporter,
    first_agent_score,
)
from stratagem.evaluate.match_result import MatchResult, Outcome, agent_result
from stratagem.evaluate.seating import Seating, Seats, seat_agents

_PART = 64  # games per task: enough for full batches, few enough for many machines


def play_match(
    game: Game,
    agents: Sequence[str | Agent],
    games: int,
    seed: int,
    seats: Seats = "rotate",
    batch: int = 128,
    keep: bool = False,
    on_progress: OnMatchProgress | None = None,
) -> MatchResult:
    """Play `games` games and count the results; `keep` also returns a record of each game.

    Agents may be given as specs.
    """
    require_game(game)
    if batch < 1:
        raise BadSetting(f"batch must be at least 1, got {batch}")
    seating = seat_agents(len(agents), game.num_seats, games, seats)
    players = [make_agent(one, game) for one in agents]
    match = _Match(game, players, seating, seed, keep)
    reporter = None if on_progress is None else Reporter(on_progress)
    return join_parts(game.spec, games, seed, seats, [match.play(range(games), batch, reporter)])


@dataclass(frozen=True)
class Clock:
    """An agent's decisions in part of a match, and how long they took."""

    spec: str
    decisions: int
    mean_ms: float
    failures: Mapping[str, int]  # unanswered decisions, by reason


@dataclass(frozen=True)
class MatchPart:
    """Some games of a match, in its order."""

    outcomes: tuple[Outcome, ...]
    records: tuple[GameRecord, ...]
    clocks: tuple[Clock, ...]  # by agent


def join_parts(
    game: str, games: int, seed: int, seats: Seats, parts: Sequence[MatchPart]
) -> MatchResult:
    """Join the parts of a match."""
    outcomes = tuple(outcome for part in parts for outcome in part.outcomes)
    agents = []
    for index, clocks in enumerate(zip(*(part.clocks for part in parts), strict=True)):
        decisions = sum(clock.decisions for clock in clocks)
        spent = sum(clock.decisions * clock.mean_ms for clock in clocks)
        mean_ms = spent / decisions if decisions else 0.0
        result = agent_result(index, clocks[0].spec, outcomes, decisions, mean_ms)
        forfeits: Counter[str] = Counter()
        for clock in clocks:
            forfeits.update(clock.failures)
        agents.append(replace(result, forfeits=dict(forfeits)))
    return MatchResult(
        game=game,
        games=games,
        seed=seed,
        seats=seats,
        agents=tuple(agents),
        outcomes=outcomes,
        records=tuple(record for part in parts for record in part.records),
    )


@dataclass(frozen=True)
class MatchTask:
    """A match between agents given by their specs, as data."""

    game: str
    specs: tuple[str, ...]
    games: int
    seed: int
    seats: Seats = "rotate"
    keep: bool = False


@dataclass(frozen=True)
class PartTask:
    """Some games of a match."""

    match: MatchTask
    rows: tuple[int, int]  # the first of them, and the one after the last


def play_part(task: PartTask) -> MatchPart:
    """Play the games of one task."""
    match = task.match
    game = load_game(match.game)
    agents = [make_agent(spec, game) for spec in match.specs]
    seating = seat_agents(len(agents), game.num_seats, match.games, match.seats)
    return _Match(game, agents, seating, match.seed, match.keep).play(range(*task.rows))


def play_rows(game: Game, agents: Sequence[Agent], games: int, seed: int, rows: range) -> MatchPart:
    """Play some games of a match: the same games as when all are played."""
    seating = seat_agents(len(agents), game.num_seats, games, "rotate")
    return _Match(game, agents, seating, seed, False).play(rows)


def spread_match(
    match: MatchTask, backend: Backend, on_progress: OnMatchProgress | None = None
) -> MatchResult:
    """Play a match like `play_match`, with the games divided among a backend's workers."""
    game, games = load_game(match.game), match.games
    # Mistakes should show here, not in a worker.
    seat_agents(len(match.specs), game.num_seats, games, match.seats)
    tasks = [
        PartTask(match, (first, min(first + _PART, games))) for first in range(0, games, _PART)
    ]
    done: list[Outcome] = []

    def add(part: MatchPart) -> None:
        done.extend(part.outcomes)
        if on_progress is not None:
            longest = max(outcome.plies for outcome in done)
            score, share = first_agent_score(done), len(done) / games
            on_progress(MatchProgress(games, len(done), score, longest, share))

    parts = backend.map(play_part, tasks, add)
    return join_parts(game.spec, games, match.seed, match.seats, parts)


class _ClockedAgent:
    """An agent and its time. The first call often compiles, so it counts only if it is alone."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.spec = agent.spec
        self._first = self._later = (0.0, 0)  # seconds and decisions
        self._failed_before = Counter(self._failures)

    @property
    def _failures(self) -> Mapping[str, int]:
        return self._agent.failures if isinstance(self._agent, MayForfeit) else {}

    def act(self, states: States, seeds: Seeds) -> Actions:
        began = time.perf_counter()
        actions = self._agent.act(states, seeds)
        seconds = time.perf_counter() - began
        if not self._first[1]:
            self._first = (seconds, len(states))
        else:
            self._later = (self._later[0] + seconds, self._later[1] + len(states))
        return actions

    @property
    def decisions(self) -> int:
        return self._first[1] + self._later[1]

    @property
    def mean_ms(self) -> float:
        seconds, decisions = self._later if self._later[1] else self._first
        return 1000.0 * seconds / decisions if decisions else 0.0

    def clock(self) -> Clock:
        """Return this agent's decisions and time since the match began."""
        failures = Counter(self._failures) - self._failed_before
        return Clock(self.spec, self.decisions, self.mean_ms, dict(failures))


class _Match:
    """All games of a match, and who plays which seat."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seating: Seating, seed: int, keep: bool
    ) -> None:
        self._agents = [_ClockedAgent(agent) for agent in agents]
        self._seating, self._seed = seating, seed
        self._keep, games = keep, len(seating.groups)
        self.batch = GameBatch(game, games, GameStreams(seed, seating.groups), None if keep else 0)
        self._losers: dict[int, int] = {}  # seats that did not answer, by game

    def play(self, rows: range, batch: int = 128, reporter: Reporter | None = None) -> MatchPart:
        """Play these games to the end, `batch` of them side by side."""
        self.batch.start(np.array(rows, np.int64))
        waiting = rows
        running = np.zeros(0, np.int64)
        while len(running) or waiting:
            room = batch - len(running)
            running = np.concatenate([running, np.array(waiting[:room], np.int64)])
            waiting = waiting[room:]
            self.advance(running)
            running = running[self.batch.states["seat"][running] != OVER]
            if reporter is not None and reporter.due:
                self._report(reporter, rows, len(waiting), running)
        clocks = tuple(one.clock() for one in self._agents)
        return MatchPart(self.outcomes(rows), self.records(rows) if self._keep else (), clocks)

    def _report(self, reporter: Reporter, rows: range, waiting: int, running: Rows) -> None:
        """Report the progress of these games; the last of them may not have begun."""
        over = np.ones(len(rows), np.bool_)
        over[running - rows.start] = False
        over[len(rows) - waiting :] = False
        ended = rows.start + np.flatnonzero(over)
        plies = self.batch.num_events[rows.start : rows.stop]
        reporter.look(plies, over, self.outcomes(ended.tolist()))

    def advance(self, rows: Rows) -> None:
        """Apply one event to each of these games: a chance outcome or a decision."""
        seats = self.batch.states["seat"][rows]
        if len(rolling := rows[seats == CHANCE]):
            self.batch.roll(rolling)
        deciding = rows[seats >= 0]
        movers = self._seating.agents[deciding, seats[seats >= 0]]
        for index, agent in enumerate(self._agents):
            if len(asked := deciding[movers == index]):
                actions = self.batch.ask(agent, asked, may_forfeit=True)
                answered = actions != FORFEIT
                self.batch.step(asked[answered], actions[answered])
                self._forfeit(asked[~answered])

    def _forfeit(self, rows: Rows) -> None:
        """Let the deciding seats in these games lose them."""
        seats = self.batch.seats[rows].tolist()
        self._losers |= dict(zip(rows.tolist(), seats, strict=True))
        self.batch.end(rows)

    def outcomes(self, rows: Sequence[int]) -> tuple[Outcome, ...]:
        """Return how each of these games ended."""
        batch, seating = self.batch, self._seating
        states = batch.states[list(rows)]
        returns, scores = batch.game.returns(states), batch.game.scores(states)
        for place, row in enumerate(rows):
            if row in self._losers:
                returns[place] = 1.0
                returns[place, self._losers[row]] = -1.0
        return tuple(
            Outcome(
                group=int(seating.groups[row]),
                agents=tuple(map(int, seating.agents[row])),
                returns=tuple(map(float, returns[place])),
                scores=tuple(map(float, scores[place])),
                plies=int(batch.num_events[row]),
            )
            for place, row in enumerate(rows)
        )

    def _forfeit_of(self, row: int) -> dict[str, int]:
        return {"forfeited_by": self._losers[row]} if row in self._losers else {}

    def records(self, rows: range) -> tuple[GameRecord, ...]:
        """Return replayable records of these games."""
        return tuple(
            record_game(
                self.batch.game,
                int(self.batch.setup_seeds[i]),
                self.batch.events[i],
                tuple(self._agents[agent].spec for agent in self._seating.agents[i]),
                {"match_seed": self._seed, "match_game": i, **self._forfeit_of(i)},
            )
            for i in rows
        )
