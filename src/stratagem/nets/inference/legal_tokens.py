"""Computes only the tokens of legal actions, for networks with a token for every action.

Nothing attends to illegal actions and nobody reads their logits, so their tokens need not be
computed. Positions with similar numbers of legal actions are processed together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.nets.inference.runner import Array, Runner
from stratagem.nets.layers.slices import SliceReader

# Tokens are padded to steps of 16, or to fewer steps: every new shape is another graph to compile.
_STEP, _MOST_STEPS = 16, 8


@dataclass(frozen=True)
class Packed:
    """Some positions of a batch with the features of their legal actions."""

    rows: npt.NDArray[np.int64]  # [B] their rows in the batch
    actions: npt.NDArray[np.int64]  # [B, L] the legal actions first, then some illegal ones
    features: Array  # [B, L, F]


def run_packed(
    run: Runner, observations: Array, reader: SliceReader, chunk: int
) -> tuple[Array, Array]:
    """(logits [B, A], values [B, V]); illegal actions have logits of 0."""
    logits = np.zeros((len(observations), reader.shape[0]), np.float32)
    values: list[tuple[npt.NDArray[np.int64], Array]] = []
    for packed in pack(observations, reader, chunk):
        found, worth = run(observations[packed.rows], packed.features)
        logits[packed.rows[:, None], packed.actions] = found
        values.append((packed.rows, worth))
    joined = np.empty((len(observations), values[0][1].shape[1]), np.float32)
    for rows, worth in values:
        joined[rows] = worth
    legal = features_of(observations, reader)[:, :, -1] > 0
    return np.where(legal, logits, np.float32(0.0)), joined


def pack(observations: Array, reader: SliceReader, chunk: int) -> Iterator[Packed]:
    """Yield the batch in parts of at most `chunk` positions, fewest legal actions first."""
    features = features_of(observations, reader)
    legal = features[:, :, -1] > 0
    counts = legal.sum(1)
    by_count = np.argsort(counts, kind="stable")
    legal_first = np.argsort(~legal, axis=1, kind="stable")
    step = _STEP * -(-reader.shape[0] // (_STEP * _MOST_STEPS))
    for rows in np.split(by_count, range(chunk, len(counts), chunk)):
        most = -(-max(int(counts[rows[-1]]), 1) // step) * step
        actions = legal_first[rows, :most]
        yield Packed(rows, actions, features[rows[:, None], actions])


def features_of(observations: Array, reader: SliceReader) -> Array:
    """[B, A, F], whose last feature marks legal actions."""
    return observations[:, reader.start : reader.stop].reshape(-1, *reader.shape)
