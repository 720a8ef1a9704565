"""The board graph inside an observation: places as nodes, connections as edges, the rest.

Shared by the two graph networks of the thesis on Catan: which slices they read, what is at a node,
and how nodes become one vector again.
"""

from __future__ import annotations

import torch
from pydantic import Field, PositiveInt
from torch import Tensor, nn

from stratagem.core.errors import BadSetting
from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ObservationSlice, ObservationSpec
from stratagem.nets.layers.graph_convolution import Links
from stratagem.nets.layers.slices import SliceReader, optional_slice, required_slice
from stratagem.nets.layers.standardise import Standardise


class GraphSettings(SettingsModel):
    """Settings that the graph networks share."""

    channels: tuple[PositiveInt, ...] = Field(
        (32, 32), description="features after each convolution"
    )
    edge_sums: bool = Field(
        False, description="add the sum of its edges' features to each node's input"
    )
    skip: bool = Field(False, description="pass the observation to the dense layers as well")
    standardise: bool = Field(
        False,
        description="standardise inputs to mean 0 and standard deviation 1, the same at every node",
    )
    quiet_nodes: bool = Field(
        False,
        description="divide node features by the square root of the node count, so that other "
        "inputs weigh more",
    )
    hidden: tuple[PositiveInt, ...] = Field(
        (128,), description="units of the dense layers that follow"
    )


class BoardGraph(nn.Module):
    """Reads nodes, edges and the vector of a flat observation."""

    ends: Tensor  # [N, E] 1 where a node is an end of an edge

    def __init__(self, observation: ObservationSpec, settings: GraphSettings, reader: str) -> None:
        super().__init__()
        edge_sums = settings.edge_sums
        self.nodes: SliceReader = required_slice(observation, "nodes", reader)
        self.edges = optional_slice(observation, "edges")
        self.vector = optional_slice(observation, "vector")
        self.num_nodes = self.nodes.shape[0]
        self.links = _links(observation, reader)
        self.edge_links: Links = ()
        width = 0
        if self.edges is not None:
            self.edge_links = _links_of(observation.of_kind("edges"))
            width = self.edges.shape[1]
        if edge_sums and not self.edge_links:
            raise BadSetting(f"{reader}: this encoding names no edges, set edge_sums = false")
        ends = torch.zeros(self.num_nodes, max(len(self.edge_links), 1))
        for number, pair in enumerate(self.edge_links):
            ends[list(pair), number] = 1.0
        self.register_buffer("ends", ends, persistent=False)
        self.edge_sums = edge_sums
        self.in_features = self.nodes.shape[1] + (width if edge_sums else 0)
        self.vector_size = 0 if self.vector is None else self.vector.shape[0]
        self.skip = settings.skip
        rest = observation.size if settings.skip else self.vector_size
        self.joined_size = self.num_nodes * (settings.channels or (self.in_features,))[-1] + rest
        # Then all nodes together vary as much as one, so that the vector beside them matters.
        self.node_scale = self.num_nodes**-0.5 if settings.quiet_nodes else 1.0
        usual = settings.standardise
        self.node_inputs = Standardise(self.in_features) if usual else nn.Identity()
        self.rest_inputs = Standardise(rest) if usual and rest else nn.Identity()

    def read_nodes(self, observation: Tensor) -> Tensor:
        """[B, D] -> [B, N, in_features]."""
        nodes = self.nodes(observation)
        if self.edge_sums and self.edges is not None:
            nodes = torch.cat([nodes, torch.matmul(self.ends, self.edges(observation))], 2)
        read: Tensor = self.node_inputs(nodes)
        return read

    def join(self, convolved: Tensor, observation: Tensor) -> Tensor:
        """Join node features, the vector and, with `skip`, all observations: [B, joined_size]."""
        parts = [self.node_scale * convolved.flatten(1)]
        if self.skip:
            parts.append(self.rest_inputs(observation))
        elif self.vector is not None:
            parts.append(self.rest_inputs(self.vector(observation)))
        return torch.cat(parts, 1)


def _links(observation: ObservationSpec, reader: str) -> Links:
    links = _links_of(observation.of_kind("nodes")) or _links_of(observation.of_kind("edges"))
    if not links:
        raise BadSetting(
            f"{reader} needs to know which nodes are neighbours, but this encoding does not say: "
            "choose another encoding or network"
        )
    return links


def _links_of(part: ObservationSlice | None) -> Links:
    return () if part is None else part.links
