"""Search without a network as one compiled loop: select, step, play out, back up.

A network is asked in batches, so the forest and the game can meet in Python once per batch. But a
playout takes about a microsecond, and with few trees the way through Python would take twenty times
as long. For games without chance nodes this module builds one loop from the same kernels, so the
trees are identical to the last visit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stratagem.core.compile import Kernel, kernel_in, room_of
from stratagem.core.game import Rules, States
from stratagem.search.evaluation import hash_rows
from stratagem.search.kernels import ROOT, finish, select


class Playouts(NamedTuple):
    """How a new leaf gets its value, and space for one position to play out."""

    per_leaf: int  # 0: every value is zero
    seed: np.uint64
    state: States  # [1]
    raw: npt.NDArray[np.uint8]  # [1, bytes] the same memory


@cache
def grower(rules: Rules) -> Kernel:
    """Return the compiled loop for a game."""
    module = rules.reset.__module__
    build = kernel_in(room_of(module), f"{module}.search.grow", room_of(__name__))
    return build(_make_grow(rules.kernels.expand, rules.kernels.playout))


def _make_grow(expand: Kernel, playout: Kernel) -> Callable[..., Any]:
    def grow(  # type: ignore[no-untyped-def]
        tree, leaves, rule, states, trees, sims, width, playouts
    ):
        """Grow each tree to `sims` visits; return False if memory must be extended first."""
        nodes, raw, values = tree.nodes, tree.raw, leaves.values
        capacity = nodes.shape[1]
        growing = np.empty(len(trees), np.int64)
        seeds = np.empty(1, np.uint64)
        result = np.empty((1, values.shape[1]), np.float32)
        nothing = np.empty((0, 0), np.float32)
        while True:
            count = 0
            for t in trees:
                if nodes[t, ROOT]["visits"] - 1 < sims:
                    growing[count] = t
                    count += 1
                    if (
                        tree.node_used[t] + rule.leaves_per_tree + 1 > capacity
                        or tree.edge_used[t] + 2 * rule.leaves_per_tree * width
                        > tree.edges.shape[1]
                    ):
                        return False
            if count == 0:
                return True
            num_leaves, num_new = select(tree, leaves, rule, growing[:count])
            for i in leaves.new[:num_new]:
                one = slice(i, i + 1)
                row = leaves.node[one]
                expand(
                    states, raw, leaves.parent[one], row, leaves.action[one], leaves.seat[one],
                    leaves.ids[one], leaves.probs[one], leaves.counts[one], values[one],
                )  # fmt: skip
                if leaves.seat[i] < 0:
                    continue
                values[i, :] = 0.0
                for number in range(playouts.per_leaf):
                    hash_rows(raw, row, playouts.seed ^ np.uint64(number), seeds)
                    playout(states, raw, row, seeds, width, playouts.state, playouts.raw, result)
                    for p in range(values.shape[1]):
                        values[i, p] += result[0, p]
                if playouts.per_leaf > 1:
                    values[i, :] /= np.float32(playouts.per_leaf)
            finish(tree, leaves, rule, num_leaves, nothing, nothing)

    return grow
