"""A network that starts from the weights of a smaller one and plays exactly as it did.

Layers may read more than before: what is new is read with weight zero at first. Parts that the
smaller network does not have keep their fresh weights; they are heard only through such zeros, or
change nothing when fresh (`BoardPool`).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from stratagem.core.errors import BadSetting


@torch.no_grad()
def take_over(module: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Load weights of the same network, or of one that reads less or has fewer parts."""
    own = module.state_dict()
    unknown = sorted(weights.keys() - own.keys())
    if unknown:
        raise BadSetting(
            f"start: the checkpoint has weights {unknown[0]} that the network of this run has no "
            "place for: give the run the checkpoint's network settings, or larger ones"
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
            "network of this run: only what a layer reads may grow"
        )
