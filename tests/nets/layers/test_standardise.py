"""Inputs brought to mean 0 and spread 1."""

import torch

from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.build import build_network
from stratagem.nets.layers.standardise import Standardise


def test_it_learns_mean_and_spread_and_forgets_constants():
    torch.manual_seed(1)
    layer = Standardise(3)
    scale, shift = torch.tensor([2.0, 30.0, 0.0]), torch.tensor([5.0, -7.0, 12.0])
    for _ in range(300):
        layer(torch.randn(64, 3) * scale + shift)
    seen = layer(torch.randn(5000, 3) * scale + shift)
    assert torch.allclose(seen.mean(0), torch.zeros(3), atol=0.1)
    assert torch.allclose(seen.std(0), torch.tensor([1.0, 1.0, 0.0]), atol=0.1)
    assert layer(torch.full((1, 3), 1e6)).max() == 5.0


def test_playing_changes_nothing():
    layer = Standardise(2)
    before = {name: tensor.clone() for name, tensor in layer.state_dict().items()}
    with torch.no_grad():
        layer(torch.randn(8, 2))
    layer.eval()(torch.randn(8, 2))
    assert all(torch.equal(before[name], t) for name, t in layer.state_dict().items())


def test_networks_keep_their_statistics_with_their_weights():
    links = ((0, 1), (1, 2))
    observation = ObservationSpec(
        (
            ObservationSlice("places", (3, 2), "nodes", links),
            ObservationSlice("roads", (2, 1), "edges", links),
            ObservationSlice("table", (4,), "vector"),
        )
    )
    batch = 100 * torch.rand(16, observation.size)
    for kind in ("feedforward", "gcn", "rgcn"):
        one = build_network(kind, {"standardise": True}, observation, ActionSpec(5), 0)
        one(batch)
        other = build_network(kind, {"standardise": True}, observation, ActionSpec(5), 0)
        other.load_state_dict(one.state_dict())
        assert torch.equal(one.eval()(batch).logits, other.eval()(batch).logits)
