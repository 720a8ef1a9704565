"""A node's edges: giving it some, drawing one by chance, keeping the best untried one in front."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import unit
from stratagem.search.kernels.layout import INDEPENDENT, NO_CHILD

# Multiples of the first are as evenly spread over 0..1 as a sequence can be, however long; the
# second keeps a later roll from repeating the one before it.
_EVEN_STEP = 0.6180339887498949
_NEXT_ROLL = 0.7548776662466927


@kernel
def attach_edges(nodes, edges, edge_used, t, n, ids, probs, count):
    """Give a node its edges; priors are set by whoever calls."""
    start = edge_used[t]
    edge_used[t] = start + count
    node = nodes[t, n]
    node["edge_start"] = start
    node["edge_count"] = count
    for k in range(count):
        edge = edges[t, start + k]
        edge["prior"] = probs[k]
        edge["visits"] = 0
        edge["value"] = 0.0
        edge["child"] = NO_CHILD
        edge["action"] = ids[k]


@kernel
def bring_best_forward(nodes, edges, t, n):
    node = nodes[t, n]
    first = node["edge_start"] + node["opened"]
    end = node["edge_start"] + node["edge_count"]
    if first >= end:
        return
    best = first
    best_prior = edges[t, first]["prior"]
    for e in range(first + 1, end):
        if edges[t, e]["prior"] > best_prior:
            best_prior = edges[t, e]["prior"]
            best = e
    if best != first:
        # Untried edges hold nothing but prior and action.
        action = edges[t, best]["action"]
        edges[t, best]["action"] = edges[t, first]["action"]
        edges[t, best]["prior"] = edges[t, first]["prior"]
        edges[t, first]["action"] = action
        edges[t, first]["prior"] = best_prior


@kernel
def open_next_edge(nodes, edges, t, n):
    """The waiting edge joins the tried ones; the best of the rest takes its place."""
    node = nodes[t, n]
    node["opened"] += 1
    bring_best_forward(nodes, edges, t, n)


@kernel
def draw_edge(edges, t, node, seed, offset, rolls_above):
    """An outcome of a chance node: drawn with the seed, or the next one of a stratified tree.

    Stratified, outcomes come as often as they are likely after few visits already, and chance
    nodes on the same level have the same ones in the same order, so that the moves above are
    compared by what they are worth and not by who rolled better.
    """
    target = unit(seed)
    if offset != INDEPENDENT:
        target = offset + node["visits"] * _EVEN_STEP + rolls_above * _NEXT_ROLL
        target -= np.floor(target)
    start = node["edge_start"]
    count = node["edge_count"]
    for e in range(start, start + count):
        target -= edges[t, e]["prior"]
        if target < 0.0:
            return e
    return start + count - 1
