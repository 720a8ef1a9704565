"""The learner: network, optimiser and the running average of weights that goes out to play."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.core.game import Game, Observer
from stratagem.nets.build import build_network
from stratagem.nets.inference import choose_precision
from stratagem.nets.losses import alphazero_loss
from stratagem.nets.model_file import ModelCard
from stratagem.nets.output import NetworkOutput
from stratagem.train.alphazero.replay import Batch, Replay
from stratagem.train.alphazero.settings import LearnSection, NetworkSection

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class LossReport:
    """Mean losses over an iteration's steps."""

    total: float
    policy: float
    value: float
    steps: int


class Learner:
    """Owns the weights being trained and the averaged ones that play."""

    def __init__(
        self, game: Game, network: NetworkSection, settings: LearnSection, seed: int
    ) -> None:
        self.game = game
        self.settings = settings
        self.observer: Observer = game.observer(network.encoding or None, network.encoding_options)
        self.num_values = 1 if game.num_seats == 2 else game.num_seats
        torch.manual_seed(seed)
        self.module = build_network(
            network.kind, network.settings, self.observer.spec, game.actions, self.num_values
        )
        self.playing = copy.deepcopy(self.module)
        self._network = network
        self._optimiser = torch.optim.AdamW(
            self.module.parameters(), lr=settings.rate, weight_decay=settings.weight_decay
        )
        self._mixed = choose_precision(settings.precision) == "bfloat16"
        # Each thread works on its own part of a batch with its own copy of the weights. Splitting
        # every operation over OpenMP's threads instead gained nothing at these sizes.
        self._replicas = [copy.deepcopy(self.module) for _ in range(settings.threads)]
        self._pool = ThreadPoolExecutor(settings.threads)
        self._steps = 0

    def train(
        self, replay: Replay, steps: int, rate: float, generator: np.random.Generator
    ) -> LossReport:
        """Take `steps` steps on random batches."""
        for replica in self._replicas:
            replica.load_state_dict(self.module.state_dict())
            replica.train()
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        sums = np.zeros(3)
        for _ in range(steps):
            batch = replay.draw(
                self.settings.batch, generator, self.observer, self.num_values,
                self.settings.search_value_share, self.settings.symmetries,
            )  # fmt: skip
            sums += self._step(batch)
        total, policy, value = sums / max(steps, 1)
        return LossReport(float(total), float(policy), float(value), steps)

    def _step(self, batch: Batch) -> npt.NDArray[np.float64]:
        """One step of the optimiser; the batch is shared out over the threads."""
        parts = batch.split(len(self._replicas))
        losses = list(self._pool.map(self._gradients, self._replicas, parts))
        replicas = [replica.parameters() for replica in self._replicas]
        for mine, *theirs in zip(self.module.parameters(), *replicas, strict=True):
            gradients = [parameter.grad for parameter in theirs if parameter.grad is not None]
            mine.grad = torch.stack(gradients).mean(0) if gradients else None
        nn.utils.clip_grad_norm_(self.module.parameters(), self.settings.gradient_clip)
        self._optimiser.step()
        self._steps += 1
        self._share_weights()
        self._average()
        mean: npt.NDArray[np.float64] = np.mean(losses, axis=0)
        return mean

    def _gradients(self, replica: nn.Module, batch: Batch) -> tuple[float, float, float]:
        """Forward and backward on one part of a batch, in one thread."""
        torch.set_num_threads(1)
        with torch.autocast("cpu", torch.bfloat16, enabled=self._mixed):
            output = replica(torch.from_numpy(batch.observations))
        losses = alphazero_loss(
            NetworkOutput(output.logits.float(), output.values.float()),
            torch.from_numpy(batch.policies),
            torch.from_numpy(batch.legal),
            torch.from_numpy(batch.values),
            policy_weights=torch.from_numpy(batch.policy_weights),
            value_weight=self.settings.value_weight,
        )
        replica.zero_grad(set_to_none=True)
        losses.total.backward()  # type: ignore[no-untyped-call]
        return losses.total.item(), losses.policy.item(), losses.value.item()

    @torch.no_grad()
    def _share_weights(self) -> None:
        """Trained weights go out to the replicas; their batch statistics come back averaged."""
        for name, buffer in self.module.named_buffers():
            seen = [replica.get_buffer(name) for replica in self._replicas]
            if buffer.is_floating_point():
                buffer.copy_(torch.stack(seen).mean(0))
            else:
                buffer.copy_(seen[0])
        for replica in self._replicas:
            replica.load_state_dict(self.module.state_dict())

    @torch.no_grad()
    def _average(self) -> None:
        """Move the playing weights towards the trained ones; early on they follow closely."""
        decay = min(self.settings.average_decay, self._steps / (self._steps + 10))
        trained = self.module.state_dict()
        for name, tensor in self.playing.state_dict().items():
            if tensor.is_floating_point():
                tensor.lerp_(trained[name], 1 - decay)
            else:
                tensor.copy_(trained[name])

    def card(self, training: Mapping[str, object]) -> ModelCard:
        """What the saved model says about itself."""
        return ModelCard(
            game=self.game.spec,
            game_version=self.game.version,
            network=self._network.kind,
            settings=dict(self._network.settings),
            encoding=self.observer.encoding.name,
            encoding_options=dict(self.observer.options),
            num_values=self.num_values,
            training=dict(training),
        )

    # -- state -------------------------------------------------------------------------------

    def export(self) -> Tensors:
        """Everything a resumed learner needs, as named tensors."""
        tensors = {f"module.{name}": t for name, t in self.module.state_dict().items()}
        tensors |= {f"playing.{name}": t for name, t in self.playing.state_dict().items()}
        for index, state in self._optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{index}.{key}": t for key, t in state.items()}
        tensors["steps"] = torch.tensor(self._steps)
        return {name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()}

    def restore(self, tensors: Tensors) -> None:
        """Take up exactly where `export` left off."""
        self.module.load_state_dict(_below(tensors, "module."))
        self.playing.load_state_dict(_below(tensors, "playing."))
        states: dict[int, Tensors] = {}
        for name, tensor in _below(tensors, "optimiser.").items():
            index, key = name.split(".", 1)
            states.setdefault(int(index), {})[key] = tensor
        current = self._optimiser.state_dict()
        self._optimiser.load_state_dict({"state": states, "param_groups": current["param_groups"]})
        self._steps = int(tensors["steps"])

    def start_from(self, module: nn.Module) -> None:
        """Take the first weights from another run's network."""
        self.module.load_state_dict(module.state_dict())
        self.playing.load_state_dict(module.state_dict())


def _below(tensors: Tensors, prefix: str) -> Tensors:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
