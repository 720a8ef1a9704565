"""A larger network takes over a smaller one's weights and answers as it did."""

import pytest
import torch

from nets.specs import hex_specs
from stratagem.core.errors import BadSetting
from stratagem.nets.growing import take_over
from stratagem.nets.kinds.recall import Settings, build

SMALL = {"filters": 8, "iterations": 3}


def _network(seed, channels=5, **settings):
    torch.manual_seed(seed)
    observation, actions = hex_specs(5, 5, channels=channels)
    network = build(Settings(**{**SMALL, **settings}), observation, actions, 1)
    # Fresh biases and heads are zeros; equality would prove little.
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if "looks" not in name:
                parameter.add_(0.1 * torch.randn_like(parameter))
    return network


def test_the_larger_network_answers_like_the_smaller_one():
    small, large = _network(1), _network(2, channels=7, fields=2, focus=4)
    take_over(large, small.state_dict())
    seen = torch.randn(6, 7, 25)
    with torch.no_grad():
        before, after = small(seen[:, :5].flatten(1)), large(seen.flatten(1))
    torch.testing.assert_close(after.logits, before.logits, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(after.values, before.values, atol=1e-4, rtol=1e-4)


def test_what_is_new_learns():
    small, large = _network(1), _network(2, channels=7, fields=2, focus=4)
    take_over(large, small.state_dict())
    output = large(torch.randn(6, 7 * 25))
    (output.logits.square().sum() + output.values.sum()).backward()
    for layer in (large.projection.column, large.step.input.sides):
        assert (layer.grad[:, 5:].abs().amax((0, 2, 3)) > 0).all()  # the new plane and the fields
    assert large.value.pool.looks.weight.grad.abs().max() > 0


def test_a_network_that_does_not_fit_is_refused_and_nothing_changes():
    large = _network(2, channels=7, fields=2)
    before = {name: tensor.clone() for name, tensor in large.state_dict().items()}
    with pytest.raises(BadSetting, match="only the inputs of a layer may grow"):
        take_over(large, _network(1, filters=16).state_dict())
    with pytest.raises(BadSetting, match="only the inputs of a layer may grow"):
        take_over(large, _network(1, channels=9, fields=2).state_dict())
    with pytest.raises(BadSetting, match="do not fit into"):
        take_over(_network(2), large.state_dict())
    after = large.state_dict()
    assert all(torch.equal(after[name], tensor) for name, tensor in before.items())
