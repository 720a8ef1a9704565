"""The root of a tree: starting it, adding noise to its priors, Gumbel's candidates, reading it."""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, gamma, unit
from stratagem.search.kernels.layout import NO_CHILD, ROOT


@kernel
def start_trees(tree, trees):
    """Empty these trees; node 0 waits for the root's evaluation."""
    for i in range(len(trees)):
        t = trees[i]
        tree.node_used[t] = 1
        tree.edge_used[t] = 0
        root = tree.nodes[t, ROOT]
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
def open_root(tree, trees):
    """Make the root scan all its edges: its priors will change, or it uses Gumbel's rule."""
    for i in range(len(trees)):
        root = tree.nodes[trees[i], ROOT]
        root["opened"] = root["edge_count"]


@kernel
def add_root_noise(tree, trees, fraction, total_alpha):
    """Mix Dirichlet noise into the root priors; alpha = total_alpha / number of legal actions."""
    nodes, edges, seeds = tree.nodes, tree.edges, tree.seeds
    samples = np.empty(tree.root_bias.shape[1], np.float64)
    for i in range(len(trees)):
        t = trees[i]
        root = nodes[t, ROOT]
        count = root["edge_count"]
        start = root["edge_start"]
        total = 0.0
        seed = seeds[t]
        for k in range(count):
            seed, sample = gamma(seed, total_alpha / count)
            samples[k] = sample
            total += sample
        seeds[t] = seed
        for k in range(count):
            noise = samples[k] / total if total > 0.0 else 1.0 / count
            edge = edges[t, start + k]
            edge["prior"] = (1.0 - fraction) * edge["prior"] + fraction * noise


@kernel
def set_gumbel(tree, trees, considered, noisy):
    """Keep the `considered` best root edges by log prior, plus Gumbel noise if `noisy`."""
    nodes, edges, seeds, root_bias = tree.nodes, tree.edges, tree.seeds, tree.root_bias
    ranks = np.empty(root_bias.shape[1], np.int64)
    for i in range(len(trees)):
        t = trees[i]
        root = nodes[t, ROOT]
        start = root["edge_start"]
        count = root["edge_count"]
        seed = seeds[t]
        for k in range(count):
            root_bias[t, k] = np.log(edges[t, start + k]["prior"] + 1e-12)
            if noisy:
                seed = advance(seed)
                root_bias[t, k] += -np.log(-np.log(unit(seed) + 1e-12) + 1e-12)
        seeds[t] = seed
        for k in range(count):
            rank = 0
            for j in range(count):
                if root_bias[t, j] > root_bias[t, k] or (
                    root_bias[t, j] == root_bias[t, k] and j < k
                ):
                    rank += 1
            ranks[k] = rank
        for k in range(count):
            if ranks[k] >= considered:
                root_bias[t, k] = -np.inf


@kernel
def best_gumbel_edge(edges, t, root, bias, quota, scale):
    """Return the root edge with exactly `quota` visits that is best by noisy logit and value.

    bias [W] is the tree's row of `root_bias`.
    """
    start = root["edge_start"]
    count = root["edge_count"]
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
    # The plan is exhausted (or edges collided): take the least visited considered edge.
    fewest = 1 << 30
    for k in range(count):
        if bias[k] != -np.inf and edges[t, start + k]["visits"] < fewest:
            fewest = edges[t, start + k]["visits"]
            best = start + k
    return best


@kernel
def read_roots(tree, trees, ids, visits, values, priors, counts):
    """Read ids, visits, mean values and priors [B, W] of each root's edges."""
    for i in range(len(trees)):
        t = trees[i]
        root = tree.nodes[t, ROOT]
        counts[i] = root["edge_count"]
        for k in range(root["edge_count"]):
            edge = tree.edges[t, root["edge_start"] + k]
            ids[i, k] = edge["action"]
            visits[i, k] = edge["visits"]
            values[i, k] = edge["value"] / edge["visits"] if edge["visits"] > 0 else 0.0
            priors[i, k] = edge["prior"]
