"""The tower over half-cells: heads on whole hexes, a head of its own, the paper's sizes."""

import pytest
import torch

from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.kinds.doubled import HalvesToHexes, Settings, build
from stratagem.nets.layers.basic import count_parameters

BOARD = ObservationSpec((ObservationSlice("board", (3, 3, 8), "planes"),))
SMALL = Settings(filters=4, blocks=1, policy_filters=2, value_filters=1, value_hidden=5)


def test_hexes_are_put_together_from_their_own_halves():
    """Number the hexes of the grid; each hex must find its number in both of its halves."""
    halves = torch.zeros(1, 1, 3, 8)
    for row in range(3):
        for column in range(4):
            left = 2 * column + row % 2
            halves[0, 0, row, left : left + 2] = 1 + 10 * row + column
    hexes = HalvesToHexes(3, 4)(halves)  # [1, 4, 3, 4]
    for row in range(3):
        for column in range(4):
            cut_off = row % 2 == 1 and column == 3  # the board has no such hex
            number = 1 + 10 * row + column
            assert hexes[0, 0, row, column] == number
            assert hexes[0, 1, row, column] == (0 if cut_off else number)
    assert hexes[0, 2:, 0, 1].tolist() == [11, 12], (
        "below hex 1 of row 0 lie hexes 0 and 1 of row 1"
    )
    assert hexes[0, 2:, 1, 0].tolist() == [21, 22], (
        "below hex 0 of row 1 lie hexes 0 and 1 of row 2"
    )
    assert not hexes[0, 2:, 2].any(), "nothing lies below the last row"


def test_own_head_keeps_the_order_of_actions():
    settings = SMALL.model_copy(update={"own_head": (2, 4)})
    network = build(settings, BOARD, ActionSpec(7), 1).eval()
    torch.nn.init.zeros_(network.policy_logits.weight)
    torch.nn.init.zeros_(network.own_logits.weight)
    network.policy_logits.bias.data = torch.tensor([0.0, 1.0, 4.0, 5.0, 6.0])
    network.own_logits.bias.data = torch.tensor([2.0, 3.0])
    assert network(torch.rand(1, BOARD.size)).logits[0].tolist() == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("num_values", [1, 4])
def test_shapes_and_bounds(num_values):
    output = build(SMALL, BOARD, ActionSpec(7), num_values)(torch.randn(5, BOARD.size))
    assert output.logits.shape == (5, 7)
    assert output.values.shape == (5, num_values)
    assert output.scores.shape == (5, max(num_values, 2))
    assert output.values.abs().max() <= 1


@pytest.mark.parametrize("encoding", ["paper", "exact"])
def test_sizes_of_the_paper(encoding):
    """9 x 26 x 206 in, 9 x 13 x 18 + 32 and 5 out, 264 units before the value."""
    game = load_game("terra_mystica")
    spec = game.observer(encoding).spec
    assert spec.slices[0].shape == (48 * 2 + 110, 9, 26)
    assert game.actions.size == 9 * 13 * 18 + 32 + 5 == 2143
    with torch.device("meta"):
        network = build(Settings(own_head=(2138, 2143)), spec, game.actions, 1)
    assert len(network.blocks) == 19
    assert network.stem.conv.weight.shape == (256, 206, 3, 3)
    assert network.policy_logits.weight.shape == (9 * 13 * 18 + 32, 64 * 9 * 13)
    assert network.own_logits.weight.shape == (5, 9 * 13)
    assert network.value_hidden.weight.shape == (264, 32 * 9 * 26)
    tower = 206 * 256 * 9 + 512 + 19 * 2 * (256 * 256 * 9 + 512)
    policy = 4 * 256 * 64 + 128 + (64 * 117 + 1) * 2138 + 64 + 2 + 118 * 5
    value = 256 * 32 + 64 + (32 * 234 + 1) * 264 + 265 * (1 + 2)
    assert count_parameters(network) == tower + policy + value


def test_errors_name_the_fix():
    odd = ObservationSpec((ObservationSlice("board", (3, 3, 7), "planes"),))
    with pytest.raises(BadSetting, match="the board is 7 wide"):
        build(SMALL, odd, ActionSpec(7), 1)
    with pytest.raises(BadSetting, match="own_head ends at 9, but there are 7 actions"):
        build(SMALL.model_copy(update={"own_head": (2, 9)}), BOARD, ActionSpec(7), 1)


def test_inference_agrees():
    torch.manual_seed(2)
    module = build(SMALL, BOARD, ActionSpec(7), 1).eval()
    observations = torch.rand(9, BOARD.size)
    logits, values = InferenceNetwork(module, BOARD)(observations.numpy())
    with torch.inference_mode():
        plain = module(observations)
    assert torch.allclose(torch.from_numpy(logits), plain.logits, atol=1e-5)
    assert torch.allclose(torch.from_numpy(values), plain.values, atol=1e-5)
