"""Graph convolutions on one small fixed graph, as dense matrices: the whole batch in one product.

General graph libraries gather and scatter along lists of edges, which on a board of some fifty
places costs many times the arithmetic. tests/nets/test_graph_layers.py proves that both layers
compute what torch_geometric's GCNConv and RGCNConv compute. Knows no game and no heads.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

Links = Sequence[tuple[int, int]]


class GraphConvolution(nn.Module):
    """GCN (Kipf and Welling, 2017): D^-1/2 (A + I) D^-1/2 X W + b on [B, N, F]."""

    adjacency: Tensor  # [N, N] float32, normalised

    def __init__(self, links: Links, num_nodes: int, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        nn.init.xavier_uniform_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        # The graph is part of the game, not of what was learned.
        self.register_buffer("adjacency", normalised_adjacency(links, num_nodes), persistent=False)

    def forward(self, nodes: Tensor) -> Tensor:
        # Neighbours first where features are few, weights first where they become fewer.
        if self.linear.in_features <= self.linear.out_features:
            mixed: Tensor = self.linear(torch.matmul(self.adjacency, nodes))
            return mixed
        weighted = torch.matmul(nodes, self.linear.weight.t())
        return torch.matmul(self.adjacency, weighted) + self.linear.bias


class RelationalConvolution(nn.Module):
    """RGCN (Schlichtkrull et al., 2018): W0 x + b + the sum over relations of W_r mean of N_r(x).

    Which relations hold along an edge may change from position to position: `relate` turns the
    memberships of a batch into matrices once, for all layers.
    """

    def __init__(self, in_features: int, out_features: int, num_relations: int) -> None:
        super().__init__()
        self.root = nn.Linear(in_features, out_features)
        self.relations = nn.Linear(num_relations * in_features, out_features, bias=False)
        nn.init.xavier_uniform_(self.root.weight)
        nn.init.zeros_(self.root.bias)
        for part in self.relations.weight.split(in_features, 1):  # each relation on its own
            nn.init.xavier_uniform_(part)

    def forward(self, nodes: Tensor, relations: Tensor) -> Tensor:
        """nodes [B, N, F], relations [B, R * N, N] -> [B, N, out]."""
        batch, num_nodes, features = nodes.shape
        means = torch.bmm(relations, nodes).view(batch, -1, num_nodes, features)
        beside = means.transpose(1, 2).reshape(batch, num_nodes, -1)  # [B, N, R * F]
        summed: Tensor = self.root(nodes) + self.relations(beside)
        return summed


class Relations(nn.Module):
    """Turns what holds along each edge into matrices that average over neighbours."""

    cells: Tensor  # [2 * E] where the two directions of each edge stand in a flat [N * N] matrix

    def __init__(self, links: Links, num_nodes: int) -> None:
        super().__init__()
        self.num_nodes = num_nodes
        there = [one * num_nodes + other for one, other in links]
        back = [other * num_nodes + one for one, other in links]
        self.register_buffer("cells", torch.tensor(there + back), persistent=False)

    def forward(self, membership: Tensor) -> Tensor:
        """membership [B, E, R], 1 where it holds -> [B, R * N, N], rows add up to 1 or 0."""
        batch, _, num_relations = membership.shape
        both = membership.transpose(1, 2).repeat(1, 1, 2)  # [B, R, 2 * E]
        matrix = membership.new_zeros(batch, num_relations, self.num_nodes**2)
        matrix[:, :, self.cells] = both
        matrix = matrix.view(batch, num_relations * self.num_nodes, self.num_nodes)
        return matrix / matrix.sum(2, keepdim=True).clamp(min=1.0)


def normalised_adjacency(links: Links, num_nodes: int) -> Tensor:
    """[N, N]: links both ways and a loop at each node, divided by the roots of both degrees."""
    matrix = torch.eye(num_nodes)
    for one, other in links:
        matrix[one, other] = matrix[other, one] = 1.0
    scale = matrix.sum(1).rsqrt()
    return scale[:, None] * matrix * scale[None, :]
