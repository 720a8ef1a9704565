"""Learned distance fields inside a network: where things are and what it costs to get there.

A field has a source level and a cost to enter for every hex, both read from the planes with learned
weights; shortest paths then spread over the board hex by hex, as in value iteration networks (Tamar
et al., 2016), for as many steps as the board needs. The output says in which directions a source
gets nearer, in numbers that do not grow with the board.
"""

from __future__ import annotations

import functools

import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.nets.layers.hex import NEIGHBOURS

FEATURES = 8  # planes per field: six directions, nearness, distance
_NEAR = 4.0  # hexes over which nearness falls
_START_SPREAD = 0.3
_FAR = 1e4


class DistanceFields(nn.Module):
    """Planes [B, C, H, W] -> features [B, FEATURES * fields, H, W]."""

    def __init__(self, channels: int, fields: int) -> None:
        super().__init__()
        self.fields = fields
        self.read = nn.Conv2d(channels, 2 * fields, 1)
        nn.init.normal_(self.read.weight, std=_START_SPREAD)
        nn.init.zeros_(self.read.bias)  # type: ignore[arg-type]

    def forward(self, planes: Tensor) -> Tensor:
        batch, _, height, width = planes.shape
        # Distances are sums of many costs: three digits would not distinguish neighbours.
        with torch.autocast("cpu", enabled=False):
            read = functional.conv2d(
                planes.float(), self.read.weight.float(), _float(self.read.bias)
            )
            rows = read.permute(2, 3, 0, 1).reshape(height * width, batch, 2, self.fields)
            # A source reaches across the whole board, whatever its size.
            reach = 2.0 * (height + width)
            sources = reach * torch.sigmoid(-rows[:, :, 0])  # [cells, B, fields]
            costs = 0.1 + functional.softplus(rows[:, :, 1])
            distances, by_step = spread(sources, costs, height, width)
            directions = torch.exp(
                distances - by_step
            )  # [6, cells, B, fields]: 1 on a shortest path
            parts = [*directions, torch.exp(-distances / _NEAR), torch.log1p(distances)]
            features = torch.cat(parts, 2)  # [cells, B, FEATURES * fields]
        shaped = features.reshape(height, width, batch, -1).permute(2, 3, 0, 1)
        return shaped.to(planes.dtype).contiguous(memory_format=torch.channels_last)


def spread(sources: Tensor, costs: Tensor, height: int, width: int) -> tuple[Tensor, Tensor]:
    """Return distances [cells, ...] to the nearest source, and [6, cells, ...] per first step."""
    table = _neighbour_table(height, width)
    rest = sources.shape[1:]
    distances = sources
    for _ in range(height + width):
        distances = torch.minimum(sources, _path_costs(distances + costs, table, rest).amin(0))
    return distances, _path_costs(distances + costs, table, rest)


def _path_costs(entered: Tensor, table: Tensor, rest: torch.Size) -> Tensor:
    """[6, cells, ...]: the cost over each neighbour; off the board it is very large."""
    padded = torch.cat([entered, entered.new_full((1, *rest), _FAR)])
    return padded.index_select(0, table).reshape(6, entered.shape[0], *rest)


@functools.cache
def _neighbour_table(height: int, width: int) -> Tensor:
    """[6 * cells] int64: for each direction the neighbour of each cell, or `cells` if none."""
    cells = height * width
    neighbours = [
        (row + down) * width + column + right
        if 0 <= row + down < height and 0 <= column + right < width
        else cells
        for direction in range(6)
        for row in range(height)
        for column in range(width)
        for down, right in (NEIGHBOURS[column % 2][direction],)
    ]
    # The first caller may be in inference mode; the table must also work in training.
    with torch.inference_mode(False):
        return torch.tensor(neighbours)


def _float(tensor: Tensor | None) -> Tensor | None:
    return None if tensor is None else tensor.float()
