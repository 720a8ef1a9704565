"""A network over a fixed graph, small enough to search with: logits where actions happen.

Every node gathers the means of its neighbours, one mean for each relation of the graph (for Catan:
places joined by an edge, and the corners of a tile), and mixes them with its own features and the
global ones. Actions that the game lists at nodes or edges get their logits from those; the other
logits, the values and the final points are read from the pooled graph and vector.

Nodes come first in memory, [N, B, C], so that gathering from all neighbours in a whole batch is one
product with a small fixed matrix.
"""

from __future__ import annotations

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from stratagem.core.errors import BadSetting
from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ActionSpec, ObservationSlice, ObservationSpec
from stratagem.nets.layers.basic import dense, last_dense
from stratagem.nets.layers.graph_convolution import mean_matrix
from stratagem.nets.layers.slices import optional_slice, required_slice
from stratagem.nets.output import NetworkOutput, num_scores_for

OPENVINO_CHUNK = 64
_READER = "network graph"


class Settings(SettingsModel):
    """Sizes of the graph network."""

    channels: int = Field(32, ge=1, description="features per node")
    layers: int = Field(3, ge=0, description="rounds of message passing")
    hidden: int = Field(128, ge=1, description="units for global features")
    scores: bool = Field(True, description="also predict final points")


class Gather(nn.Module):
    """One round: x + relu(mix(x, means of neighbours) + table); its weights are small at first."""

    def __init__(self, channels: int, relations: int, hidden: int) -> None:
        super().__init__()
        self.mix = dense(channels * (1 + relations), channels)
        self.table = last_dense(hidden, channels)
        self.out = last_dense(channels, channels)

    def forward(self, x: Tensor, means: Tensor, table: Tensor) -> Tensor:
        """x [N, B, C]; means [R * N, N]; table [B, hidden]."""
        nodes, batch, channels = x.shape
        gathered = (means @ x.reshape(nodes, batch * channels)).reshape(-1, nodes, batch, channels)
        mixed = self.mix(torch.cat([x, *gathered.unbind(0)], 2))
        summed: Tensor = x + self.out(functional.relu(mixed + self.table(table)))
        return summed


class GraphNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A], values [B, V], final points [B, P]."""

    means: Tensor  # [R * N, N] each row sums to one: the mean of a node's neighbours
    incidence: Tensor  # [N, E] 1 where a node is an end of an edge
    ends: Tensor  # [2, E] the nodes of each edge
    order: Tensor  # [A] index of each action among node, edge and other logits

    def __init__(
        self,
        settings: Settings,
        observation: ObservationSpec,
        actions: ActionSpec,
        num_values: int,
    ) -> None:
        super().__init__()
        self.nodes = required_slice(observation, "nodes", _READER)
        self.edges = optional_slice(observation, "edges")
        self.vector = optional_slice(observation, "vector")
        channels, hidden = settings.channels, settings.hidden
        self._set_graph(observation)
        at_node, at_edge = self._set_order(actions)
        relations = len(self.means) // self.nodes.shape[0]
        edge_width = 0 if self.edges is None else self.edges.shape[1]
        vector_width = 1 if self.vector is None else self.vector.shape[0]
        self.embed_vector = dense(vector_width, hidden)
        self.embed_node = dense(self.nodes.shape[1] + edge_width, channels)
        self.first_table = last_dense(hidden, channels)
        self.rounds = nn.ModuleList(
            Gather(channels, relations, hidden) for _ in range(settings.layers)
        )
        self.pooled = dense(hidden + 2 * channels, hidden)
        self.node_logits = last_dense(channels, at_node)
        if at_edge:
            self.edge_hidden = dense(2 * channels + edge_width, channels)
            self.edge_logits = last_dense(channels, at_edge)
        self.other_logits = last_dense(hidden, self.num_other) if self.num_other else None
        self.value_hidden = dense(hidden, hidden // 2)
        self.value_out = last_dense(hidden // 2, num_values)
        points = num_scores_for(num_values)
        self.scores_out = last_dense(hidden // 2, points) if settings.scores else None

    def forward(self, observation: Tensor) -> NetworkOutput:
        nodes = self.nodes(observation).transpose(0, 1)  # [N, B, F]
        edges = None if self.edges is None else self.edges(observation).transpose(0, 1)
        table = functional.relu(self.embed_vector(self._table(observation)))
        x = functional.relu(self._embed(nodes, edges) + self.first_table(table))
        for gather in self.rounds:
            x = gather(x, self.means, table)
        x = functional.relu(x)
        pooled = functional.relu(self.pooled(torch.cat([table, x.mean(0), x.amax(0)], 1)))
        value = functional.relu(self.value_hidden(pooled))
        scores = None if self.scores_out is None else self.scores_out(value)
        return NetworkOutput(
            self._logits(x, edges, pooled), torch.tanh(self.value_out(value)), scores
        )

    def _table(self, observation: Tensor) -> Tensor:
        return observation[:, :1] * 0 if self.vector is None else self.vector(observation)

    def _embed(self, nodes: Tensor, edges: Tensor | None) -> Tensor:
        """[N, B, C]; each node also sees the sum of its edges' features."""
        if edges is not None:
            count, batch, width = edges.shape
            sums = self.incidence @ edges.reshape(count, batch * width)
            nodes = torch.cat([nodes, sums.reshape(nodes.shape[0], batch, width)], 2)
        embedded: Tensor = self.embed_node(nodes)
        return embedded

    def _logits(self, x: Tensor, edges: Tensor | None, pooled: Tensor) -> Tensor:
        batch = x.shape[1]
        parts = [self.node_logits(x).transpose(0, 1).reshape(batch, -1)]
        if edges is not None and self.ends.shape[1]:
            # Sum and difference of the ends: which end comes first must not matter.
            one, other = x[self.ends[0]], x[self.ends[1]]
            both = torch.cat([one + other, (one - other).abs(), edges], 2)
            found = self.edge_logits(functional.relu(self.edge_hidden(both)))
            parts.append(found.transpose(0, 1).reshape(batch, -1))
        if self.other_logits is not None:
            parts.append(self.other_logits(pooled))
        return torch.cat(parts, 1)[:, self.order]

    def _set_graph(self, observation: ObservationSpec) -> None:
        part = observation.of_kind("nodes")
        assert part is not None
        pairs = part.relations or ((part.links,) if part.links else ())
        if not pairs:
            raise BadSetting(
                f"{_READER} needs the links of the graph, but this encoding has none: "
                "choose another encoding or network"
            )
        count = part.shape[0]
        matrices = [mean_matrix(count, links) for links in pairs]
        self.register_buffer("means", torch.cat(matrices), persistent=False)
        edge_part = observation.of_kind("edges")
        links = () if edge_part is None else _edge_links(edge_part)
        incidence = torch.zeros(count, max(len(links), 1))
        for number, pair in enumerate(links):
            incidence[list(pair), number] = 1.0
        self.register_buffer("incidence", incidence, persistent=False)
        ends = torch.tensor(links, dtype=torch.long).reshape(-1, 2).T.contiguous()
        self.register_buffer("ends", ends, persistent=False)

    def _set_order(self, actions: ActionSpec) -> tuple[int, int]:
        """Set where actions' logits come from; return how many there are per node and per edge."""
        for listed, there, name in (
            (actions.at_nodes, self.nodes.shape[0], "nodes"),
            (actions.at_edges, self.ends.shape[1], "edges"),
        ):
            if listed and len(listed) != there:
                raise BadSetting(
                    f"{_READER}: the game lists actions at {len(listed)} {name}, but this encoding "
                    f"has {there}: choose another encoding"
                )
        if not actions.at_nodes:
            raise BadSetting(
                f"{_READER}: this game does not say which actions happen at which node: "
                "choose another network"
            )
        placed = [a for row in (*actions.at_nodes, *actions.at_edges) for a in row]
        others = sorted(set(range(actions.size)) - set(placed))
        self.num_other = len(others)
        position = {action: number for number, action in enumerate([*placed, *others])}
        order = torch.tensor([position[action] for action in range(actions.size)])
        self.register_buffer("order", order, persistent=False)
        return len(actions.at_nodes[0]), len(actions.at_edges[0]) if actions.at_edges else 0


def _edge_links(part: ObservationSlice) -> tuple[tuple[int, int], ...]:
    if len(part.links) != part.shape[0]:
        raise BadSetting(
            f"{_READER}: slice {part.name} names the ends of {len(part.links)} edges, but has "
            f"{part.shape[0]}: choose another encoding"
        )
    return part.links


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return GraphNetwork(settings, observation, actions, num_values)
