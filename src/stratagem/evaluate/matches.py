"""Matches: many games at once, one batched call per agent and step.

Every game runs on its own seeded streams, so neither the batch size nor the other games change
what happens in it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from stratagem.core.agent import Agent
from stratagem.core.driver import GameBatch, GameStreams, Rows
from stratagem.core.errors import BadSetting
from stratagem.core.game import Actions, Game, States
from stratagem.core.record import GameRecord, record_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import Seeds
from stratagem.evaluate.match_result import AgentResult, MatchResult, Outcome, agent_result
from stratagem.evaluate.seating import Seating, Seats, seat_agents


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
    match = _Match(game, agents, seat_agents(len(agents), game.num_seats, games, seats), seed, keep)
    running = np.arange(min(batch, games))
    waiting = len(running)
    while len(running):
        match.advance(running)
        running = running[match.batch.states["seat"][running] != OVER]
        started = np.arange(waiting, min(games, waiting + batch - len(running)))
        waiting += len(started)
        running = np.concatenate([running, started])
    outcomes = match.outcomes()
    return MatchResult(
        game=game.spec,
        games=games,
        seed=seed,
        seats=seats,
        agents=tuple(match.result_of(index, outcomes) for index in range(len(agents))),
        outcomes=outcomes,
        records=match.records() if keep else (),
    )


class _ClockedAgent:
    """An agent and the time it took. Its first call often compiles, so that counts only alone."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.spec = agent.spec
        self._first = self._later = (0.0, 0)  # seconds and decisions

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


class _Match:
    """All games of a match, and who sits where."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seating: Seating, seed: int, keep: bool
    ) -> None:
        self._agents = [_ClockedAgent(agent) for agent in agents]
        self._seating, self._seed = seating, seed
        games = len(seating.groups)
        self.batch = GameBatch(game, games, GameStreams(seed, seating.groups), None if keep else 0)
        self.batch.start(np.arange(games))

    def advance(self, rows: Rows) -> None:
        """One event in each of these games: a chance outcome or a decision."""
        seats = self.batch.states["seat"][rows]
        if len(rolling := rows[seats == CHANCE]):
            self.batch.roll(rolling)
        deciding = rows[seats >= 0]
        movers = self._seating.agents[deciding, seats[seats >= 0]]
        for index, agent in enumerate(self._agents):
            if len(asked := deciding[movers == index]):
                self.batch.step(asked, self.batch.ask(agent, asked))

    def outcomes(self) -> tuple[Outcome, ...]:
        """How each game ended."""
        batch, seating = self.batch, self._seating
        returns, scores = batch.game.returns(batch.states), batch.game.scores(batch.states)
        return tuple(
            Outcome(
                group=int(seating.groups[i]),
                agents=tuple(map(int, seating.agents[i])),
                returns=tuple(map(float, returns[i])),
                scores=tuple(map(float, scores[i])),
                plies=int(batch.num_events[i]),
            )
            for i in range(len(batch))
        )

    def result_of(self, index: int, outcomes: Sequence[Outcome]) -> AgentResult:
        """The counts of one agent."""
        agent = self._agents[index]
        return agent_result(index, agent.spec, outcomes, agent.decisions, agent.mean_ms)

    def records(self) -> tuple[GameRecord, ...]:
        """Every game, replayable."""
        return tuple(
            record_game(
                self.batch.game,
                int(self.batch.setup_seeds[i]),
                self.batch.events[i],
                tuple(self._agents[agent].spec for agent in self._seating.agents[i]),
                {"match_seed": self._seed, "match_game": i},
            )
            for i in range(len(self.batch))
        )
