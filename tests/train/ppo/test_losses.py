"""The loss of PPO by hand: clipping, values, entropy, imitation, the pull to a reference."""

import math

import pytest
import torch
from torch import nn

from stratagem.nets.output import NetworkOutput
from stratagem.train.ppo.losses import Decisions, LossWeights, loss_of


class Table(nn.Module):
    """Logits and a value that do not depend on anything."""

    def __init__(self, logits, value=0.0):
        super().__init__()
        self.logits = nn.Parameter(torch.tensor(logits))
        self.value = nn.Parameter(torch.tensor(value))

    def forward(self, observation):
        count = len(observation)
        return NetworkOutput(self.logits.expand(count, -1), self.value.expand(count, 1))


HALF = math.log(0.5)


def batch(action=0, old=HALF, gain=1.0, target=0.0, strength=0.0):
    """One decision between actions 0 and 2; action 1 is illegal."""
    return Decisions(
        observations=torch.zeros(1, 1),
        actions=torch.tensor([action]),
        lengths=torch.tensor([1]),
        legal=torch.tensor([[0, 2, 0]]),
        is_legal=torch.tensor([[True, True, False]]),
        value_targets=torch.tensor([[target]]),
        old=torch.tensor([old]),
        advantages=torch.tensor([gain]),
        strengths=torch.tensor([strength]),
    )


def weights(**changes):
    return LossWeights(**{"clip": 0.2, "entropy": 0.0, "value": 0.0, "imitate": False, **changes})


def slope(table, *arguments, reference=None):
    """Gradient of the loss with respect to the logits."""
    loss, parts = loss_of(table, reference, *arguments)
    loss.backward()
    return table.logits.grad, parts


def test_a_good_action_becomes_likelier():
    found, parts = slope(Table([0.0, 9.0, 0.0]), batch(), weights())
    assert found[0] < 0 < found[2] and found[1] == 0  # the illegal action does not matter
    assert parts["policy"] == pytest.approx(-1.0)


def test_beyond_the_clip_nothing_is_gained():
    table = Table([math.log(3.0), 0.0, 0.0])  # p = 3/4, half as much again as before
    found, parts = slope(table, batch(), weights())
    assert parts["policy"] == pytest.approx(-1.2) and parts["clipped"] == 1.0
    assert torch.count_nonzero(found) == 0
    found, parts = slope(Table([math.log(3.0), 0.0, 0.0]), batch(gain=-1.0), weights())
    assert parts["policy"] == pytest.approx(1.5) and found[0] > 0  # a mistake is undone


def test_divergence_is_zero_only_where_nothing_changed():
    assert slope(Table([1.0, 0.0, 1.0]), batch(), weights())[1]["divergence"] == pytest.approx(0)
    changed = slope(Table([2.0, 0.0, 0.0]), batch(), weights())[1]["divergence"]
    assert changed > 0.05


def test_values_and_entropy_enter_by_their_weights():
    table = Table([0.0, 0.0, 0.0], value=0.5)
    loss, parts = loss_of(
        table, None, batch(gain=0.0, target=-0.5), weights(value=2.0, entropy=0.1)
    )
    assert parts["value"] == pytest.approx(1.0)
    assert parts["entropy"] == pytest.approx(math.log(2))
    assert loss.item() == pytest.approx(2.0 - 0.1 * math.log(2))


def test_imitation_is_cross_entropy():
    found, parts = slope(Table([0.0, 5.0, 0.0]), batch(action=2), weights(imitate=True))
    assert parts["policy"] == pytest.approx(math.log(2))
    assert found[2] < 0 < found[0]


def test_the_reference_pulls_by_its_strength():
    reference = Table([math.log(3.0), 0.0, 0.0])
    expected = 0.75 * math.log(1.5) + 0.25 * math.log(0.5)  # of the reference from the policy
    for strength in (0.0, 0.5):
        table = Table([0.0, 0.0, 0.0])
        found, parts = slope(
            table, batch(gain=0.0, strength=strength), weights(), reference=reference
        )
        assert parts["reference"] == pytest.approx(expected)
        assert parts["total"] == pytest.approx(strength * expected)
        assert found[0] == pytest.approx(-0.25 * strength)
    assert reference.logits.grad is None
