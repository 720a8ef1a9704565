"""The compiled steps of the search: select, attach, back up, keep a subtree, read the root.

A forest is a set of trees in flat arrays. Only legal actions are stored, as edges in an arena per
tree, so the size of the action space costs nothing. A node's edges are adjacent; the first `opened`
of them have been tried, and the best untried one is always at position `opened`: since untried
edges share one first-play value, only their priors differ, and selection never scans the rest.

Values are stored per seat: an edge accumulates the value of the seat that chose it, so nothing here
assumes that players alternate, that there are two, or that the game is zero-sum.

Positions are rows of bytes here; the caller passes their indices to the game. The shapes of all
arrays are in `layout`.
"""

from stratagem.search.kernels.layout import (
    COLLISION,
    EDGE,
    ENDED,
    INDEPENDENT,
    NEW,
    NO_CHILD,
    NODE,
    ROOT,
    ROOT_GUMBEL,
    ROOT_PUCT,
    Leaves,
    Rule,
    Tree,
)
from stratagem.search.kernels.leaves import (
    finish,
    list_deciding,
    pass_chance,
    room_needed,
)
from stratagem.search.kernels.reuse import keep_subtrees
from stratagem.search.kernels.roots import (
    add_root_noise,
    open_root,
    read_roots,
    set_gumbel,
    start_trees,
)
from stratagem.search.kernels.selection import select

__all__ = [
    "COLLISION",
    "EDGE",
    "ENDED",
    "INDEPENDENT",
    "NEW",
    "NODE",
    "NO_CHILD",
    "ROOT",
    "ROOT_GUMBEL",
    "ROOT_PUCT",
    "Leaves",
    "Rule",
    "Tree",
    "add_root_noise",
    "finish",
    "keep_subtrees",
    "list_deciding",
    "open_root",
    "pass_chance",
    "read_roots",
    "room_needed",
    "select",
    "set_gumbel",
    "start_trees",
]
