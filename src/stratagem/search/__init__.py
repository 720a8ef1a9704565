"""Batched tree search over any game: a forest of trees as arrays. Knows no game by name."""

from stratagem.search.evaluation import (
    CachedEvaluator,
    Evaluation,
    Evaluator,
    JudgeEvaluator,
    LookingEvaluator,
    RolloutEvaluator,
    UniformEvaluator,
    turn_to_seats,
)
from stratagem.search.forest import ROOT_LOOKS, Forest
from stratagem.search.outcomes import outcome_values
from stratagem.search.playouts import BlendedEvaluator, BotPlayouts, play_out, several
from stratagem.search.report import RootReport
from stratagem.search.settings import SearchSettings

__all__ = [
    "ROOT_LOOKS",
    "BlendedEvaluator",
    "BotPlayouts",
    "CachedEvaluator",
    "Evaluation",
    "Evaluator",
    "Forest",
    "JudgeEvaluator",
    "LookingEvaluator",
    "RolloutEvaluator",
    "RootReport",
    "SearchSettings",
    "UniformEvaluator",
    "outcome_values",
    "play_out",
    "several",
    "turn_to_seats",
]
