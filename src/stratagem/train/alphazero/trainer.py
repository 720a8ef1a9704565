"""AlphaZero: self-play, learning from the search, and letting the better network play on.

One iteration is self-play -> replay -> training -> acceptance test.
"""

from __future__ import annotations

import copy
import time
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from torch import nn

from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.agents.network import NetworkEvaluator
from stratagem.backend import Backend
from stratagem.core.agent import Agent
from stratagem.core.record import GameRecord, record_game
from stratagem.core.seeding import derive_generator, derive_seed
from stratagem.nets.inference import InferenceNetwork, choose_precision
from stratagem.runs.checkpoints import TrainingState, find_checkpoint
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import GateResult
from stratagem.search import SearchSettings
from stratagem.train import trainer
from stratagem.train.alphazero.collect import Collected, Collector, Guests
from stratagem.train.alphazero.game_measures import measure_games
from stratagem.train.alphazero.gating import test_candidate
from stratagem.train.alphazero.learner import Learner
from stratagem.train.alphazero.replay import Replay, load_samples, save_samples
from stratagem.train.alphazero.results import SelfPlayResult
from stratagem.train.alphazero.scenarios import load_scenarios
from stratagem.train.alphazero.settings import Settings
from stratagem.train.lineups import SELF
from stratagem.train.named_tensors import Weights, named_arrays
from stratagem.train.population import EarlierNetworks
from stratagem.train.progress import RunProgress
from stratagem.train.trainer import Iteration, Learned, OnIteration, Snapshot


@dataclass
class Progress(RunProgress):
    """Progress specific to AlphaZero."""

    accepted: list[int] = field(default_factory=list)  # iterations whose network was accepted


class Trainer(trainer.Trainer[Settings, Progress]):
    """An AlphaZero run."""

    def __init__(
        self,
        settings: Settings,
        folder: RunFolder,
        backend: Backend | None = None,
        on_iteration: OnIteration | None = None,
    ) -> None:
        super().__init__(settings, folder, Progress(), backend, on_iteration)
        self._precision = choose_precision(settings.selfplay.precision)
        self.games = load_scenarios(settings)
        self.game = self.games[0]
        self.learner = Learner(
            self.games, settings.network, settings.learning, derive_seed(settings.seed, "weights")
        )
        if settings.start and not folder.step_numbers():  # a started run has its own weights
            self.learner.start_from(self._load(find_checkpoint(settings.start)))
        self.replay = Replay(self.games)
        self._collector = Collector(settings, self._backend)
        self._past = EarlierNetworks(self.population, self._weights_of)
        # Draws whose games may be in progress in rounds that have not been taken yet.
        spare = settings.asynchronous.most_stale + settings.asynchronous.most_waiting + 1
        lag = 0 if settings.mode == "sequential" else spare
        self._recent: deque[set[int]] = deque(maxlen=lag)
        self._playing: nn.Module = copy.deepcopy(self.learner.playing)  # the accepted network

    # -- one iteration -----------------------------------------------------------------------

    def _work(self, used: float) -> Iteration:
        share = self.progress.share(self.settings)
        imitation = self.settings.imitation.is_due(self.progress.iteration, used)
        if self.settings.mode == "sequential":
            self.on_phase("imitating" if imitation else "playing")
            collected = self._collect(imitation, share)
            self._remember(collected.result)
            self.on_phase("learning")
            learned = self._learn(len(collected.result.samples), share)
        else:
            self.on_phase("playing and learning")
            collected, learned = self._collect_and_learn(imitation, share)
            self._remember(collected.result)
        opponents = self.population.record(self.progress, collected.result.tallies)
        accepted, gate = self._test_candidate()
        if accepted and not imitation:
            self.population.admit(self.progress)
        result, seconds = collected.result, collected.seconds
        return Iteration(
            games=len(result.games),
            decisions=result.decisions,
            play_seconds=seconds,
            learned=learned,
            sample=self._record(result),
            mean_plies=result.mean_plies,
            imitation=imitation,
            measures=measure_games(self.games, result.games),
            accepted=accepted,
            gate=gate,
            opponents=opponents,
            details={
                "sims_per_s": round(result.sims / seconds, 1),
                "precision": self._precision,
                "engine": self.settings.selfplay.engine,
                "network_share": round(collected.network_share, 4),
                "draws": round(result.draws, 4),
                **({} if collected.staleness is None else {"staleness": collected.staleness}),
                "replay": len(self.replay),
                "replay_bytes_per_position": round(
                    self.replay.nbytes / max(len(self.replay), 1), 1
                ),
            },
        )

    def _collect(self, imitation: bool, share: float) -> Collected:
        """Collect this iteration's games: first the teacher's, if there is one, then the run's."""
        iteration = self.progress.iteration
        if imitation:
            return self._collector.demonstrations(iteration)
        weights, sims = named_arrays(self._playing), self._sims(share)
        if self.settings.mode == "sequential":
            return self._collector.self_play(weights, iteration, sims, self._guests())
        self._collector.publish(weights, iteration - 1, sims, self._guests())
        return self._collector.take_rounds(iteration - 1)

    def _sims(self, share: float) -> int:
        first = self.settings.selfplay.first_sims_share
        return max(2, round(self.settings.search.sims * (first + (1 - first) * share)))

    def _guests(self) -> Guests | None:
        """Return the other players of this iteration; None if the network only plays itself."""
        if self.settings.opponents.alone:
            return None
        draw = self.population.draw(self.progress)
        self._recent.append(set(draw.players))
        return Guests(draw, self._past.of({*draw.players, *self._under_way}))

    @property
    def _under_way(self) -> set[int]:
        """Return the players in unfinished games, including rounds that were not taken yet."""
        return self._collector.players.union(*self._recent)

    def _weights_of(self, iteration: int) -> Weights:
        return named_arrays(self._network_of(iteration))

    def _collect_and_learn(self, imitation: bool, share: float) -> tuple[Collected, Learned]:
        """Play and learn at the same time: learning uses the data from before this iteration.

        Workers keep playing even between iterations, with the newest published network.
        """
        new_positions = self.replay.newest
        with ThreadPoolExecutor(1) as pool:
            learning = pool.submit(self._learn, new_positions, share)
            collected = self._collect(imitation, share)
            return collected, learning.result()

    def _stop(self) -> None:
        self._collector.stop()

    def _remember(self, result: SelfPlayResult) -> None:
        """Store the finished games in the replay and on disk."""
        progress, replay = self.progress, self.settings.replay
        progress.decisions += result.decisions
        progress.games += len(result.games)
        self.replay.add(progress.iteration, result.samples)
        wanted = max(replay.minimum, round(replay.growth * progress.decisions))
        self.replay.forget(min(replay.capacity, wanted))
        save_samples(result.samples, self.folder.segment(progress.iteration))

    def _record(self, result: SelfPlayResult) -> GameRecord | None:
        """Return a sample game of the iteration."""
        if not result.games:
            return None
        first = result.games[0]
        lineup = first.lineup or (SELF,) * self.game.num_seats
        names = self.population.names(lineup, f"iteration {self.progress.iteration}")
        game = self.games[first.scenario_index]
        return record_game(game, first.setup_seed, list(first.events), names)

    def _learn(self, new_positions: int, share: float) -> Learned:
        settings, started = self.settings, time.perf_counter()
        learning = settings.learning
        steps = round(learning.replay_ratio * new_positions / learning.batch_size)
        if len(self.replay) < min(settings.replay.minimum, settings.selfplay.positions):
            steps = 0
        rate = learning.learning_rate_at(share)
        generator = derive_generator(settings.seed, "learn", self.progress.iteration)
        losses = self.learner.train(self.replay, steps, rate, generator)
        return Learned(steps, rate, losses, time.perf_counter() - started)

    def _test_candidate(self) -> tuple[bool, GateResult | None]:
        """Return (whether the trained network plays from now on, the test result if any)."""
        gate, iteration = self.settings.gate, self.progress.iteration
        if gate.mode != "always" and iteration % gate.every:
            return False, None
        pool: list[Agent] = []
        if gate.mode != "always":
            pool = [self._agent_of(number) for number in self.progress.accepted[-gate.pool :]]
        candidate = self._agent(self.learner.playing, gate.sims, "candidate")
        if pool:
            self.on_phase("testing the new network")
        seed = derive_seed(self.settings.seed, "gate", iteration)
        result = test_candidate(self.game, candidate, pool, gate, seed)
        accepted = result is None or result.accepted
        if accepted:
            self._playing = copy.deepcopy(self.learner.playing)
            self.progress.accepted.append(iteration)
        return accepted, result

    # -- state to save -------------------------------------------------------------------------

    def _snapshot(self, training: Mapping[str, Any]) -> Snapshot:
        return Snapshot(
            module=self.learner.playing,
            card=self.learner.card(training, self._values_mean),
            tensors=self.learner.export(),
            arrays=self._collector.export(),
            values={"oldest_segment": self.replay.oldest, "rounds": self._collector.rounds},
        )

    def _restore(self, state: TrainingState) -> None:
        iteration, accepted = self.progress.iteration, self.progress.accepted
        oldest = int(state.values["oldest_segment"])
        self.learner.restore(state.tensors)
        self._collector.restore(state.arrays, state.values.get("rounds", ()))
        for number in range(oldest, iteration + 1):
            self.replay.add(number, load_samples(self.folder.segment(number), self.games))
        for number in {iteration, *self._needed()}:
            self._network_of(number)  # so that damage shows now, not later
        if accepted:
            self._playing = self._network_of(accepted[-1])

    def _best(self) -> int:
        return self.progress.accepted[-1] if self.progress.accepted else 0

    def _oldest_segment(self) -> int:
        return self.replay.oldest

    def _needed(self) -> set[int]:
        gate = self.progress.accepted[-self.settings.gate.pool :]
        return {*gate, *self.progress.pool, *self.population.iterations(self._under_way)}

    # -- players -----------------------------------------------------------------------------

    def _player(self) -> MctsAgent:
        return self._agent(self._playing, self.settings.anchors.sims, "run")

    def _agent_of(self, iteration: int) -> MctsAgent:
        return self._agent(
            self._network_of(iteration), self.settings.gate.sims, f"iteration {iteration}"
        )

    def _agent(self, module: nn.Module, sims: int, name: str) -> MctsAgent:
        observer = self.learner.observers[0]
        network = InferenceNetwork(
            module, observer.spec, precision=self._precision, engine=self.settings.selfplay.engine
        )
        evaluator = NetworkEvaluator(self.game, observer, network)
        root = self.settings.search.root
        search = SearchSettings.model_validate({**self._values_mean, "sims": sims, "root": root})
        return MctsAgent(self.game, evaluator, search, name)

    @property
    def _values_mean(self) -> dict[str, float]:
        """Return the search settings that change the meaning of a value."""
        search = self.settings.full_search
        meant: dict[str, float] = {"fixed_perspective": 1.0} if search.fixed_perspective else {}
        if search.margin_share:
            meant |= {"margin_share": search.margin_share, "margin_scale": search.margin_scale}
        return meant
