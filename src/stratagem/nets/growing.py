"""Starts a network from the weights of a smaller one, so that it plays exactly the same at first.

Layers may have more inputs than before: the new ones start with weight zero. Parts that the smaller
network does not have keep their initial weights; they are used only through such zeros, or change
nothing at first (`BoardPool`).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from stratagem.core.errors import BadSetting


@torch.no_grad()
def take_over(module: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Load the weights of the same network, or of one with fewer inputs or parts."""
    own = module.state_dict()
    unknown = sorted(weights.keys() - own.keys())
    if unknown:
        raise BadSetting(
            f"start: the checkpoint has weights {unknown[0]} that do not fit into this run's "
            "network: use the checkpoint's network settings, or larger ones"
        )
    for name, tensor in weights.items():
        _check(name, tuple(tensor.shape), tuple(own[name].shape))
    for name, tensor in weights.items():
        target = own[name]
        if tensor.shape != target.shape:
            target.zero_()
            target = target[:, : tensor.shape[1]]
        target.copy_(tensor)


def _check(name: str, smaller: tuple[int, ...], larger: tuple[int, ...]) -> None:
    reads_more = len(smaller) == len(larger) > 1 and smaller[1] <= larger[1]
    same_otherwise = smaller[:1] + smaller[2:] == larger[:1] + larger[2:]
    if smaller != larger and not (reads_more and same_otherwise):
        raise BadSetting(
            f"start: weights {name} have the sizes {smaller} in the checkpoint and {larger} in the "
            "network of this run: only the inputs of a layer may grow"
        )
