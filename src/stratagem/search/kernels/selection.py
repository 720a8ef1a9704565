"""Walks down a tree to a leaf: PUCT inside, PUCT or Gumbel's rule at the root."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.direct_call import inlined
from stratagem.core.random_kernels import advance
from stratagem.core.seats import CHANCE, OVER
from stratagem.search.kernels.edges import draw_edge, open_next_edge
from stratagem.search.kernels.layout import COLLISION, ENDED, NEW, NO_CHILD, ROOT, ROOT_GUMBEL
from stratagem.search.kernels.roots import best_gumbel_edge


@inlined
@kernel
def select(tree, leaves, rule, trees):
    """Walk each of `trees` down to a leaf, `leaves_per_tree` times; return (leaves, new leaves).

    New leaves are listed in `leaves.new`. Visits are counted on the way down, with a virtual loss,
    so that the next walk in the same batch goes elsewhere; `back_up` adds the value and removes the
    loss.
    """
    # Unpacked from the bundles once: inside the loop each access would count another reference.
    nodes, edges, node_used, seeds = tree.nodes, tree.edges, tree.node_used, tree.seeds
    chance_offsets, root_bias, root_quota = tree.chance_offsets, tree.root_bias, tree.root_quota
    leaf_kind, leaf_tree, leaf_new = leaves.kind, leaves.tree, leaves.new
    leaf_node, leaf_parent, leaf_action = leaves.node, leaves.parent, leaves.action
    capacity = nodes.shape[1]
    count = new = 0
    for i in range(len(trees)):
        t = trees[i]
        for _ in range(rule.leaves_per_tree):
            n = ROOT
            nodes[t, n]["visits"] += 1
            kind = NEW
            parent = NO_CHILD
            action = -1
            rolls = 0
            while True:
                node = nodes[t, n]
                if node["waiting"] != 0:
                    kind = COLLISION
                    break
                seat = node["seat"]
                if seat == OVER:
                    kind = ENDED
                    break
                if seat == CHANCE:
                    seeds[t] = advance(seeds[t])
                    e = draw_edge(edges, t, node, seeds[t], chance_offsets[t], rolls)
                    rolls += 1
                elif n == ROOT and rule.root == ROOT_GUMBEL:
                    e = best_gumbel_edge(
                        edges, t, node, root_bias[t], root_quota[t], rule.gumbel_scale
                    )
                else:
                    e = best_puct_edge(nodes, edges, t, n, rule)
                    if e == node["edge_start"] + node["opened"]:
                        open_next_edge(nodes, edges, t, n)
                edge = edges[t, e]
                edge["visits"] += 1
                edge["value"] -= rule.virtual_loss
                if edge["child"] == NO_CHILD:
                    fresh = node_used[t]
                    node_used[t] = fresh + 1
                    edge["child"] = fresh
                    start_node(nodes, t, fresh, n, e)
                    parent = n
                    action = edge["action"]
                    n = fresh
                    break
                n = edge["child"]
                nodes[t, n]["visits"] += 1
            leaf_kind[count] = kind
            leaf_tree[count] = t
            leaf_node[count] = t * capacity + n
            leaf_parent[count] = t * capacity + parent
            leaf_action[count] = action
            if kind == NEW:
                leaf_new[new] = count
                new += 1
            elif kind == COLLISION:
                undo_walk(nodes, edges, t, n, rule.virtual_loss)
            count += 1
    return count, new


@kernel
def start_node(nodes, t, n, parent, parent_edge):
    node = nodes[t, n]
    node["seat"] = 0
    node["waiting"] = 1
    node["parent"] = parent
    node["parent_edge"] = parent_edge
    node["edge_start"] = 0
    node["edge_count"] = 0
    node["opened"] = 0
    node["visits"] = 1
    node["value"] = 0.0


@kernel
def best_puct_edge(nodes, edges, t, n, rule):
    """Maximise Q + c · prior · sqrt(N) / (1 + n) over the tried edges and the next untried one.

    An untried edge is valued at the node's value minus a reduction that grows with the prior mass
    already tried: what the network left for last is probably no better. But where the network has
    no preference (a flat prior over many actions), the rest is hardly reduced.
    """
    node = nodes[t, n]
    start = node["edge_start"]
    total = node["visits"]
    c = rule.c_init
    if rule.c_base > 0.0:
        c += np.log((total + rule.c_base + 1.0) / rule.c_base)
    scale = c * np.sqrt(float(total))
    end = min(node["opened"] + 1, node["edge_count"])
    best = start
    best_score = -1e30
    untried = -1
    untried_prior = -1.0
    tried_mass = 0.0
    for e in range(start, start + end):
        edge = edges[t, e]
        visits = edge["visits"]
        if visits > 0:
            score = edge["value"] / visits + scale * edge["prior"] / (1.0 + visits)
            tried_mass += edge["prior"]
            if score > best_score:
                best_score = score
                best = e
        elif edge["prior"] > untried_prior:
            untried_prior = edge["prior"]
            untried = e
    if untried >= 0:
        value = 0.0
        if rule.fpu_reduction >= 0.0 and total > 1:
            value = node["value"] / (total - 1) - rule.fpu_reduction * np.sqrt(tried_mass)
        if value + scale * untried_prior > best_score:
            best = untried
    return best


@kernel
def undo_walk(nodes, edges, t, n, virtual_loss):
    """Undo a walk that met a leaf already being evaluated."""
    while True:
        nodes[t, n]["visits"] -= 1
        parent = nodes[t, n]["parent"]
        if parent == NO_CHILD:
            return
        edge = edges[t, nodes[t, n]["parent_edge"]]
        edge["visits"] -= 1
        edge["value"] += virtual_loss
        n = parent
