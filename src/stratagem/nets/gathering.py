"""Weighted sums over the neighbours of every node of a small fixed graph, relation by relation.

Compiled loops instead of torch calls: on boards of some fifty places a batch is a few hundred
kilobytes, and moving it through half a dozen torch operations (or multiplying by a matrix that is
nearly all zeros) costs several times the sums themselves. Neighbours are added four at a time, so
their lists have a width that is a multiple of `LANES`. Always in float32. Knows no weights.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from stratagem.core.compile import kernel

LANES = 4


def gather(nodes: Tensor, neighbours: Tensor, shares: Tensor) -> Tensor:
    """Sum over k of shares[b, n, k, r] * nodes[b, neighbours[n, k]] -> [B, N, R, F].

    nodes [B, N, F], neighbours [N, K], shares [B, N, K, R], or [1, N, K, R] where they are the same
    in every position. K is a multiple of `LANES`. Differentiable by the nodes only.
    """
    summed: Tensor = _Gather.apply(  # type: ignore[no-untyped-call]
        nodes.float(), neighbours, shares.float()
    )
    return summed.to(nodes.dtype)


def relation_shares(membership: Tensor, edges: Tensor) -> Tensor:
    """What part each neighbour has in the mean of a relation: [B, E, R], [N, K] -> [B, N, K, R]."""
    holds = membership.detach().float().contiguous()
    out = torch.empty(len(holds), *edges.shape, holds.shape[2])
    _share(holds.numpy(), edges.numpy(), out.numpy())
    return out


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, nodes: Tensor, neighbours: Tensor, shares: Tensor) -> Tensor:
        ctx.save_for_backward(neighbours, shares)
        batch, count, features = nodes.shape
        out = torch.empty(batch, count, shares.shape[3], features)
        _gather(
            nodes.detach().contiguous().numpy(), neighbours.numpy(), shares.contiguous().numpy(),
            out.numpy(),
        )  # fmt: skip
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, None, None]:
        if not ctx.needs_input_grad[0]:
            return None, None, None
        neighbours, shares = ctx.saved_tensors
        (gradient,) = gradients
        batch, count, _, features = gradient.shape
        out = torch.zeros(batch, count, features)
        _scatter(
            gradient.contiguous().numpy(), neighbours.numpy(), shares.contiguous().numpy(),
            out.numpy(),
        )  # fmt: skip
        return out, None, None


@kernel
def _gather(nodes, neighbours, shares, out):  # type: ignore[no-untyped-def]
    batch, count, features = nodes.shape
    for b in range(batch):
        share = shares[b % len(shares)]
        for n in range(count):
            for k in range(0, neighbours.shape[1], LANES):
                one, two = neighbours[n, k], neighbours[n, k + 1]
                three, four = neighbours[n, k + 2], neighbours[n, k + 3]
                for r in range(shares.shape[3]):
                    first, second = share[n, k, r], share[n, k + 1, r]
                    third, fourth = share[n, k + 2, r], share[n, k + 3, r]
                    for f in range(features):
                        total = first * nodes[b, one, f] + second * nodes[b, two, f]
                        total += third * nodes[b, three, f] + fourth * nodes[b, four, f]
                        out[b, n, r, f] = total if k == 0 else out[b, n, r, f] + total


@kernel
def _scatter(gradient, neighbours, shares, out):  # type: ignore[no-untyped-def]
    """The gradient of `_gather` by its nodes; out arrives zeroed."""
    batch, count, features = out.shape
    for b in range(batch):
        share = shares[b % len(shares)]
        for n in range(count):
            for k in range(neighbours.shape[1]):
                into = neighbours[n, k]
                for r in range(shares.shape[3]):
                    part = share[n, k, r]
                    if part != 0.0:
                        for f in range(features):
                            out[b, into, f] += part * gradient[b, n, r, f]


@kernel
def _share(holds, edges, out):  # type: ignore[no-untyped-def]
    """holds [B, E, R], edges [N, K] (-1: none) -> out [B, N, K, R]."""
    nodes, width = edges.shape
    for b in range(len(holds)):
        for n in range(nodes):
            for r in range(holds.shape[2]):
                total = 0.0
                for k in range(width):
                    part = holds[b, edges[n, k], r] if edges[n, k] >= 0 else 0.0
                    out[b, n, k, r] = part
                    total += part
                if total > 1.0:
                    for k in range(width):
                        out[b, n, k, r] /= total
