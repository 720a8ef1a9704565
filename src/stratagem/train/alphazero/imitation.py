"""A teacher's games as samples: what it would do in each position, and how the game ended.

Some moves are played at random, so that the pupil also sees positions that a teacher's own games
never reach; what is learned there is still the teacher's answer. Every seat is played by the
teacher. Knows nothing about how the samples are learned from.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stratagem.core.agent import Agent
from stratagem.core.game import Game, States
from stratagem.core.seats import CHANCE, OVER
from stratagem.search import SearchSettings, outcome_values
from stratagem.train.alphazero.replay import Samples, join, quantise
from stratagem.train.alphazero.selfplay import FinishedGame, Harvest, no_samples

_SIDE_BY_SIDE = 128  # games


class _Lesson:
    """One game: what was decided in it, and by which seat it will be judged."""

    def __init__(self, setup_seed: int) -> None:
        self.setup_seed = setup_seed
        self.events: list[int] = []
        self.states: list[np.void] = []
        self.answers: list[int] = []


def teach(
    game: Game,
    teacher: Agent,
    positions: int,
    explore: float,
    search: SearchSettings,
    generator: np.random.Generator,
    table: int = 0,
) -> Harvest:
    """Whole games until about `positions` decisions were made."""
    finished: list[Samples] = []
    games: list[FinishedGame] = []
    draws = decisions = 0
    while decisions < positions:
        lessons, finals = _play(game, teacher, explore, generator)
        values, scores = outcome_values(game, finals, search), game.scores(finals)
        draws += int((np.ptp(game.returns(finals), axis=1) < 1e-6).sum())
        for row, lesson in enumerate(lessons):
            samples = _samples(game, lesson, values[row], scores[row], table)
            finished.append(samples)
            if search.fixed_perspective:
                finished.append(_seen_by_the_other(samples))
            games.append(FinishedGame(lesson.setup_seed, tuple(lesson.events), table))
            decisions += len(lesson.states)
    samples = join(finished) if finished else no_samples(game)
    return Harvest(samples, tuple(games), decisions, 0, decisions / len(games), draws / len(games))


def _play(
    game: Game, teacher: Agent, explore: float, generator: np.random.Generator
) -> tuple[list[_Lesson], States]:
    seeds = _words(generator, _SIDE_BY_SIDE)
    states = game.new_states(seeds)
    lessons = [_Lesson(int(seed)) for seed in seeds]
    while (going := np.flatnonzero(states["seat"] != OVER)).size:
        here = states[going]
        actions = game.draw(here, _words(generator, len(going)))
        deciding = np.flatnonzero(here["seat"] != CHANCE)
        if len(deciding):
            asked = here[deciding]
            seen = game.hidden_from(asked.copy(), asked["seat"], _words(generator, len(asked)))
            answers = np.asarray(teacher.act(seen, _words(generator, len(asked))), np.int32)
            actions[deciding] = _sometimes_random(game, asked, answers, explore, generator)
            for row, answer in zip(deciding, answers, strict=True):
                lesson = lessons[going[row]]
                lesson.states.append(here[row].copy())
                lesson.answers.append(int(answer))
        for row, action in zip(going, actions, strict=True):
            lessons[row].events.append(int(action))
        game.kernels.step(here, actions)
        states[going] = here
    return lessons, states


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
    lesson: _Lesson,
    values: npt.NDArray[np.float32],
    scores: npt.NDArray[np.float32],
    table: int,
) -> Samples:
    count = len(lesson.states)
    states = np.empty(count, game.rules.dtype)
    states[:] = lesson.states
    return Samples(
        states=states,
        offsets=np.arange(count + 1, dtype=np.int64),
        actions=np.array(lesson.answers, np.uint16),
        shares=quantise(np.ones(count, np.float32)),
        values=np.repeat(values[None], count, axis=0),
        search_values=values[states["seat"]],  # no search was made: the result itself
        policy_weights=np.ones(count, np.float32),
        scores=np.repeat(scores[None], count, axis=0),
        tables=np.full(count, table, np.uint8),
        observer_seats=states["seat"].copy(),
    )


def _seen_by_the_other(samples: Samples) -> Samples:
    """The same decisions as the seat sees them that waits: what to expect from such a player."""
    observer_seats = (1 - samples.states["seat"]).astype(np.int8)
    values = np.take_along_axis(samples.values, observer_seats[:, None].astype(np.int64), axis=1)
    return replace(samples, observer_seats=observer_seats, search_values=values[:, 0])


def _words(generator: np.random.Generator, count: int) -> npt.NDArray[np.uint64]:
    return generator.integers(1, 2**64 - 1, count, np.uint64, endpoint=True)
