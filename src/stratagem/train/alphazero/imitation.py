"""A teacher's games as samples: its choice in each position, and the result of the game.

Some moves are random, so that the learner also sees positions that a teacher's own games never
reach; the target there is still the teacher's choice. The teacher plays every seat.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stratagem.core.agent import Agent
from stratagem.core.driver import GameBatch, GeneratorStreams
from stratagem.core.game import Game, States
from stratagem.core.seats import CHANCE
from stratagem.core.state_arrays import take
from stratagem.search import SearchSettings, outcome_values
from stratagem.train.alphazero.replay import Samples, join, quantise
from stratagem.train.alphazero.results import FinishedGame, SelfPlayResult, no_samples

_FIRST_GAMES = 8  # to find out how long games are
_MOST_SIDE_BY_SIDE = 128  # games in parallel


class _Demonstration:
    """One game of the teacher: the positions where it decided, and its decisions."""

    def __init__(self) -> None:
        self.states: list[np.void] = []
        self.answers: list[int] = []


def demonstrate(
    game: Game,
    teacher: Agent,
    positions: int,
    explore: float,
    search: SearchSettings,
    generator: np.random.Generator,
    scenario_index: int = 0,
) -> SelfPlayResult:
    """Play whole games until about `positions` decisions have been made."""
    finished: list[Samples] = []
    games: list[FinishedGame] = []
    draws = decisions = 0
    while decisions < positions:
        count = _FIRST_GAMES
        if games:
            needed = math.ceil((positions - decisions) * len(games) / decisions)
            count = min(needed, _MOST_SIDE_BY_SIDE)
        batch = GameBatch(game, count, GeneratorStreams(generator))
        demonstrations = _play(batch, teacher, explore, generator)
        values, scores = outcome_values(game, batch.states, search), game.scores(batch.states)
        draws += int((np.ptp(game.returns(batch.states), axis=1) < 1e-6).sum())
        for row, one in enumerate(demonstrations):
            samples = _samples(game, one, values[row], scores[row], scenario_index)
            finished.append(samples)
            if search.fixed_perspective:
                finished.append(_seen_by_the_other(samples))
            seed, events = int(batch.setup_seeds[row]), tuple(batch.events[row])
            games.append(FinishedGame(seed, events, scenario_index))
            decisions += len(one.states)
    samples = join(finished) if finished else no_samples(game)
    mean_plies, drawn = decisions / len(games), draws / len(games)
    return SelfPlayResult(samples, tuple(games), decisions, 0, mean_plies, drawn)


def _play(
    batch: GameBatch, teacher: Agent, explore: float, generator: np.random.Generator
) -> list[_Demonstration]:
    """Play every game of a batch from start to end."""
    batch.start(np.arange(len(batch)))
    demonstrations = [_Demonstration() for _ in range(len(batch))]
    while len(going := batch.running):
        deciding = going[batch.states["seat"][going] != CHANCE]
        batch.roll(going)
        if len(deciding):
            states = take(batch.states, deciding)
            answers = batch.ask(teacher, deciding)
            for row, state, answer in zip(deciding.tolist(), states, answers, strict=True):
                demonstrations[row].states.append(state)
                demonstrations[row].answers.append(int(answer))
            batch.step(deciding, _sometimes_random(batch.game, states, answers, explore, generator))
    return demonstrations


def _sometimes_random(
    game: Game,
    states: States,
    answers: npt.NDArray[np.int32],
    explore: float,
    generator: np.random.Generator,
) -> npt.NDArray[np.int32]:
    ids, counts = game.legal(states)
    others = ids[np.arange(len(states)), (generator.random(len(states)) * counts).astype(np.int64)]
    return np.where(generator.random(len(states)) < explore, others, answers)


def _samples(
    game: Game,
    demonstration: _Demonstration,
    values: npt.NDArray[np.float32],
    scores: npt.NDArray[np.float32],
    scenario_index: int,
) -> Samples:
    count = len(demonstration.states)
    states = np.empty(count, game.rules.dtype)
    states[:] = demonstration.states
    return Samples(
        states=states,
        offsets=np.arange(count + 1, dtype=np.int64),
        actions=np.array(demonstration.answers, np.uint16),
        shares=quantise(np.ones(count, np.float32)),
        values=np.repeat(values[None], count, axis=0),
        search_values=values[states["seat"]],  # there was no search: use the result itself
        policy_weights=np.ones(count, np.float32),
        scores=np.repeat(scores[None], count, axis=0),
        scenario_indices=np.full(count, scenario_index, np.uint8),
        observer_seats=states["seat"].copy(),
    )


def _seen_by_the_other(samples: Samples) -> Samples:
    """Return the same decisions as seen by the waiting seat, to predict this kind of player."""
    observer_seats = (1 - samples.states["seat"]).astype(np.int8)
    values = np.take_along_axis(samples.values, observer_seats[:, None].astype(np.int64), axis=1)
    return replace(samples, observer_seats=observer_seats, search_values=values[:, 0])
