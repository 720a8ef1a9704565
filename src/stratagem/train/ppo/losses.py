"""The losses of proximal policy optimisation and of imitation, over legal actions only.

Decisions belong to sequences. If the network can decide several steps from one encoding, only the
first position of a sequence is encoded.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from stratagem.nets.kinds.regions import RegionNetwork


@dataclass(frozen=True)
class Decisions:
    """Part of a batch: decisions [n] of sequences [m], one after another."""

    observations: Tensor  # [n, D]
    actions: Tensor  # [n] int64
    lengths: Tensor  # [m] decisions of each sequence
    legal: Tensor  # [n, W] int64 ids, padded
    is_legal: Tensor  # [n, W] bool
    value_targets: Tensor  # [m, V]
    old: Tensor  # [n] log-probabilities under the policy that played
    advantages: Tensor  # [n]
    strengths: Tensor  # [n] weight of the reference policy

    @property
    def firsts(self) -> Tensor:
        """[m] index of each sequence's first decision."""
        return self.lengths.cumsum(0) - self.lengths


@dataclass(frozen=True)
class LossWeights:
    """The weights of the terms of the loss, and how far a step may go."""

    clip: float
    entropy: float
    value: float
    imitate: bool


def run_network(module: nn.Module, batch: Decisions) -> tuple[Tensor, Tensor]:
    """(log-probabilities [n, W] of legal actions, values [m, V]); padding has a finite minimum."""
    longest = int(batch.lengths.max())
    firsts = batch.firsts
    if isinstance(module, RegionNetwork) and longest > 1:
        logits, values = _run_sequences(module, batch, firsts, longest)
    else:
        output = module(batch.observations)
        logits, values = output.logits, output.values[firsts]
    picked = logits.float().gather(1, batch.legal)
    floor = torch.finfo(torch.float32).min
    return functional.log_softmax(picked.masked_fill(~batch.is_legal, floor), 1), values.float()


def _run_sequences(
    module: RegionNetwork, batch: Decisions, firsts: Tensor, longest: int
) -> tuple[Tensor, Tensor]:
    """Run all sequences from the encodings of their first positions, grouped by length."""
    memory = module.encode(batch.observations[firsts])
    chosen = module.decoder.tokens.chosen(batch.observations)
    logits, order = [], []
    shortest, most = 1, 1
    while shortest <= longest:
        some = ((batch.lengths >= shortest) & (batch.lengths <= most)).nonzero().squeeze(1)
        if len(some):
            step = torch.arange(min(most, longest), device=firsts.device)
            valid = step < batch.lengths[some, None]  # [k, S]
            rows = torch.where(valid, firsts[some, None] + step, firsts[some, None])
            previous = batch.actions[(rows - 1).clamp(min=0)].masked_fill(step == 0, -1)
            found, _ = module.decode(memory.of(some), chosen[rows], previous, None, 0)
            logits.append(found[valid])
            order.append(rows[valid])
        shortest, most = most + 1, 2 * most
    back = torch.cat(order).argsort()
    return torch.cat(logits)[back], memory.values


def loss_of(
    module: nn.Module, reference: nn.Module | None, batch: Decisions, weights: LossWeights
) -> tuple[Tensor, dict[str, float]]:
    """Return the loss to minimise, and its parts as numbers."""
    log_p, values = run_network(module, batch)
    taken = (batch.legal == batch.actions[:, None]) & batch.is_legal
    mine = (log_p * taken).sum(1)  # [n]
    value_loss = (values - batch.value_targets).square().mean()
    p = log_p.exp()
    entropy = -(p * log_p.masked_fill(~batch.is_legal, 0.0)).sum(1).mean()
    parts = {"value": value_loss.item(), "entropy": entropy.item()}
    if weights.imitate:
        policy_loss = -mine.mean()
        total = policy_loss + weights.value * value_loss
    else:
        change = mine - batch.old
        ratio = change.exp()
        limited = ratio.clamp(1 - weights.clip, 1 + weights.clip)
        gain = torch.minimum(ratio * batch.advantages, limited * batch.advantages)
        policy_loss = -gain.mean()
        total = policy_loss + weights.value * value_loss - weights.entropy * entropy
        with torch.no_grad():
            parts["divergence"] = (ratio - 1 - change).mean().item()
            parts["clipped"] = ((ratio - limited).abs() > 0).float().mean().item()
    parts["policy"] = policy_loss.item()
    if reference is not None:
        with torch.no_grad():
            wanted, _ = run_network(reference, batch)
        pull = (wanted.exp() * (wanted - log_p)).masked_fill(~batch.is_legal, 0.0).sum(1)
        parts["reference"] = pull.mean().item()
        total = total + (batch.strengths * pull).mean()
    parts["total"] = total.item()
    return total, parts
