"""Batched tree search over any game: a forest of trees as arrays."""

from stratagem.search.evaluation import (
    Evaluation,
    Evaluator,
    HeuristicEvaluator,
    PerspectiveEvaluator,
    PlayoutEvaluator,
    UniformEvaluator,
    turn_to_seats,
)
from stratagem.search.forest import ROOT_OBSERVES, Forest
from stratagem.search.outcomes import outcome_values
from stratagem.search.playouts import BlendedEvaluator, BotPlayouts, expand_seeds, play_out
from stratagem.search.report import RootReport
from stratagem.search.settings import SearchSettings
from stratagem.search.view import Branch, TreePoint, TreeView

__all__ = [
    "ROOT_OBSERVES",
    "BlendedEvaluator",
    "BotPlayouts",
    "Branch",
    "Evaluation",
    "Evaluator",
    "Forest",
    "HeuristicEvaluator",
    "PerspectiveEvaluator",
    "PlayoutEvaluator",
    "RootReport",
    "SearchSettings",
    "TreePoint",
    "TreeView",
    "UniformEvaluator",
    "expand_seeds",
    "outcome_values",
    "play_out",
    "turn_to_seats",
]
