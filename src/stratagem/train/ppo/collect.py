"""The games of an iteration: who meets whom, shared out over the workers.

A worker is made from plain data and owns its networks and agents. Its randomness comes from the
run's seed, the iteration and its number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.agents import make_agent
from stratagem.backend import Backend
from stratagem.core.agent import Agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.nets.build import build_network
from stratagem.nets.inference import choose_precision
from stratagem.nets.inference.sequences import Stepper, make_stepper
from stratagem.nets.output import num_values_for
from stratagem.train.named_tensors import load_arrays
from stratagem.train.ppo.episodes import Episodes, join_episodes
from stratagem.train.ppo.playing import LEARNER, PAST, EpisodePlayer, Players, seat_players
from stratagem.train.ppo.settings import Settings

Weights = Mapping[str, npt.NDArray[Any]]  # a network's state by name


@dataclass(frozen=True)
class WorkerSpec:
    """What a worker is made from."""

    settings: dict[str, Any]  # of the run
    number: int


class CollectWorker:
    """Plays whole games of the run and hands them back."""

    def __init__(self, spec: WorkerSpec) -> None:
        self._settings = settings = Settings.model_validate(spec.settings)
        self._number = spec.number
        self._game = load_game(settings.game)
        network = settings.network
        self._observer = self._game.observer(network.encoding or None, network.encoding_options)
        self._precision = choose_precision(settings.play.precision)

    def play(
        self, weights: Weights, past: Weights | None, games: int, iteration: int
    ) -> Episodes | None:
        """The learner against itself, an earlier network and other agents."""
        if not games:
            return None
        torch.set_num_threads(1)
        generator = derive_generator(self._settings.seed, "play", iteration, self._number)
        earlier = None if past is None else self._stepper(past, games)
        players = Players(self._observer, self._stepper(weights, games), earlier, self._opponents)
        shares = self._shares(with_past=past is not None)
        seating = seat_players(games, self._game.num_seats, shares, generator)
        player = EpisodePlayer(self._game, players, self._settings.play, seating, generator)
        return player.play(self._settings.outcome)

    def demonstrate(self, games: int, iteration: int) -> Episodes | None:
        """A teacher's games; some of the other seats may go to other agents."""
        if not games:
            return None
        generator = derive_generator(self._settings.seed, "teach", iteration, self._number)
        seats = self._game.num_seats
        seating = generator.integers(0, len(self._teachers), (games, seats))
        seating[np.arange(games), np.arange(games) % seats] = 0
        players = Players(self._observer, None, None, self._teachers, teacher=0)
        player = EpisodePlayer(
            self._game, players, self._settings.play, seating + PAST + 1, generator
        )
        return player.play(self._settings.outcome)

    def _shares(self, with_past: bool) -> npt.NDArray[np.float64]:
        """How often each player sits in a seat that is not the learner's."""
        settings = self._settings.opponents
        shares = np.array(
            [settings.self_play, settings.past, *settings.agents.values()], np.float64
        )
        if not with_past:  # at first there is no earlier network: it is the same one
            shares[LEARNER] += shares[PAST]
            shares[PAST] = 0.0
        if shares.sum() == 0:
            shares[LEARNER] = 1.0
        return shares

    def _stepper(self, weights: Weights, games: int) -> Stepper:
        load_arrays(self._module, weights)  # the stepper keeps a copy
        length = self._settings.play.sequence
        return make_stepper(self._module, self._observer.spec, games, length, self._precision)

    @cached_property
    def _module(self) -> nn.Module:
        network = self._settings.network
        with torch.random.fork_rng():  # the weights come with every call
            return build_network(
                network.kind, network.settings, self._observer.spec, self._game.actions,
                num_values_for(self._game.num_seats),
            )  # fmt: skip

    @cached_property
    def _opponents(self) -> list[Agent]:
        return [make_agent(spec, self._game) for spec in self._settings.opponents.agents]

    @cached_property
    def _teachers(self) -> list[Agent]:
        settings = self._settings.imitation
        return [make_agent(spec, self._game) for spec in (settings.teacher, *settings.others)]


class Collector:
    """A run's workers, and what they play."""

    def __init__(self, settings: Settings, backend: Backend) -> None:
        data, workers = settings.model_dump(mode="json"), settings.play.workers
        specs = [WorkerSpec(data, number) for number in range(workers)]
        self._crew = backend.start_workers(CollectWorker, specs)

    def play(self, weights: Weights, past: Weights | None, games: int, iteration: int) -> Episodes:
        """So many games of the learner, and of an earlier network if there is one."""
        calls = [(weights, past, count, iteration) for count in self._share_out(games)]
        return self._join(self._crew.call("play", calls))

    def demonstrate(self, games: int, iteration: int) -> Episodes:
        """So many games of the teacher."""
        calls = [(count, iteration) for count in self._share_out(games)]
        return self._join(self._crew.call("demonstrate", calls))

    def _share_out(self, games: int) -> list[int]:
        return [len(part) for part in np.array_split(np.arange(games), len(self._crew))]

    def _join(self, parts: list[Episodes | None]) -> Episodes:
        return join_episodes([part for part in parts if part is not None])
