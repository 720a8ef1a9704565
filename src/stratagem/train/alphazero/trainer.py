"""AlphaZero: play against oneself, learn from the search, let the better network play on.

One iteration is self-play -> replay -> training -> acceptance -> (now and then) fixed anchors ->
checkpoint. All randomness of an iteration comes from the run's seed and the iteration's number,
and everything that outlives it is in the checkpoint; so a run that is killed and resumed ends
exactly like one that was left alone.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import nn

from stratagem.agents.mcts import MctsAgent
from stratagem.agents.network import NetworkEvaluator
from stratagem.agents.spec import make_agent
from stratagem.backend import Backend
from stratagem.core.agent import Agent
from stratagem.core.errors import BadSetting
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
from stratagem.train.alphazero.game_measures import measure_games
from stratagem.train.alphazero.gating import Verdict, judge
from stratagem.train.alphazero.imitation import teach
from stratagem.train.alphazero.learner import Learner
from stratagem.train.alphazero.progress import Progress
from stratagem.train.alphazero.replay import Replay, load_samples, save_samples
from stratagem.train.alphazero.selfplay import Harvest, SelfPlay, iteration_generator, join_harvests
from stratagem.train.alphazero.settings import Settings
from stratagem.train.alphazero.slots import export_slots, restore_slots
from stratagem.train.alphazero.sparring import Sparring
from stratagem.train.alphazero.tables import load_tables
from stratagem.train.anchors import meet_anchors
from stratagem.train.training_run import Metrics, TrainingRun


@dataclass(frozen=True)
class Played:
    """An iteration's games and what they took."""

    harvest: Harvest
    seconds: float
    network_share: float  # of the time, spent inside the network


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
        self.games = load_tables(settings)
        self.game: Game = self.games[0]
        self.learner = Learner(
            self.games, settings.network, settings.learning, derive_seed(settings.seed, "weights")
        )
        if settings.start and not folder.latest():  # a run under way has weights of its own
            self.learner.start_from(load_model(find_checkpoint(settings.start), self.game).module)
        self.replay = Replay(self.games)
        self._groups = self._make_groups()
        self._used_before = 0.0  # share of the budget that was gone when this iteration began
        self._player: nn.Module = copy.deepcopy(self.learner.playing)

    # -- the run -----------------------------------------------------------------------------

    def _load(self, iteration: int) -> Metrics:
        folder = self.folder.step_folder(iteration)
        state = load_training_state(self.folder, iteration)
        with reading_state(folder):
            self.learner.restore(state.tensors)
            self.progress = Progress(**state.values["progress"])
            restore_slots(self._groups, state.arrays, self.game)
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
            self._remember(played.harvest)
            losses = self._train(len(played.harvest.samples), share)
        else:
            # Both at once: the network learns from what was there before this iteration's games.
            played, losses = self._gather_and_train(share)
            self._remember(played.harvest)
        harvest, play_seconds = played.harvest, played.seconds
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
            "games_per_s": round(len(harvest.games) / play_seconds, 2),
            "positions_per_s": round(harvest.decisions / play_seconds, 1),
            "sims_per_s": round(harvest.sims / play_seconds, 1),
            "precision": self._precision,
            "network_share": round(played.network_share, 4),
            "play_seconds": round(play_seconds, 3),
            "mean_plies": round(harvest.mean_plies, 2),
            "draws": round(harvest.draws, 4),
            "measures": measure_games(self.games, harvest.games),
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

    def _gather(self, share: float) -> Played:
        """This iteration's games: the teacher's at first, if there is one, then the run's own."""
        taught = self.settings.imitation.is_due(self.progress.iteration, self._used_before)
        return self._lessons() if taught else self._self_play(share)

    def _gather_and_train(self, share: float) -> tuple[Played, Metrics]:
        """Self-play and learning side by side; neither sees what the other is making."""
        new_positions = self.replay.newest
        with ThreadPoolExecutor(1) as pool:
            learning = pool.submit(self._train, new_positions, share)
            played = self._gather(share)
            return played, learning.result()

    def _self_play(self, share: float) -> Played:
        dials = self.settings.selfplay
        started = time.perf_counter()
        first = dials.first_sims_share
        sims = max(2, round(self.settings.search.sims * (first + (1 - first) * share)))
        evaluators = [self._evaluator(self._player, group.table) for group in self._groups]

        def play(numbers: list[int]) -> list[Harvest]:
            torch.set_num_threads(1)
            harvests = []
            for number in numbers:
                generator = iteration_generator(self.settings.seed, self.progress.iteration, number)
                positions = math.ceil(dials.positions / len(self._groups))
                group = self._groups[number]
                harvests.append(group.play(positions, evaluators[number], generator, sims))
            return harvests

        shifts = np.array_split(np.arange(len(self._groups)), self._workers)
        parts = self._backend.run([partial(play, shift.tolist()) for shift in shifts])
        seconds = time.perf_counter() - started
        inside = sum(evaluator.seconds for evaluator in evaluators) / self._workers / seconds
        return Played(join_harvests([one for part in parts for one in part]), seconds, inside)

    def _lessons(self) -> Played:
        dials, started = self.settings.imitation, time.perf_counter()

        parts = [(table, part) for table in range(len(self.games)) for part in range(self._workers)]

        def lesson(table: int, part: int) -> Harvest:
            generator = derive_generator(
                self.settings.seed, "imitation", self.progress.iteration, table, part
            )
            game = self.games[table]
            teacher = make_agent(dials.teacher, game)
            positions = math.ceil(dials.positions / len(parts))
            search = self.settings.full_search
            return teach(game, teacher, positions, dials.explore, search, generator, table)

        harvests = self._backend.run([partial(lesson, *one) for one in parts])
        return Played(join_harvests(harvests), time.perf_counter() - started, 0.0)

    def _remember(self, harvest: Harvest) -> None:
        """Put the finished games into replay and on disk, and keep one to look at."""
        self.progress.decisions += harvest.decisions
        self.progress.games += len(harvest.games)
        dials, iteration = self.settings.replay, self.progress.iteration
        window = min(
            dials.capacity, max(dials.minimum, round(dials.growth * self.progress.decisions))
        )
        self.replay.add(iteration, harvest.samples)
        self.replay.forget(window)
        save_samples(harvest.samples, self.folder.segment(iteration))
        if harvest.games:
            first = harvest.games[0]
            names = tuple(f"iteration {iteration}" for _ in range(self.game.num_seats))
            game = self.games[first.table]
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
        state = TrainingState(self.learner.export(), values, export_slots(self._groups))
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

    def _make_groups(self) -> list[SelfPlay]:
        """The slots, shared out over workers and games; a worker's groups stand together."""
        dials, count = self.settings.selfplay, len(self.games)
        self._workers = max(1, min(dials.workers, dials.slots // count))
        if self.settings.mode == "asynchronous":
            self._workers = max(1, self._workers - 1)  # the learner is the other one
        parts = np.array_split(np.arange(dials.slots), max(self._workers * count, 1))
        if not all(map(len, parts)):
            raise BadSetting(
                f"selfplay.slots {dials.slots}: {count} games and {self._workers} workers need "
                f"at least {count * self._workers}"
            )
        return [
            SelfPlay(
                self.games[number % count], dials, self.settings.full_search, self.settings.shaping,
                len(part), number % count, self._sparring(number % count),
            )
            for number, part in enumerate(parts)
        ]  # fmt: skip

    def _sparring(self, table: int) -> Sparring | None:
        game = self.games[table]
        for spec, share in self.settings.opponents.present.items():
            return Sparring(game, make_agent(spec, game), share)
        return None

    def _evaluator(self, module: nn.Module, table: int = 0) -> NetworkEvaluator:
        observer = self.learner.observers[table]
        network = InferenceNetwork(
            self.learner.bound(module, table), observer.spec, precision=self._precision
        )
        return NetworkEvaluator(self.games[table], observer, network)

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
