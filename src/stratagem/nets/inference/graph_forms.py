"""Layers rewritten in the form that OpenVINO runs best, with the same numbers and weights.

Each form is a subclass with another `forward`, so a module is rewritten by replacing classes.
"""

from __future__ import annotations

import copy
import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.nets.layers.attention import EncoderLayer
from stratagem.nets.layers.basic import ConvNorm
from stratagem.nets.layers.hex import COLUMN_PADDING, SIDES_DILATION, SIDES_PADDING, HexLayer
from stratagem.nets.layers.hex_blocks import ChannelNorm

_LARGEST_SCORE = 75.0  # exp of it, and sums of that, are far from the largest float


class GraphEncoderLayer(EncoderLayer):
    """Attention head by head: two products with an exponential between them.

    OpenVINO would copy narrow heads number by number to separate them, which takes longer than
    several narrow products. The scores of one head fit into the cache. The sums divide the few
    outputs, not the many scores.
    """

    shifted = True  # subtract each query's largest score, because its exponential could overflow

    def forward(self, x: Tensor, mask: Tensor | None, unread: int = 0) -> Tensor:
        if mask is not None and (mask.dtype == torch.bool or mask.shape[1] > 1):
            return super().forward(x, mask, unread)
        normed = self.norm(x)
        asking = normed
        if unread:
            x, asking = x[:, :-unread], normed[:, :-unread]
        attended = self._attend(asking, normed, None if mask is None else mask[:, 0])
        fed: Tensor = self.feed(x + self.out(attended))
        return fed

    def _attend(self, asking: Tensor, asked: Tensor, mask: Tensor | None) -> Tensor:
        weights, biases = _by_head(self)
        scale = weights.shape[2] ** -0.5
        heads = []
        for (to_query, to_key, to_value), (query_bias, key_bias, value_bias) in zip(
            weights.unbind(1), biases.unbind(1), strict=True
        ):
            query = functional.linear(asking, scale * to_query, scale * query_bias)
            key = functional.linear(asked, to_key, key_bias)
            value = functional.linear(asked, to_value, value_bias)
            scores = query @ key.transpose(1, 2)
            scores = scores if mask is None else scores + mask
            if self.shifted:
                scores = scores - scores.amax(2, keepdim=True)
            shares = torch.exp(scores)
            heads.append((shares @ value) / shares.sum(2, keepdim=True))
        return torch.cat(heads, 2)


def _by_head(layer: EncoderLayer) -> tuple[Tensor, Tensor]:
    """Return weights [3, heads, size, width] and biases [3, heads, size]: query, key, value."""
    part = layer.query_key_value
    shape = (3, layer.heads, -1)
    return part.weight.reshape(*shape, part.in_features), part.bias.reshape(shape)


def has_small_scores(module: nn.Module) -> bool:
    """Whether no position can have a score whose exponential overflows or vanishes.

    Scores are products of normalized tokens, so the weights bound them: the length of a token is at
    most the square root of its size, before the norm's scale and bias. Masks only subtract.
    """
    layers = [one for one in module.modules() if isinstance(one, EncoderLayer)]
    return all(_score_bound(layer) <= _LARGEST_SCORE for layer in layers)


@torch.no_grad()
def _score_bound(layer: EncoderLayer) -> float:
    weights, biases = _by_head(layer)
    added = biases + weights @ layer.norm.bias
    scaled = weights * layer.norm.weight
    query = torch.cat([scaled[0], added[0][:, :, None]], 2)  # for a token followed by a 1
    key = torch.cat([scaled[1], added[1][:, :, None]], 2)
    products = query.transpose(1, 2) @ key
    length = math.sqrt(layer.norm.weight.shape[0])
    bound = (
        length**2 * torch.linalg.matrix_norm(products[:, :-1, :-1], 2)
        + length * products[:, :-1, -1].norm(dim=1)
        + length * products[:, -1, :-1].norm(dim=1)
        + products[:, -1, -1].abs()
    )
    return float(bound.max()) / math.sqrt(weights.shape[2])


class GraphConvNorm(ConvNorm):
    """One convolution that never has a single channel, see `_convolve`."""

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        weight, bias = self.folded()
        y = _convolve(x, weight, bias, [weight.shape[2] // 2] * 2)
        return functional.relu(y if residual is None else y + residual)


class GraphHexLayer(HexLayer):
    """Columns are lowered by two shifted copies, of which a mask takes every other column."""

    def forward(self, x: Tensor, residual: Tensor | None = None) -> Tensor:
        odd = (torch.arange(x.shape[3]) % 2).to(x.dtype)
        above, below = functional.pad(x, (0, 0, 1, 0)), functional.pad(x, (0, 0, 0, 1))
        lowered = below * (1 - odd) + above * odd
        y = _convolve(x, self.column, self.bias, COLUMN_PADDING)
        y = y + _convolve(lowered, self.sides, None, SIDES_PADDING, SIDES_DILATION)
        y = y if residual is None else y + residual
        return functional.relu(y) if self.relu else y


class GraphChannelNorm(ChannelNorm):
    """Normalization over channels in place: moving them to the end and back costs more."""

    def forward(self, x: Tensor) -> Tensor:
        away = x - x.mean(1, keepdim=True)
        scale = torch.rsqrt((away * away).mean(1, keepdim=True) + self.norm.eps)
        return away * scale * self.norm.weight[:, None, None] + self.norm.bias[:, None, None]


def _convolve(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    padding: list[int],
    dilation: list[int] | None = None,
) -> Tensor:
    """Convolve, using two channels in place of a single one.

    OpenVINO 2026.4 computes convolutions from or to one channel wrongly on one or two positions.
    """
    dilation = dilation or [1, 1]
    if weight.shape[1] == 1:
        x, weight = x.repeat(1, 2, 1, 1), 0.5 * weight.repeat(1, 2, 1, 1)
    if weight.shape[0] > 1:
        return functional.conv2d(x, weight, bias, padding=padding, dilation=dilation)
    twice, added = weight.repeat(2, 1, 1, 1), None if bias is None else bias.repeat(2)
    return functional.conv2d(x, twice, added, padding=padding, dilation=dilation)[:, :1]


# What is rewritten, wherever it is in a network.
_FORMS: dict[type[nn.Module], type[nn.Module]] = {
    ChannelNorm: GraphChannelNorm,
    EncoderLayer: GraphEncoderLayer,
    HexLayer: GraphHexLayer,
}


def graph_form(module: nn.Module) -> nn.Module:
    """Return a copy in evaluation mode with its layers rewritten; weights keep their names."""
    form = copy.deepcopy(module).eval().requires_grad_(False)
    shifted = not has_small_scores(form)
    for part in form.modules():
        if type(part) in _FORMS:
            part.__class__ = _FORMS[type(part)]
        elif type(part) is ConvNorm and 1 in part.conv.weight.shape[:2]:
            part.__class__ = GraphConvNorm
        if isinstance(part, GraphEncoderLayer):
            part.shifted = shifted
    return form
