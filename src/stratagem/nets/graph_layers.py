"""Graph convolutions on one small fixed graph, for whole batches of positions at once.

General graph libraries gather and scatter along lists of edges of any graph, which on a board of
some fifty places costs many times the arithmetic. tests/nets/test_graph_layers.py proves that both
layers compute what torch_geometric's GCNConv and RGCNConv compute. Knows no game and no heads.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

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


class Relations(nn.Module):
    """Turns what holds along each edge into the parts by which neighbours enter a mean.

    Which relations hold may change from position to position, so this is done for every batch, but
    once for all layers. K is the largest number of neighbours of a node.
    """

    neighbours: Tensor  # [N * K] the neighbours of each node; N, a node of zeros, where it has less
    edges: Tensor  # [N * K] the edges to them; E, an edge without relations, where there is none

    def __init__(self, links: Links, num_nodes: int) -> None:
        super().__init__()
        around: list[list[tuple[int, int]]] = [[] for _ in range(num_nodes)]
        for edge, (one, other) in enumerate(links):
            around[one].append((other, edge))
            around[other].append((one, edge))
        width = max(len(ends) for ends in around)
        padded = [ends + [(num_nodes, len(links))] * (width - len(ends)) for ends in around]
        flat = torch.tensor(padded).reshape(-1, 2)
        self.shape = (num_nodes, width)
        self.register_buffer("neighbours", flat[:, 0].contiguous(), persistent=False)
        self.register_buffer("edges", flat[:, 1].contiguous(), persistent=False)

    def forward(self, membership: Tensor) -> Tensor:
        """membership [B, E, R], 1 where a relation holds -> [B, N, K, R]; over K: 1 or 0."""
        padded = functional.pad(membership, (0, 0, 0, 1))
        along = padded.index_select(1, self.edges).view(len(membership), *self.shape, -1)
        return along / along.sum(2, keepdim=True).clamp(min=1.0)

    def around(self, nodes: Tensor) -> Tensor:
        """What stands at the neighbours: nodes [B, N, F] -> [B, N, K, F]."""
        padded = functional.pad(nodes, (0, 0, 0, 1))
        return padded.index_select(1, self.neighbours).view(len(nodes), *self.shape, -1)


class RelationalConvolution(nn.Module):
    """RGCN (Schlichtkrull et al., 2018): W0 x + b + sum over relations of W_r mean of N_r(x)."""

    def __init__(self, in_features: int, out_features: int, num_relations: int) -> None:
        super().__init__()
        self.root = nn.Linear(in_features, out_features)
        self.relations = nn.Linear(num_relations * in_features, out_features, bias=False)
        nn.init.xavier_uniform_(self.root.weight)
        nn.init.zeros_(self.root.bias)
        for part in torch.split(self.relations.weight, in_features, 1):  # each relation on its own
            nn.init.xavier_uniform_(part)

    def forward(self, nodes: Tensor, around: Tensor, parts: Tensor) -> Tensor:
        """nodes [B, N, F], around [B, N, K, F], parts [B, N, K, R] -> [B, N, out]."""
        # Sums over the few neighbours one by one: thousands of tiny products would cost more.
        means = around[:, :, 0, None, :] * parts[:, :, 0, :, None]  # [B, N, R, F]
        for k in range(1, around.shape[2]):
            means = torch.addcmul(means, around[:, :, k, None, :], parts[:, :, k, :, None])
        summed: Tensor = self.root(nodes) + self.relations(means.flatten(2))
        return summed


def normalised_adjacency(links: Links, num_nodes: int) -> Tensor:
    """[N, N]: links both ways and a loop at each node, divided by the roots of both degrees."""
    matrix = torch.eye(num_nodes)
    for one, other in links:
        matrix[one, other] = matrix[other, one] = 1.0
    scale = matrix.sum(1).rsqrt()
    return scale[:, None] * matrix * scale[None, :]
