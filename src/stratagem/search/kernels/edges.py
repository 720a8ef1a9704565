"""A node's edges: attaching, drawing one by chance, moving the best untried one to the front."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import unit
from stratagem.search.kernels.layout import INDEPENDENT, NO_CHILD

# Multiples of the first number are spread as evenly over 0..1 as a sequence of any length can be;
# the second keeps a later roll from repeating the one before it.
_EVEN_STEP = 0.6180339887498949
_NEXT_ROLL = 0.7548776662466927


@kernel
def attach_edges(nodes, edges, edge_used, t, n, ids, probs, count):
    """Attach edges to a node; the caller sets the priors."""
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
        # Untried edges contain only prior and action.
        action = edges[t, best]["action"]
        edges[t, best]["action"] = edges[t, first]["action"]
        edges[t, best]["prior"] = edges[t, first]["prior"]
        edges[t, first]["action"] = action
        edges[t, first]["prior"] = best_prior


@kernel
def open_next_edge(nodes, edges, t, n):
    """Mark the first untried edge as tried, and move the best of the rest to its place."""
    node = nodes[t, n]
    node["opened"] += 1
    bring_best_forward(nodes, edges, t, n)


@kernel
def draw_edge(edges, t, node, seed, offset, rolls_above):
    """Draw an outcome of a chance node: with the seed, or in order in a stratified tree.

    In a stratified tree, outcomes match their probabilities after only a few visits, and chance
    nodes on the same level have the same outcomes in the same order, so that the moves above are
    compared by their worth and not by luck.
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
