"""Matches: many games at once, one batched call per agent and step.

Every game runs on its own seeded streams, so neither the batch size nor the other games change
what happens in it. Agents get copies in which hidden things have been drawn anew; they can
neither see the real ones nor touch the game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.agents.agent import Agent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.record import GameRecord, record_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds, derive_seeds
from stratagem.evaluate.match_result import AgentResult, MatchResult, Outcome, agent_result
from stratagem.evaluate.seating import Seating, Seats, seat_agents

Rows = npt.NDArray[np.int64]  # indices of games


def play_match(
    game: Game,
    agents: Sequence[Agent],
    games: int,
    seed: int,
    seats: Seats = "rotate",
    batch: int = 128,
    keep: bool = False,
) -> MatchResult:
    """Play so many games and count; `keep` also returns a record of each game."""
    if batch < 1:
        raise BadSetting(f"batch must be at least 1, got {batch}")
    table = _Table(game, agents, seat_agents(len(agents), game.num_seats, games, seats), seed, keep)
    running = np.arange(min(batch, games))
    waiting = len(running)
    while len(running):
        table.advance(running)
        running = running[table.states["seat"][running] != OVER]
        started = np.arange(waiting, min(games, waiting + batch - len(running)))
        waiting += len(started)
        running = np.concatenate([running, started])
    outcomes = table.outcomes()
    return MatchResult(
        game=game.spec,
        games=games,
        seed=seed,
        seats=seats,
        agents=tuple(table.result_of(index, outcomes) for index in range(len(agents))),
        outcomes=outcomes,
        records=table.records() if keep else (),
    )


@dataclass
class _Clock:
    """Time spent deciding. The first call of an agent often compiles, so it counts only alone."""

    first: tuple[float, int] = (0.0, 0)
    seconds: float = 0.0
    decisions: int = 0

    def add(self, seconds: float, decisions: int) -> None:
        if not self.first[1]:
            self.first = (seconds, decisions)
            return
        self.seconds += seconds
        self.decisions += decisions

    @property
    def total_decisions(self) -> int:
        return self.first[1] + self.decisions

    @property
    def mean_ms(self) -> float:
        seconds, decisions = (self.seconds, self.decisions) if self.decisions else self.first
        return 1000.0 * seconds / decisions if decisions else 0.0


class _Table:
    """All games of a match and their streams."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seating: Seating, seed: int, keep: bool
    ) -> None:
        self.game, self.agents, self.seating = game, agents, seating
        self.seed, self.keep = seed, keep
        groups = seating.groups
        games, num_groups = len(groups), int(groups[-1]) + 1
        self._setup = derive_seeds(seed, "setup", count=num_groups)[groups]  # [games]
        self._chance = derive_seeds(seed, "chance", count=num_groups)[groups]
        self._decide = derive_seeds(seed, "decide", count=games)
        self._hide = derive_seeds(seed, "hide", count=games)
        self.states = game.new_states(self._setup)  # [games]
        self._plies = np.zeros(games, np.int64)  # events so far
        self._rolls = np.zeros(games, np.int64)  # chance events so far
        self._clocks = [_Clock() for _ in agents]
        self._history: list[list[int]] = [[] for _ in range(games)]

    def advance(self, rows: Rows) -> None:
        """One event in each of these games: a chance outcome or a decision."""
        seats = self.states["seat"][rows]
        self._roll(rows[seats == CHANCE])
        deciding = rows[seats >= 0]
        movers = self.seating.agents[deciding, self.states["seat"][deciding]]
        for index in range(len(self.agents)):
            self._ask(index, deciding[movers == index])

    def _roll(self, rows: Rows) -> None:
        if not len(rows):
            return
        # The n-th roll of twin games is drawn alike, however many decisions came between.
        seeds = nth_seeds(self._chance[rows], self._rolls[rows])
        self._rolls[rows] += 1
        self._step(rows, self.game.draw(self.states[rows], seeds))

    def _ask(self, index: int, rows: Rows) -> None:
        if not len(rows):
            return
        states = self.states[rows]
        hide_seeds = nth_seeds(self._hide[rows], self._plies[rows])
        seen = self.game.hidden_from(states.copy(), states["seat"], hide_seeds)
        seeds = nth_seeds(self._decide[rows], self._plies[rows])
        began = time.perf_counter()
        actions = np.asarray(self.agents[index].act(seen, seeds), np.int32)
        self._clocks[index].add(time.perf_counter() - began, len(rows))
        self._check(self.agents[index], states, actions)
        self._step(rows, actions)

    def _check(self, agent: Agent, states: States, actions: Actions) -> None:
        """Rules do not check: an illegal action would quietly spoil the game."""
        ids, counts = self.game.legal(states)
        listed = np.arange(ids.shape[1])[None, :] < counts[:, None]
        legal = ((ids == actions[:, None]) & listed).any(axis=1)
        if not legal.all():
            action = int(actions[~legal][0])
            raise BadSetting(f"agent {agent.spec!r} chose illegal action {action}: fix the agent")

    def _step(self, rows: Rows, actions: Actions) -> None:
        states = self.states[rows]
        self.game.kernels.step(states, actions)
        self.states[rows] = states
        self._plies[rows] += 1
        if self.keep:
            for row, action in zip(rows, actions, strict=True):
                self._history[row].append(int(action))

    def outcomes(self) -> tuple[Outcome, ...]:
        """How each game ended."""
        returns, scores = self.game.returns(self.states), self.game.scores(self.states)
        return tuple(
            Outcome(
                group=int(self.seating.groups[i]),
                agents=tuple(map(int, self.seating.agents[i])),
                returns=tuple(map(float, returns[i])),
                scores=tuple(map(float, scores[i])),
                plies=int(self._plies[i]),
            )
            for i in range(len(self.states))
        )

    def result_of(self, index: int, outcomes: Sequence[Outcome]) -> AgentResult:
        """The counts of one agent."""
        clock = self._clocks[index]
        spec = self.agents[index].spec
        return agent_result(index, spec, outcomes, clock.total_decisions, clock.mean_ms)

    def records(self) -> tuple[GameRecord, ...]:
        """Every game, replayable."""
        return tuple(
            record_game(
                self.game,
                int(self._setup[i]),
                self._history[i],
                tuple(self.agents[agent].spec for agent in self.seating.agents[i]),
                {"match_seed": self.seed, "match_game": i},
            )
            for i in range(len(self.states))
        )


def nth_seeds(streams: Seeds, counts: Rows) -> Seeds:
    """The n-th seed of each stream, [B]: SplitMix64's output function (Steele et al., 2014)."""
    # Wrapping multiplication is meant here; NumPy wraps arrays silently.
    word = streams + (counts.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Seeds = word ^ (word >> np.uint64(31))
    return mixed
