"""Q-learning for one network: replay, target network, smooth L1 loss, AdamW (thesis, 2.5, 2.6).

Used for the orchestrator and for every specialist.
"""

from __future__ import annotations

import copy

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.game import Observer
from stratagem.train.hdqn.optimiser import SoftAdamW
from stratagem.train.hdqn.replay import Replay
from stratagem.train.hdqn.settings import LearningSection
from stratagem.train.named_tensors import Tensors, add_prefix, strip_prefix

_VECTORS = ("weights", "target", "first", "second")  # of the optimiser
_CHUNK = 16  # batches observed at a time


class QLearner:
    """Trains one network, which is shared with the player."""

    def __init__(
        self, module: nn.Module, replay: Replay, observer: Observer, settings: LearningSection
    ) -> None:
        self.module = module
        self.replay = replay
        self._observer = observer
        self._settings = settings
        self._target = copy.deepcopy(module).requires_grad_(False)
        # Both share the statistics of the inputs; other buffers (the board's graph) are not
        # learned, and not part of a checkpoint.
        saved = module.state_dict()
        self._statistics = {n: b for n, b in module.named_buffers() if n in saved}
        for mine, theirs in zip(self._target.buffers(), module.buffers(), strict=True):
            mine.data = theirs.data
        self._optimiser = SoftAdamW(
            module, self._target, settings.learning_rate, settings.weight_decay, settings.tau
        )
        shape = (_CHUNK * settings.batch_size, observer.spec.size)
        self._seen = np.empty(shape, np.float32)
        self._seen_next = np.empty(shape, np.float32)
        self.owed = 0.0  # fraction of a step earned by decisions

    def learn(self, decisions: int, generator: np.random.Generator) -> tuple[float, int]:
        """Take the steps that new decisions earn; return (sum of the losses, steps).

        Decisions earn nothing while the replay holds less than a batch.
        """
        self.owed += decisions * self._settings.steps_per_decision
        steps = int(self.owed)
        self.owed -= steps
        if steps == 0 or len(self.replay) < self._settings.batch_size:
            return 0.0, 0
        total = 0.0
        for first in range(0, steps, _CHUNK):
            total += self._train(min(_CHUNK, steps - first), generator)
        return total, steps

    def follow(self) -> None:
        """Copy the current weights into the target network."""
        self._target.load_state_dict(self.module.state_dict())

    def _train(self, steps: int, generator: np.random.Generator) -> float:
        batch, replay = self._settings.batch_size, self.replay
        places = replay.draw(steps * batch, generator)
        following = replay.following[places]
        scale = np.float32(self._settings.reward_scale)
        columns = (
            self._observe(self._seen, places),
            self._observe(self._seen_next, following),
            torch.from_numpy(replay.choices[places]),
            torch.from_numpy(replay.rewards[places] * scale),
            torch.from_numpy(replay.discounts[places]),
            torch.from_numpy(~replay.legal[following]),
        )
        parts = [torch.split(column, batch) for column in columns]
        losses = [self._step(*part) for part in zip(*parts, strict=True)]
        return float(torch.stack(losses).sum())

    def _step(
        self,
        seen: Tensor,  # [B, D]
        seen_next: Tensor,  # [B, D]
        choices: Tensor,  # [B]
        rewards: Tensor,  # [B]
        discounts: Tensor,  # [B]
        illegal_next: Tensor,  # [B, K]
    ) -> Tensor:
        with torch.no_grad():
            ahead = self._target(seen_next).logits.masked_fill(illegal_next, -torch.inf)
            if self._settings.double:
                mine = self.module(seen_next).logits.masked_fill(illegal_next, -torch.inf)
                best = ahead.gather(1, mine.argmax(1, keepdim=True))[:, 0]
            else:
                best = ahead.amax(1)
            wanted = torch.addcmul(rewards, discounts, best)
        values = self.module(seen).logits.gather(1, choices[:, None])[:, 0]
        loss = functional.smooth_l1_loss(values, wanted)
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimiser.step()
        return loss.detach()

    def _observe(self, out: npt.NDArray[np.float32], places: npt.NDArray[np.int64]) -> Tensor:
        seen = out[: len(places)]
        seen.fill(0.0)
        self._observer.observe_into(self.replay.states, places, self.replay.seats[places], seen)
        return torch.from_numpy(seen)

    # -- state -------------------------------------------------------------------------------

    def export(self) -> Tensors:
        """Return everything a resumed learner needs besides its replay, as named tensors."""
        tensors = {name: getattr(self._optimiser, name).clone() for name in _VECTORS}
        tensors |= add_prefix({n: t.clone() for n, t in self._statistics.items()}, "inputs.")
        tensors["steps"] = torch.tensor(self._optimiser.steps)
        tensors["owed"] = torch.tensor(self.owed, dtype=torch.float64)
        return tensors

    def restore(self, tensors: Tensors) -> None:
        """Continue exactly where `export` left off."""
        for name in _VECTORS:
            getattr(self._optimiser, name).copy_(tensors[name])
        for name, tensor in strip_prefix(tensors, "inputs.").items():
            self._statistics[name].copy_(tensor)
        self._optimiser.steps = int(tensors["steps"])
        self.owed = float(tensors["owed"])
