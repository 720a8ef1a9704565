"""The learner: network, optimiser and the running average of weights that goes out to play."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, Observer
from stratagem.nets.build import build_network
from stratagem.nets.inference import choose_precision
from stratagem.nets.losses import Losses, alphazero_loss
from stratagem.nets.model_file import ModelCard
from stratagem.nets.output import HasTrainingTerms, NetworkOutput, SizeFree, num_values_for
from stratagem.train.alphazero.replay import Batch, Replay
from stratagem.train.alphazero.settings import LearnSection, NetworkSection

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class LossReport:
    """Mean losses over an iteration's steps."""

    total: float
    policy: float
    value: float
    score: float
    steps: int


class Learner:
    """Owns the weights being trained and the averaged ones that play."""

    def __init__(
        self, games: Sequence[Game], network: NetworkSection, settings: LearnSection, seed: int
    ) -> None:
        self.games = games
        self.settings = settings
        self.observers: list[Observer] = [
            game.observer(network.encoding or None, network.encoding_options) for game in games
        ]
        self.num_values = num_values_for(games[0].num_seats)
        self._network = network
        torch.manual_seed(seed)
        self.module = build_network(
            network.kind, network.settings, self.observers[0].spec, games[0].actions,
            self.num_values,
        )  # fmt: skip
        self.playing = copy.deepcopy(self.module)
        self._optimiser = torch.optim.AdamW(
            self.module.parameters(), lr=settings.rate, weight_decay=settings.weight_decay
        )
        self._mixed = choose_precision(settings.precision) == "bfloat16"
        # Each thread works on its own part of a batch with its own copy of the weights. Splitting
        # every operation over OpenMP's threads instead gained nothing at these sizes.
        self._replicas = [copy.deepcopy(self.module) for _ in range(settings.threads)]
        tables = range(len(games))
        self._bound = [[self.bound(one, table) for table in tables] for one in self._replicas]
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
        sums = np.zeros(4)
        for _ in range(steps):
            batch = replay.draw(
                self.settings.batch, generator, self.observers, self.num_values,
                self.settings.search_value_share, self.settings.symmetries,
            )  # fmt: skip
            sums += self._step(batch, int(generator.integers(2**63)))
        total, policy, value, score = sums / max(steps, 1)
        return LossReport(float(total), float(policy), float(value), float(score), steps)

    def _step(self, batch: Batch, seed: int) -> npt.NDArray[np.float64]:
        """One step of the optimiser; the batch is shared out over the threads."""
        parts = batch.split(len(self._replicas))
        modules = [bound[batch.table] for bound in self._bound]
        losses = list(self._pool.map(self._gradients, modules, parts, [seed] * len(parts)))
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

    def _gradients(self, module: nn.Module, batch: Batch, seed: int) -> npt.NDArray[np.float64]:
        """Forward and backward on one part of a batch, in one thread."""
        torch.set_num_threads(1)
        observations = torch.from_numpy(batch.observations)
        with torch.autocast("cpu", torch.bfloat16, enabled=self._mixed):
            if isinstance(module, HasTrainingTerms):
                terms = module.training_terms(observations, torch.Generator().manual_seed(seed))
            else:
                terms = [(1.0, module(observations))]
        total, shown = torch.zeros(()), np.zeros(4)
        for weight, output in terms:
            losses = self._loss(output, batch)
            total = total + weight * losses.total
            shown += [weight * float(one.detach()) for one in losses]
        module.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        return shown

    def _loss(self, output: NetworkOutput, batch: Batch) -> Losses:
        return alphazero_loss(
            output.float(),
            torch.from_numpy(batch.policies),
            torch.from_numpy(batch.legal),
            torch.from_numpy(batch.values),
            policy_weights=torch.from_numpy(batch.policy_weights),
            value_weight=self.settings.value_weight,
            score_target=torch.from_numpy(batch.scores / np.float32(self.settings.score_scale)),
            score_weight=self.settings.score_weight,
        )

    # -- one set of weights, several sizes of board ------------------------------------------

    def bound(self, module: nn.Module, table: int) -> nn.Module:
        """The same weights (not a copy), reading observations of another of the run's games."""
        same = self.observers[table].spec == self.observers[0].spec
        if same and self.games[table].actions == self.games[0].actions:
            return module
        if not isinstance(module, SizeFree):
            raise BadSetting(
                f"network {self._network.kind} is made for one size of board: choose recall or "
                "residual, or scenarios of one size"
            )
        other: nn.Module = module.on_board(self.observers[table].spec, self.games[table].actions)
        return other

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
