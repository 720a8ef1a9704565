"""Hierarchical DQN: play, remember, learn one step per decision; an iteration is some games.

The orchestrator learns from the decisions in which it had a choice of groups, each specialist from
those in which it had a choice of actions. All randomness comes from the run's seed, and everything
that outlives an iteration is in the checkpoint; so a run that is killed and resumed ends exactly
like one that was left alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import mean
from typing import Any

import torch

from stratagem.agents.hdqn import HierarchicalAgent
from stratagem.backend import Backend
from stratagem.core.game import Game
from stratagem.core.record import record_game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator
from stratagem.nets.hierarchical import NAME, build_hierarchy
from stratagem.nets.model_file import ModelCard, load_model
from stratagem.nets.output import num_values_for
from stratagem.runs.checkpoints import (
    TrainingState,
    find_checkpoint,
    load_training_state,
    reading_state,
    save_checkpoint,
)
from stratagem.runs.folder import RunFolder
from stratagem.train.anchors import meet_anchors
from stratagem.train.hdqn.collect import Episode, Episodes
from stratagem.train.hdqn.hierarchy import Hierarchy
from stratagem.train.hdqn.settings import SELF, Settings
from stratagem.train.named_tensors import below
from stratagem.train.progress import RunProgress
from stratagem.train.training_run import Metrics, TrainingRun


class Trainer(TrainingRun[Settings, RunProgress]):
    """A training run bound to its folder."""

    def __init__(
        self,
        settings: Settings,
        folder: RunFolder,
        backend: Backend | None = None,
        on_iteration: Callable[[Metrics], None] | None = None,
    ) -> None:
        # One thread: the networks are small, and a second run uses the second core better.
        torch.set_num_threads(1)
        super().__init__(settings, folder, RunProgress(), backend, on_iteration)
        self.game: Game = load_game(settings.game)
        self.hierarchy = Hierarchy(self.game, settings)
        if settings.start:
            loaded = load_model(find_checkpoint(settings.start), self.game, build_hierarchy)
            self.hierarchy.start_from(loaded.module)
        specialists = settings.hierarchy.specialists
        self.episodes = Episodes(
            self.game, settings.episodes, settings.opponents.name, specialists, settings.seed
        )

    # -- the run -----------------------------------------------------------------------------

    def _load(self, iteration: int) -> Metrics:
        folder = self.folder.step_folder(iteration)
        state = load_training_state(self.folder, iteration)
        with reading_state(folder):
            self.hierarchy.restore(state.tensors, below(state.arrays, "replay."))
            self.episodes.restore(below(state.arrays, "episodes."))
            self.progress = RunProgress(**state.values["progress"])
            metrics = dict(state.values["metrics"])
        load_model(folder, self.game, build_hierarchy)  # damage shows now, not later
        return metrics

    def _iterate(self) -> None:
        began = time.perf_counter()
        progress = self.progress
        progress.iteration += 1
        if progress.iteration == 1:
            self.episodes.begin()
        finished = self._play()
        play_seconds = time.perf_counter() - began
        self._keep_game(finished[-1])
        progress.seconds += time.perf_counter() - began
        anchors_began = time.perf_counter()
        anchors = meet_anchors(self.game, self.settings, progress, self._contender)
        progress.seconds += time.perf_counter() - anchors_began
        metrics = self._metrics(finished, play_seconds, anchors)
        self._save(metrics)
        self._report(metrics)

    # -- parts of an iteration ---------------------------------------------------------------

    def _play(self) -> list[Episode]:
        """Play and learn until this iteration's share of games is over."""
        progress, episodes, hierarchy = self.progress, self.episodes, self.hierarchy
        generator = derive_generator(self.settings.seed, "learn", progress.iteration)
        wanted = progress.iteration * self.settings.episodes.per_iteration
        finished: list[Episode] = []
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
            hierarchy.learn(generator)
        return finished

    def _keep_game(self, episode: Episode) -> None:
        """One game of each iteration, to look at."""
        iteration = self.progress.iteration
        opponent = self.settings.opponents.name
        names = tuple(
            f"iteration {iteration}" if opponent == SELF or seat == episode.home else opponent
            for seat in range(self.game.num_seats)
        )
        record = record_game(self.game, episode.setup_seed, list(episode.events), names)
        self.folder.write_game(iteration, record)

    def _contender(self) -> HierarchicalAgent:
        return HierarchicalAgent(self.hierarchy.policy, "run")

    def _metrics(
        self, finished: list[Episode], seconds: float, anchors: Mapping[str, Any]
    ) -> Metrics:
        progress = self.progress
        names = finished[0].measures
        return {
            "iteration": progress.iteration,
            "seconds": round(progress.seconds, 3),
            "progress": round(progress.share(self.settings), 6),
            "games": progress.games,
            "decisions": progress.decisions,
            "games_per_s": round(len(finished) / seconds, 2),
            "play_seconds": round(seconds, 3),
            "mean_plies": round(mean(len(one.events) for one in finished), 2),
            "result": round(mean(one.result for one in finished), 4),
            **self.hierarchy.metrics(progress.games),
            "measures": {name: round(mean(one.measures[name] for one in finished), 4)
                         for name in names},
            "episodes": {name: [one.measures[name] for one in finished] for name in names},
            "anchors": anchors,
        }  # fmt: skip

    def _save(self, metrics: Metrics) -> None:
        progress = self.progress
        card = ModelCard(
            game=self.game.spec,
            game_version=self.game.version,
            network=NAME,
            settings=self.hierarchy.network.settings.model_dump(mode="json"),
            encoding=self.hierarchy.observer.encoding.name,
            encoding_options=dict(self.hierarchy.observer.options),
            num_values=num_values_for(self.game.num_seats),
            training=self._provenance(metrics),
        )
        tensors, replay = self.hierarchy.export()
        arrays = {f"replay.{name}": array for name, array in replay.items()}
        arrays |= {f"episodes.{name}": array for name, array in self.episodes.export().items()}
        state = TrainingState(tensors, {"progress": vars(progress), "metrics": metrics}, arrays)
        save_checkpoint(self.folder, progress.iteration, self.hierarchy.network, card, state)
        self.folder.point_best(progress.iteration)
        self.folder.add_metrics(metrics)
        self._tidy()

    def _tidy(self) -> None:
        self.folder.tidy(self.progress.iteration, self.settings.keep_every, 0, set())
