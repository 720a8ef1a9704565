"""What every network returns, whatever its kind."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class NetworkOutput(NamedTuple):
    """Policy and value of a batch of observations, from the deciding seat's point of view."""

    logits: Tensor  # [B, A] float32, illegal actions included: whoever reads them masks them
    values: Tensor  # [B, V] float32 in [-1, 1]; entry k belongs to seat (decider + k) % P


def num_values_for(num_seats: int) -> int:
    """How many values a network predicts: in a two-seat game one says both."""
    return 1 if num_seats == 2 else num_seats
