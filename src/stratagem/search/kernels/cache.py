"""The cache of evaluations: a hash table of positions with four places per bucket.

A position is identified by a 128-bit hash, so two positions are never confused. Only the logits of
legal actions are kept, in the order in which the game lists the actions.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance

PLACES = 4  # of a bucket
NEVER = 0  # in `Entries.used`: an empty place
_NOWHERE = -1

_S7 = np.uint64(7)
_S9 = np.uint64(9)
_FIRST = np.uint64(0x9E3779B97F4A7C15)
_SECOND = np.uint64(0xD1B54A32D192ED03)


class Entries(NamedTuple):
    """The cached evaluations: M entries (a power of two), up to K logits, P seats."""

    keys: npt.NDArray[np.uint64]  # [M, 2]
    used: npt.NDArray[np.int64]  # [M] the last batch that used it, or NEVER
    filled: npt.NDArray[np.bool_]  # [M] False until its evaluation arrives
    logits: npt.NDArray[np.float32]  # [M, K]
    values: npt.NDArray[np.float32]  # [M, P]
    first: npt.NDArray[np.int64]  # [M] the row of the batch that will fill it


class Batch(NamedTuple):
    """One batch of positions being looked up: up to B rows, A actions."""

    logits: npt.NDArray[np.float32]  # [B, A] arbitrary where illegal
    values: npt.NDArray[np.float32]  # [B, P]
    entry: npt.NDArray[np.int64]  # [B] the entry that a row will fill
    twin: npt.NDArray[np.int64]  # [B] an earlier row with the same position
    fresh: npt.NDArray[np.int64]  # [B] list of the rows to evaluate
    padded: npt.NDArray[np.uint8]  # one position, padded to whole words
    words: npt.NDArray[np.uint64]  # the same memory


@kernel
def hash_position(row, observer_seat, padded, words):
    """Return a 128-bit hash, as two words, of a position and its observer."""
    for byte in range(len(row)):
        padded[byte] = row[byte]
    one = advance(_FIRST ^ np.uint64(observer_seat + 2))
    two = _SECOND ^ one
    for word in words:
        one = advance(one ^ word)
        # Another xorshift generator, so that the two words are independent.
        two = two ^ word
        two = two ^ (two << _S7)
        two = two ^ (two >> _S9)
    return one, two


@kernel
def find_place(entries, one, two):
    """Return (entry, True) if the position is known, else (the entry to replace, False)."""
    start = np.int64(one & np.uint64(len(entries.used) // PLACES - 1)) * PLACES
    oldest = start
    for place in range(start, start + PLACES):
        if entries.used[place] == NEVER:
            return place, False
        if entries.keys[place, 0] == one and entries.keys[place, 1] == two:
            return place, True
        if entries.used[place] < entries.used[oldest]:
            oldest = place
    return oldest, False


@kernel
def look_up(entries, batch, leaves, raw, picked, observer_seats, now):
    """Copy the known evaluations of the leaves `picked` [B]; return how many are unknown."""
    num_fresh = 0
    for i in range(len(picked)):
        leaf = picked[i]
        count = leaves.counts[leaf]
        batch.twin[i] = _NOWHERE
        batch.entry[i] = _NOWHERE
        if count > entries.logits.shape[1]:
            batch.fresh[num_fresh] = i
            num_fresh += 1
            continue
        row = raw[leaves.node[leaf]]
        one, two = hash_position(row, observer_seats[i], batch.padded, batch.words)
        place, known = find_place(entries, one, two)
        if known and entries.filled[place]:
            for k in range(count):
                batch.logits[i, leaves.ids[leaf, k]] = entries.logits[place, k]
            for p in range(entries.values.shape[1]):
                batch.values[i, p] = entries.values[place, p]
            entries.used[place] = now
            continue
        if known and entries.used[place] == now:
            batch.twin[i] = entries.first[place]
            continue
        entries.keys[place, 0] = one
        entries.keys[place, 1] = two
        entries.used[place] = now
        entries.filled[place] = False
        entries.first[place] = i
        batch.entry[i] = place
        batch.fresh[num_fresh] = i
        num_fresh += 1
    return num_fresh


@kernel
def fill(entries, batch, leaves, picked, num_fresh, logits, values):
    """Store and copy new evaluations: row k of `logits` [F, A] is that of row batch.fresh[k]."""
    seats = values.shape[1]
    for k in range(num_fresh):
        i = batch.fresh[k]
        copy_row(batch, leaves, picked[i], i, logits[k], values[k])
        place = batch.entry[i]
        # A later row of this batch may have replaced the entry.
        if place != _NOWHERE and entries.first[place] == i and not entries.filled[place]:
            leaf = picked[i]
            for n in range(leaves.counts[leaf]):
                entries.logits[place, n] = logits[k, leaves.ids[leaf, n]]
            for p in range(seats):
                entries.values[place, p] = values[k, p]
            entries.filled[place] = True
    for i in range(len(picked)):
        twin = batch.twin[i]
        if twin != _NOWHERE:
            copy_row(batch, leaves, picked[i], i, batch.logits[twin], batch.values[twin])


@kernel
def copy_row(batch, leaves, leaf, i, logits, values):
    """Copy logits [A] and values [P] to row i of the batch, which belongs to this leaf."""
    for n in range(leaves.counts[leaf]):
        action = leaves.ids[leaf, n]
        batch.logits[i, action] = logits[action]
    for p in range(len(values)):
        batch.values[i, p] = values[p]
