"""Graph convolutions on one small fixed graph, for whole batches of positions at once.

General graph libraries gather and scatter along lists of edges of any graph, which on a board of
some fifty places costs many times the arithmetic. Where neighbours count alike in every position a
small dense matrix is quickest, where they do not, a kernel (`gathering.py`).
tests/nets/test_graph_layers.py proves that both layers compute what torch_geometric's GCNConv and
RGCNConv compute. Knows no game and no heads.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from stratagem.nets.gathering import gather, relation_shares

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
    """Turns what holds along each edge into the shares by which neighbours enter a mean.

    Which relations hold may change from position to position, so this is done for every batch, but
    once for all layers. K is the largest number of neighbours of a node.
    """

    neighbours: Tensor  # [N, K] int64; a node's own number where it has less
    edges: Tensor  # [N, K] int64, the edges to them; -1 where there is none

    def __init__(self, links: Links, num_nodes: int) -> None:
        super().__init__()
        neighbours, edges = neighbour_lists(links, num_nodes)
        self.register_buffer("neighbours", neighbours, persistent=False)
        self.register_buffer("edges", edges, persistent=False)

    def forward(self, membership: Tensor) -> Tensor:
        """membership [B, E, R], 1 where a relation holds -> [B, N, K, R]; over K: 1 or 0."""
        return relation_shares(membership, self.edges)


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

    def forward(self, nodes: Tensor, neighbours: Tensor, shares: Tensor) -> Tensor:
        """nodes [B, N, F], neighbours [N, K], shares [B, N, K, R] -> [B, N, out]."""
        means = gather(nodes, neighbours, shares)  # [B, N, R, F]
        summed: Tensor = self.root(nodes) + self.relations(means.flatten(2))
        return summed


def neighbour_lists(links: Links, num_nodes: int) -> tuple[Tensor, Tensor]:
    """[N, K] the neighbours of each node and [N, K] the numbers of the links to them.

    Where a node has fewer than the others, its own number and -1 fill up.
    """
    around: list[list[tuple[int, int]]] = [[] for _ in range(num_nodes)]
    for number, (one, other) in enumerate(links):
        around[one].append((other, number))
        around[other].append((one, number))
    width = max(len(ends) for ends in around)
    padded = [ends + [(node, -1)] * (width - len(ends)) for node, ends in enumerate(around)]
    table = torch.tensor(padded)
    return table[:, :, 0].contiguous(), table[:, :, 1].contiguous()


def normalised_adjacency(links: Links, num_nodes: int) -> Tensor:
    """[N, N]: links both ways and a loop at each node, divided by the roots of both degrees."""
    matrix = torch.eye(num_nodes)
    for one, other in links:
        matrix[one, other] = matrix[other, one] = 1.0
    scale = matrix.sum(1).rsqrt()
    return scale[:, None] * matrix * scale[None, :]
