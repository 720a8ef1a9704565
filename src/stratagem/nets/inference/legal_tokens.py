"""Only the tokens of legal actions, for networks that give every action a token.

Nobody attends to an illegal action and nobody asks for its logit, so its token need not be
computed. Positions with about as many legal actions are computed together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stratagem.nets.inference.runner import Array, Runner
from stratagem.nets.layers.slices import SliceReader

_STEP = 8  # tokens are added in such steps: every other number of them is another shape to prepare


@dataclass(frozen=True)
class Packed:
    """Some positions of a batch with the features of their legal actions."""

    rows: npt.NDArray[np.int64]  # [B] where they stand in the batch
    actions: npt.NDArray[np.int64]  # [B, L] the legal actions first, some illegal ones behind
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
    """The batch in parts of at most `chunk` positions, those with few legal actions first."""
    features = features_of(observations, reader)
    legal = features[:, :, -1] > 0
    counts = legal.sum(1)
    by_count = np.argsort(counts, kind="stable")
    legal_first = np.argsort(~legal, axis=1, kind="stable")
    for rows in np.array_split(by_count, -(-len(counts) // chunk)):
        most = -(-max(int(counts[rows[-1]]), 1) // _STEP) * _STEP
        actions = legal_first[rows, :most]
        yield Packed(rows, actions, features[rows[:, None], actions])


def features_of(observations: Array, reader: SliceReader) -> Array:
    """[B, A, F], the last of which tells legal actions."""
    return observations[:, reader.start : reader.stop].reshape(-1, *reader.shape)
