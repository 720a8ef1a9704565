"""Layers rewritten in the form that OpenVINO runs best, with the same numbers and weights.

Each form is a subclass with another `forward`, so a module is rewritten by replacing classes.
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.nets.inference.runner import Precision
from stratagem.nets.layers.attention import EncoderLayer, join_heads, split_heads
from stratagem.nets.layers.basic import ConvNorm
from stratagem.nets.layers.hex import COLUMN_PADDING, SIDES_DILATION, SIDES_PADDING, HexLayer
from stratagem.nets.layers.hex_blocks import ChannelNorm

_NARROW = 16  # numbers per head: two heads in bfloat16 fill a register


class GraphEncoderLayer(EncoderLayer):
    """Attention as two products with an exponential between them.

    OpenVINO's own fused attention takes a third longer for heads this small. The sums divide the
    few outputs, not the many weights. Query, key and value are three products: splitting one
    product into three parts would copy it.
    """

    def forward(self, x: Tensor, mask: Tensor | None, unread: int = 0) -> Tensor:
        # With a mask there are more tokens, whose attention weights would not fit into the cache.
        # All tokens are computed: leaving some out was 6 % faster for 128 positions, but equally
        # slower for a single one.
        if mask is not None or unread:
            whole = super().forward(x, mask)
            return whole[:, :-unread] if unread else whole
        fed: Tensor = self.feed(x + self._attend(self.norm(x)))
        return fed

    def _attend(self, x: Tensor) -> Tensor:
        weights, biases = self.query_key_value.weight.chunk(3), self.query_key_value.bias.chunk(3)
        query, key, value = (
            split_heads(functional.linear(x, weight, bias), self.heads)
            for weight, bias in zip(weights, biases, strict=True)
        )
        attended: Tensor = self.out(
            join_heads(_softmax_product(query, key, value, query.shape[3] ** -0.5))
        )
        return attended


class GraphNarrowHeads(GraphEncoderLayer):
    """The same in bfloat16, for heads of which two fit into a register.

    OpenVINO moves such heads number by number, and wider ones register by register. So key and
    value are moved as one, and the query is padded with zeros: its product with both equals that
    with the key. In the output, the half made from keys is multiplied by zeros in the weights.
    """

    def _attend(self, x: Tensor) -> Tensor:
        width = self.out.in_features
        weights = self.query_key_value.weight.reshape(3, self.heads, -1, width)
        biases = self.query_key_value.bias.reshape(3, self.heads, -1)
        scale = weights.shape[2] ** -0.5

        def project(left: Tensor, right: Tensor, one: Tensor, other: Tensor) -> Tensor:
            weight, bias = torch.cat([left, right], 1), torch.cat([one, other], 1)
            return split_heads(
                functional.linear(x, weight.flatten(0, 1), bias.flatten()), self.heads
            )

        nothing = torch.zeros_like(weights[0]), torch.zeros_like(biases[0])
        query = project(scale * weights[0], nothing[0], scale * biases[0], nothing[1])
        key_value = project(weights[1], weights[2], biases[1], biases[2])
        out = self.out.weight.reshape(width, self.heads, -1)  # [width, heads, size]
        out = torch.cat([torch.zeros_like(out), out], 2).flatten(1)
        attended = join_heads(_softmax_product(query, key_value, key_value, 1.0))
        return functional.linear(attended, out, self.out.bias)


def _softmax_product(query: Tensor, key: Tensor, value: Tensor, scale: float) -> Tensor:
    scores = query @ key.transpose(2, 3)
    shares = torch.exp(scale * (scores - scores.amax(3, keepdim=True)))
    return (shares @ value) / shares.sum(3, keepdim=True)


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


def graph_form(module: nn.Module, precision: Precision) -> nn.Module:
    """Return a copy in evaluation mode with its layers rewritten; weights keep their names."""
    form = copy.deepcopy(module).eval().requires_grad_(False)
    for part in form.modules():
        if type(part) in _FORMS:
            narrow = precision == "bfloat16" and _has_narrow_heads(part)
            part.__class__ = GraphNarrowHeads if narrow else _FORMS[type(part)]
        elif type(part) is ConvNorm and 1 in part.conv.weight.shape[:2]:
            part.__class__ = GraphConvNorm
    return form


def _has_narrow_heads(part: nn.Module) -> bool:
    return isinstance(part, EncoderLayer) and part.out.in_features // part.heads == _NARROW
