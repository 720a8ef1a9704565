"""The convolution layer of networks with planes, and the initialization of layers.

A convolution, its batch normalization, a sum and a ReLU are in one module, so that inference can
replace it by one fused operation.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

SMALL_GAIN = 0.01  # scale of a head's last layer: a new network is nearly undecided


class ConvNorm(nn.Module):
    """relu(batch_norm(convolution(x)) + residual) on [B, C, H, W]; keeps height and width."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(
            in_channels, out_channels, kernel_size, padding=kernel_size // 2, bias=False
        )
        self.norm = nn.BatchNorm2d(out_channels)
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu")

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        y = self.norm(self.conv(x))
        return functional.relu(y if residual is None else y + residual)

    @torch.no_grad()
    def folded(self) -> tuple[Tensor, Tensor]:
        """Return (weight, bias) of the plain convolution equal to this layer in evaluation mode."""
        norm = self.norm
        assert norm.running_mean is not None and norm.running_var is not None
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weight = self.conv.weight * scale[:, None, None, None]
        return weight, norm.bias - norm.running_mean * scale


def dense(in_features: int, out_features: int) -> nn.Linear:
    """Return a dense layer that is followed by a ReLU."""
    layer = nn.Linear(in_features, out_features)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    nn.init.zeros_(layer.bias)
    return layer


def last_dense(in_features: int, out_features: int) -> nn.Linear:
    """Return the last layer of a head: small weights, so that training starts from even odds."""
    layer = nn.Linear(in_features, out_features)
    nn.init.normal_(layer.weight, std=SMALL_GAIN)
    nn.init.zeros_(layer.bias)
    return layer


def count_parameters(module: nn.Module) -> int:
    """Return how many numbers training adjusts."""
    return sum(parameter.numel() for parameter in module.parameters() if parameter.requires_grad)
