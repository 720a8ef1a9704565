"""Reading a tree below its root: its nodes by path, lines of play, values of every seat.

For people who look at one search, not for the search itself: plain Python, no kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.seats import CHANCE, OVER
from stratagem.search.evaluation import Evaluator
from stratagem.search.forest import Forest
from stratagem.search.kernels import NO_CHILD, ROOT


@dataclass(frozen=True)
class Branch:
    """An edge of the tree; at a chance node `prior` is the probability."""

    action: int
    prior: float
    visits: int
    value: float | None  # mean, of the seat that chose; None: never visited, or nobody chose
    child: int | None  # number of the node behind it
    seat: int | None  # who decides behind it
    branches: int  # edges of the node behind it


@dataclass(frozen=True)
class TreePoint:
    """A node of the tree."""

    node: int
    seat: int  # who decides, CHANCE or OVER
    state: Any
    visits: int
    value: float | None  # mean, of the seat that decides; None at a chance node
    branches: tuple[Branch, ...]  # most visited first


def read_node(forest: Forest, tree: int, node: int = ROOT) -> TreePoint:
    """One node with its edges."""
    record = forest._nodes[tree, node]
    seat, visits = int(record["seat"]), int(record["visits"])
    start, count = int(record["edge_start"]), int(record["edge_count"])
    edges = forest._edges[tree, start : start + count]
    order = np.lexsort((-edges["prior"], -edges["visits"]))
    state = forest._states[tree * forest._capacity + node]
    if seat == OVER:
        return TreePoint(node, seat, state, visits, None, ())
    return TreePoint(
        node=node,
        seat=seat,
        state=state,
        visits=visits,
        value=float(record["value"]) / max(visits, 1) if seat != CHANCE else None,
        branches=tuple(_branch(forest, tree, edges[k], seat) for k in order),
    )


def _branch(forest: Forest, tree: int, edge: Any, seat: int) -> Branch:
    visits, child = int(edge["visits"]), int(edge["child"])
    behind = forest._nodes[tree, child] if child != NO_CHILD else None
    return Branch(
        action=int(edge["action"]),
        prior=float(edge["prior"]),
        visits=visits,
        value=float(edge["value"]) / visits if visits and seat != CHANCE else None,
        child=child if behind is not None else None,
        seat=int(behind["seat"]) if behind is not None else None,
        branches=int(behind["edge_count"]) if behind is not None else 0,
    )


def follow(forest: Forest, tree: int, path: Sequence[int]) -> TreePoint | None:
    """The node that these actions and outcomes lead to; None if the search never went there."""
    point = read_node(forest, tree)
    for action in path:
        behind = next((one.child for one in point.branches if one.action == action), None)
        if behind is None:
            return None
        point = read_node(forest, tree, behind)
    return point


def line_of_play(forest: Forest, tree: int, first: int, length: int) -> list[TreePoint]:
    """Nodes behind the root's edge `first`, then always behind the most visited edge."""
    line: list[TreePoint] = []
    wanted = next((one for one in read_node(forest, tree).branches if one.action == first), None)
    while wanted is not None and wanted.child is not None and len(line) < length:
        point = read_node(forest, tree, wanted.child)
        line.append(point)
        tried = [branch for branch in point.branches if branch.visits]
        wanted = tried[0] if tried else None
    return line


def seat_means(forest: Forest, tree: int, evaluator: Evaluator) -> npt.NDArray[np.float64]:
    """[P] the root's mean value for every seat, from another look at every leaf of the search.

    A tree keeps at each node the value of the seat that decides there. In a game of two that is
    all there is to know; with more seats the leaves have to be asked again.
    """
    used = int(forest._node_used[tree])
    nodes = forest._nodes[tree, :used]
    total = np.zeros(forest.game.num_seats, np.float64)
    weight = 0.0
    rows = np.flatnonzero(nodes["seat"] >= 0)
    if len(rows):
        values = evaluator.evaluate(forest._states, tree * forest._capacity + rows).values
        total += values.sum(axis=0)
        weight += len(rows)
    for node in np.flatnonzero(nodes["seat"] == OVER):
        visits = int(nodes["visits"][node])
        total += visits * forest._endings[tree, node]
        weight += visits
    return total / max(weight, 1.0)
