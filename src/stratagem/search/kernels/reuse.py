"""Keeps a subtree: the child that was played becomes the root."""

from stratagem.core.compile import kernel
from stratagem.search.kernels.layout import NO_CHILD, ROOT


@kernel
def keep_subtrees(tree, spare, trees, actions, kept):
    """Make the child behind `actions` the root of its tree; kept [B] is 1 where there was a child.

    The subtree is copied breadth first into `spare` (a Tree with space for one) and back. A child
    that is a finished game or a chance node is kept too: the caller decides what to do.
    """
    for i in range(len(trees)):
        t = trees[i]
        top = find_child(tree, t, actions[i])
        kept[i] = top != NO_CHILD
        if top == NO_CHILD:
            continue
        copy_node(tree, t, top, spare, 0, ROOT)
        spare.nodes[0, ROOT]["parent"] = NO_CHILD
        spare.nodes[0, ROOT]["parent_edge"] = NO_CHILD
        used, edges_used = copy_below(tree, t, spare)
        for n in range(used):
            copy_node(spare, 0, n, tree, t, n)
        for e in range(edges_used):
            tree.edges[t, e] = spare.edges[0, e]
        tree.node_used[t] = used
        tree.edge_used[t] = edges_used


@kernel
def find_child(tree, t, action):
    """Return the evaluated node behind a root's action, or NO_CHILD."""
    root = tree.nodes[t, ROOT]
    for e in range(root["edge_start"], root["edge_start"] + root["edge_count"]):
        if tree.edges[t, e]["action"] == action:
            child = tree.edges[t, e]["child"]
            if child != NO_CHILD and tree.nodes[t, child]["waiting"] == 0:
                return child
            return NO_CHILD
    return NO_CHILD


@kernel
def copy_below(tree, t, spare):
    """Copy everything below the root of `spare` from tree t; return (nodes, edges) in use."""
    nodes, edges = spare.nodes, spare.edges
    used = 1
    edges_used = 0
    head = 0
    while head < used:
        node = nodes[0, head]
        source = node["edge_start"]
        count = node["edge_count"]
        node["edge_start"] = edges_used
        for k in range(count):
            old = tree.edges[t, source + k]
            new = edges[0, edges_used + k]
            new["prior"] = old["prior"]
            new["visits"] = old["visits"]
            new["value"] = old["value"]
            new["action"] = old["action"]
            new["child"] = NO_CHILD
            if old["child"] != NO_CHILD:
                new["child"] = used
                copy_node(tree, t, old["child"], spare, 0, used)
                nodes[0, used]["parent"] = head
                nodes[0, used]["parent_edge"] = edges_used + k
                used += 1
        edges_used += count
        head += 1
    return used, edges_used


@kernel
def copy_node(tree, t, n, other, u, m):
    """Copy node n of tree t to node m of tree u of `other`, including its position."""
    other.nodes[u, m] = tree.nodes[t, n]
    other.raw[u * other.nodes.shape[1] + m, :] = tree.raw[t * tree.nodes.shape[1] + n, :]
    shaped = tree.potentials.shape[0] > 0
    for p in range(tree.endings.shape[2]):
        other.endings[u, m, p] = tree.endings[t, n, p]
        if shaped:
            other.potentials[u, m, p] = tree.potentials[t, n, p]
