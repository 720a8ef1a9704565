"""Halting: after each iteration a recurrent network says whether it has thought enough.

PonderNet, after Banino, Balaguer and Blundell (2021). In training every iteration's output is
weighted by the probability of stopping there, and the distribution of stops is kept close to a
geometric one. When playing, a position keeps the output of the iteration at which it has more
likely than not stopped, so larger boards may take longer.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from stratagem.nets.layers.basic import last_dense
from stratagem.nets.layers.hex_blocks import BoardPool

_TINY = 1e-6


class HaltingHead(nn.Module):
    """[B, C, H, W] -> [B]: the probability of stopping now, if it has not stopped before."""

    def __init__(self, channels: int, usual: float) -> None:
        super().__init__()
        self.pool = BoardPool(channels, 0)
        self.out = last_dense(2 * channels, 1)
        nn.init.constant_(self.out.bias, float(torch.logit(torch.tensor(usual))))

    def forward(self, state: Tensor) -> Tensor:
        return torch.sigmoid(self.out(self.pool(state))[:, 0].float())


def stop_distribution(chances: Sequence[Tensor]) -> Tensor:
    """Return [B, n] where it stops, given chances [B] per iteration; the last one must stop."""
    each = torch.stack(list(chances), 1)
    going_on = torch.cumprod(1 - each[:, :-1], 1)  # [B, n - 1] chance to continue after each
    before = torch.cat([torch.ones_like(each[:, :1]), going_on], 1)
    stops = torch.cat([each[:, :-1], torch.ones_like(each[:, :1])], 1)
    return before * stops


def divergence_from_geometric(distribution: Tensor, usual: float) -> Tensor:
    """Mean KL divergence of [B, n] from the geometric distribution, truncated at the end."""
    count = distribution.shape[1]
    wanted = usual * (1 - usual) ** torch.arange(count, dtype=distribution.dtype)
    wanted[-1] = 1 - wanted[:-1].sum()
    ratio = (distribution + _TINY).log() - (wanted + _TINY).log()
    return (distribution * ratio).sum(1).mean()
