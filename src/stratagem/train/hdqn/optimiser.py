"""AdamW and the soft update of a target network, in one pass over all weights.

The weights of a network, its target's weights and its gradients each become one long vector, and
the module's own tensors become views into it. For networks of this size torch's optimiser spends
more time on calls than on arithmetic. The results equal those of torch.optim.AdamW
(tests/train/hdqn/test_optimiser.py).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from stratagem.core.compile import kernel

_FIRST, _SECOND, _EPSILON = 0.9, 0.999, 1e-8  # AdamW's usual constants


class SoftAdamW:
    """Owns the weights of a module and its target; `step` consumes the gradients."""

    def __init__(
        self, module: nn.Module, target: nn.Module, rate: float, weight_decay: float, tau: float
    ) -> None:
        self._rates = (rate, weight_decay, tau)
        self.weights, gradients = _flatten(module)
        self.target, _ = _flatten(target)
        self.first = torch.zeros_like(self.weights)  # moving averages of the gradient
        self.second = torch.zeros_like(self.weights)  # and of its square
        self.steps = 0
        self._arrays = tuple(
            tensor.numpy()
            for tensor in (self.weights, gradients, self.first, self.second, self.target)
        )

    def step(self) -> None:
        """Move the weights along the gradients, and the target towards the weights."""
        self.steps += 1
        _step(*self._arrays, self.steps, *self._rates)


def _flatten(module: nn.Module) -> tuple[Tensor, Tensor]:
    """Return (weights, gradients): vectors that the module's parameters become views of."""
    parameters = list(module.parameters())
    sizes = [parameter.numel() for parameter in parameters]
    weights = torch.cat([parameter.detach().reshape(-1) for parameter in parameters])
    gradients = torch.zeros_like(weights)
    for parameter, part, gradient in zip(
        parameters, weights.split_with_sizes(sizes), gradients.split_with_sizes(sizes), strict=True
    ):
        parameter.data = part.view_as(parameter)
        if parameter.requires_grad:
            parameter.grad = gradient.view_as(parameter)
    return weights, gradients


@kernel
def _step(weights, gradients, first, second, target, steps, rate, weight_decay, tau):  # type: ignore[no-untyped-def]
    one = np.float32(1.0)
    keep_first, keep_second = np.float32(_FIRST), np.float32(_SECOND)
    decay = np.float32(1.0 - rate * weight_decay)
    size = np.float32(rate / (1.0 - _FIRST**steps))
    root = np.float32(1.0 / np.sqrt(1.0 - _SECOND**steps))
    small, share = np.float32(_EPSILON), np.float32(tau)
    for k in range(len(weights)):
        slope = gradients[k]
        gradients[k] = np.float32(0.0)
        first[k] = keep_first * first[k] + (one - keep_first) * slope
        second[k] = keep_second * second[k] + (one - keep_second) * slope * slope
        moved = weights[k] * decay - size * first[k] / (np.sqrt(second[k]) * root + small)
        weights[k] = moved
        target[k] += share * (moved - target[k])
