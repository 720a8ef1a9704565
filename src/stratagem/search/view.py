"""Reads one tree: its nodes by path, lines of play, values for every seat.

For everything that displays a search: explorers, the web app, tests. Plain Python, no kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.game import States
from stratagem.core.seats import CHANCE, OVER
from stratagem.search.evaluation import Evaluator
from stratagem.search.kernels import NO_CHILD, ROOT


@dataclass(frozen=True)
class Branch:
    """An edge of the tree; at a chance node `prior` is the probability."""

    action: int
    prior: float
    visits: int
    value: float | None  # mean, for the seat that chose; None: never visited, or nobody chose
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
    value: float | None  # mean, for the seat that decides; None at a chance node
    branches: tuple[Branch, ...]  # most visited first


@dataclass(frozen=True)
class TreeView:
    """A read-only view of one tree of a forest, from `Forest.view`.

    The next simulation may move the forest's memory: take a new view after it.
    """

    nodes: npt.NDArray[np.void]  # [n] NODE, the root first
    edges: npt.NDArray[np.void]  # [e] EDGE
    states: States  # [n]
    endings: npt.NDArray[np.float32]  # [n, P] returns of finished games
    potentials: npt.NDArray[np.float32]  # [n, P] of shaping; [0, P] without it

    def edges_of(self, node: int) -> npt.NDArray[np.void]:
        """[k] EDGE: the edges of one node, tried ones first."""
        start = int(self.nodes["edge_start"][node])
        mine: npt.NDArray[np.void] = self.edges[start : start + int(self.nodes["edge_count"][node])]
        return mine

    def read(self, node: int = ROOT) -> TreePoint:
        """Return one node with its edges."""
        record, edges = self.nodes[node], self.edges_of(node)
        seat, visits = int(record["seat"]), int(record["visits"])
        if seat == OVER:
            return TreePoint(node, seat, self.states[node], visits, None, ())
        order = np.lexsort((-edges["prior"], -edges["visits"]))
        return TreePoint(
            node=node,
            seat=seat,
            state=self.states[node],
            visits=visits,
            value=float(record["value"]) / max(visits, 1) if seat != CHANCE else None,
            branches=tuple(self._branch(edges[k], seat) for k in order),
        )

    def follow(self, path: Sequence[int]) -> TreePoint | None:
        """Return the node that these actions and outcomes lead to; None if it was never reached."""
        point = self.read()
        for action in path:
            behind = next((one.child for one in point.branches if one.action == action), None)
            if behind is None:
                return None
            point = self.read(behind)
        return point

    def line_of_play(self, first: int, length: int) -> list[TreePoint]:
        """Return the nodes behind the root's edge `first`, then behind the most visited edges."""
        line: list[TreePoint] = []
        wanted = next((one for one in self.read().branches if one.action == first), None)
        while wanted is not None and wanted.child is not None and len(line) < length:
            point = self.read(wanted.child)
            line.append(point)
            tried = [branch for branch in point.branches if branch.visits]
            wanted = tried[0] if tried else None
        return line

    def seat_means(self, evaluator: Evaluator) -> npt.NDArray[np.float64]:
        """[P] the root's mean value for every seat, by evaluating every leaf of the search again.

        A tree stores at each node the value for the seat that decides there. In a game of two that
        is enough; with more seats the leaves must be evaluated again.
        """
        total = np.zeros(self.endings.shape[1], np.float64)
        weight = 0.0
        rows = np.flatnonzero(self.nodes["seat"] >= 0)
        if len(rows):
            total += evaluator.evaluate(self.states, rows).values.sum(axis=0)
            weight += len(rows)
        for node in np.flatnonzero(self.nodes["seat"] == OVER):
            visits = int(self.nodes["visits"][node])
            total += visits * self.endings[node]
            weight += visits
        return total / max(weight, 1.0)

    def _branch(self, edge: Any, seat: int) -> Branch:
        visits, child = int(edge["visits"]), int(edge["child"])
        behind = self.nodes[child] if child != NO_CHILD else None
        return Branch(
            action=int(edge["action"]),
            prior=float(edge["prior"]),
            visits=visits,
            value=float(edge["value"]) / visits if visits and seat != CHANCE else None,
            child=child if behind is not None else None,
            seat=int(behind["seat"]) if behind is not None else None,
            branches=int(behind["edge_count"]) if behind is not None else 0,
        )
