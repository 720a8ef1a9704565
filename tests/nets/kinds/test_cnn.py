"""The convolutional network: sizes, slices, switches."""

import pytest
import torch

from nets.specs import ACTIONS, BOARD, BOARD_AND_FACTS, FACTS, MOVES
from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.kinds.cnn import Settings, build
from stratagem.nets.layers.basic import count_parameters


def _hand_count(channels, height, width, actions, filters, blocks):
    cells = height * width
    norm = lambda size: 2 * size  # noqa: E731
    stem = 9 * channels * filters + norm(filters)
    torso = blocks * 2 * (9 * filters * filters + norm(filters))
    policy = 2 * filters + norm(2) + (2 * cells + 1) * actions
    value = filters + norm(1) + (cells + 1) * filters + filters + 1
    return stem + torso + policy + value


@pytest.mark.parametrize(("filters", "blocks"), [(64, 3), (32, 3), (8, 0)])
def test_parameters_are_those_of_the_paper(filters, blocks):
    observation = ObservationSpec((ObservationSlice("board", (14, 7, 7), "planes"),))
    network = build(Settings(filters=filters, blocks=blocks), observation, ActionSpec(81), 1)
    assert count_parameters(network) == _hand_count(14, 7, 7, 81, filters, blocks)


@pytest.mark.parametrize("pooling", [False, True])
@pytest.mark.parametrize("num_values", [1, 4])
def test_shapes_and_bounds(pooling, num_values):
    settings = Settings(filters=8, blocks=2, global_pooling=pooling, value_hidden=5)
    network = build(settings, BOARD_AND_FACTS, ACTIONS, num_values)
    output = network(100 * torch.randn(7, BOARD_AND_FACTS.size))
    assert output.logits.shape == (7, 9)
    assert output.values.shape == (7, num_values)
    assert output.values.abs().max() <= 1


def test_fresh_policy_is_nearly_even():
    network = build(Settings(), BOARD, ACTIONS, 1).eval()
    probabilities = network(torch.rand(16, BOARD.size)).logits.softmax(1)
    assert probabilities.min() > 0.5 / 9
    assert probabilities.max() < 2 / 9


def test_facts_reach_the_output():
    network = build(Settings(filters=8, blocks=1), BOARD_AND_FACTS, ACTIONS, 1).eval()
    observation = torch.rand(1, BOARD_AND_FACTS.size)
    changed = observation.clone()
    changed[:, : FACTS.size] += 1
    assert not torch.allclose(network(observation).logits, network(changed).logits)


def test_global_pooling_reaches_across_the_board():
    """One 3x3 block sees two cells far; with pooling a change at one end moves the other."""
    wide = ObservationSpec((ObservationSlice("board", (1, 1, 20), "planes"),))

    def far_change(pooling):
        torch.manual_seed(0)
        network = build(Settings(filters=4, blocks=1, global_pooling=pooling), wide, ACTIONS, 1)
        network.eval()
        before = torch.zeros(1, 20)
        after = before.clone()
        after[0, 0] = 10.0
        torso = lambda x: network.blocks(network.stem(x.reshape(1, 1, 1, 20)))  # noqa: E731
        return (torso(before) - torso(after))[..., -1].abs().max().item()

    assert far_change(False) == 0
    assert far_change(True) > 0


def test_same_seed_same_weights():
    def weights():
        torch.manual_seed(5)
        return build(Settings(filters=4), BOARD, ACTIONS, 1).state_dict()

    first, second = weights(), weights()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_needs_planes():
    with pytest.raises(BadSetting, match="reads a 'planes' slice, but this encoding has"):
        build(Settings(), ObservationSpec((MOVES,)), ACTIONS, 1)
