"""The fused optimiser moves weights as torch's AdamW does."""

import copy

import torch
from torch import nn

from stratagem.train.hdqn.optimiser import SoftAdamW


def test_it_is_adamw_with_a_following_target():
    torch.manual_seed(1)
    mine = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 3))
    target = copy.deepcopy(mine).requires_grad_(False)
    theirs, slow = copy.deepcopy(mine), copy.deepcopy(mine)
    fused = SoftAdamW(mine, target, rate=0.01, weight_decay=0.1, tau=0.2)
    plain = torch.optim.AdamW(theirs.parameters(), lr=0.01, weight_decay=0.1)
    for _ in range(30):
        batch = torch.randn(8, 5)
        mine(batch).square().sum().backward()
        fused.step()
        plain.zero_grad()
        theirs(batch).square().sum().backward()
        plain.step()
        with torch.no_grad():
            for one, other in zip(slow.parameters(), theirs.parameters(), strict=True):
                one.lerp_(other, 0.2)
    for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-5)
        assert not one.grad.any()  # used up
    for one, other in zip(target.parameters(), slow.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_weights_that_are_loaded_are_the_weights_that_move():
    module = nn.Linear(3, 2)
    fused = SoftAdamW(module, copy.deepcopy(module), rate=0.1, weight_decay=0.0, tau=0.1)
    module.load_state_dict({"weight": torch.ones(2, 3), "bias": torch.zeros(2)})
    assert fused.weights.tolist() == [1.0] * 6 + [0.0] * 2
    module(torch.ones(1, 3)).sum().backward()
    fused.step()
    assert torch.allclose(module.weight, torch.full((2, 3), 0.9))
