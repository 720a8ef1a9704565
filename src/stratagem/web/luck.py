"""Separates luck from skill: what each roll changed for each seat, according to an evaluator.

The luck of a roll is the value of its outcome minus the mean value of all possible outcomes, both
by the same evaluator without search; so it is zero on average, whatever was decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.core.game import Game, States
from stratagem.core.seats import CHANCE, OVER
from stratagem.search import Evaluator, PlayoutEvaluator

_PLAYOUTS = 24  # random games per evaluation, if there is no network
_LEAVES = 256  # of one roll: the most likely ones, if dice follow dice


def luck_of_dice(
    game: Game, agent: MctsAgent, states: States, outcomes: Sequence[int]
) -> list[list[float]]:
    """Return per chance position and seat how much the actual outcome changed."""
    evaluator: Evaluator = agent.evaluator
    if isinstance(evaluator, PlayoutEvaluator):
        evaluator = PlayoutEvaluator(game, 0, _PLAYOUTS)
    answers = []
    for state, outcome in zip(states, outcomes, strict=True):
        possible = game.chance_outcomes(state)
        weights = np.array([chance for _, chance in possible], np.float64)
        values = np.array([_value(game, evaluator, game.after(state, one)) for one, _ in possible])
        came = [one for one, _ in possible].index(outcome)
        mean = (weights[:, None] * values).sum(axis=0) / weights.sum()
        answers.append([float(number) for number in values[came] - mean])
    return answers


def _value(game: Game, evaluator: Evaluator, state: Any) -> npt.NDArray[np.float64]:
    """[P] the value of a position; at chance nodes, the mean over the outcomes."""
    leaves: list[tuple[float, Any]] = [(1.0, state)]
    while any(int(leaf["seat"]) == CHANCE for _, leaf in leaves):
        grown: list[tuple[float, Any]] = []
        for weight, leaf in leaves:
            if int(leaf["seat"]) != CHANCE:
                grown.append((weight, leaf))
                continue
            grown += [
                (weight * chance, game.after(leaf, outcome))
                for outcome, chance in game.chance_outcomes(leaf)
            ]
        leaves = sorted(grown, key=lambda pair: -pair[0])[:_LEAVES]
    records = np.empty(len(leaves), game.rules.dtype)
    for row, (_, leaf) in enumerate(leaves):
        records[row] = leaf
    weights = np.array([weight for weight, _ in leaves])
    values = np.zeros((len(leaves), game.num_seats))
    over = records["seat"] == OVER
    if over.any():
        values[over] = game.returns(records[over])
    deciding = np.flatnonzero(~over)
    if len(deciding):
        values[deciding] = evaluator.evaluate(records, deciding).values
    result: npt.NDArray[np.float64] = (weights[:, None] * values).sum(axis=0) / weights.sum()
    return result
