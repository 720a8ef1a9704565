"""Graph convolutions on one small fixed graph, for whole batches of positions at once.

General graph libraries gather and scatter along lists of edges, which on a board of some fifty
places costs many times the arithmetic; here a kernel sums over neighbours (`gathering.py`).
tests/nets/layers/test_graph_convolution.py proves that both layers compute the same as
torch_geometric's GCNConv and RGCNConv.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from stratagem.nets.layers.gathering import LANES, gather, relation_shares

Links = Sequence[tuple[int, int]]


class GraphConvolution(nn.Module):
    """GCN (Kipf and Welling, 2017): D^-1/2 (A + I) D^-1/2 X W + b on [B, N, F]."""

    neighbours: Tensor  # [N, K] int64, including itself; padded with its own number
    shares: Tensor  # [1, N, K, 1] float32, the weight of each

    def __init__(self, links: Links, num_nodes: int, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        nn.init.xavier_uniform_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        # The graph is part of the game and not learned.
        loops = [(node, node) for node in range(num_nodes)]
        neighbours, edges = neighbour_lists([*links, *loops], num_nodes)
        scale = (edges >= 0).sum(1).rsqrt()
        shares = scale[:, None] * scale[neighbours] * (edges >= 0)
        self.register_buffer("neighbours", neighbours, persistent=False)
        self.register_buffer("shares", shares[None, :, :, None].contiguous(), persistent=False)

    def forward(self, nodes: Tensor) -> Tensor:
        # Sum neighbours first if features are few, apply weights first if they make them fewer.
        if self.linear.in_features <= self.linear.out_features:
            mixed: Tensor = self.linear(self._mix(nodes))
            return mixed
        return self._mix(torch.matmul(nodes, self.linear.weight.t())) + self.linear.bias

    def _mix(self, nodes: Tensor) -> Tensor:
        return gather(nodes, self.neighbours, self.shares, own=False)


class Relations(nn.Module):
    """Turns what holds along each edge into the weights of neighbours in a mean.

    Which relations hold may change from position to position, so this is done for every batch, but
    once for all layers. K is the largest number of neighbours of a node, rounded up to `LANES`.
    """

    neighbours: Tensor  # [N, K] int64; padded with the node's own number
    edges: Tensor  # [N, K] int64, the edges to them; -1 if there is none

    def __init__(self, links: Links, num_nodes: int) -> None:
        super().__init__()
        neighbours, edges = neighbour_lists(links, num_nodes)
        self.register_buffer("neighbours", neighbours, persistent=False)
        self.register_buffer("edges", edges, persistent=False)

    def forward(self, edge_features: Tensor) -> Tensor:
        """Edge features [B, E, W] -> [B, N, K, R]; over K: 1 or 0."""
        return relation_shares(edge_features, self.edges)


class RelationalConvolution(nn.Module):
    """RGCN (Schlichtkrull et al., 2018): W0 x + b + sum over relations of W_r mean of N_r(x)."""

    def __init__(self, in_features: int, out_features: int, num_relations: int) -> None:
        super().__init__()
        self.linear = nn.Linear((1 + num_relations) * in_features, out_features)  # W0, W1, …
        nn.init.zeros_(self.linear.bias)
        for part in torch.split(self.linear.weight, in_features, 1):  # each one separately
            nn.init.xavier_uniform_(part)

    def forward(self, nodes: Tensor, neighbours: Tensor, shares: Tensor) -> Tensor:
        """nodes [B, N, F], neighbours [N, K], shares [B, N, K, R] -> [B, N, out]."""
        summed: Tensor = self.linear(gather(nodes, neighbours, shares, own=True))
        return summed


def mean_matrix(num_nodes: int, links: Links) -> Tensor:
    """[N, N]: row n averages over the neighbours of n; zero for a node without any."""
    matrix = torch.zeros(num_nodes, num_nodes)
    for one, other in links:
        matrix[one, other] = matrix[other, one] = 1.0
    return matrix / matrix.sum(1, keepdim=True).clamp(min=1.0)


def neighbour_lists(links: Links, num_nodes: int) -> tuple[Tensor, Tensor]:
    """[N, K] the neighbours of each node and [N, K] the indices of the links to them.

    K is a multiple of `LANES`. Shorter lists are padded with the node's own number and -1.
    """
    around: list[list[tuple[int, int]]] = [[] for _ in range(num_nodes)]
    for number, (one, other) in enumerate(links):
        for node, neighbour in {(one, other), (other, one)}:  # a loop counts once
            around[node].append((neighbour, number))
    width = -(-max(len(ends) for ends in around) // LANES) * LANES
    padded = [ends + [(node, -1)] * (width - len(ends)) for node, ends in enumerate(around)]
    table = torch.tensor(padded)
    return table[:, :, 0].contiguous(), table[:, :, 1].contiguous()
