"""The tables of an iteration: who meets whom, shared out over the workers.

Each worker has its own generator, derived from the run's seed, the iteration and its number, and
its own copy of the networks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from torch import nn

from stratagem.agents import make_agent
from stratagem.backend import Backend
from stratagem.core.agent import Agent
from stratagem.core.game import Game, Observer
from stratagem.core.seeding import derive_generator
from stratagem.nets.inference import Precision
from stratagem.nets.inference.sequences import Stepper, make_stepper
from stratagem.train.ppo.episodes import Episodes, join_episodes
from stratagem.train.ppo.rollout import LEARNER, PAST, Company, Rollout, seat_players
from stratagem.train.ppo.settings import Settings


def play_games(
    game: Game,
    settings: Settings,
    observer: Observer,
    iteration: int,
    backend: Backend,
    learner: nn.Module,
    past: nn.Module | None,
    bots: Sequence[Agent],
    precision: Precision,
) -> Episodes:
    """The learner against itself, an earlier network and other agents."""
    dials = settings.opponents
    weights = np.array([dials.self_play, dials.past, *dials.agents.values()], np.float64)
    if past is None:  # at first there is no earlier network: it is the same one
        weights[LEARNER] += weights[PAST]
        weights[PAST] = 0.0
    if weights.sum() == 0:
        weights[LEARNER] = 1.0

    def stepper(module: nn.Module, slots: int) -> Stepper:
        return make_stepper(module, observer.spec, slots, settings.play.sequence, precision)

    def play(number: int, games: int) -> Episodes:
        torch.set_num_threads(1)
        generator = derive_generator(settings.seed, "play", iteration, number)
        earlier = None if past is None else stepper(past, games)
        company = Company(observer, stepper(learner, games), earlier, bots)
        seating = seat_players(games, game.num_seats, weights, generator)
        rollout = Rollout(game, company, settings.play, seating, generator)
        return rollout.play(settings.outcome)

    return _share_out(settings, backend, play)


def play_teacher(
    game: Game, settings: Settings, observer: Observer, iteration: int, backend: Backend
) -> Episodes:
    """A teacher's games; some of the other seats may go to other agents."""
    dials = settings.imitation
    agents = [make_agent(spec, game) for spec in (dials.teacher, *dials.others)]

    def play(number: int, games: int) -> Episodes:
        generator = derive_generator(settings.seed, "teach", iteration, number)
        company = Company(observer, None, None, agents, teacher=0)
        seating = generator.integers(0, len(agents), (games, game.num_seats))
        seating[np.arange(games), np.arange(games) % game.num_seats] = 0
        rollout = Rollout(game, company, settings.play, seating + PAST + 1, generator)
        return rollout.play(settings.outcome)

    return _share_out(settings, backend, play)


def _share_out(
    settings: Settings, backend: Backend, play: Callable[[int, int], Episodes]
) -> Episodes:
    dials = settings.play
    sizes = [len(part) for part in np.array_split(np.arange(dials.games), dials.workers)]
    tasks = [partial(play, number, size) for number, size in enumerate(sizes) if size]
    return join_episodes(backend.run(tasks))
