"""Batched tree search over any game: a forest of trees as arrays. Knows no game by name."""

from stratagem.search.evaluation import (
    CachedEvaluator,
    Evaluation,
    Evaluator,
    JudgeEvaluator,
    RolloutEvaluator,
    UniformEvaluator,
    turn_to_seats,
)
from stratagem.search.forest import Forest, RootReport
from stratagem.search.outcomes import outcome_values
from stratagem.search.settings import SearchSettings

__all__ = [
    "CachedEvaluator",
    "Evaluation",
    "Evaluator",
    "Forest",
    "JudgeEvaluator",
    "RolloutEvaluator",
    "RootReport",
    "SearchSettings",
    "UniformEvaluator",
    "outcome_values",
    "turn_to_seats",
]
