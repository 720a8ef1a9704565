"""AlphaZero: play against oneself, learn from the search, let the better network play on.

One iteration is self-play -> replay -> training -> acceptance -> (now and then) fixed anchors ->
checkpoint. All randomness of an iteration comes from the run's seed and the iteration's number,
and everything that outlives it is in the checkpoint; so a run that is killed and resumed ends
exactly like one that was left alone.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from torch import nn

from stratagem.agents.mcts import MctsAgent
from stratagem.agents.network import NetworkEvaluator
from stratagem.backend import Backend
from stratagem.core.agent import Agent
from stratagem.core.game import Game
from stratagem.core.record import record_game
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
from stratagem.search import SearchSettings
from stratagem.train.alphazero.collect import Collected, Collector
from stratagem.train.alphazero.game_measures import measure_games
from stratagem.train.alphazero.gating import Verdict, judge
from stratagem.train.alphazero.learner import Learner
from stratagem.train.alphazero.progress import Progress
from stratagem.train.alphazero.replay import Replay, load_samples, save_samples
from stratagem.train.alphazero.scenarios import load_scenarios
from stratagem.train.alphazero.selfplay import SelfPlayResult
from stratagem.train.alphazero.settings import Settings
from stratagem.train.anchors import meet_anchors
from stratagem.train.named_tensors import named_arrays
from stratagem.train.training_run import Metrics, TrainingRun


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
        self._precision = choose_precision(settings.selfplay.precision)
        self.games = load_scenarios(settings)
        self.game: Game = self.games[0]
        self.learner = Learner(
            self.games, settings.network, settings.learning, derive_seed(settings.seed, "weights")
        )
        if settings.start and not folder.latest():  # a run under way has weights of its own
            self.learner.start_from(load_model(find_checkpoint(settings.start), self.game).module)
        self.replay = Replay(self.games)
        self._collector = Collector(settings, self._backend)
        self._used_before = 0.0  # share of the budget that was gone when this iteration began
        self._player: nn.Module = copy.deepcopy(self.learner.playing)

    # -- the run -----------------------------------------------------------------------------

    def _load(self, iteration: int) -> Metrics:
        folder = self.folder.step_folder(iteration)
        state = load_training_state(self.folder, iteration)
        with reading_state(folder):
            self.learner.restore(state.tensors)
            self.progress = Progress(**state.values["progress"])
            self._collector.restore(state.arrays)
            oldest, metrics = int(state.values["oldest_segment"]), dict(state.values["metrics"])
        for number in range(oldest, iteration + 1):
            self.replay.add(number, load_samples(self.folder.segment(number), self.games))
        for number in {iteration, *self.progress.accepted[-self.settings.gate.pool :]}:
            load_model(self.folder.step_folder(number), self.game)  # damage shows now, not later
        if self.progress.accepted:
            last = self.folder.step_folder(self.progress.accepted[-1])
            self._player = load_model(last, self.game).module
        return metrics

    def _strongest(self) -> int:
        return self.progress.accepted[-1] if self.progress.accepted else 0

    def _iterate(self) -> None:
        started = time.perf_counter()
        progress, settings = self.progress, self.settings
        self._used_before = progress.share(settings)
        progress.iteration += 1
        share = progress.share(settings)
        if settings.mode == "sequential":
            played = self._gather(share)
            self._remember(played.result)
            losses = self._train(len(played.result.samples), share)
        else:
            # Both at once: the network learns from what was there before this iteration's games.
            played, losses = self._gather_and_train(share)
            self._remember(played.result)
        result, play_seconds = played.result, played.seconds
        verdict = self._judge()
        progress.seconds += time.perf_counter() - started
        anchor_started = time.perf_counter()
        anchors = meet_anchors(self.game, settings, progress, self._contender)
        progress.seconds += time.perf_counter() - anchor_started
        metrics: Metrics = {
            "iteration": progress.iteration,
            "seconds": round(progress.seconds, 3),
            "progress": round(progress.share(settings), 6),
            "games": progress.games,
            "decisions": progress.decisions,
            "games_per_s": round(len(result.games) / play_seconds, 2),
            "positions_per_s": round(result.decisions / play_seconds, 1),
            "sims_per_s": round(result.sims / play_seconds, 1),
            "precision": self._precision,
            "network_share": round(played.network_share, 4),
            "play_seconds": round(play_seconds, 3),
            "mean_plies": round(result.mean_plies, 2),
            "draws": round(result.draws, 4),
            "measures": measure_games(self.games, result.games),
            "replay": len(self.replay),
            "replay_bytes_per_position": round(self.replay.nbytes / max(len(self.replay), 1), 1),
            **losses,
            "accepted": verdict.accepted,
            "gate_games": verdict.games,
            "gate_score": round(verdict.score, 4),
            "gate_reason": verdict.reason,
            "anchors": anchors,
        }
        self._save(metrics, verdict)
        self._report(metrics)

    # -- parts of an iteration ---------------------------------------------------------------

    def _gather(self, share: float) -> Collected:
        """This iteration's games: the teacher's at first, if there is one, then the run's own."""
        if self.settings.imitation.is_due(self.progress.iteration, self._used_before):
            return self._collector.demonstrations(self.progress.iteration)
        return self._self_play(share)

    def _gather_and_train(self, share: float) -> tuple[Collected, Metrics]:
        """Self-play and learning side by side; neither sees what the other is making."""
        new_positions = self.replay.newest
        with ThreadPoolExecutor(1) as pool:
            learning = pool.submit(self._train, new_positions, share)
            played = self._gather(share)
            return played, learning.result()

    def _self_play(self, share: float) -> Collected:
        first = self.settings.selfplay.first_sims_share
        sims = max(2, round(self.settings.search.sims * (first + (1 - first) * share)))
        return self._collector.self_play(named_arrays(self._player), self.progress.iteration, sims)

    def _remember(self, result: SelfPlayResult) -> None:
        """Put the finished games into replay and on disk, and keep one to look at."""
        self.progress.decisions += result.decisions
        self.progress.games += len(result.games)
        dials, iteration = self.settings.replay, self.progress.iteration
        window = min(
            dials.capacity, max(dials.minimum, round(dials.growth * self.progress.decisions))
        )
        self.replay.add(iteration, result.samples)
        self.replay.forget(window)
        save_samples(result.samples, self.folder.segment(iteration))
        if result.games:
            first = result.games[0]
            names = tuple(f"iteration {iteration}" for _ in range(self.game.num_seats))
            game = self.games[first.scenario_index]
            record = record_game(game, first.setup_seed, list(first.events), names)
            self.folder.write_game(iteration, record)

    def _train(self, new_positions: int, share: float) -> Metrics:
        dials, started = self.settings.learning, time.perf_counter()
        steps = round(dials.replay_ratio * new_positions / dials.batch_size)
        if len(self.replay) < min(self.settings.replay.minimum, self.settings.selfplay.positions):
            steps = 0
        rate = dials.learning_rate_at(share)
        generator = derive_generator(self.settings.seed, "learn", self.progress.iteration)
        report = self.learner.train(self.replay, steps, rate, generator)
        return {
            "steps": report.steps,
            "learning_rate": round(rate, 8),
            "loss": round(report.total, 5),
            "policy_loss": round(report.policy, 5),
            "value_loss": round(report.value, 5),
            "score_loss": round(report.score, 5),
            "train_seconds": round(time.perf_counter() - started, 3),
        }

    def _judge(self) -> Verdict:
        """Test the trained network; if accepted, it plays from now on."""
        gate, iteration = self.settings.gate, self.progress.iteration
        if gate.mode != "always" and iteration % gate.every:
            return Verdict(False, 0, 0.5, "not tested")
        pool: list[Agent] = []
        if gate.mode != "always":
            pool = [self._agent_of(number) for number in self.progress.accepted[-gate.pool :]]
        candidate = self._agent(self.learner.playing, gate.sims, "candidate")
        seed = derive_seed(self.settings.seed, "gate", iteration)
        verdict = judge(self.game, candidate, pool, gate, seed)
        if verdict.accepted:
            self._player = copy.deepcopy(self.learner.playing)
            self.progress.accepted.append(iteration)
        return verdict

    def _save(self, metrics: Metrics, verdict: Verdict) -> None:
        progress = self.progress
        card = self.learner.card(
            self._provenance(metrics),
            self._values_mean,
        )
        values = {
            "progress": vars(progress),
            "oldest_segment": self.replay.oldest,
            "metrics": metrics,
        }
        state = TrainingState(self.learner.export(), values, self._collector.export())
        save_checkpoint(self.folder, progress.iteration, self.learner.playing, card, state)
        if verdict.accepted:
            self.folder.point_best(progress.iteration)
        self.folder.add_metrics(metrics)
        self._tidy()

    def _tidy(self) -> None:
        needed = set(self.progress.accepted[-self.settings.gate.pool :])
        keep_every, iteration = self.settings.keep_every, self.progress.iteration
        self.folder.tidy(iteration, keep_every, self.replay.oldest, needed)

    # -- players -----------------------------------------------------------------------------

    def _evaluator(self, module: nn.Module) -> NetworkEvaluator:
        observer = self.learner.observers[0]
        network = InferenceNetwork(module, observer.spec, precision=self._precision)
        return NetworkEvaluator(self.game, observer, network)

    @property
    def _values_mean(self) -> dict[str, float]:
        """The search settings that change what a value means."""
        search = self.settings.full_search
        meant: dict[str, float] = {"fixed_perspective": 1.0} if search.fixed_perspective else {}
        if search.margin_share:
            meant |= {"margin_share": search.margin_share, "margin_scale": search.margin_scale}
        return meant

    def _agent(self, module: nn.Module, sims: int, name: str) -> MctsAgent:
        root = self.settings.search.root
        search = SearchSettings.model_validate({**self._values_mean, "sims": sims, "root": root})
        return MctsAgent(self.game, self._evaluator(module), search, name)

    def _contender(self) -> MctsAgent:
        return self._agent(self._player, self.settings.anchors.sims, "run")

    def _agent_of(self, iteration: int) -> MctsAgent:
        module = load_model(self.folder.step_folder(iteration), self.game).module
        return self._agent(module, self.settings.gate.sims, f"iteration {iteration}")
