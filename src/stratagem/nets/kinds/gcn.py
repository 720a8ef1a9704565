"""Graph convolutional network (the thesis on Catan, sections 4.1.1 and 5.2.1).

Convolutions over the board graph, then dense layers over all node features and the vector. By
default it is the thesis's plain version, which sees which places are neighbours but not what is on
the edges between them; `edge_sums` and `skip` add that.
"""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.kinds.feedforward import DenseHeads
from stratagem.nets.layers.board_graph import BoardGraph, GraphSettings
from stratagem.nets.layers.graph_convolution import GraphConvolution
from stratagem.nets.output import NetworkOutput


class Settings(GraphSettings):
    """Sizes of the graph convolutional network."""


class GraphConvolutionalNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A] and values [B, V]."""

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        self.graph = BoardGraph(observation, settings, "network gcn")
        sizes = [self.graph.in_features, *settings.channels]
        self.convolutions = nn.ModuleList(
            GraphConvolution(self.graph.links, self.graph.num_nodes, before, after)
            for before, after in pairwise(sizes)
        )
        size = self.graph.joined_size
        self.heads = DenseHeads(size, settings.hidden, actions.size, num_values)

    def forward(self, observation: Tensor) -> NetworkOutput:
        nodes = self.graph.read_nodes(observation)
        for convolution in self.convolutions:
            nodes = functional.relu(convolution(nodes))
        output: NetworkOutput = self.heads(self.graph.join(nodes, observation))
        return output


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return GraphConvolutionalNetwork(settings, observation, actions, num_values)
