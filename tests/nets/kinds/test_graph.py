"""The network over a fixed graph: where logits come from, what it refuses, both precisions."""

import numpy as np
import pytest
import torch

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.build import build_network
from stratagem.nets.inference import InferenceNetwork

ROADS = ((0, 1), (1, 2), (2, 3))
NODES = ObservationSlice("places", (4, 3), "nodes", ROADS)
EDGES = ObservationSlice("edges", (3, 2), "edges", ROADS)
FACTS = ObservationSlice("facts", (5,), "vector")
WHOLE = ObservationSpec((FACTS, NODES, EDGES))
# Ten actions: two at each of four nodes would be eight, so one each; two at each edge would be six.
ACTIONS = ActionSpec(10, at_nodes=((3,), (2,), (1,), (0,)), at_edges=((9,), (5,), (7,)))


def make(observation=WHOLE, actions=ACTIONS, values=1, **settings):
    torch.manual_seed(1)
    module = build_network(
        "graph", {"channels": 8, "hidden": 16, **settings}, observation, actions, values
    )
    for parameter in module.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    return module


def test_shapes():
    output = make(values=3)(torch.randn(7, WHOLE.size))
    assert output.logits.shape == (7, 10)
    assert output.values.shape == (7, 3) and output.values.abs().max() <= 1
    assert output.scores.shape == (7, 3)
    assert make()(torch.randn(2, WHOLE.size)).scores.shape == (2, 2)
    assert make(scores=False)(torch.randn(2, WHOLE.size)).scores is None


def test_each_action_reads_its_own_place():
    """Without rounds of gathering a node's logit depends on itself and its edges alone."""
    module = make(layers=0)
    seen = torch.randn(1, WHOLE.size)
    changed = seen.clone()
    changed[0, 5:8] += 1.0  # the first node
    moved = (module(seen).logits - module(changed).logits).abs()[0] > 1e-6
    there = {3, 9, 4, 6, 8}  # its node, its edge, and the actions of no place in particular
    assert {k for k in range(10) if moved[k]} == there


def test_neighbours_are_heard_one_round_at_a_time():
    seen = torch.randn(1, WHOLE.size)
    changed = seen.clone()
    changed[0, 5:8] += 1.0
    for rounds, reached in ((1, {3, 2}), (2, {3, 2, 1}), (3, {3, 2, 1, 0})):
        module = make(layers=rounds)
        moved = (module(seen).logits - module(changed).logits).abs()[0] > 1e-7
        assert {k for k in range(4) if moved[k]} == reached


def test_direction_of_an_edge_does_not_matter():
    turned = tuple((other, one) for one, other in ROADS)
    nodes = ObservationSlice("places", (4, 3), "nodes", turned)
    edges = ObservationSlice("edges", (3, 2), "edges", turned)
    seen = torch.randn(3, WHOLE.size)
    one = make()(seen).logits
    other = make(ObservationSpec((FACTS, nodes, edges)))(seen).logits
    assert torch.allclose(one, other, atol=1e-6)


def test_relations_are_told_apart():
    both = ObservationSlice("places", (4, 3), "nodes", ROADS, (ROADS[:1], ROADS[1:]))
    module = make(ObservationSpec((FACTS, both, EDGES)))
    assert module.means.shape == (8, 4)
    assert module.rounds[0].mix.in_features == 3 * 8


def test_without_edges_and_vector():
    actions = ActionSpec(5, at_nodes=((0,), (1,), (2,), (3,)))
    spec = ObservationSpec((NODES,))
    assert make(spec, actions)(torch.randn(2, spec.size)).logits.shape == (2, 5)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_inference_says_the_same(precision):
    module = make()
    seen = np.random.default_rng(1).normal(size=(9, WHOLE.size)).astype(np.float32)
    logits, values = InferenceNetwork(module, WHOLE, precision=precision)(seen)
    expected = module.eval()(torch.from_numpy(seen))
    tolerance = 1e-5 if precision == "float32" else 0.06
    assert np.allclose(logits, expected.logits.detach().numpy(), atol=tolerance)
    assert np.allclose(values, expected.values.detach().numpy(), atol=tolerance)


def test_refusals_name_the_fix():
    lonely = ObservationSpec((ObservationSlice("places", (4, 3), "nodes"), FACTS))
    with pytest.raises(BadSetting, match="choose another encoding"):
        make(lonely)
    with pytest.raises(BadSetting, match="does not say which actions"):
        make(WHOLE, ActionSpec(10))
    with pytest.raises(BadSetting, match="at 2 nodes, but this encoding has 4"):
        make(WHOLE, ActionSpec(10, at_nodes=((0,), (1,))))
    unnamed = ObservationSpec((NODES, ObservationSlice("edges", (3, 2), "edges", ROADS[:1])))
    with pytest.raises(BadSetting, match="ends of 1 edges"):
        make(unnamed)
    with pytest.raises(BadSetting, match="reads a 'nodes' slice"):
        make(ObservationSpec((FACTS,)))
