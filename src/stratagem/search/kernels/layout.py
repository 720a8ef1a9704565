"""The memory layout of trees: structs of nodes and edges, and the bundles that kernels take.

A kernel takes `Tree` (all trees of a forest), `Leaves` (one batch of leaves) and `Rule` (numbers of
the search) by name. They contain no game's dtype, so the kernels compile once for all games.
Letters: T trees, N nodes per tree, E edges per tree, B leaves of a batch, W widest list of legal
actions, P seats.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

NO_CHILD = -1
ROOT = 0

# What `select` found at a leaf.
NEW = 0  # an edge without a child: the game must step
ENDED = 1  # a finished game that was reached before
COLLISION = 2  # a leaf that another selection in this batch is already waiting for

# How the root chooses among its edges.
ROOT_PUCT = 0
ROOT_GUMBEL = 1

# In `Tree.chance_offsets`: chance outcomes are drawn independently, not stratified.
INDEPENDENT = -1.0

NODE = np.dtype(
    [
        ("seat", "i1"),  # who decides, CHANCE or OVER
        ("waiting", "u1"),  # 1 while it is being evaluated
        ("parent", "i4"),  # node, NO_CHILD at the root
        ("parent_edge", "i4"),
        ("edge_start", "i4"),
        ("edge_count", "i4"),
        ("opened", "i4"),  # edges that have been tried, a prefix
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


class Tree(NamedTuple):
    """All trees of a forest; the index of a tree is the first axis of every array."""

    nodes: npt.NDArray[np.void]  # [T, N] NODE
    edges: npt.NDArray[np.void]  # [T, E] EDGE, a node's edges are adjacent
    raw: npt.NDArray[np.uint8]  # [T * N, bytes] the positions of the nodes
    endings: npt.NDArray[np.float32]  # [T, N, P] returns of finished games
    potentials: npt.NDArray[np.float32]  # [T, N, P] of shaping; [0, N, P] without it
    node_used: npt.NDArray[np.int32]  # [T]
    edge_used: npt.NDArray[np.int32]  # [T]
    seeds: npt.NDArray[np.uint64]  # [T] the random stream of each tree
    chance_offsets: npt.NDArray[np.float64]  # [T] where stratified chance starts, or INDEPENDENT
    root_bias: npt.NDArray[np.float32]  # [T, W] Gumbel's noise and log prior; -inf: excluded
    root_quota: npt.NDArray[np.int32]  # [T] visits of the root edge that Gumbel's plan wants next


class Leaves(NamedTuple):
    """One batch of leaves, from selection to backup. Unused rows are undefined."""

    kind: npt.NDArray[np.int8]  # [B] NEW, ENDED or COLLISION
    tree: npt.NDArray[np.int64]  # [B]
    node: npt.NDArray[np.int64]  # [B] row of the position: tree * N + node
    parent: npt.NDArray[np.int64]  # [B] row of the previous position
    action: npt.NDArray[np.int32]  # [B] what leads from there to here
    seat: npt.NDArray[np.int8]  # [B] who decides, CHANCE or OVER
    ids: npt.NDArray[np.int32]  # [B, W] legal actions, or outcomes of chance
    probs: npt.NDArray[np.float32]  # [B, W] priors, or probabilities
    counts: npt.NDArray[np.int32]  # [B] number of ids
    values: npt.NDArray[np.float32]  # [B, P]
    logit_rows: npt.NDArray[np.int64]  # [B] the leaf's row in the evaluation
    new: npt.NDArray[np.int64]  # [B] list of the new leaves
    deciding: npt.NDArray[np.int64]  # [B] list of the leaves in which a seat decides
    accumulated: npt.NDArray[np.float64]  # [P] scratch space of the backup


class Rule(NamedTuple):
    """The numbers that selection and backup need, from the search settings."""

    leaves_per_tree: int
    c_init: float
    c_base: float
    fpu_reduction: float
    virtual_loss: float
    root: int  # ROOT_PUCT or ROOT_GUMBEL
    gumbel_scale: float
    shaping_discount: float
