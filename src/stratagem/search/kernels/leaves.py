"""What happens at a leaf: chance, priors and edges, and backing values up to the root."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.direct_call import inlined
from stratagem.core.prefetch import LINE, prefetch
from stratagem.core.random_kernels import advance
from stratagem.core.seats import CHANCE, OVER
from stratagem.search.kernels.edges import attach_edges, bring_best_forward, draw_edge
from stratagem.search.kernels.layout import COLLISION, EDGE, ENDED, NO_CHILD
from stratagem.search.kernels.selection import start_node

EDGES_PER_LINE = LINE // EDGE.itemsize


@kernel
def pass_chance(tree, leaves, rule, picked):
    """Handle leaves that are chance nodes: attach outcomes, draw one, and go one node deeper."""
    nodes, edges, seeds = tree.nodes, tree.edges, tree.seeds
    ids, probs, counts = leaves.ids, leaves.probs, leaves.counts
    capacity = nodes.shape[1]
    for k in range(len(picked)):
        i = picked[k]
        t = leaves.tree[i]
        n = leaves.node[i] - t * capacity
        node = nodes[t, n]
        attach_edges(nodes, edges, tree.edge_used, t, n, ids[i], probs[i], counts[i])
        node["seat"] = CHANCE
        node["waiting"] = 0
        seeds[t] = advance(seeds[t])
        rolls = rolls_above(nodes, t, n)
        e = draw_edge(edges, t, node, seeds[t], tree.chance_offsets[t], rolls)
        edge = edges[t, e]
        edge["visits"] += 1
        edge["value"] -= rule.virtual_loss
        fresh = tree.node_used[t]
        tree.node_used[t] = fresh + 1
        edge["child"] = fresh
        start_node(nodes, t, fresh, n, e)
        leaves.parent[i] = leaves.node[i]
        leaves.node[i] = t * capacity + fresh
        leaves.action[i] = edge["action"]


@kernel
def rolls_above(nodes, t, n):
    """Count the chance nodes between the root and this node."""
    count = 0
    n = nodes[t, n]["parent"]
    while n != NO_CHILD:
        if nodes[t, n]["seat"] == CHANCE:
            count += 1
        n = nodes[t, n]["parent"]
    return count


@kernel
def room_needed(node_used, edge_used, trees):
    """Return (nodes, edges) in use in the fullest of these trees."""
    nodes = edges = 0
    for t in trees:
        nodes = max(nodes, node_used[t])
        edges = max(edges, edge_used[t])
    return nodes, edges


@kernel
def list_deciding(new, seats, deciding):
    """List the new leaves in which a seat decides, in order; return their number."""
    count = 0
    for i in new:
        if seats[i] >= 0:
            deciding[count] = i
            count += 1
    return count


@kernel
def place_values(leaves, evaluated):
    """Copy row k of evaluated [K, P] to leaf leaves.deciding[k]."""
    for k in range(len(evaluated)):
        i = leaves.deciding[k]
        leaves.logit_rows[i] = k
        for p in range(evaluated.shape[1]):
            leaves.values[i, p] = evaluated[k, p]


@kernel
def set_priors(ids, count, logits, probs):
    """Compute the softmax of the logits over the legal actions only."""
    top = logits[ids[0]]
    for k in range(1, count):
        top = max(top, logits[ids[k]])
    total = 0.0
    for k in range(count):
        probs[k] = np.exp(logits[ids[k]] - top)
        total += probs[k]
    for k in range(count):
        probs[k] /= total


@inlined
@kernel
def finish(tree, leaves, rule, num_leaves, logits, evaluated):
    """Turn evaluated leaves into nodes and back up their values to the root.

    logits [K, A] and values `evaluated` [K, P] belong to the first K of `leaves.deciding`; without
    logits all actions are equal, without values those in `leaves` are used.
    """
    place_values(leaves, evaluated)
    nodes, edges, edge_used, capacity = tree.nodes, tree.edges, tree.edge_used, tree.nodes.shape[1]
    endings, potentials = tree.endings, tree.potentials
    leaf_kind, leaf_tree, leaf_node = leaves.kind, leaves.tree, leaves.node
    accumulated = leaves.accumulated
    seats, ids, probs, counts = leaves.seat, leaves.ids, leaves.probs, leaves.counts
    logit_rows, values = leaves.logit_rows, leaves.values
    if logits.shape[0] > 0:  # a network has run, and pushed the trees out of the caches
        call_paths(tree, leaves, num_leaves)
    for i in range(num_leaves):
        if leaf_kind[i] == COLLISION:
            continue
        if i + 1 < num_leaves and logits.shape[0] > 0 and seats[i + 1] != OVER:
            for k in range(counts[i + 1]):
                prefetch(logits, logit_rows[i + 1], ids[i + 1, k])
        t = leaf_tree[i]
        n = leaf_node[i] - t * capacity
        node = nodes[t, n]
        if leaf_kind[i] == ENDED:
            for p in range(values.shape[1]):
                values[i, p] = endings[t, n, p]
        else:
            node["waiting"] = 0
            node["seat"] = seats[i]
            if seats[i] == OVER:
                for p in range(values.shape[1]):
                    endings[t, n, p] = values[i, p]
            else:
                count = counts[i]
                if logits.shape[0] > 0:
                    set_priors(ids[i], count, logits[logit_rows[i]], probs[i])
                else:
                    for k in range(count):
                        probs[i, k] = 1.0 / count
                attach_edges(nodes, edges, edge_used, t, n, ids[i], probs[i], count)
                bring_best_forward(nodes, edges, t, n)
        back_up(nodes, edges, potentials, rule, t, n, values[i], accumulated)


@kernel
def call_paths(tree, leaves, num_leaves):
    """Prefetch what `finish` will touch: the path up from every leaf, and space for its edges.

    All leaves climb side by side. One after another, each step of each climb would have to wait for
    memory alone.
    """
    nodes, edges, edge_used, capacity = tree.nodes, tree.edges, tree.edge_used, tree.nodes.shape[1]
    leaf_tree, leaf_node, counts = leaves.tree, leaves.node, leaves.counts
    heights = np.empty(num_leaves, np.int64)
    for i in range(num_leaves):
        t = leaf_tree[i]
        heights[i] = leaf_node[i] - t * capacity
        prefetch(nodes, t, heights[i])
        for k in range(0, counts[i] + EDGES_PER_LINE, EDGES_PER_LINE):
            prefetch(edges, t, edge_used[t] + k)
    climbing = True
    while climbing:
        climbing = False
        for i in range(num_leaves):
            if heights[i] != NO_CHILD:
                node = nodes[leaf_tree[i], heights[i]]
                heights[i] = node["parent"]
                if heights[i] != NO_CHILD:
                    prefetch(edges, leaf_tree[i], node["parent_edge"])
                    climbing = True


@kernel
def back_up(nodes, edges, potentials, rule, t, n, value, accumulated):
    """Add a leaf's value (and the shaping along the path) to every edge above it.

    A seat's shaping for a step is discount · potential(after) - potential(before), both for that
    same seat, whoever moves next.
    """
    discount = rule.shaping_discount
    shaped = potentials.shape[0] > 0
    for p in range(len(accumulated)):
        accumulated[p] = 0.0
    node = nodes[t, n]
    if node["seat"] >= 0:
        node["value"] += value[node["seat"]]
    while node["parent"] != NO_CHILD:
        parent = node["parent"]
        edge = edges[t, node["parent_edge"]]
        if shaped:
            for p in range(len(accumulated)):
                gain = discount * potentials[t, n, p] - potentials[t, parent, p]
                accumulated[p] = gain + discount * accumulated[p]
        n = parent
        node = nodes[t, n]
        edge["value"] += rule.virtual_loss
        seat = node["seat"]
        if seat >= 0:
            total = value[seat] + accumulated[seat]
            edge["value"] += total
            node["value"] += total
