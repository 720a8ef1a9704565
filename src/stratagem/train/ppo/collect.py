"""Collects the games of an iteration: who plays whom, divided among the workers.

A worker is created from plain data and owns its networks and agents. Its randomness comes from the
run's seed, the iteration and its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import nn

from stratagem.agents import make_agent
from stratagem.backend import Backend
from stratagem.core.agent import Agent
from stratagem.core.game import Values
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.nets.build import build_network
from stratagem.nets.inference import choose_precision
from stratagem.nets.inference.sequences import Stepper, make_stepper
from stratagem.nets.output import num_values_for
from stratagem.nets.strength import strength_column
from stratagem.train.lineups import SELF, Draw
from stratagem.train.named_tensors import Weights, load_arrays
from stratagem.train.ppo.episodes import Episodes, join_episodes
from stratagem.train.ppo.playing import EpisodePlayer, Players
from stratagem.train.ppo.settings import Settings

_TEACHER = 1


@dataclass(frozen=True)
class WorkerSpec:
    """What a worker is created from."""

    settings: dict[str, Any]  # of the run
    number: int


class CollectWorker:
    """Plays whole games of the run and returns them."""

    def __init__(self, spec: WorkerSpec) -> None:
        self._settings = settings = Settings.model_validate(spec.settings)
        self._number = spec.number
        self._game = load_game(settings.game)
        network = settings.network
        self._observer = self._game.observer(network.encoding or None, network.encoding_options)
        self._precision = choose_precision(settings.play.precision)

    def play(
        self, weights: Weights, past: Mapping[int, Weights], draw: Draw, games: int, iteration: int
    ) -> Episodes | None:
        """Play games of the learner against itself, earlier networks and other agents."""
        if not games:
            return None
        torch.set_num_threads(1)
        generator = derive_generator(self._settings.seed, "play", iteration, self._number)
        networks = {
            player: self._stepper(one, games) for player, one in {SELF: weights, **past}.items()
        }
        drawn = self._strengths(games, iteration)
        players = Players(self._observer, networks, self._opponents, strengths=drawn)
        seats = self._game.num_seats
        # The learner's own seat rotates, the others are drawn.
        lineups = draw.from_draws(generator.random((games, seats)), np.arange(games) % seats)
        player = EpisodePlayer(self._game, players, self._settings.play, lineups, generator)
        return player.play(self._settings.outcome)

    def demonstrate(self, games: int, iteration: int) -> Episodes | None:
        """Play a teacher's games; other agents may take some of the other seats."""
        if not games:
            return None
        generator = derive_generator(self._settings.seed, "teach", iteration, self._number)
        seats = self._game.num_seats
        lineups = generator.integers(1, len(self._teachers) + 1, (games, seats))
        lineups[np.arange(games), np.arange(games) % seats] = _TEACHER
        drawn = self._strengths(games, iteration)
        players = Players(self._observer, {}, self._teachers, _TEACHER, drawn)
        player = EpisodePlayer(self._game, players, self._settings.play, lineups, generator)
        return player.play(self._settings.outcome)

    def _strengths(self, games: int, iteration: int) -> Values | None:
        """Draw log-uniform regularisation strengths per seat, if the networks have that input."""
        if strength_column(self._observer.spec) is None:
            return None
        reference = self._settings.reference
        generator = derive_generator(self._settings.seed, "strengths", iteration, self._number)
        low, high = np.log(reference.low), np.log(reference.high)
        drawn = np.exp(generator.uniform(low, high, (games, self._game.num_seats)))
        return drawn.astype(np.float32)

    def _stepper(self, weights: Weights, games: int) -> Stepper:
        load_arrays(self._module, weights)  # the stepper keeps a copy
        length = self._settings.play.sequence
        return make_stepper(
            self._module, self._observer.spec, games, length, self._precision,
            self._settings.play.engine,
        )  # fmt: skip

    @cached_property
    def _module(self) -> nn.Module:
        network = self._settings.network
        with torch.random.fork_rng():  # the weights come with every call
            return build_network(
                network.kind, network.settings, self._observer.spec, self._game.actions,
                num_values_for(self._game.num_seats),
            )  # fmt: skip

    @cached_property
    def _opponents(self) -> dict[int, Agent]:
        return self._numbered(self._settings.opponents.named)

    @cached_property
    def _teachers(self) -> dict[int, Agent]:
        """The teachers by number: the teacher first, then the others that play beside it."""
        settings = self._settings.imitation
        return self._numbered((settings.teacher, *settings.others))

    def _numbered(self, specs: Sequence[str]) -> dict[int, Agent]:
        return {number: make_agent(spec, self._game) for number, spec in enumerate(specs, 1)}


class Collector:
    """A run's workers, and the games they play."""

    def __init__(self, settings: Settings, backend: Backend) -> None:
        data, workers = settings.model_dump(mode="json"), settings.play.workers
        specs = [WorkerSpec(data, number) for number in range(workers)]
        self._crew = backend.start_workers(CollectWorker, specs)

    def play(
        self, weights: Weights, past: Mapping[int, Weights], draw: Draw, games: int, iteration: int
    ) -> Episodes:
        """Play games of the learner, earlier networks (by player) and others."""
        calls = [(weights, past, draw, count, iteration) for count in self._share_out(games)]
        return self._join(self._crew.call("play", calls))

    def demonstrate(self, games: int, iteration: int) -> Episodes:
        """Play games of the teacher."""
        calls = [(count, iteration) for count in self._share_out(games)]
        return self._join(self._crew.call("demonstrate", calls))

    def _share_out(self, games: int) -> list[int]:
        return [len(part) for part in np.array_split(np.arange(games), len(self._crew))]

    def _join(self, parts: list[Episodes | None]) -> Episodes:
        return join_episodes([part for part in parts if part is not None])
