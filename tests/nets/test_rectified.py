"""Fused dense layers compute what the plain ones compute, and their gradients."""

from itertools import pairwise

import pytest
import torch
from torch import nn
from torch.nn import functional

from stratagem.nets.rectified import rectified


@pytest.mark.parametrize("sizes", [(7,), (7, 5), (7, 5, 4, 3)])
@pytest.mark.parametrize("follow", [False, True])
def test_values_and_gradients_are_those_of_plain_layers(sizes, follow):
    torch.manual_seed(1)
    layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
    features = torch.randn(6, sizes[0], requires_grad=follow)
    plain = features
    for layer in layers:
        plain = functional.relu(layer(plain))
    fused = rectified(features, layers)
    assert torch.allclose(fused, plain, atol=1e-6)
    inputs = [*layers.parameters(), *([features] if follow else [])]
    if not inputs:
        return
    weights = torch.randn_like(plain)
    wanted = torch.autograd.grad((plain * weights).sum(), inputs)
    found = torch.autograd.grad((fused * weights).sum(), inputs)
    for one, other in zip(found, wanted, strict=True):
        assert one.is_contiguous()
        assert torch.allclose(one, other, atol=1e-6)
