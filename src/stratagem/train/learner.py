"""What gradient-based learners share: threads with replicas, AdamW, averaged weights, their state.

AlphaZero and PPO add how they learn from a batch.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

from stratagem.core.game import Game, Observer
from stratagem.nets.device import device, learning_threads
from stratagem.nets.growing import take_over
from stratagem.nets.model_file import ModelCard
from stratagem.nets.output import num_values_for
from stratagem.train.adamw import AdamW
from stratagem.train.named_tensors import Tensors, add_prefix, on_cpu, strip_prefix
from stratagem.train.sections import Network, ScheduledLearning


class AveragedLearner:
    """Owns the weights being trained and their running average, which plays and is saved."""

    def __init__(
        self,
        game: Game,
        observer: Observer,
        network: Network,
        learning: ScheduledLearning,
        module: nn.Module,
    ) -> None:
        self.game, self.observer = game, observer
        self.num_values = num_values_for(game.num_seats)
        self.module = module.to(device())
        self.playing = copy.deepcopy(self.module)
        self._network, self._learning = network, learning
        self._optimiser = AdamW(self.module.parameters(), learning.weight_decay)
        # Each thread works on its own part of a batch and has its own gradients. Splitting every
        # operation over OpenMP's threads gains nothing at these sizes.
        threads = learning_threads(learning.threads)
        self._replicas = [copy.deepcopy(self.module) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self._steps = 0

    def card(
        self, training: Mapping[str, object], search: Mapping[str, float] | None = None
    ) -> ModelCard:
        """Return the model card of the saved network."""
        return ModelCard(
            game=self.game.spec,
            game_version=self.game.version,
            network=self._network.kind,
            settings=dict(self._network.settings),
            encoding=self.observer.encoding.name,
            encoding_options=dict(self.observer.options),
            num_values=self.num_values,
            search=dict(search or {}),
            training=dict(training),
        )

    def export(self) -> Tensors:
        """Return everything a resumed learner needs, as named tensors."""
        tensors = add_prefix(self.module.state_dict(), "module.")
        tensors |= add_prefix(self.playing.state_dict(), "playing.")
        tensors |= add_prefix(self._optimiser.tensors(), "optimiser.")
        tensors["steps"] = torch.tensor(self._steps)
        return on_cpu(tensors)

    def restore(self, tensors: Tensors) -> None:
        """Continue exactly where `export` left off."""
        self.module.load_state_dict(strip_prefix(tensors, "module."))
        self.playing.load_state_dict(strip_prefix(tensors, "playing."))
        self._optimiser.restore(strip_prefix(tensors, "optimiser."))
        self._steps = int(tensors["steps"])

    def start_from(self, module: nn.Module) -> None:
        """Take the initial weights from another run's network, which may be smaller."""
        take_over(self.module, module.state_dict())
        self.playing.load_state_dict(self.module.state_dict())

    # -- one step ----------------------------------------------------------------------------

    def _take_step(self, used: Sequence[nn.Module], rate: float) -> None:
        """Take one step along the mean gradient of these replicas."""
        self._collect_gradients(used)
        nn.utils.clip_grad_norm_(self.module.parameters(), self._learning.gradient_clip)
        self._optimiser.step(rate)
        self._steps += 1
        self._average_statistics(used)
        self._average()

    @torch.no_grad()
    def _collect_gradients(self, used: Sequence[nn.Module]) -> None:
        """Move the mean of the replicas' gradients into the trained module."""
        replicas = [replica.parameters() for replica in used]
        for mine, *theirs in zip(self.module.parameters(), *replicas, strict=True):
            gradients = [parameter.grad for parameter in theirs if parameter.grad is not None]
            mine.grad = gradients[0] if gradients else None
            for other in gradients[1:]:
                gradients[0].add_(other)
            if len(gradients) > 1:
                gradients[0].div_(len(gradients))
            for parameter in theirs:
                parameter.grad = None

    @torch.no_grad()
    def _average_statistics(self, used: Sequence[nn.Module]) -> None:
        """Average the batch statistics of these replicas."""
        for name, buffer in self.module.named_buffers():
            seen = [replica.get_buffer(name) for replica in used]
            buffer.copy_(torch.stack(seen).mean(0) if buffer.is_floating_point() else seen[0])

    @torch.no_grad()
    def _average(self) -> None:
        """Move the playing weights towards the trained ones, faster at first."""
        decay = min(self._learning.average_decay, self._steps / (self._steps + 10))
        trained = self.module.state_dict()
        playing = self.playing.state_dict()
        moving = [name for name, tensor in playing.items() if tensor.is_floating_point()]
        torch._foreach_lerp_(
            [playing[name] for name in moving], [trained[name] for name in moving], 1 - decay
        )
        for name in playing.keys() - set(moving):
            playing[name].copy_(trained[name])
