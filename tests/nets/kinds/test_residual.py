"""The residual hex network: the paper's sizes, any board."""

import pytest
import torch

from nets.specs import hex_specs
from stratagem.core.errors import BadSetting
from stratagem.nets.kinds.residual import Settings, build
from stratagem.nets.layers.basic import count_parameters


def test_parameters_are_those_of_the_paper():
    observation, actions = hex_specs(5, 5, channels=86, planes=21)
    network = build(Settings(), observation, actions, 1)
    assert count_parameters(network) == 12_003_992
    assert not [name for name, _ in network.named_parameters() if "bias" in name]


@pytest.mark.parametrize("style", ["compact", "paper"])
def test_same_weights_on_another_board(style):
    observation, actions = hex_specs(5, 5)
    network = build(Settings(style=style, filters=8, blocks=2), observation, actions, 1)
    assert network(torch.rand(3, observation.size)).logits.shape == (3, 50)
    larger, larger_actions = hex_specs(6, 9)
    other = network.on_board(larger, larger_actions)
    assert other(torch.rand(3, larger.size)).logits.shape == (3, 108)
    assert [id(p) for p in other.parameters()] == [id(p) for p in network.parameters()]
    with pytest.raises(BadSetting, match="the same planes"):
        network.on_board(*hex_specs(6, 9, planes=3))
