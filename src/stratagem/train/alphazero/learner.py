"""The learner: batches from the replay, with AlphaZero's loss."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.core.game import Game
from stratagem.nets.device import device, mixed_precision, to_device
from stratagem.nets.inference import choose_precision
from stratagem.nets.losses import Losses, Targets, alphazero_loss
from stratagem.nets.output import HasTrainingTerms, NetworkOutput, TrainingTerm
from stratagem.runs.metrics import TOTAL
from stratagem.train.alphazero.replay import Batch, Replay
from stratagem.train.alphazero.scenarios import ScenarioNetworks
from stratagem.train.alphazero.settings import LearningSection
from stratagem.train.finite import check_inputs
from stratagem.train.learner import AveragedLearner
from stratagem.train.sections import Network

SCORE = "score"
_LOSSES = (TOTAL, "policy", "value", SCORE)


class Learner(AveragedLearner):
    """Learns from search visits and game results."""

    def __init__(
        self, games: Sequence[Game], network: Network, settings: LearningSection, seed: int
    ) -> None:
        self.settings = settings
        networks = ScenarioNetworks(games, network)
        self.observers = networks.observers
        torch.set_num_threads(1)  # also here: OpenMP's threads would wait for each other
        torch.manual_seed(seed)
        super().__init__(games[0], self.observers[0], network, settings, networks.build())
        self._mixed = choose_precision(settings.precision) == "bfloat16"
        for replica in self._replicas:  # all threads read the same weights
            for own, trained in zip(replica.parameters(), self.module.parameters(), strict=True):
                own.data = trained.data
        self._bound = [
            [networks.bound(one, index) for index in range(len(games))] for one in self._replicas
        ]

    def train(
        self, replay: Replay, steps: int, rate: float, generator: np.random.Generator
    ) -> dict[str, float]:
        """Take `steps` steps on random batches; return mean losses by name."""
        for replica in self._replicas:
            replica.train()
        self._share_statistics()
        sums = np.zeros(4)
        waiting = self._draw(replay, generator) if steps else None
        for step in range(steps):
            assert waiting is not None
            learning = self._start_step(*waiting)
            if step + 1 < steps:  # prepare the next batch while this one is processed
                waiting = self._draw(replay, generator)
            sums += self._end_step(learning, rate)
        if not steps:
            return {}
        losses: list[float] = (sums / steps).tolist()
        # If the network does not predict points, there is no such loss.
        return {
            name: loss for name, loss in zip(_LOSSES, losses, strict=True) if loss or name != SCORE
        }

    def _draw(self, replay: Replay, generator: np.random.Generator) -> tuple[Batch, int]:
        """Draw a batch, and a seed for the network's own randomness while it learns from it."""
        batch = replay.draw(
            self.settings.batch_size, generator, self.observers, self.num_values,
            self.settings.search_value_share, self.settings.symmetries,
        )  # fmt: skip
        return batch, int(generator.integers(2**63))

    def _start_step(self, batch: Batch, seed: int) -> list[Future[npt.NDArray[np.float64]]]:
        """Divide a batch among the threads."""
        parts = batch.split(len(self._replicas))
        modules = [bound[batch.scenario_index] for bound in self._bound]
        return [
            self._pool.submit(self._gradients, module, part, seed)
            for module, part in zip(modules, parts, strict=True)
        ]

    def _end_step(
        self, learning: Sequence[Future[npt.NDArray[np.float64]]], rate: float
    ) -> npt.NDArray[np.float64]:
        """Collect the gradients and take one optimiser step."""
        losses = [part.result() for part in learning]
        self._take_step(self._replicas, rate)
        mean: npt.NDArray[np.float64] = np.mean(losses, axis=0)
        return mean

    def _gradients(self, module: nn.Module, batch: Batch, seed: int) -> npt.NDArray[np.float64]:
        """Run forward and backward on one part of a batch, in one thread."""
        torch.set_num_threads(1)
        observations = to_device(batch.observations)
        with mixed_precision(self._mixed):
            if isinstance(module, HasTrainingTerms):
                terms = module.training_terms(observations, torch.Generator().manual_seed(seed))
            else:
                terms = [TrainingTerm(1.0, module(observations))]
        total, shown = torch.zeros((), device=device()), np.zeros(4)
        for weight, output, positions, penalty in terms:
            losses = self._loss(output, batch, positions)
            total = total + weight * losses.total
            shown += [weight * float(one.detach()) for one in losses]
            if penalty is not None:
                total = total + penalty
        if not np.isfinite(shown).all():
            check_inputs({"observations": batch.observations, "targets": batch.values})
        module.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        return shown

    def _loss(
        self, output: NetworkOutput, batch: Batch, positions: torch.Tensor | None = None
    ) -> Losses:
        targets = Targets(
            to_device(batch.policies),
            to_device(batch.legal),
            to_device(batch.values),
            to_device(batch.policy_weights),
            to_device(batch.scores / np.float32(self.settings.score_scale)),
        )
        return alphazero_loss(
            output.float(),
            targets,
            value_weight=self.settings.value_weight,
            score_weight=self.settings.score_weight,
            positions=positions,
        )

    @torch.no_grad()
    def _share_statistics(self) -> None:
        for name, buffer in self.module.named_buffers():
            for replica in self._replicas:
                replica.get_buffer(name).copy_(buffer)
