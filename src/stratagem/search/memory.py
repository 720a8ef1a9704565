"""Allocates a forest: trees and a batch of leaves as zeroed arrays, and larger copies of trees."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States
from stratagem.core.state_arrays import as_bytes
from stratagem.search.kernels import EDGE, INDEPENDENT, NODE, Leaves, Tree

_PLENTY = 2**40
_ALWAYS = 2**30  # bytes that are never refused: most of them are never touched


def check_memory(game: Game, num_trees: int, nodes: int, edges: int) -> None:
    """Refuse trees that do not fit into this machine's memory, before allocating anything."""
    node = NODE.itemsize + game.rules.dtype.itemsize + 8 * game.num_seats
    wanted = num_trees * (nodes * node + edges * EDGE.itemsize)
    free = free_memory()
    if wanted > max(free, _ALWAYS):
        raise BadSetting(
            f"search.sims: {num_trees} trees of {nodes:,} nodes would need "
            f"{wanted / 2**30:.1f} GiB, but {free / 2**30:.1f} GiB are free: lower sims"
        )


def free_memory() -> int:
    """Return the bytes that a process can still get; a large number if the system does not say."""
    try:
        text = Path("/proc/meminfo").read_text()
        lines = dict(line.split(":", 1) for line in text.splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, LookupError, ValueError):
        return _PLENTY


def new_tree(game: Game, num_trees: int, nodes: int, edges: int, shaped: bool) -> Tree:
    """Return empty trees with space for this many nodes and edges each."""
    seats = game.num_seats
    return Tree(
        nodes=np.zeros((num_trees, nodes), NODE),
        edges=np.zeros((num_trees, edges), EDGE),
        raw=as_bytes(np.zeros(num_trees * nodes, game.rules.dtype)),
        endings=np.zeros((num_trees, nodes, seats), np.float32),
        potentials=np.zeros((num_trees if shaped else 0, nodes, seats), np.float32),
        node_used=np.zeros(num_trees, np.int32),
        edge_used=np.zeros(num_trees, np.int32),
        seeds=np.ones(num_trees, np.uint64),
        chance_offsets=np.full(num_trees, INDEPENDENT),
        root_bias=np.full((num_trees, game.width), -np.inf, np.float32),
        root_quota=np.zeros(num_trees, np.int32),
    )


def with_room(tree: Tree, game: Game, nodes: int, edges: int) -> Tree:
    """Return the same trees with more space; arrays that do not grow are shared."""
    trees, old_nodes = tree.nodes.shape
    grown = new_tree(game, trees, nodes, edges, shaped=len(tree.potentials) > 0)
    grown.nodes[:, :old_nodes] = tree.nodes
    grown.edges[:, : tree.edges.shape[1]] = tree.edges
    grown.raw.reshape(trees, nodes, -1)[:, :old_nodes] = tree.raw.reshape(trees, old_nodes, -1)
    grown.endings[:, :old_nodes] = tree.endings
    grown.potentials[:, :old_nodes] = tree.potentials
    return tree._replace(
        nodes=grown.nodes, edges=grown.edges, raw=grown.raw, endings=grown.endings,
        potentials=grown.potentials,
    )  # fmt: skip


def states_of(tree: Tree, game: Game) -> States:
    """[T * N] the positions of all nodes, in the memory of `tree.raw`."""
    states: States = tree.raw.reshape(-1).view(game.rules.dtype)
    return states


def new_leaves(game: Game, count: int) -> Leaves:
    """Return an empty batch of leaves."""
    width, seats = game.width, game.num_seats
    return Leaves(
        kind=np.zeros(count, np.int8),
        tree=np.zeros(count, np.int64),
        node=np.zeros(count, np.int64),
        parent=np.zeros(count, np.int64),
        action=np.zeros(count, np.int32),
        seat=np.zeros(count, np.int8),
        ids=np.zeros((count, width), np.int32),
        probs=np.zeros((count, width), np.float32),
        counts=np.zeros(count, np.int32),
        values=np.zeros((count, seats), np.float32),
        logit_rows=np.zeros(count, np.int64),
        new=np.zeros(count, np.int64),
        deciding=np.zeros(count, np.int64),
        accumulated=np.zeros(seats, np.float64),
    )
