"""Search without a network as one compiled loop: select, step, play out, back up.

A network is asked in batches, so the forest and the game may meet in Python once per batch. A
playout costs about a microsecond, and with few trees those meetings cost twenty times the work.
For games without chance nodes this module closes a loop over the very same kernels, so the trees
are the same to the last visit; it only skips Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from stratagem.core.compile import Kernel, kernel_in, room_of
from stratagem.core.game import Rules
from stratagem.search.evaluation import hash_rows
from stratagem.search.kernels import NEW, ROOT, ROOT_PUCT, finish, select


@cache
def grower(rules: Rules) -> Kernel:
    """The compiled loop of one game."""
    module = rules.reset.__module__
    build = kernel_in(room_of(module), f"{module}.search.grow", room_of(__name__))
    return build(_make_grow(rules.kernels.expand, rules.kernels.playout))


def _make_grow(expand: Kernel, playout: Kernel) -> Callable[..., Any]:
    def grow(  # type: ignore[no-untyped-def]
        trees, sims, playouts, seed, width, leaves_per_tree, dials, forest, batch, scratch
    ):
        """Grow each tree to `sims` visits; False when memory ran short and must be extended."""
        c_init, c_base, fpu_reduction, virtual_loss, shaping_discount = dials
        nodes, edges, node_used, edge_used, endings, potentials, words, luck, states, raw = forest
        kind, tree, node, parent, action, seat, ids, probs, counts, values, rows, accumulated = (
            batch
        )
        record, record_raw, root_bias, root_quota, no_logits = scratch
        capacity = nodes.shape[1]
        growing = np.empty(len(trees), np.int64)
        seeds = np.empty(1, np.uint64)
        result = np.empty((1, values.shape[1]), np.float32)
        while True:
            count = 0
            for t in trees:
                if nodes[t, ROOT]["visits"] - 1 < sims:
                    growing[count] = t
                    count += 1
                    if (
                        node_used[t] + leaves_per_tree + 1 > capacity
                        or edge_used[t] + 2 * leaves_per_tree * width > edges.shape[1]
                    ):
                        return False
            if count == 0:
                return True
            num_leaves = select(
                nodes, edges, node_used, growing[:count], leaves_per_tree, words, luck,
                c_init, c_base, fpu_reduction, virtual_loss, ROOT_PUCT,
                root_bias, root_quota, 0.0, capacity, kind, tree, node, parent, action,
            )  # fmt: skip
            for i in range(num_leaves):
                if kind[i] != NEW:
                    continue
                one = slice(i, i + 1)
                expand(
                    states, raw, parent[one], node[one], action[one],
                    seat[one], ids[one], probs[one], counts[one], values[one],
                )  # fmt: skip
                if seat[i] < 0:
                    continue
                values[i, :] = 0.0
                for number in range(playouts):
                    hash_rows(raw, node[one], seed ^ np.uint64(number), seeds)
                    playout(states, raw, node[one], seeds, width, record, record_raw, result)
                    for p in range(values.shape[1]):
                        values[i, p] += result[0, p]
                if playouts > 1:
                    values[i, :] /= np.float32(playouts)
            finish(
                nodes, edges, edge_used, endings, potentials, shaping_discount, virtual_loss,
                capacity, num_leaves, kind, tree, node, seat, ids, probs, counts,
                rows, no_logits, values, accumulated,
            )  # fmt: skip

    return grow
