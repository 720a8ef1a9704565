"""Catan, the base game for two to four players."""

from pathlib import Path

from stratagem.core.game import Encoding, Rules
from stratagem.core.specs import ActionSpec
from stratagem.games.catan import actions, hide, setup, symmetry
from stratagem.games.catan.bots import heuristic, learned, scripted, simple
from stratagem.games.catan.encode import exact, graph, thesis
from stratagem.games.catan.limits import limits
from stratagem.games.catan.measures import measures
from stratagem.games.catan.notation import NOTATION
from stratagem.games.catan.rules import legal, production, roads, step
from stratagem.games.catan.scenario import CatanScenario
from stratagem.games.catan.state import DTYPE, TOTALS
from stratagem.games.catan.view import island

GAME = Rules(
    folder=Path(__file__).parent,
    dtype=DTYPE,
    scenario=CatanScenario,
    reset=setup.reset,
    legal=legal.legal,
    step=step.step,
    chance=step.chance,
    max_chance=lambda scenario: TOTALS,
    returns=step.returns,
    score=step.score,
    hide=hide.hide,
    symmetry=symmetry.symmetry,
    symmetry_action=symmetry.symmetry_action,
    symmetries=lambda scenario: symmetry.SYMMETRIES,
    encodings=(
        Encoding("exact", exact.observe_exact, exact.exact_spec),
        Encoding("thesis", thesis.observe_thesis, thesis.thesis_spec),
        Encoding("graph", graph.observe_graph, graph.graph_spec),
    ),
    actions=lambda scenario: ActionSpec(
        actions.action_count(scenario), at_nodes=actions.AT_NODES, at_edges=actions.AT_EDGES
    ),
    max_legal=actions.most_legal,
    groups=actions.action_groups,
    subgoals={
        "road": roads.road_length,
        "road-building": roads.road_length,
        "settlement": production.expected_income,
        "city": production.expected_income,
        "knight": production.army_size,
    },
    seats=lambda scenario: int(scenario.players),
    limits=limits,
    notation=NOTATION,
    bots={
        "hierarchical-random": simple.hierarchical_random,
        "weighted-random": simple.weighted_random,
        "greedy": simple.greedy,
        "scripted": scripted.scripted,
        "learned": learned.learned,
    },
    heuristic=heuristic.heuristic,
    view=island.view,
    touches=island.touches,
    measures=measures,
)
