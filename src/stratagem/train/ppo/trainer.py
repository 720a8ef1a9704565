"""A PPO run from start to end: imitate a teacher, then play, improve, measure, checkpoint.

An iteration plays whole games, so nothing is under way between iterations. All randomness is
derived from the run's seed and the iteration's number: with the weights, the optimiser and the
count of iterations a resumed run goes on exactly.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from torch import nn

from stratagem.agents.network import NetworkEvaluator
from stratagem.agents.policy import PolicyAgent
from stratagem.backend import Backend
from stratagem.core.game import Game
from stratagem.core.record import record_game
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_generator, derive_seed
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.nets.model_file import load_model
from stratagem.runs.checkpoints import (
    TrainingState,
    find_checkpoint,
    load_training_state,
    reading_state,
    save_checkpoint,
)
from stratagem.runs.folder import RunFolder
from stratagem.train.anchors import meet_anchors
from stratagem.train.named_tensors import named_arrays
from stratagem.train.ppo.collect import Collector
from stratagem.train.ppo.episodes import Episodes
from stratagem.train.ppo.learner import Learner
from stratagem.train.ppo.progress import Progress
from stratagem.train.ppo.settings import Settings
from stratagem.train.sections import between
from stratagem.train.training_run import Metrics, TrainingRun

_START = "start"


class Trainer(TrainingRun[Settings, Progress]):
    """A training run bound to its folder."""

    def __init__(
        self,
        settings: Settings,
        folder: RunFolder,
        backend: Backend | None = None,
        on_iteration: Callable[[Metrics], None] | None = None,
    ) -> None:
        super().__init__(settings, folder, Progress(), backend, on_iteration)
        self._precision = choose_precision(settings.play.precision)
        self.game: Game = load_game(settings.game)
        self.learner = Learner(self.game, settings, derive_seed(settings.seed, "weights"))
        if settings.start:
            self.learner.start_from(load_model(find_checkpoint(settings.start), self.game).module)
        wanted = settings.reference.policy
        if wanted and wanted != _START:
            self.learner.hold_reference(load_model(find_checkpoint(wanted), self.game).module)
        self._collector = Collector(settings, self._backend)
        self._earlier: dict[int, nn.Module] = {}  # networks of the pool, as they are needed

    # -- the run -----------------------------------------------------------------------------

    def _load(self, iteration: int) -> Metrics:
        folder = self.folder.step_folder(iteration)
        state = load_training_state(self.folder, iteration)
        with reading_state(folder):
            self.learner.restore(state.tensors)
            self.progress = Progress(**state.values["progress"])
            metrics = dict(state.values["metrics"])
        for number in {iteration, *self.progress.pool}:
            load_model(self.folder.step_folder(number), self.game)  # damage shows now, not later
        return metrics

    def _iterate(self) -> None:
        started = time.perf_counter()
        progress, settings = self.progress, self.settings
        share = progress.share(settings)
        progress.iteration += 1
        imitating = settings.imitation.is_due(progress.iteration, share)
        episodes = self._play(imitating)
        play_seconds = time.perf_counter() - started
        progress.games += len(episodes.outcomes)
        progress.decisions += len(episodes.states)
        progress.games_next = self._games_next(episodes)
        self._keep_game(episodes)
        learned = self._learn(episodes, imitating, share)
        train_seconds = time.perf_counter() - started - play_seconds
        if not imitating and progress.iteration % settings.opponents.every == 0:
            progress.pool = [*progress.pool, progress.iteration][-settings.opponents.pool :]
        progress.seconds += time.perf_counter() - started
        anchor_started = time.perf_counter()
        anchors = meet_anchors(self.game, settings, progress, self._contender)
        progress.seconds += time.perf_counter() - anchor_started
        metrics: Metrics = {
            "iteration": progress.iteration,
            "seconds": round(progress.seconds, 3),
            "progress": round(progress.share(settings), 6),
            "phase": "imitate" if imitating else "improve",
            "games": progress.games,
            "decisions": progress.decisions,
            "games_per_s": round(len(episodes.outcomes) / play_seconds, 2),
            "positions_per_s": round(len(episodes.states) / play_seconds, 1),
            "play_seconds": round(play_seconds, 3),
            "train_seconds": round(train_seconds, 3),
            "mean_sequence": round(len(episodes.states) / max(episodes.num_sequences, 1), 3),
            **learned,
            "score": self._score(episodes),
            "accepted": True,
            "gate_games": 0,
            "anchors": anchors,
        }
        self._save(metrics)
        self._report(metrics)

    # -- parts of an iteration ---------------------------------------------------------------

    def _play(self, imitating: bool) -> Episodes:
        settings, iteration = self.settings, self.progress.iteration
        games = self.progress.games_next or settings.play.games
        if imitating:
            return self._collector.demonstrate(games, iteration)
        generator = derive_generator(settings.seed, "past", iteration)
        past = None
        if self.progress.pool and settings.opponents.past > 0:
            past = named_arrays(self._earlier_network(int(generator.choice(self.progress.pool))))
        return self._collector.play(named_arrays(self.learner.module), past, games, iteration)

    def _games_next(self, episodes: Episodes) -> int:
        """As many games as bring about the wanted number of decisions."""
        wanted = self.settings.play.decisions
        if not wanted or not len(episodes.states):
            return 0
        games = wanted * len(episodes.outcomes) / len(episodes.states)
        return max(round(games), self.settings.play.workers, self.game.num_seats)

    def _learn(self, episodes: Episodes, imitating: bool, share: float) -> Metrics:
        settings = self.settings
        generator = derive_generator(settings.seed, "learn", self.progress.iteration)
        if imitating:
            rate, entropy = settings.imitation.learning_rate, 0.0
            parts = self.learner.imitate(episodes, generator)
        else:
            if settings.reference.policy == _START and self.learner.reference is None:
                self.learner.hold_reference(self.learner.module)
            begun, learning = settings.imitation.share, settings.learning
            done = min(1.0, (share - begun) / max(1 - begun, 1e-9))
            rate = learning.learning_rate_at(done)
            entropy = between(learning.entropy, learning.entropy_end, done)
            parts = self.learner.improve(episodes, rate, entropy, generator)
        names = {"total": "loss", "policy": "policy_loss", "value": "value_loss"}
        found = {names.get(key, key): round(value, 5) for key, value in parts.items()}
        return {
            "loss": 0.0,
            **found,
            "steps": round(parts["steps"]),
            "learning_rate": round(rate, 8),
        }

    def _score(self, episodes: Episodes) -> float:
        """What the learner's seats won, in [0, 1], where not everybody was the learner."""
        mixed = episodes.learners & ~episodes.learners.all(axis=1, keepdims=True)
        if not mixed.any():
            return 0.5
        return round(float((episodes.returns[mixed].mean() + 1) / 2), 4)

    def _keep_game(self, episodes: Episodes) -> None:
        """One game of the iteration, to look at."""
        iteration = self.progress.iteration
        names = tuple(
            f"iteration {iteration}" if learner else "opponent" for learner in episodes.learners[0]
        )
        record = record_game(self.game, episodes.setup_seed, list(episodes.events), names)
        self.folder.write_game(iteration, record)

    def _contender(self) -> PolicyAgent:
        """What the anchors meet: the network's first choice."""
        spec = self.learner.observer.spec
        network = InferenceNetwork(self.learner.playing, spec, precision=self._precision)
        evaluator = NetworkEvaluator(self.game, self.learner.observer, network)
        return PolicyAgent(self.game, evaluator, "run", 0.0)

    def _save(self, metrics: Metrics) -> None:
        progress = self.progress
        card = self.learner.card(self._provenance(metrics))
        values = {"progress": vars(progress), "metrics": metrics}
        state = TrainingState(self.learner.export(), values)  # no game is under way
        save_checkpoint(self.folder, progress.iteration, self.learner.playing, card, state)
        self.folder.point_best(progress.iteration)
        self.folder.add_metrics(metrics)
        self._tidy()

    def _tidy(self) -> None:
        needed = {*self.progress.pool, self.progress.iteration}
        self.folder.tidy(self.progress.iteration, self.settings.keep_every, 0, needed)
        for number in set(self._earlier) - needed:
            del self._earlier[number]

    def _earlier_network(self, iteration: int) -> nn.Module:
        if iteration not in self._earlier:
            folder = self.folder.step_folder(iteration)
            self._earlier[iteration] = load_model(folder, self.game).module
        return self._earlier[iteration]
