"""The compiled verbs of the search: select, attach, back up, keep a subtree, read the root.

A forest is a set of trees in flat arrays. Only legal actions exist, as edges in an arena per tree,
so the size of the action space costs nothing. A node's edges lie together; the first `opened` of
them have been tried, and the best untried one always waits at position `opened`: since untried
edges share one first-play value, only their priors differ, and selection never scans the rest.

Values are kept per seat: an edge accumulates the value of the seat that chose it, so nothing here
assumes that players alternate, that there are two, or that one's gain is the other's loss.

Knows no game: states are reached only through indices that the caller hands to the game.

Letters: T trees, N nodes per tree, E edges per tree, B leaves of one batch, W widest legal list,
P seats, A actions.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, gamma, unit
from stratagem.core.seats import CHANCE, OVER

NO_CHILD = -1
ROOT = 0

# What `select` found for a leaf.
NEW = 0  # an edge without a child: the game must step
ENDED = 1  # a finished game that was reached before
COLLISION = 2  # a leaf that another selection of this batch is already waiting for

# How the root chooses among its edges.
ROOT_PUCT = 0
ROOT_GUMBEL = 1

NODE = np.dtype(
    [
        ("seat", "i1"),  # who decides, CHANCE or OVER
        ("waiting", "u1"),  # 1 while its evaluation is under way
        ("parent", "i4"),  # node, NO_CHILD at the root
        ("parent_edge", "i4"),
        ("edge_start", "i4"),
        ("edge_count", "i4"),
        ("opened", "i4"),  # edges that were tried, a prefix
        ("visits", "i4"),
        ("value", "f8"),  # sum over visits, of the seat that decides here
    ],
    align=True,
)

EDGE = np.dtype(
    [
        ("prior", "f4"),  # at a chance node: the probability
        ("visits", "i4"),
        ("value", "f8"),  # sum over visits, of the seat that chose
        ("child", "i4"),
        ("action", "i4"),
    ],
    align=True,
)


@kernel
def start_trees(nodes, node_used, edge_used, trees):
    """Empty these trees; node 0 waits for the root's evaluation."""
    for i in range(len(trees)):
        t = trees[i]
        node_used[t] = 1
        edge_used[t] = 0
        root = nodes[t, ROOT]
        root["seat"] = 0
        root["waiting"] = 1
        root["parent"] = NO_CHILD
        root["parent_edge"] = NO_CHILD
        root["edge_start"] = 0
        root["edge_count"] = 0
        root["opened"] = 0
        root["visits"] = 0
        root["value"] = 0.0


@kernel
def select(
    nodes, edges, node_used, trees, leaves_per_tree, words,
    c_init, c_base, fpu_reduction, virtual_loss,
    root_rule, root_bias, root_quota, root_scale, capacity,
    leaf_kind, leaf_tree, leaf_node, leaf_parent, leaf_action,
):  # fmt: skip
    """Walk each tree down to a leaf, `leaves_per_tree` times; returns the number of leaves.

    Visits are counted on the way down, with the virtual loss, so that the next walk in the same
    batch turns elsewhere; `back_up` adds the value and takes the loss back. For a new leaf,
    leaf_node is its own flat index and leaf_parent its parent's.
    """
    count = 0
    for i in range(len(trees)):
        t = trees[i]
        for _ in range(leaves_per_tree):
            n = ROOT
            nodes[t, n]["visits"] += 1
            kind = NEW
            parent = NO_CHILD
            action = -1
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
                    words[t] = advance(words[t])
                    e = draw_edge(edges, t, node["edge_start"], node["edge_count"], words[t])
                elif n == ROOT and root_rule == ROOT_GUMBEL:
                    e = best_gumbel_edge(
                        edges, t, node["edge_start"], node["edge_count"],
                        root_bias[t], root_quota[t], root_scale,
                    )  # fmt: skip
                else:
                    e = best_puct_edge(nodes, edges, t, n, c_init, c_base, fpu_reduction)
                    if e == node["edge_start"] + node["opened"]:
                        open_next_edge(nodes, edges, t, n)
                edge = edges[t, e]
                edge["visits"] += 1
                edge["value"] -= virtual_loss
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
            if kind == COLLISION:
                undo_walk(nodes, edges, t, n, virtual_loss)
            count += 1
    return count


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
def best_puct_edge(nodes, edges, t, n, c_init, c_base, fpu_reduction):
    """argmax of Q + c · prior · sqrt(N) / (1 + n) over the tried edges and the next untried one.

    An untried edge is worth the node's value less a reduction that grows with the prior mass
    already tried: what the network thought good and left for last is probably not better, but
    where it has no opinion (a flat prior over many actions) nothing is held against the rest.
    """
    node = nodes[t, n]
    start = node["edge_start"]
    total = node["visits"]
    c = c_init
    if c_base > 0.0:
        c += np.log((total + c_base + 1.0) / c_base)
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
        if fpu_reduction >= 0.0 and total > 1:
            value = node["value"] / (total - 1) - fpu_reduction * np.sqrt(tried_mass)
        if value + scale * untried_prior > best_score:
            best = untried
    return best


@kernel
def open_next_edge(nodes, edges, t, n):
    """The waiting edge joins the tried ones; the best of the rest takes its place."""
    node = nodes[t, n]
    node["opened"] += 1
    bring_best_forward(nodes, edges, t, n)


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
def draw_edge(edges, t, start, count, word):
    target = unit(word)
    for e in range(start, start + count):
        target -= edges[t, e]["prior"]
        if target < 0.0:
            return e
    return start + count - 1


@kernel
def best_gumbel_edge(edges, t, start, count, bias, quota, scale):
    """Among root edges with exactly `quota` visits, the best by noisy logit and value.

    bias [W] holds Gumbel noise + log prior of the considered edges, -inf for the others.
    """
    best = -1
    best_score = -1e30
    most = 0
    for k in range(count):
        if edges[t, start + k]["visits"] > most:
            most = edges[t, start + k]["visits"]
    for k in range(count):
        edge = edges[t, start + k]
        if edge["visits"] != quota or bias[k] == -np.inf:
            continue
        score = float(bias[k])
        if edge["visits"] > 0:
            score += (50.0 + most) * scale * edge["value"] / edge["visits"]
        if best < 0 or score > best_score:
            best_score = score
            best = start + k
    if best >= 0:
        return best
    # The schedule is exhausted (or edges collided): the least visited considered edge.
    fewest = 1 << 30
    for k in range(count):
        if bias[k] != -np.inf and edges[t, start + k]["visits"] < fewest:
            fewest = edges[t, start + k]["visits"]
            best = start + k
    return best


@kernel
def undo_walk(nodes, edges, t, n, virtual_loss):
    """Take back a walk that met a leaf already under way."""
    while True:
        nodes[t, n]["visits"] -= 1
        parent = nodes[t, n]["parent"]
        if parent == NO_CHILD:
            return
        edge = edges[t, nodes[t, n]["parent_edge"]]
        edge["visits"] -= 1
        edge["value"] += virtual_loss
        n = parent


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
def pass_chance(
    nodes, edges, node_used, edge_used, words, virtual_loss, capacity,
    picked, leaf_tree, leaf_node, leaf_parent, leaf_action, ids, probs, counts,
):  # fmt: skip
    """Leaves that became chance nodes: attach the outcomes, draw one, and go one node deeper."""
    for k in range(len(picked)):
        i = picked[k]
        t = leaf_tree[i]
        n = leaf_node[i] - t * capacity
        node = nodes[t, n]
        attach_edges(nodes, edges, edge_used, t, n, ids[i], probs[i], counts[i])
        node["seat"] = CHANCE
        node["waiting"] = 0
        words[t] = advance(words[t])
        e = draw_edge(edges, t, node["edge_start"], node["edge_count"], words[t])
        edge = edges[t, e]
        edge["visits"] += 1
        edge["value"] -= virtual_loss
        fresh = node_used[t]
        node_used[t] = fresh + 1
        edge["child"] = fresh
        start_node(nodes, t, fresh, n, e)
        leaf_parent[i] = leaf_node[i]
        leaf_node[i] = t * capacity + fresh
        leaf_action[i] = edge["action"]


@kernel
def set_priors(ids, count, logits, probs):
    """Softmax of the logits over the legal actions only."""
    top = logits[ids[0]]
    for k in range(1, count):
        top = max(top, logits[ids[k]])
    total = 0.0
    for k in range(count):
        probs[k] = np.exp(logits[ids[k]] - top)
        total += probs[k]
    for k in range(count):
        probs[k] /= total


@kernel
def finish(
    nodes, edges, edge_used, endings, potentials, shaping_discount, virtual_loss, capacity,
    num_leaves, leaf_kind, leaf_tree, leaf_node, seats, ids, probs, counts,
    logit_rows, logits, values, accumulated,
):  # fmt: skip
    """Turn evaluated leaves into nodes and back their values up to the root.

    logit_rows [B] says which row of logits belongs to a leaf; an empty `logits` means uniform.
    values [B, P] are filled in for new leaves; endings [T, N, P] keeps finished games' returns.
    potentials [T, N, P] is empty when nothing is shaped. accumulated [P] is scratch.
    """
    for i in range(num_leaves):
        if leaf_kind[i] == COLLISION:
            continue
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
        back_up(
            nodes, edges, potentials, shaping_discount, virtual_loss, t, n, values[i], accumulated
        )


@kernel
def back_up(nodes, edges, potentials, shaping_discount, virtual_loss, t, n, value, accumulated):
    """Add a leaf's value (and the shaping along the path) to every edge above it.

    A seat's shaping on a step is discount · potential(after) - potential(before), both seen by
    that same seat, whoever moves next.
    """
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
                gain = shaping_discount * potentials[t, n, p] - potentials[t, parent, p]
                accumulated[p] = gain + shaping_discount * accumulated[p]
        n = parent
        node = nodes[t, n]
        edge["value"] += virtual_loss
        seat = node["seat"]
        if seat >= 0:
            total = value[seat] + accumulated[seat]
            edge["value"] += total
            node["value"] += total


@kernel
def open_root(nodes, trees):
    """Let the root scan all its edges: its priors are about to change, or it uses Gumbel's rule."""
    for i in range(len(trees)):
        root = nodes[trees[i], ROOT]
        root["opened"] = root["edge_count"]


@kernel
def add_root_noise(nodes, edges, trees, words, fraction, total_alpha, scratch):
    """Mix Dirichlet noise into the root priors; alpha = total_alpha / number of legal actions."""
    for i in range(len(trees)):
        t = trees[i]
        root = nodes[t, ROOT]
        count = root["edge_count"]
        start = root["edge_start"]
        total = 0.0
        word = words[t]
        for k in range(count):
            word, sample = gamma(word, total_alpha / count)
            scratch[k] = sample
            total += sample
        words[t] = word
        for k in range(count):
            noise = scratch[k] / total if total > 0.0 else 1.0 / count
            edge = edges[t, start + k]
            edge["prior"] = (1.0 - fraction) * edge["prior"] + fraction * noise


@kernel
def set_gumbel(nodes, edges, trees, words, considered, root_bias, scratch):
    """Draw Gumbel noise for the root edges and keep the `considered` best of noise + log prior."""
    for i in range(len(trees)):
        t = trees[i]
        root = nodes[t, ROOT]
        start = root["edge_start"]
        count = root["edge_count"]
        word = words[t]
        for k in range(count):
            word = advance(word)
            noise = -np.log(-np.log(unit(word) + 1e-12) + 1e-12)
            root_bias[t, k] = noise + np.log(edges[t, start + k]["prior"] + 1e-12)
        words[t] = word
        for k in range(count):
            rank = 0
            for j in range(count):
                if root_bias[t, j] > root_bias[t, k] or (
                    root_bias[t, j] == root_bias[t, k] and j < k
                ):
                    rank += 1
            scratch[k] = rank
        for k in range(count):
            if scratch[k] >= considered:
                root_bias[t, k] = -np.inf


@kernel
def read_roots(nodes, edges, trees, ids, visits, values, priors, counts):
    """What each root knows: ids, visits, mean values and priors [B, W] of its edges."""
    for i in range(len(trees)):
        t = trees[i]
        root = nodes[t, ROOT]
        counts[i] = root["edge_count"]
        for k in range(root["edge_count"]):
            edge = edges[t, root["edge_start"] + k]
            ids[i, k] = edge["action"]
            visits[i, k] = edge["visits"]
            values[i, k] = edge["value"] / edge["visits"] if edge["visits"] > 0 else 0.0
            priors[i, k] = edge["prior"]


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
