"""Hierarchical DQN: play, remember, learn one step per decision; an iteration is some games.

The orchestrator learns from the decisions in which it had a choice of groups, each specialist from
those in which it had a choice of actions.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import torch
from torch import nn

from stratagem.agents.hierarchy import HierarchicalPolicy
from stratagem.agents.kinds.hdqn import HierarchicalAgent
from stratagem.backend import Backend
from stratagem.core.record import GameRecord, record_game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.nets.device import require_cpu
from stratagem.nets.hierarchical import NAME, HierarchicalNetwork, build_hierarchy
from stratagem.nets.model_file import ModelCard, load_model
from stratagem.nets.output import num_values_for
from stratagem.runs.checkpoints import TrainingState, find_checkpoint
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import MeanOf
from stratagem.train import trainer
from stratagem.train.hdqn.collect import Episode, Episodes
from stratagem.train.hdqn.hierarchy import Hierarchy
from stratagem.train.hdqn.settings import Settings
from stratagem.train.lineups import players_in, tally_games
from stratagem.train.named_tensors import add_prefix, strip_prefix
from stratagem.train.population import EarlierNetworks
from stratagem.train.progress import RunProgress
from stratagem.train.trainer import Iteration, Learned, OnIteration, Snapshot


class Trainer(trainer.Trainer[Settings, RunProgress]):
    """A hierarchical DQN run."""

    def __init__(
        self,
        settings: Settings,
        folder: RunFolder,
        backend: Backend | None = None,
        on_iteration: OnIteration | None = None,
    ) -> None:
        require_cpu("hdqn learns")
        # One thread: the networks are small, and another run uses the second core better.
        torch.set_num_threads(1)
        super().__init__(settings, folder, RunProgress(), backend, on_iteration)
        self.game = load_game(settings.game)
        self.hierarchy = Hierarchy(self.game, settings)
        if settings.start:
            self.hierarchy.start_from(self._load(find_checkpoint(settings.start)))
        specialists = settings.hierarchy.specialists
        self.episodes = Episodes(
            self.game, settings.episodes, settings.opponents, specialists, settings.seed
        )
        self.episodes.on_answers = partial(self.hierarchy.watch, self.episodes)
        self._past = EarlierNetworks(self.population, self._agent_of)

    def _work(self, used: float) -> Iteration:
        began, before = time.perf_counter(), self.progress.decisions
        self._invite()
        if self.progress.iteration == 1:
            self.episodes.begin()
        self.on_phase("playing and learning")
        finished, learning_seconds = self._play_and_learn()
        names = finished[0].measures
        steps, losses, details = self.hierarchy.report(self.progress.games)
        rate = self.settings.learning.learning_rate
        lineups = np.array([one.lineup for one in finished])
        returns = np.array([one.returns for one in finished], np.float32)
        opponents = self.population.record(self.progress, tally_games(lineups, returns))
        self.population.admit(self.progress)
        return Iteration(
            games=len(finished),
            decisions=self.progress.decisions - before,
            play_seconds=time.perf_counter() - began - learning_seconds,
            learned=Learned(steps, rate, losses, learning_seconds, details),
            sample=self._record(finished[-1]),
            mean_plies=mean(len(one.events) for one in finished),
            measures={
                name: MeanOf(
                    mean=round(mean(one.measures[name] for one in finished), 4),
                    count=len(finished),
                )
                for name in names
            },
            opponents=opponents,
            details={
                "result": round(mean(one.result for one in finished), 4),
                "episodes": {name: [one.measures[name] for one in finished] for name in names},
            },
        )

    def _invite(self) -> None:
        """Set this iteration's opponents, and keep those in unfinished games."""
        draw = self.population.draw(self.progress)
        wanted = {*draw.players, *players_in(self.episodes.lineups)}
        self.episodes.invite(draw, self._past.of(wanted))

    def _agent_of(self, iteration: int) -> HierarchicalAgent:
        module = self._network_of(iteration)
        assert isinstance(module, HierarchicalNetwork)
        policy = HierarchicalPolicy(self.game, module, self.hierarchy.observer)
        return HierarchicalAgent(policy, f"iteration {iteration}")

    def _play_and_learn(self) -> tuple[Sequence[Episode], float]:
        """Play until this iteration's games are over; return (those games, seconds of learning)."""
        progress, episodes, hierarchy = self.progress, self.episodes, self.hierarchy
        generator = derive_generator(self.settings.seed, "learn", progress.iteration)
        wanted = progress.iteration * self.settings.episodes.per_iteration
        finished: list[Episode] = []
        seconds = 0.0
        hierarchy.begin_iteration()
        while progress.games < wanted:
            choices = hierarchy.decide(episodes, progress.games)
            progress.decisions += len(choices)
            over = episodes.play_on(choices)
            while len(over):
                hierarchy.end_games(episodes, over)
                finished += [episodes.report(int(slot)) for slot in over]
                progress.games += len(over)
                over = episodes.restart(over)
            began = time.perf_counter()
            hierarchy.learn(generator)
            seconds += time.perf_counter() - began
        return finished, seconds

    def _record(self, episode: Episode) -> GameRecord:
        """Return a sample game of the iteration."""
        names = self.population.names(episode.lineup, f"iteration {self.progress.iteration}")
        return record_game(self.game, episode.setup_seed, list(episode.events), names)

    def _player(self) -> HierarchicalAgent:
        return HierarchicalAgent(self.hierarchy.policy, "run")

    def _snapshot(self, training: Mapping[str, Any]) -> Snapshot:
        card = ModelCard(
            game=self.game.spec,
            game_version=self.game.version,
            network=NAME,
            settings=self.hierarchy.network.settings.model_dump(mode="json"),
            encoding=self.hierarchy.observer.encoding.name,
            encoding_options=dict(self.hierarchy.observer.options),
            num_values=num_values_for(self.game.num_seats),
            training=dict(training),
        )
        tensors, replay = self.hierarchy.export()
        arrays = add_prefix(replay, "replay.") | add_prefix(self.episodes.export(), "episodes.")
        return Snapshot(self.hierarchy.network, card, tensors, arrays)

    def _restore(self, state: TrainingState) -> None:
        self.hierarchy.restore(state.tensors, strip_prefix(state.arrays, "replay."))
        self.episodes.restore(strip_prefix(state.arrays, "episodes."))
        for number in {
            self.progress.iteration,
            *self._needed(),
        }:  # so that damage shows now, not later
            self._network_of(number)

    def _needed(self) -> set[int]:
        under_way = players_in(self.episodes.lineups)
        return {*self.progress.pool, *self.population.iterations(under_way)}

    def _load(self, checkpoint: Path) -> nn.Module:
        return load_model(checkpoint, self.game, build_hierarchy).module
