"""A game's own heuristic as an evaluator: its numbers, in a search and as the shipped player."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_seeds
from stratagem.search import HeuristicEvaluator


def decisions(game, count, plies):
    """Positions in which a seat decides, after games of the scripted player."""
    states = game.new_states(derive_seeds(2, "heuristic", count=count))
    bot = game.rules.bot_kernels["scripted"]
    for ply in range(plies):
        states = states[states["seat"] != OVER]
        drawn = game.draw(states, derive_seeds(ply, "heuristic", count=len(states)))
        moves = np.empty(len(states), np.int32)
        waiting = np.flatnonzero(states["seat"] == CHANCE)
        deciding = np.flatnonzero(states["seat"] != CHANCE)
        chosen = np.empty(len(deciding), np.int32)
        bot(states[deciding], derive_seeds(ply, "move", count=len(deciding)), game.width, chosen)
        moves[deciding], moves[waiting] = chosen, drawn[waiting]
        game.kernels.step(states, moves)
    return states[states["seat"] >= 0]


def test_the_heuristic_speaks_of_legal_actions_and_seats():
    game = load_game("catan")
    states = decisions(game, 12, 90)
    found = HeuristicEvaluator(game).evaluate(states, np.arange(len(states)))
    assert found.logits.shape == (len(states), game.actions.size)
    assert np.allclose(found.values.sum(axis=1), 0, atol=1e-6) and np.ptp(found.values) > 0.2
    for row, state in enumerate(states):
        legal = game.legal_actions(state)
        others = np.delete(found.logits[row], legal)
        assert not others.any()
        if len(legal) > 1:
            assert np.ptp(found.logits[row, legal]) > 0


def test_one_simulation_plays_what_the_heuristic_likes_best():
    game = load_game("catan")
    states = decisions(game, 12, 60)
    logits = HeuristicEvaluator(game).evaluate(states, np.arange(len(states))).logits
    agent = make_agent("mcts:heuristic?sims=1&determinizations=1", game)
    # Nothing is hidden yet that could be guessed otherwise: no cards were bought so far.
    plain = np.flatnonzero(states["cards"].sum(axis=(1, 2)) == 0)
    assert len(plain) > 3
    actions = agent.act(states[plain], derive_seeds(3, count=len(plain)))
    for row, action in zip(plain, actions, strict=True):
        legal = game.legal_actions(states[row])
        assert logits[row, action] == max(logits[row, legal])


def test_the_heuristic_alone_decides_like_a_player():
    game = load_game("catan")
    agent = make_agent("mcts:heuristic?sims=1&determinizations=1", game)
    assert (agent.settings.sims, agent.settings.determinizations) == (1, 1)
    states = decisions(game, 4, 40)
    actions = agent.act(states, derive_seeds(5, count=len(states)))
    assert all(a in game.legal_actions(s) for a, s in zip(actions, states, strict=True))


def test_a_game_without_a_heuristic_says_so():
    with pytest.raises(BadSetting, match="declares no heuristic"):
        make_agent("mcts:heuristic?sims=4", load_game("connect_four"))
