"""Keeping what was learned: the child that was played becomes the root."""

from stratagem.core.compile import kernel
from stratagem.search.kernels.layout import NO_CHILD, ROOT


@kernel
def keep_subtrees(
    nodes, edges, node_used, edge_used, endings, potentials, raw, capacity,
    trees, actions, kept, spare_nodes, spare_edges, spare_endings, spare_potentials, spare_raw,
):  # fmt: skip
    """Make the child behind `actions` the root of its tree; kept [B] is 1 where there was one.

    The subtree is copied breadth first into the spare arrays (one tree's worth) and back. A child
    that is itself a finished game or a chance node is kept too: the caller decides.
    """
    shaped = potentials.shape[0] > 0
    for i in range(len(trees)):
        t = trees[i]
        kept[i] = 0
        root = nodes[t, ROOT]
        top = NO_CHILD
        for e in range(root["edge_start"], root["edge_start"] + root["edge_count"]):
            if edges[t, e]["action"] == actions[i]:
                top = edges[t, e]["child"]
                break
        if top == NO_CHILD or nodes[t, top]["waiting"] != 0:
            continue
        kept[i] = 1
        used = 1
        edges_used = 0
        copy_node(nodes, t, top, spare_nodes, 0)
        spare_nodes[0]["parent"] = NO_CHILD
        spare_nodes[0]["parent_edge"] = NO_CHILD
        spare_raw[0, :] = raw[t * capacity + top, :]
        copy_values(endings, potentials, shaped, t, top, spare_endings, spare_potentials, 0)
        head = 0
        while head < used:
            node = spare_nodes[head]
            source = node["edge_start"]
            count = node["edge_count"]
            node["edge_start"] = edges_used
            for k in range(count):
                old = edges[t, source + k]
                new = spare_edges[edges_used + k]
                new["prior"] = old["prior"]
                new["visits"] = old["visits"]
                new["value"] = old["value"]
                new["action"] = old["action"]
                new["child"] = NO_CHILD
                child = old["child"]
                if child != NO_CHILD:
                    new["child"] = used
                    copy_node(nodes, t, child, spare_nodes, used)
                    spare_nodes[used]["parent"] = head
                    spare_nodes[used]["parent_edge"] = edges_used + k
                    spare_raw[used, :] = raw[t * capacity + child, :]
                    copy_values(
                        endings, potentials, shaped, t, child,
                        spare_endings, spare_potentials, used,
                    )  # fmt: skip
                    used += 1
            edges_used += count
            head += 1
        for n in range(used):
            nodes[t, n] = spare_nodes[n]
            raw[t * capacity + n, :] = spare_raw[n, :]
            for p in range(endings.shape[2]):
                endings[t, n, p] = spare_endings[n, p]
                if shaped:
                    potentials[t, n, p] = spare_potentials[n, p]
        for e in range(edges_used):
            edges[t, e] = spare_edges[e]
        node_used[t] = used
        edge_used[t] = edges_used


@kernel
def copy_node(nodes, t, n, spare_nodes, target):
    spare_nodes[target] = nodes[t, n]


@kernel
def copy_values(endings, potentials, shaped, t, n, spare_endings, spare_potentials, target):
    for p in range(endings.shape[2]):
        spare_endings[target, p] = endings[t, n, p]
        if shaped:
            spare_potentials[target, p] = potentials[t, n, p]
