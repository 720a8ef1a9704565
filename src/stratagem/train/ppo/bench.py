"""Measures how fast a network decides on its own, as in PPO's games: one game, and many games.

The network is that of the game's default preset with fresh weights. Positions come from games of
the preset's teacher. With a cache, only the first step of a sequence needs encoding.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import nn

from stratagem.backend import ThreadBackend
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States
from stratagem.core.seeding import derive_generator
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.inference.sequences import make_stepper
from stratagem.train.lineups import SELF
from stratagem.train.ppo.collect import Collector
from stratagem.train.ppo.learner import Learner
from stratagem.train.ppo.playing import EpisodePlayer, Players
from stratagem.train.ppo.settings import PlaySection, Settings
from stratagem.train.settings import resolve_settings


@dataclass(frozen=True)
class DecisionSpeed:
    """Speed of the network alone, without search."""

    fresh_ms: float  # one position, encoded and decided, on one core
    cached_ms: float  # another decision from an existing encoding, on one core
    decisions_per_s: float  # positions in batches, each encoded, on both cores
    played_per_s: float  # decisions of games as PPO plays them, on both cores


def ppo_settings(game: Game) -> Settings | None:
    """Return the game's default preset, if it is a PPO preset."""
    preset = resolve_settings(game.spec, game.rules.folder)
    return preset if isinstance(preset, Settings) else None


def measure_decisions(game: Game, seconds: float = 1.0, games: int = 64) -> DecisionSpeed:
    """Take every measurement, each for about `seconds`."""
    settings = ppo_settings(game)
    if settings is None:
        raise BadSetting(f"{game.name} has no default PPO preset: nothing to measure")
    play = PlaySection(games=games, workers=2, sequence=settings.play.sequence)
    settings = settings.model_copy(update={"play": play})
    learner = Learner(game, settings, 1)
    episodes = Collector(settings, ThreadBackend()).demonstrate(8, 1)
    rows = derive_generator(1, "bench").integers(0, len(episodes.states), 256)
    states = episodes.states[rows]
    fresh, cached = _one_game(learner, settings, states, seconds)
    batched = _batches(learner, states, seconds)
    rate = _whole_games(learner, settings, seconds)
    return DecisionSpeed(1000 * fresh, 1000 * cached, batched, rate)


def _one_game(
    learner: Learner, settings: Settings, states: States, seconds: float
) -> tuple[float, float]:
    """Measure the seconds of a first and of a further decision in one game."""
    observations = learner.observer(states)
    length = max(settings.play.sequence, 2)
    stepper = make_stepper(learner.module, learner.observer.spec, 1, length, "float32")
    slot, previous = np.zeros(1, np.int64), np.zeros(1, np.int64)
    firsts, others, number = [], [], 0
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or number < 3:
        one = observations[number % len(observations)][None]
        firsts.append(_seconds(partial(stepper.begin, slot, one)))
        for _ in range(length - 1):
            others.append(_seconds(partial(stepper.go_on, slot, one, previous)))
        number += 1
    return float(np.median(firsts)), float(np.median(others))


def _batches(learner: Learner, states: States, seconds: float) -> float:
    """Measure positions per second, two networks in two threads."""
    module: nn.Module = learner.module

    def work(number: int) -> int:
        torch.set_num_threads(1)
        network = InferenceNetwork(module, learner.observer.spec)
        until, done = time.perf_counter() + seconds, 0
        while time.perf_counter() < until:
            network(learner.observer(states[:128]))
            done += 128
        return done

    began = time.perf_counter()
    return sum(ThreadBackend().map(work, range(2))) / (time.perf_counter() - began)


def _whole_games(learner: Learner, settings: Settings, seconds: float) -> float:
    """Measure decisions per second in games where the learner has every seat, half per thread.

    Long games are left unfinished when the time is up, short ones are repeated.
    """
    play, game = settings.play, learner.game
    games = -(-play.games // play.workers)
    lineups = np.full((games, game.num_seats), SELF)

    def work(number: int) -> int:
        torch.set_num_threads(1)
        stepper = make_stepper(
            learner.module, learner.observer.spec, games, play.sequence, "float32"
        )
        players = Players(learner.observer, {SELF: stepper}, {})
        generator = derive_generator(1, "bench", "games", number)
        until, done = time.perf_counter() + seconds, 0
        while time.perf_counter() < until:
            player = EpisodePlayer(game, players, play, lineups, generator)
            while player.play_round() and time.perf_counter() < until:
                pass
            done += player.written
        return done

    began = time.perf_counter()
    return sum(ThreadBackend().map(work, range(play.workers))) / (time.perf_counter() - began)


def _seconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began
