"""Attention with a graph: a learned number per head for each distance and kind of link.

bias(i, j) = f(distance(i, j)) + the sum over relations that join i and j. Distances are counted
over the links that an encoding declares with its nodes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from stratagem.core.specs import ObservationSlice

_FARTHEST = 15  # longer paths, and unconnected nodes, share one number


def distances(num_nodes: int, links: tuple[tuple[int, int], ...]) -> npt.NDArray[np.int64]:
    """[N, N] number of links on the shortest path between two nodes, at most _FARTHEST."""
    near = np.eye(num_nodes, dtype=bool)
    for one, other in links:
        near[one, other] = near[other, one] = True
    found = np.full((num_nodes, num_nodes), _FARTHEST, np.int64)
    reached = np.eye(num_nodes, dtype=bool)
    for steps in range(_FARTHEST):
        found[reached & (found == _FARTHEST)] = steps
        reached = reached @ near
    return found


class GraphBias(nn.Module):
    """The bias [1, heads, T, T] of attention among the nodes in play."""

    distance: Tensor
    related: Tensor

    def __init__(self, nodes: ObservationSlice, heads: int) -> None:
        super().__init__()
        count = nodes.shape[0]
        self.register_buffer(
            "distance", torch.from_numpy(distances(count, nodes.links)), persistent=False
        )
        related = torch.zeros(len(nodes.relations), count, count)
        for kind, pairs in enumerate(nodes.relations):
            for one, other in pairs:
                related[kind, one, other] = related[kind, other, one] = 1.0
        self.register_buffer("related", related, persistent=False)
        # Near nodes count slightly more at first; training decides the rest.
        start = -0.1 * torch.arange(_FARTHEST + 1, dtype=torch.float32)
        self.by_distance = nn.Parameter(start.repeat(heads, 1))  # [heads, distances]
        self.by_relation = nn.Parameter(torch.zeros(heads, len(nodes.relations)))

    def forward(self, index: Tensor) -> Tensor:
        """`index` [T] are the nodes in play."""
        bias = self.by_distance[:, self.distance[index][:, index]]  # [heads, T, T]
        if self.related.shape[0]:
            pairs = self.related[:, index][:, :, index].to(self.by_relation.dtype)
            bias = bias + torch.einsum("hr,rij->hij", self.by_relation, pairs)
        return bias[None]
