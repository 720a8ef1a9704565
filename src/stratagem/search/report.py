"""The findings of a search at its root, and the improved policy used by Gumbel's rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class RootReport:
    """The findings of the searches of B positions about their legal actions.

    actions, visits, values, priors and policy are [B, W], counts and root_values [B]. W is
    the largest number of legal actions; row b ends after counts[b] actions.
    """

    actions: npt.NDArray[np.int32]  # [B, W]
    visits: npt.NDArray[np.int32]  # [B, W]
    values: npt.NDArray[np.float32]  # [B, W] for the deciding seat; 0 where not visited
    priors: npt.NDArray[np.float32]  # [B, W]
    counts: npt.NDArray[np.int32]  # [B] legal actions
    root_values: npt.NDArray[np.float32]  # [B] mean value for the deciding seat
    policy: npt.NDArray[np.float32]  # [B, W] the improved policy: a training target


def completed_policy(
    visits: npt.NDArray[np.int32],
    values: npt.NDArray[np.float32],
    priors: npt.NDArray[np.float32],
    counts: npt.NDArray[np.int32],
    root_values: npt.NDArray[np.float32],
    scale: float,
) -> npt.NDArray[np.float32]:
    """Return softmax(logit + scale · value); unvisited actions get a mix of known values."""
    legal = np.arange(visits.shape[1])[None, :] < counts[:, None]
    seen = visits > 0
    weight = np.where(seen, priors, 0).sum(axis=1)
    mean_seen = np.where(seen, priors * values, 0).sum(axis=1) / np.maximum(weight, 1e-9)
    total = visits.sum(axis=1)
    mixed = (root_values + total * mean_seen) / (1 + total)
    completed = np.where(seen, values, mixed[:, None])
    weights = (50.0 + visits.max(axis=1, keepdims=True)) * scale
    logits = np.where(legal, np.log(priors + 1e-12) + weights * completed, -np.inf)
    policy = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: npt.NDArray[np.float32] = policy / policy.sum(axis=1, keepdims=True)
    return result
