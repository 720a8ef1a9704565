"""AdamW, fused over all weights, with the same arithmetic as torch.

`torch.optim.AdamW` imports torch's compiler when it is created, which nothing here uses. That takes
a second at the start of every training run and of every process that trains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

_FIRST, _SECOND, _EPSILON = 0.9, 0.999, 1e-8  # AdamW's usual constants


@dataclass
class _Moments:
    """The moving averages for one weight; the names are those in checkpoints."""

    step: Tensor
    exp_avg: Tensor
    exp_avg_sq: Tensor


class AdamW:
    """Updates weights along their gradients; weights without a gradient do not change."""

    def __init__(self, parameters: Iterable[nn.Parameter], weight_decay: float) -> None:
        self._parameters = list(parameters)
        self._weight_decay = weight_decay
        self._moments: dict[int, _Moments] = {}  # by the weight's index

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Take one step with the weights' current gradients."""
        moved = [
            (index, weight, weight.grad)
            for index, weight in enumerate(self._parameters)
            if weight.grad is not None
        ]
        if not moved:
            return
        moments = [self._moments_of(index, weight) for index, weight, _ in moved]
        steps = [one.step for one in moments]
        torch._foreach_add_(steps, 1)
        torch._fused_adamw_(
            [weight for _, weight, _ in moved],
            [gradient for _, _, gradient in moved],
            [one.exp_avg for one in moments],
            [one.exp_avg_sq for one in moments],
            [],
            steps,
            lr=rate,
            beta1=_FIRST,
            beta2=_SECOND,
            weight_decay=self._weight_decay,
            eps=_EPSILON,
            amsgrad=False,
            maximize=False,
        )

    def _moments_of(self, index: int, weight: nn.Parameter) -> _Moments:
        if index not in self._moments:
            self._moments[index] = _Moments(
                torch.zeros((), device=weight.device),
                torch.zeros_like(weight, memory_format=torch.preserve_format),
                torch.zeros_like(weight, memory_format=torch.preserve_format),
            )
        return self._moments[index]

    def tensors(self) -> dict[str, Tensor]:
        """Return the moving averages by name: `0.exp_avg`."""
        return {
            f"{index}.{name}": tensor
            for index, one in self._moments.items()
            for name, tensor in vars(one).items()
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue exactly where `tensors` left off."""
        found: dict[int, dict[str, Tensor]] = {}
        for name, tensor in tensors.items():
            index, key = name.split(".", 1)
            found.setdefault(int(index), {})[key] = tensor
        self._moments = {
            index: _Moments(**{
                name: tensor.to(self._parameters[index].device, copy=True)
                for name, tensor in named.items()
            })
            for index, named in found.items()
        }  # fmt: skip
