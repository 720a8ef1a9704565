"""The AlphaZero loss: (z - v)² - π log p, over legal actions only, and optionally final points.

The third term of the papers, c|θ|², is the optimizer's weight decay.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from stratagem.nets.output import NetworkOutput


class Losses(NamedTuple):
    """Scalars of one batch; `total` is what training minimizes."""

    total: Tensor
    policy: Tensor  # cross-entropy against the search's visit distribution, in nats
    value: Tensor  # mean squared error
    score: Tensor  # Huber loss of the predicted final points; 0 if the network predicts none


def masked_log_softmax(logits: Tensor, legal_mask: Tensor) -> Tensor:
    """[B, A] log-probabilities over the legal actions; zero, without gradient, elsewhere."""
    # A finite minimum instead of -inf: infinity times a zero target would be NaN.
    floor = torch.finfo(logits.dtype).min
    log_probabilities = functional.log_softmax(logits.masked_fill(~legal_mask, floor), 1)
    return log_probabilities.masked_fill(~legal_mask, 0.0)


class Targets(NamedTuple):
    """The training targets of a batch."""

    policy: Tensor  # [B, A] float32, sums to 1 over the legal actions
    legal: Tensor  # [B, A] bool
    value: Tensor  # [B, V] float32
    policy_weights: Tensor | None = None  # [B]; a position may train the value but not the policy
    score: Tensor | None = None  # [B, P] final points, in units of the score scale


def alphazero_loss(
    output: NetworkOutput,
    targets: Targets,
    *,
    value_weight: float = 1.0,
    score_weight: float = 0.0,
    positions: Tensor | None = None,
) -> Losses:
    """Return the loss of a batch; the two weights scale the value and the points in the total.

    `positions` [B] are weights of the positions in the means.
    """
    log_probabilities = masked_log_softmax(output.logits, targets.legal)
    policy = -(targets.policy * log_probabilities).sum(1)  # [B]
    value = (output.values - targets.value).square().mean(1)  # [B]
    if positions is not None:
        policy, value = policy * positions, value * positions
    policy_mean, value_mean = _mean(policy, targets.policy_weights), value.mean()
    score_mean = torch.zeros(())
    if output.scores is not None and targets.score is not None:
        score = functional.huber_loss(output.scores, targets.score, reduction="none").mean(1)
        score_mean = (score if positions is None else score * positions).mean()
    total = policy_mean + value_weight * value_mean + score_weight * score_mean
    return Losses(total, policy_mean, value_mean, score_mean)


def _mean(per_sample: Tensor, weights: Tensor | None) -> Tensor:
    if weights is None:
        return per_sample.mean()
    # The minimum avoids dividing by zero: a batch of zero weights has loss zero.
    total = weights.sum().clamp(min=torch.finfo(per_sample.dtype).tiny)
    return (per_sample * weights).sum() / total
