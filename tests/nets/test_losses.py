"""The AlphaZero loss: hand examples, masks, weights; and that networks learn from it."""

import math

import pytest
import torch

from nets.specs import ACTIONS, BOARD, FULL
from stratagem.nets.build import build_network
from stratagem.nets.losses import Targets, alphazero_loss, masked_log_softmax
from stratagem.nets.output import NetworkOutput

# Two legal actions with odds 1 : 3, one illegal action that would win by far.
LOGITS = torch.tensor([[0.0, math.log(3.0), 50.0]])
MASK = torch.tensor([[True, True, False]])


def test_hand_example():
    output = NetworkOutput(LOGITS, torch.tensor([[0.5]]))
    targets = Targets(torch.tensor([[0.5, 0.5, 0.0]]), MASK, torch.tensor([[-1.0]]))
    losses = alphazero_loss(output, targets)
    policy = -0.5 * math.log(0.25) - 0.5 * math.log(0.75)
    assert losses.policy.item() == pytest.approx(policy, abs=1e-6)
    assert losses.value.item() == pytest.approx(2.25)
    assert losses.total.item() == pytest.approx(policy + 2.25, abs=1e-6)


def test_value_weight_scales_only_the_total():
    output = NetworkOutput(LOGITS, torch.tensor([[0.5]]))
    targets = Targets(torch.tensor([[1.0, 0.0, 0.0]]), MASK, torch.tensor([[-1.0]]))
    losses = alphazero_loss(output, targets, value_weight=0.5)
    assert losses.value.item() == pytest.approx(2.25)
    assert losses.total.item() == pytest.approx(math.log(4) + 1.125, abs=1e-6)


def test_policy_weights_average_the_policy_term_only():
    output = NetworkOutput(LOGITS.repeat(2, 1), torch.tensor([[0.0, 0.0], [1.0, 0.0]]))
    policy = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    value = torch.tensor([[1.0, 1.0], [1.0, 1.0]])
    targets = Targets(policy, MASK.repeat(2, 1), value, torch.tensor([3.0, 1.0]))
    losses = alphazero_loss(output, targets)
    assert losses.policy.item() == pytest.approx((3 * math.log(4) + math.log(4 / 3)) / 4)
    assert losses.value.item() == pytest.approx((1.0 + 0.5) / 2)
    nothing = alphazero_loss(output, targets._replace(policy_weights=torch.zeros(2)))
    assert nothing.policy.item() == 0
    assert nothing.total.item() == pytest.approx(0.75)


def test_illegal_actions_get_no_gradient():
    logits = LOGITS.clone().requires_grad_()
    output = NetworkOutput(logits, torch.zeros(1, 1))
    target = torch.tensor([[0.9, 0.1, 0.0]])
    alphazero_loss(output, Targets(target, MASK, torch.zeros(1, 1))).total.backward()
    assert logits.grad is not None
    assert logits.grad[0, 2] == 0
    assert torch.allclose(logits.grad[0, :2], torch.tensor([0.25 - 0.9, 0.75 - 0.1]))


def test_masked_log_softmax_sums_to_one():
    log_probabilities = masked_log_softmax(LOGITS, MASK)
    assert log_probabilities[0, :2].exp().sum().item() == pytest.approx(1)
    assert log_probabilities[0, 2] == 0
    nobody = masked_log_softmax(LOGITS, torch.zeros_like(MASK))
    assert torch.isfinite(nobody).all()


@pytest.mark.parametrize(
    ("kind", "settings", "observation"),
    [
        ("cnn", {"filters": 16, "blocks": 1}, BOARD),
        ("cnn", {"filters": 16, "blocks": 1, "global_pooling": True}, FULL),
        ("transformer", {"layers": 2, "width": 32}, BOARD),
        ("transformer", {"layers": 2, "width": 32, "action_tokens": True}, FULL),
    ],
)
def test_networks_learn_64_samples_by_heart(kind, settings, observation):
    torch.manual_seed(3)
    network = build_network(kind, settings, observation, ACTIONS, 1)
    samples = torch.rand(64, observation.size)
    best = torch.randint(9, (64,))
    target = torch.nn.functional.one_hot(best, 9).float()
    mask = (torch.rand(64, 9) < 0.7) | target.bool()
    value = torch.randint(2, (64, 1)).float() * 2 - 1
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    for _ in range(150):
        losses = alphazero_loss(network(samples), Targets(target, mask, value))
        optimizer.zero_grad()
        losses.total.backward()
        optimizer.step()
    assert losses.policy.item() < 0.05
    assert losses.value.item() < 0.05
