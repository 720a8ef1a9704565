"""Scales inputs to mean 0 and standard deviation 1, by what training has seen so far.

In encodings with raw numbers (a token of 12 beside a hand of 1, most of them the same in every
position), constants drown out what matters. The statistics are learned along with the weights and
saved with them; playing never changes them.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

_SLOWEST = 1e-3  # share of a new batch in the running statistics, after a thousand batches
_LEAST_VARIANCE = 1e-2  # for features that hardly ever change
_LARGEST = 5.0  # a standardised number never exceeds this


class Standardise(nn.Module):
    """(x - mean) / deviation over the last axis; [..., F] -> [..., F]."""

    mean: Tensor  # [F]
    variance: Tensor  # [F]
    batches: Tensor  # [] how many have been seen

    def __init__(self, features: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("variance", torch.ones(features))
        self.register_buffer("batches", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        if self.training and torch.is_grad_enabled():
            self._update(x.detach())
        scale = (self.variance + _LEAST_VARIANCE).rsqrt()
        return ((x - self.mean) * scale).clamp(-_LARGEST, _LARGEST)

    @torch.no_grad()
    def _update(self, x: Tensor) -> None:
        rows = x.reshape(-1, x.shape[-1])
        self.batches += 1
        share = max(1.0 / float(self.batches), _SLOWEST)
        away = rows.mean(0) - self.mean
        self.mean += share * away
        # The squared shift is part of the variance too, while the mean still moves.
        spread = (rows - self.mean).square().mean(0)
        self.variance += share * (spread - self.variance)
