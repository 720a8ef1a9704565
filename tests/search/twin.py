"""A slow, obvious PUCT search: objects, dictionaries and recursion, one leaf at a time.

    python tests/search/twin.py > tests/golden/search_trees.json

regenerates the golden trees after a change that was meant.
"""

import json
import math
import sys
from dataclasses import dataclass, field

import numpy as np

from stratagem.core.game import as_batch
from stratagem.core.seats import OVER

CASES = (
    {"moves": "", "sims": 300, "c_init": 1.5, "c_base": 19652.0, "fpu_reduction": 0.2},
    {"moves": "4453", "sims": 500, "c_init": 1.25, "c_base": 50.0, "fpu_reduction": 0.0},
    {"moves": "33434", "sims": 400, "c_init": 2.0, "c_base": 0.0, "fpu_reduction": -1.0},
    {"moves": "444444333333", "sims": 700, "c_init": 0.8, "c_base": 500.0, "fpu_reduction": 0.5},
)


@dataclass
class TwinEdge:
    prior: float
    visits: int = 0
    value: float = 0.0
    child: "TwinNode | None" = None


@dataclass
class TwinNode:
    state: object
    seat: int
    visits: int = 0
    value: float = 0.0
    edges: dict[int, TwinEdge] = field(default_factory=dict)


class TwinSearch:
    """Searches one position of a game without chance."""

    def __init__(self, game, judge, c_init, c_base, fpu_reduction):
        self.game = game
        self.judge = judge
        self.c_init = c_init
        self.c_base = c_base
        self.fpu_reduction = fpu_reduction

    def search(self, state, sims):
        root = self._node(state)
        self._visit(root)
        for _ in range(sims):
            self._visit(root)
        return root

    def _node(self, state):
        return TwinNode(state, int(state["seat"]))

    def _visit(self, node):
        """One simulation below this node; returns the values of all seats."""
        node.visits += 1
        if node.seat == OVER:
            return self.game.returns(as_batch(node.state))[0].astype(float)
        if node.visits == 1:
            values = self._open(node)
        else:
            action = self._best(node)
            edge = node.edges[action]
            edge.visits += 1
            if edge.child is None:
                edge.child = self._node(self.game.after(node.state, action))
            values = self._visit(edge.child)
            edge.value += values[node.seat]
        node.value += values[node.seat]
        return values

    def _open(self, node):
        logits, values = self.judge(node.state)
        legal = self.game.legal_actions(node.state)
        weights = np.exp(logits[legal].astype(float) - logits[legal].max())
        for action, prior in zip(legal, weights / weights.sum(), strict=True):
            node.edges[action] = TwinEdge(float(np.float32(prior)))
        return values.astype(float)

    def _best(self, node):
        total = node.visits  # the current walk counts
        c = self.c_init
        if self.c_base > 0:
            c += math.log((total + self.c_base + 1) / self.c_base)
        untried = 0.0
        if self.fpu_reduction >= 0:
            tried = sum(edge.prior for edge in node.edges.values() if edge.visits)
            untried = node.value / (total - 1) - self.fpu_reduction * math.sqrt(tried)

        def score(action):
            edge = node.edges[action]
            mean = edge.value / edge.visits if edge.visits else untried
            return mean + c * math.sqrt(total) * edge.prior / (1 + edge.visits)

        return max(node.edges, key=score)


def describe(root):
    """The root's edges as JSON holds them."""
    return [
        {
            "action": action,
            "visits": edge.visits,
            "value": round(edge.value / edge.visits, 6) if edge.visits else 0.0,
            "prior": round(edge.prior, 6),
        }
        for action, edge in sorted(root.edges.items())
    ]


def search_case(case):
    from search.growing import CONNECT_FOUR, HashEvaluator, play

    options = {key: case[key] for key in ("c_init", "c_base", "fpu_reduction")}
    twin = TwinSearch(CONNECT_FOUR, HashEvaluator(CONNECT_FOUR).judge, **options)
    return twin.search(play(case["moves"]), case["sims"])


if __name__ == "__main__":
    sys.path.insert(0, "tests")
    trees = [{**case, "edges": describe(search_case(case))} for case in CASES]
    sys.stdout.write(json.dumps(trees, indent=1) + "\n")
