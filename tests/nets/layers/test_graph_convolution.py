"""Graph layers compute what torch_geometric's layers compute, and networks of them fit specs."""

import warnings

import pytest
import torch

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.build import build_network
from stratagem.nets.layers.board_graph import BoardGraph, GraphSettings
from stratagem.nets.layers.graph_convolution import (
    GraphConvolution,
    RelationalConvolution,
    Relations,
)

# A triangle with a tail and a pair; one of it knows all the others, and one node nobody knows.
LINKS = ((0, 1), (1, 2), (0, 2), (2, 3), (4, 5), (2, 4), (2, 5))
NODES, RELATIONS = 7, 3
BOTH_WAYS = torch.tensor([*LINKS, *((b, a) for a, b in LINKS)]).T  # [2, 2 * E]

GRAPH = ObservationSpec(
    (
        ObservationSlice("players", (4,), "vector"),
        ObservationSlice("places", (NODES, 3), "nodes", LINKS),
        ObservationSlice("roads", (len(LINKS), 1), "edges", LINKS),
    )
)


@pytest.fixture(scope="module")
def geometric():
    """The library that the layers are compared with; importing it warns about torch's past."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import torch_geometric.nn as layers
    return layers


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("before", "after"), [(3, 5), (5, 3)])
def test_graph_convolution_is_gcn_conv(geometric, before, after):
    torch.manual_seed(1)
    mine = GraphConvolution(LINKS, NODES, before, after)
    theirs = geometric.GCNConv(before, after)
    with torch.no_grad():
        mine.linear.bias.normal_()
        theirs.lin.weight.copy_(mine.linear.weight)
        theirs.bias.copy_(mine.linear.bias)
    nodes = torch.randn(4, NODES, before, requires_grad=True)
    expected = torch.stack([theirs(one, BOTH_WAYS) for one in nodes])
    assert torch.allclose(mine(nodes), expected, atol=1e-6)
    weights = torch.randn_like(expected)
    (gradient,) = torch.autograd.grad((mine(nodes) * weights).sum(), nodes)
    (wanted,) = torch.autograd.grad((expected * weights).sum(), nodes)
    assert torch.allclose(gradient, wanted, atol=1e-5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_relational_convolution_is_rgcn_conv(geometric):
    """Every position has relations of its own."""
    torch.manual_seed(2)
    mine = RelationalConvolution(3, 5, RELATIONS)
    theirs = geometric.RGCNConv(3, 5, RELATIONS)
    with torch.no_grad():
        mine.linear.bias.normal_()
        theirs.bias.copy_(mine.linear.bias)
        for into, part in zip(
            (theirs.root, *theirs.weight), mine.linear.weight.split(3, 1), strict=True
        ):
            into.copy_(part.T)
    nodes = torch.randn(6, NODES, 3, requires_grad=True)
    kinds = torch.randint(0, RELATIONS, (6, len(LINKS)))
    relations = Relations(LINKS, NODES)
    shares = relations(torch.nn.functional.one_hot(kinds, RELATIONS).float())
    expected = torch.stack(
        [theirs(x, BOTH_WAYS, kind.repeat(2)) for x, kind in zip(nodes, kinds, strict=True)]
    )
    found = mine(nodes, relations.neighbours, shares)
    assert torch.allclose(found, expected, atol=1e-6)
    weights = torch.randn_like(expected)
    (gradient,) = torch.autograd.grad((found * weights).sum(), nodes)
    (wanted,) = torch.autograd.grad((expected * weights).sum(), nodes)
    assert torch.allclose(gradient, wanted, atol=1e-5)


def test_relations_of_one_feature_are_its_signs():
    relations = Relations(((0, 1), (1, 2), (0, 2)), 3)  # edges of a triangle: own, free, another's
    shares = relations(torch.tensor([[[1.0], [0.0], [-1.0]]]))
    held = {
        (n, m): shares[0, n, k].tolist()
        for n, row in enumerate(relations.neighbours.tolist())
        for k, m in enumerate(row)
    }
    assert held[0, 1] == held[1, 0] == [1, 0, 0]
    assert held[1, 2] == held[2, 1] == [0, 1, 0]
    assert held[0, 2] == held[2, 0] == [0, 0, 1]


def test_several_features_are_one_relation_each():
    relations = Relations(((0, 1), (0, 2)), 3)
    shares = relations(torch.tensor([[[1.0, 0.0], [0.9, 0.7]]]))
    assert relations.neighbours[0, :2].tolist() == [1, 2]
    assert shares[0, 0, :2].tolist() == [[0.5, 0], [0.5, 1]]  # a mean over those that it holds for
    assert shares[0, 2, 0].tolist() == [1, 1]


@pytest.mark.parametrize("kind", ["feedforward", "gcn", "rgcn"])
@pytest.mark.parametrize("num_values", [0, 2])
def test_networks_of_a_graph(kind, num_values):
    network = build_network(kind, {}, GRAPH, ActionSpec(9), num_values)
    output = network(torch.rand(5, GRAPH.size))
    assert output.logits.shape == (5, 9)
    assert output.values.shape == (5, num_values)
    assert (output.values.abs() <= 1).all()


@pytest.mark.parametrize("settings", [{"edge_sums": True}, {"skip": True}])
def test_settings_change_what_a_graph_network_sees(settings):
    """Plain gcn is blind to the edges; with either one it is not."""
    torch.manual_seed(3)
    seen = torch.rand(1, GRAPH.size)
    other = seen.clone()
    other[:, -len(LINKS) :] += 1.0
    plain = build_network("gcn", {}, GRAPH, ActionSpec(9), 0)
    assert torch.equal(plain(seen).logits, plain(other).logits)
    sighted = build_network("gcn", settings, GRAPH, ActionSpec(9), 0)
    assert not torch.equal(sighted(seen).logits, sighted(other).logits)


def test_a_graph_network_needs_links():
    unlinked = ObservationSpec((ObservationSlice("places", (NODES, 3), "nodes"),))
    with pytest.raises(BadSetting, match="which nodes are neighbours"):
        build_network("gcn", {}, unlinked, ActionSpec(9), 0)
    with pytest.raises(BadSetting, match="network rgcn reads a 'nodes' slice"):
        build_network("rgcn", {}, ObservationSpec(()), ActionSpec(9), 0)
    edgeless = ObservationSpec((ObservationSlice("places", (NODES, 3), "nodes", LINKS),))
    with pytest.raises(BadSetting, match="set edge_sums = false"):
        build_network("gcn", {"edge_sums": True}, edgeless, ActionSpec(9), 0)


def test_quiet_nodes_leave_the_vector_as_loud_as_it_was():
    torch.manual_seed(4)
    seen, nodes = torch.rand(2, GRAPH.size), torch.rand(2, NODES, 7)
    loud, quiet = (
        BoardGraph(GRAPH, GraphSettings(channels=(7,), quiet_nodes=one), "network rgcn")
        for one in (False, True)
    )
    before, after = loud.join(nodes, seen), quiet.join(nodes, seen)
    torch.testing.assert_close(after[:, : NODES * 7], before[:, : NODES * 7] / NODES**0.5)
    assert torch.equal(after[:, NODES * 7 :], before[:, NODES * 7 :])
    assert loud.vector_size > 0
