"""How a tree lies in memory: nodes and edges as records, and the names of special values."""

import numpy as np

NO_CHILD = -1
ROOT = 0

# What `select` found for a leaf.
NEW = 0  # an edge without a child: the game must step
ENDED = 1  # a finished game that was reached before
COLLISION = 2  # a leaf that another selection of this batch is already waiting for

# How the root chooses among its edges.
ROOT_PUCT = 0
ROOT_GUMBEL = 1

# Luck of a tree whose chance outcomes are each drawn apart; others have a number from 0 to 1.
INDEPENDENT = -1.0

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
