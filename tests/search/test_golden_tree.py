"""The forest grows exactly the trees of its slow twin, and of the golden file."""

import json
from pathlib import Path

import numpy as np
import pytest

from search.growing import CONNECT_FOUR, HashEvaluator, batch, grow, play
from search.twin import CASES, describe, search_case

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "search_trees.json").read_text())


def grow_case(case):
    options = {key: case[key] for key in ("c_init", "c_base", "fpu_reduction")}
    states = batch([play(case["moves"])])
    return grow(CONNECT_FOUR, states, HashEvaluator(CONNECT_FOUR), case["sims"], **options)


def test_the_golden_file_holds_these_cases():
    assert [{**case, "edges": tree["edges"]} for case, tree in zip(CASES, GOLDEN, strict=True)] == (
        GOLDEN
    )


@pytest.mark.parametrize("tree", GOLDEN, ids=lambda tree: tree["moves"] or "start")
def test_root_as_in_the_golden_file(tree):
    forest, trees = grow_case(tree)
    report = forest.report(trees)
    order = np.argsort(report.actions[0, : report.counts[0]])
    wanted = tree["edges"]
    assert report.actions[0, order].tolist() == [edge["action"] for edge in wanted]
    assert report.visits[0, order].tolist() == [edge["visits"] for edge in wanted]
    np.testing.assert_allclose(report.values[0, order], [e["value"] for e in wanted], atol=2e-6)
    np.testing.assert_allclose(report.priors[0, order], [e["prior"] for e in wanted], atol=2e-6)
    assert report.visits.sum() == tree["sims"]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_every_node_as_in_the_twin(case):
    root = search_case(CASES[case])
    assert describe(root) == GOLDEN[case]["edges"]
    forest, _ = grow_case(CASES[case])
    view = forest.view(0)
    pending = [(0, root)]
    compared = 0
    while pending:
        n, twin = pending.pop()
        node = view.nodes[n]
        compared += 1
        assert (node["visits"], node["seat"]) == (twin.visits, twin.seat)
        assert node["value"] == pytest.approx(twin.value, abs=1e-9)
        assert view.states[n].tobytes() == twin.state.tobytes()
        mine = view.edges_of(n)
        assert sorted(mine["action"]) == sorted(twin.edges)
        for edge in mine:
            other = twin.edges[int(edge["action"])]
            assert edge["visits"] == other.visits
            assert edge["value"] == pytest.approx(other.value, abs=1e-9)
            assert edge["prior"] == pytest.approx(other.prior, abs=1e-6)
            if other.child is not None:
                pending.append((int(edge["child"]), other.child))
    assert compared == len(view.nodes)
