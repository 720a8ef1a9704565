"""Dense layers with ReLU as one differentiable operation, for networks that learn by small batches.

torch's own gradient of a dense layer is made transposed and then added to the weights' gradient
against the grain, which for a wide first layer costs more than the product itself; and every layer
is half a dozen small calls. Computes what the plain layers compute (tests/nets/test_rectified.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function


def rectified(features: Tensor, layers: Iterable[nn.Module]) -> Tensor:
    """relu(W x + b) by dense layers, one after the other: [B, in] -> [B, units of the last]."""
    weights = [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
    if not weights:
        return features
    found: Tensor = _Rectified.apply(features, *weights)  # type: ignore[no-untyped-call]
    return found


class _Rectified(Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, *weights: Tensor) -> Tensor:
        steps = [features]
        for weight, bias in zip(weights[::2], weights[1::2], strict=True):
            steps.append(torch.addmm(bias, steps[-1], weight.t()).relu_())
        ctx.save_for_backward(*steps, *weights[::2])
        return steps[-1]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        depth = len(ctx.saved_tensors) // 2
        steps, weights = ctx.saved_tensors[: depth + 1], ctx.saved_tensors[depth + 1 :]
        (slope,) = gradients
        found: list[Tensor] = []
        for number in range(depth - 1, -1, -1):
            slope = torch.ops.aten.threshold_backward(slope, steps[number + 1], 0.0)
            found = [torch.mm(slope.t(), steps[number]), slope.sum(0), *found]
            if number or ctx.needs_input_grad[0]:
                slope = torch.mm(slope, weights[number])
        return (slope if ctx.needs_input_grad[0] else None, *found)
