"""The learner: network, optimiser and the running average of weights that goes out to play."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.core.game import Game
from stratagem.nets.device import device, learning_threads, mixed_precision, to_device
from stratagem.nets.growing import take_over
from stratagem.nets.inference import choose_precision
from stratagem.nets.losses import Losses, Targets, alphazero_loss
from stratagem.nets.model_file import ModelCard
from stratagem.nets.output import HasTrainingTerms, NetworkOutput, TrainingTerm
from stratagem.runs.metrics import TOTAL
from stratagem.train.adamw import AdamW
from stratagem.train.alphazero.replay import Batch, Replay
from stratagem.train.alphazero.scenarios import ScenarioNetworks
from stratagem.train.alphazero.settings import LearningSection
from stratagem.train.finite import check_inputs
from stratagem.train.named_tensors import (
    Tensors,
    add_prefix,
    on_cpu,
    strip_prefix,
)
from stratagem.train.sections import Network

SCORE = "score"
_LOSSES = (TOTAL, "policy", "value", SCORE)


class Learner:
    """Owns the weights being trained and the averaged ones that play."""

    def __init__(
        self, games: Sequence[Game], network: Network, settings: LearningSection, seed: int
    ) -> None:
        self.games = games
        self.settings = settings
        networks = ScenarioNetworks(games, network)
        self.observers, self.num_values = networks.observers, networks.num_values
        self._network = network
        torch.set_num_threads(1)  # here too: OpenMP's threads would wait for each other
        torch.manual_seed(seed)
        self.module = networks.build().to(device())
        self.playing = copy.deepcopy(self.module)
        self._optimiser = AdamW(self.module.parameters(), settings.weight_decay)
        self._mixed = choose_precision(settings.precision) == "bfloat16"
        # Each thread works on its own part of a batch with the same weights and gradients of its
        # own. Splitting every operation over OpenMP's threads gained nothing at these sizes.
        threads = learning_threads(settings.threads)
        self._replicas = [copy.deepcopy(self.module) for _ in range(threads)]
        for replica in self._replicas:
            for own, trained in zip(replica.parameters(), self.module.parameters(), strict=True):
                own.data = trained.data
        self._bound = [
            [networks.bound(one, index) for index in range(len(games))] for one in self._replicas
        ]
        self._pool = ThreadPoolExecutor(threads)
        self._steps = 0

    def train(
        self, replay: Replay, steps: int, rate: float, generator: np.random.Generator
    ) -> dict[str, float]:
        """Take `steps` steps on random batches; mean losses by name."""
        for replica in self._replicas:
            replica.train()
        self._share_statistics(self.module)
        sums = np.zeros(4)
        waiting = self._draw(replay, generator) if steps else None
        for step in range(steps):
            assert waiting is not None
            learning = self._start_step(*waiting)
            if step + 1 < steps:  # the next batch is made while this one is learned from
                waiting = self._draw(replay, generator)
            sums += self._end_step(learning, rate)
        if not steps:
            return {}
        losses: list[float] = (sums / steps).tolist()
        # A network that predicts no points has no loss of them either.
        return {
            name: loss for name, loss in zip(_LOSSES, losses, strict=True) if loss or name != SCORE
        }

    def _draw(self, replay: Replay, generator: np.random.Generator) -> tuple[Batch, int]:
        """A batch, and a seed for whatever the network draws while it learns from it."""
        batch = replay.draw(
            self.settings.batch_size, generator, self.observers, self.num_values,
            self.settings.search_value_share, self.settings.symmetries,
        )  # fmt: skip
        return batch, int(generator.integers(2**63))

    def _start_step(self, batch: Batch, seed: int) -> list[Future[npt.NDArray[np.float64]]]:
        """Share a batch out over the threads."""
        parts = batch.split(len(self._replicas))
        modules = [bound[batch.scenario_index] for bound in self._bound]
        return [
            self._pool.submit(self._gradients, module, part, seed)
            for module, part in zip(modules, parts, strict=True)
        ]

    def _end_step(
        self, learning: Sequence[Future[npt.NDArray[np.float64]]], rate: float
    ) -> npt.NDArray[np.float64]:
        """Collect the gradients and take one step of the optimiser."""
        losses = [part.result() for part in learning]
        self._collect_gradients()
        nn.utils.clip_grad_norm_(self.module.parameters(), self.settings.gradient_clip)
        self._optimiser.step(rate)
        self._steps += 1
        self._average_statistics()
        self._average()
        mean: npt.NDArray[np.float64] = np.mean(losses, axis=0)
        return mean

    @torch.no_grad()
    def _collect_gradients(self) -> None:
        """The mean of the replicas' gradients, taken over from them."""
        replicas = [replica.parameters() for replica in self._replicas]
        for mine, *theirs in zip(self.module.parameters(), *replicas, strict=True):
            gradients = [parameter.grad for parameter in theirs if parameter.grad is not None]
            mine.grad = gradients[0] if gradients else None
            for other in gradients[1:]:
                gradients[0].add_(other)
            if len(gradients) > 1:
                gradients[0].div_(len(gradients))
            for parameter in theirs:
                parameter.grad = None

    def _gradients(self, module: nn.Module, batch: Batch, seed: int) -> npt.NDArray[np.float64]:
        """Forward and backward on one part of a batch, in one thread."""
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

    # -- one set of weights, several sizes of board ------------------------------------------

    @torch.no_grad()
    def _average_statistics(self) -> None:
        """Batch statistics of the replicas come back averaged; weights they share anyway."""
        for name, buffer in self.module.named_buffers():
            seen = [replica.get_buffer(name) for replica in self._replicas]
            if buffer.is_floating_point():
                buffer.copy_(torch.stack(seen).mean(0))
            else:
                buffer.copy_(seen[0])
        self._share_statistics(self.module)

    @torch.no_grad()
    def _share_statistics(self, source: nn.Module) -> None:
        for name, buffer in source.named_buffers():
            for replica in self._replicas:
                replica.get_buffer(name).copy_(buffer)

    @torch.no_grad()
    def _average(self) -> None:
        """Move the playing weights towards the trained ones; early on they follow closely."""
        decay = min(self.settings.average_decay, self._steps / (self._steps + 10))
        trained = self.module.state_dict()
        playing = self.playing.state_dict()
        moving = [name for name, tensor in playing.items() if tensor.is_floating_point()]
        torch._foreach_lerp_(
            [playing[name] for name in moving], [trained[name] for name in moving], 1 - decay
        )
        for name in playing.keys() - set(moving):
            playing[name].copy_(trained[name])

    def card(
        self, training: Mapping[str, object], search: Mapping[str, float] | None = None
    ) -> ModelCard:
        """What the saved model says about itself."""
        return ModelCard(
            game=self.games[0].spec,
            game_version=self.games[0].version,
            network=self._network.kind,
            settings=dict(self._network.settings),
            encoding=self.observers[0].encoding.name,
            encoding_options=dict(self.observers[0].options),
            num_values=self.num_values,
            search=dict(search or {}),
            training=dict(training),
        )

    # -- state -------------------------------------------------------------------------------

    def export(self) -> Tensors:
        """Everything a resumed learner needs, as named tensors."""
        tensors = add_prefix(self.module.state_dict(), "module.")
        tensors |= add_prefix(self.playing.state_dict(), "playing.")
        tensors |= add_prefix(self._optimiser.tensors(), "optimiser.")
        tensors["steps"] = torch.tensor(self._steps)
        return on_cpu(tensors)

    def restore(self, tensors: Tensors) -> None:
        """Take up exactly where `export` left off."""
        self.module.load_state_dict(strip_prefix(tensors, "module."))
        self.playing.load_state_dict(strip_prefix(tensors, "playing."))
        self._optimiser.restore(strip_prefix(tensors, "optimiser."))
        self._steps = int(tensors["steps"])

    def start_from(self, module: nn.Module) -> None:
        """Take the first weights from another run's network, which may be smaller."""
        take_over(self.module, module.state_dict())
        self.playing.load_state_dict(self.module.state_dict())
