"""A PPO run: imitate a teacher first, then play and improve.

An iteration plays whole games, so there are no unfinished games between iterations.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stratagem.agents.kinds.policy import PolicyAgent
from stratagem.agents.network import NetworkEvaluator
from stratagem.backend import Backend
from stratagem.core.record import GameRecord, record_game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator, derive_seed
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.runs.checkpoints import TrainingState, find_checkpoint
from stratagem.runs.folder import RunFolder
from stratagem.train import trainer
from stratagem.train.lineups import tally_games
from stratagem.train.named_tensors import Weights, named_arrays
from stratagem.train.population import EarlierNetworks
from stratagem.train.ppo.collect import Collector
from stratagem.train.ppo.episodes import Episodes
from stratagem.train.ppo.learner import Learner
from stratagem.train.ppo.settings import Settings
from stratagem.train.progress import RunProgress
from stratagem.train.sections import between
from stratagem.train.trainer import Iteration, Learned, OnIteration, Snapshot

_START = "start"
_LOSSES = ("total", "policy", "value")


@dataclass
class Progress(RunProgress):
    """Progress specific to PPO."""

    games_next: int = 0  # games of the next iteration; 0: as in the settings


class Trainer(trainer.Trainer[Settings, Progress]):
    """A PPO run."""

    def __init__(
        self,
        settings: Settings,
        folder: RunFolder,
        backend: Backend | None = None,
        on_iteration: OnIteration | None = None,
    ) -> None:
        super().__init__(settings, folder, Progress(), backend, on_iteration)
        self._precision = choose_precision(settings.play.precision)
        self.game = load_game(settings.game)
        self.learner = Learner(self.game, settings, derive_seed(settings.seed, "weights"))
        if settings.start:
            self.learner.start_from(self._load(find_checkpoint(settings.start)))
        wanted = settings.reference.policy
        if wanted and wanted != _START:
            self.learner.hold_reference(self._load(find_checkpoint(wanted)))
        self._collector = Collector(settings, self._backend)
        self._past = EarlierNetworks(self.population, self._weights_of)

    # -- one iteration -----------------------------------------------------------------------

    def _work(self, used: float) -> Iteration:
        started, progress = time.perf_counter(), self.progress
        imitation = self.settings.imitation.is_due(progress.iteration, used)
        self.on_phase("imitating" if imitation else "playing")
        episodes = self._play(imitation)
        play_seconds = time.perf_counter() - started
        games, decisions = len(episodes.outcomes), len(episodes.states)
        progress.games += games
        progress.decisions += decisions
        progress.games_next = self._games_next(episodes)
        self.on_phase("learning")
        learned = self._learn(episodes, imitation, used)
        tallies = {} if imitation else tally_games(episodes.lineups, episodes.returns)
        opponents = self.population.record(progress, tallies)
        if not imitation:
            self.population.admit(progress)
        return Iteration(
            games=games,
            decisions=decisions,
            play_seconds=play_seconds,
            learned=learned,
            sample=self._record(episodes, imitation),
            imitation=imitation,
            opponents=opponents,
            details={
                "mean_sequence": round(decisions / max(episodes.num_sequences, 1), 3),
                "score": _score(episodes),
            },
        )

    def _play(self, imitation: bool) -> Episodes:
        settings, iteration = self.settings, self.progress.iteration
        games = self.progress.games_next or settings.play.games
        if imitation:
            return self._collector.demonstrate(games, iteration)
        draw, weights = self.population.draw(self.progress), named_arrays(self.learner.module)
        return self._collector.play(weights, self._past.of(draw.players), draw, games, iteration)

    def _games_next(self, episodes: Episodes) -> int:
        """Return how many games are needed for the wanted number of decisions."""
        wanted = self.settings.play.decisions
        if not wanted or not len(episodes.states):
            return 0
        games = wanted * len(episodes.outcomes) / len(episodes.states)
        return max(round(games), self.settings.play.workers, self.game.num_seats)

    def _learn(self, episodes: Episodes, imitation: bool, used: float) -> Learned:
        settings, started = self.settings, time.perf_counter()
        generator = derive_generator(settings.seed, "learn", self.progress.iteration)
        if imitation:
            rate = settings.imitation.learning_rate
            parts = self.learner.imitate(episodes, generator)
        else:
            if settings.reference.policy == _START and self.learner.reference is None:
                self.learner.hold_reference(self.learner.module)
            begun, learning = settings.imitation.share, settings.learning
            done = min(1.0, (used - begun) / max(1 - begun, 1e-9))
            rate = learning.learning_rate_at(done)
            entropy = between(learning.entropy, learning.entropy_end, done)
            parts = self.learner.improve(episodes, rate, entropy, generator)
        steps = round(parts.pop("steps"))
        losses = {name: parts.pop(name) for name in _LOSSES if name in parts}
        details = {name: round(value, 5) for name, value in parts.items()}
        return Learned(steps, rate, losses, time.perf_counter() - started, details)

    def _record(self, episodes: Episodes, imitation: bool) -> GameRecord:
        """Return a sample game of the iteration."""
        lineup, me = episodes.lineups[0].tolist(), f"iteration {self.progress.iteration}"
        names = self.population.names(lineup, me)
        if imitation:
            taught = self.settings.imitation
            names = tuple((taught.teacher, *taught.others)[player - 1] for player in lineup)
        return record_game(self.game, episodes.setup_seed, list(episodes.events), names)

    # -- state to save -----------------------------------------------------------------------

    def _snapshot(self, training: Mapping[str, Any]) -> Snapshot:
        learner = self.learner
        return Snapshot(learner.playing, learner.card(training), learner.export())

    def _restore(self, state: TrainingState) -> None:
        self.learner.restore(state.tensors)
        for number in self._needed():
            self._network_of(number)  # so that damage shows now, not later

    def _needed(self) -> set[int]:
        return {*self.progress.pool, self.progress.iteration}

    # -- players -----------------------------------------------------------------------------

    def _player(self) -> PolicyAgent:
        """The network, playing its most likely action."""
        spec = self.learner.observer.spec
        network = InferenceNetwork(
            self.learner.playing, spec, precision=self._precision, engine=self.settings.play.engine
        )
        evaluator = NetworkEvaluator(self.game, self.learner.observer, network)
        return PolicyAgent(self.game, evaluator, "run", 0.0)

    def _weights_of(self, iteration: int) -> Weights:
        return named_arrays(self._network_of(iteration))


def _score(episodes: Episodes) -> float | None:
    """Return the learner's mean score in [0, 1], over games in which it did not play every seat."""
    mixed = episodes.learners & ~episodes.learners.all(axis=1, keepdims=True)
    if not mixed.any():
        return None
    return round(float((episodes.returns[mixed].mean() + 1) / 2), 4)
