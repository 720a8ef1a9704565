"""The network of places: shapes, links, actions at places, errors."""

import pytest
import torch

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.inference import InferenceNetwork
from stratagem.nets.kinds.places import Settings, build

NODES = ObservationSlice("places", (4, 3), "nodes", ((0, 1), (1, 2)))
FACTS = ObservationSlice("facts", (5,), "vector")
SPEC = ObservationSpec((NODES, FACTS))
ACTIONS = ActionSpec(11, at_nodes=((7, 8), (0, 1), (5, 4), (2, 9)))
SMALL = Settings(channels=4, summary=3, width=16, blocks=1, value_hidden=6)


@pytest.mark.parametrize("num_values", [1, 3])
def test_shapes_and_bounds(num_values):
    output = build(SMALL, SPEC, ACTIONS, num_values)(torch.randn(6, SPEC.size))
    assert output.logits.shape == (6, 11)
    assert output.values.shape == (6, num_values)
    assert output.values.abs().max() <= 1
    assert output.scores.shape == (6, max(num_values, 2))


def test_scores_can_be_left_out():
    network = build(SMALL.model_copy(update={"scores": False}), SPEC, ACTIONS, 1)
    assert network(torch.randn(2, SPEC.size)).scores is None


def test_a_place_moves_its_own_actions():
    """With the trunk's part silenced, a place's features reach its actions alone."""
    network = build(SMALL.model_copy(update={"rounds": 0}), SPEC, ACTIONS, 1).eval()
    for layer in (network.logits, network.place_context):
        torch.nn.init.zeros_(layer.weight)
    torch.nn.init.normal_(network.place_logits.weight)
    torch.nn.init.normal_(network.embed.bias)
    before = torch.rand(1, SPEC.size)
    for place, listed in enumerate(ACTIONS.at_nodes):
        after = before.clone()
        after[:, 3 * place : 3 * place + 3] += 5.0
        moved = (network(after).logits - network(before).logits)[0].abs() > 1e-6
        assert set(moved.nonzero().flatten().tolist()) <= set(listed)


def test_linked_places_hear_each_other():
    network = build(SMALL.model_copy(update={"rounds": 1}), SPEC, ACTIONS, 1).eval()
    before = torch.rand(1, 4, 3)
    after = before.clone()
    after[:, 0] += 5.0

    def heard(rows):
        return network.hearing(torch.relu(network.embed(rows.transpose(0, 1))))

    moved = (heard(after) - heard(before)).abs().amax((1, 2)) > 1e-6
    assert not moved[2] and not moved[3], "one round reaches the neighbours alone"
    assert torch.allclose(network.hearing[0].beside[1], torch.tensor([0.5, 0.0, 0.5, 0.0]))


def test_without_vector_or_actions_at_places():
    alone = ObservationSpec((NODES,))
    assert build(SMALL, alone, ActionSpec(6), 1)(torch.rand(2, 12)).logits.shape == (2, 6)


def test_layouts_that_do_not_fit_are_refused():
    with pytest.raises(BadSetting, match="over 2 places, but this encoding has 4"):
        build(SMALL, SPEC, ActionSpec(9, at_nodes=((0, 1), (2, 3))), 1)
    with pytest.raises(BadSetting, match="reads a 'nodes' slice"):
        build(SMALL, ObservationSpec((FACTS,)), ACTIONS, 1)


def test_inference_agrees():
    torch.manual_seed(1)
    module = build(SMALL, SPEC, ACTIONS, 1)
    observations = torch.rand(9, SPEC.size)
    logits, values = InferenceNetwork(module, SPEC)(observations.numpy())
    with torch.inference_mode():
        plain = module(observations)
    assert torch.allclose(torch.from_numpy(logits), plain.logits, atol=1e-5)
    assert torch.allclose(torch.from_numpy(values), plain.values, atol=1e-5)
