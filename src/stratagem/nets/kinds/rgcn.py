"""Relational graph convolutional network (the thesis on Catan, sections 4.1.2 and 5.2.1).

What is on an edge is a relation between its two places, with its own weights: with one feature per
edge by its sign (own, free, another's), otherwise one relation per feature (`gathering.py`).
"""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.errors import BadSetting
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.kinds.feedforward import DenseHeads
from stratagem.nets.layers.board_graph import BoardGraph, GraphSettings
from stratagem.nets.layers.gathering import num_relations
from stratagem.nets.layers.graph_convolution import RelationalConvolution, Relations
from stratagem.nets.layers.slices import required_slice
from stratagem.nets.output import NetworkOutput


class Settings(GraphSettings):
    """Sizes of the relational graph convolutional network."""


class RelationalNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A] and values [B, V]."""

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        self.graph = BoardGraph(observation, settings, "network rgcn")
        self.edges = required_slice(observation, "edges", "network rgcn")
        if not self.graph.edge_links:
            raise BadSetting("network rgcn: this encoding does not say which nodes an edge joins")
        relations = num_relations(self.edges.shape[1])
        self.relations = Relations(self.graph.edge_links, self.graph.num_nodes)
        sizes = [self.graph.in_features, *settings.channels]
        self.convolutions = nn.ModuleList(
            RelationalConvolution(before, after, relations) for before, after in pairwise(sizes)
        )
        size = self.graph.joined_size
        self.heads = DenseHeads(size, settings.hidden, actions.size, num_values)

    def forward(self, observation: Tensor) -> NetworkOutput:
        shares = self.relations(self.edges(observation))
        nodes = self.graph.read_nodes(observation)
        for convolution in self.convolutions:
            nodes = functional.relu(convolution(nodes, self.relations.neighbours, shares))
        output: NetworkOutput = self.heads(self.graph.join(nodes, observation))
        return output


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return RelationalNetwork(settings, observation, actions, num_values)
