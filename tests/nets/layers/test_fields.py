"""Distance fields: shortest ways by hand and by a slow twin, and that they can be learned."""

import heapq

import pytest
import torch

from stratagem.nets.layers.fields import FEATURES, DistanceFields, spread
from stratagem.nets.layers.hex import NEIGHBOURS


def _dijkstra(sources, costs, height, width):
    """Distances where each hex may start at its own source level; moving pays for what is left.

    A way is walked from a hex towards the source and pays for every hex it enters.
    """
    best = [float(level) for level in sources]
    queue = [(level, cell) for cell, level in enumerate(best)]
    heapq.heapify(queue)
    while queue:
        level, cell = heapq.heappop(queue)
        if level > best[cell]:
            continue
        row, column = divmod(cell, width)
        for down, right in NEIGHBOURS[column % 2]:
            there, beside = row + down, column + right
            if 0 <= there < height and 0 <= beside < width:
                found = level + float(costs[cell])  # who comes from there enters this hex
                if found < best[there * width + beside]:
                    best[there * width + beside] = found
                    heapq.heappush(queue, (found, there * width + beside))
    return torch.tensor(best)


@pytest.mark.parametrize(("height", "width"), [(5, 5), (4, 9), (12, 12)])
def test_spread_finds_shortest_ways(height, width):
    torch.manual_seed(height)
    cells = height * width
    sources = 50 * torch.rand(cells, 3)
    costs = 0.5 + 2 * torch.rand(cells, 3)
    distances, ways = spread(sources, costs, height, width)
    for k in range(3):
        expected = _dijkstra(sources[:, k], costs[:, k], height, width)
        torch.testing.assert_close(distances[:, k], expected)
    assert (ways.amin(0) >= distances - 1e-4).all()


def test_features_point_to_the_source_on_every_board():
    """One plane marks a hex; with weights set by hand all others point to it."""
    fields = DistanceFields(1, 1)
    with torch.no_grad():
        fields.read.weight.copy_(torch.tensor([20.0, 0.0])[:, None, None, None])
        fields.read.bias.copy_(torch.tensor([-10.0, 0.5413]))  # cost 1.1
    for size in (5, 16):
        planes = torch.zeros(1, 1, size, size)
        planes[0, 0, 2, 0] = 1
        features = fields(planes)[0]
        assert features.shape == (FEATURES, size, size)
        directions, nearness = features[:6], features[6]
        assert nearness[2, 0] > 0.99
        best = directions.amax(0)
        best[2, 0] = 1
        torch.testing.assert_close(best, torch.ones(size, size), atol=1e-3, rtol=0)
        assert directions[3, 4, 0] < 0.2  # going south from below leads away
        assert directions[0, 4, 0] > 0.99


def test_bad_precision_does_not_reach_distances():
    fields = DistanceFields(3, 2)
    planes = torch.rand(2, 3, 16, 16)
    exact = fields(planes)
    close = DistanceFields(3, 2)
    close.load_state_dict(fields.state_dict())
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(close(planes), exact)


def test_gradients_reach_sources_and_costs():
    fields = DistanceFields(3, 2)
    fields(torch.rand(2, 3, 5, 5)).square().sum().backward()
    assert fields.read.weight.grad.flatten(1).abs().sum(1).min() > 0


def test_played_first_and_trained_later():
    """What playing has remembered about a board must not stop a gradient."""
    fields = DistanceFields(2, 1)
    planes = torch.rand(1, 2, 9, 13)  # a size that no other test uses
    with torch.inference_mode():
        fields(planes)
    fields(planes).sum().backward()
    assert fields.read.weight.grad is not None
