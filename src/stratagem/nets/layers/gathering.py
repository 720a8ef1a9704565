"""For every node of a small fixed graph, gathers its own features and sums over neighbours.

Compiled loops instead of torch calls: on boards of some fifty places a batch is a few hundred
kilobytes, and moving it through half a dozen torch operations (or multiplying by a matrix that is
nearly all zeros) takes several times as long as the sums. Neighbours are added four at a time, so
the width of their lists is a multiple of `LANES`. Always in float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function

from stratagem.core.compile import kernel
from stratagem.core.errors import BadSetting

LANES = 4
SIGNS = 3  # relations of an edge with one feature


def gather(nodes: Tensor, neighbours: Tensor, shares: Tensor, own: bool) -> Tensor:
    """Sum over k of shares[b, n, k, r] * nodes[b, neighbours[n, k]] -> [B, N, R * F].

    nodes [B, N, F], neighbours [N, K], shares [B, N, K, R], or [1, N, K, R] if they are the same in
    every position. K is a multiple of `LANES`. With `own` the node's own features come first: [B,
    N, (1 + R) * F]. Differentiable by the nodes only.
    """
    _check_device(nodes)
    summed: Tensor = _Gather.apply(  # type: ignore[no-untyped-call]
        nodes.float(), neighbours, shares.float(), own
    )
    return summed.to(nodes.dtype)


def relation_shares(edge_features: Tensor, edges: Tensor) -> Tensor:
    """Return each neighbour's share in the mean of a relation: [B, E, W], [N, K] -> [B, N, K, R].

    One feature per edge means three relations, by its sign: above, about and below zero. Several
    mean one relation each, which holds where the feature is above one half.
    """
    _check_device(edge_features)
    features = edge_features.detach().float().contiguous()
    out = torch.empty(len(features), *edges.shape, num_relations(features.shape[2]))
    _share(features.numpy(), edges.numpy(), out.numpy())
    return out


def _check_device(tensor: Tensor) -> None:
    if tensor.device.type != "cpu":
        raise BadSetting("networks of kind graph run only on the CPU: write --device cpu")


def num_relations(edge_features: int) -> int:
    return SIGNS if edge_features == 1 else edge_features


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, nodes: Tensor, neighbours: Tensor, shares: Tensor, own: bool) -> Tensor:
        ctx.save_for_backward(neighbours, shares)
        ctx.own = own
        batch, count, features = nodes.shape
        out = torch.empty(batch, count, own + shares.shape[3], features)
        _gather(
            nodes.detach().contiguous().numpy(), neighbours.numpy(), shares.contiguous().numpy(),
            own, out.numpy(),
        )  # fmt: skip
        return out.flatten(2)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, None, None, None]:
        if not ctx.needs_input_grad[0]:
            return None, None, None, None
        neighbours, shares = ctx.saved_tensors
        (gradient,) = gradients
        batch, count, _ = gradient.shape
        parts = gradient.reshape(batch, count, ctx.own + shares.shape[3], -1)
        out = torch.zeros(batch, count, parts.shape[3])
        _scatter(
            parts.contiguous().numpy(), neighbours.numpy(), shares.contiguous().numpy(),
            ctx.own, out.numpy(),
        )  # fmt: skip
        return out, None, None, None


@kernel
def _gather(nodes, neighbours, shares, own, out):  # type: ignore[no-untyped-def]
    """out [B, N, own + R, F]."""
    batch, count, features = nodes.shape
    for b in range(batch):
        share = shares[b % len(shares)]
        for n in range(count):
            if own:
                for f in range(features):
                    out[b, n, 0, f] = nodes[b, n, f]
            for k in range(0, neighbours.shape[1], LANES):
                one, two = neighbours[n, k], neighbours[n, k + 1]
                three, four = neighbours[n, k + 2], neighbours[n, k + 3]
                for r in range(shares.shape[3]):
                    first, second = share[n, k, r], share[n, k + 1, r]
                    third, fourth = share[n, k + 2, r], share[n, k + 3, r]
                    # The same sum twice: with the condition inside, the loop is not vectorised.
                    if k == 0:
                        for f in range(features):
                            out[b, n, own + r, f] = (
                                first * nodes[b, one, f] + second * nodes[b, two, f]
                                + third * nodes[b, three, f] + fourth * nodes[b, four, f]
                            )  # fmt: skip
                    else:
                        for f in range(features):
                            out[b, n, own + r, f] += (
                                first * nodes[b, one, f] + second * nodes[b, two, f]
                                + third * nodes[b, three, f] + fourth * nodes[b, four, f]
                            )  # fmt: skip


@kernel
def _scatter(gradient, neighbours, shares, own, out):  # type: ignore[no-untyped-def]
    """The gradient of `_gather` by its nodes: gradient [B, N, own + R, F], out arrives zeroed."""
    batch, count, features = out.shape
    for b in range(batch):
        share = shares[b % len(shares)]
        for n in range(count):
            if own:
                for f in range(features):
                    out[b, n, f] += gradient[b, n, 0, f]
            for k in range(neighbours.shape[1]):
                into = neighbours[n, k]
                for r in range(shares.shape[3]):
                    part = share[n, k, r]
                    if part != 0.0:
                        for f in range(features):
                            out[b, into, f] += part * gradient[b, n, own + r, f]


@kernel
def _share(features, edges, out):  # type: ignore[no-untyped-def]
    """features [B, E, W], edges [N, K] (-1: none) -> out [B, N, K, R]."""
    nodes, width = edges.shape
    signs = features.shape[2] == 1
    out[:] = 0.0
    for b in range(len(features)):
        for n in range(nodes):
            for k in range(width):
                if edges[n, k] < 0:
                    continue
                if signs:
                    value = features[b, edges[n, k], 0]
                    sign = 0 if value > 0.5 else 2 if value < -0.5 else 1
                    out[b, n, k, sign] = 1.0
                else:
                    for r in range(out.shape[3]):
                        out[b, n, k, r] = 1.0 if features[b, edges[n, k], r] > 0.5 else 0.0
            for r in range(out.shape[3]):
                total = np.float32(0.0)
                for k in range(width):
                    total += out[b, n, k, r]
                if total > 1.0:
                    for k in range(width):
                        out[b, n, k, r] /= total
