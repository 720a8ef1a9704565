"""A team that does not coordinate: every agent takes what is best for it alone."""

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.agents.kinds.independent import choose_apart
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.search import RootReport


def report(actions, visits):
    found = np.array([actions], np.int32)
    zeros = np.zeros(found.shape, np.float32)
    return RootReport(found, np.array([visits], np.int32), zeros, zeros,
                      np.array([len(actions)], np.int32), zeros[:, 0], zeros)  # fmt: skip


def test_each_agent_follows_its_own_visits():
    """Together 0-1 is best; alone agent 1 is better off with 2: 0-2 is played."""
    joint = {(0, 1): 40, (1, 0): 31, (1, 2): 1, (2, 2): 28, (0, 2): 15}
    actions = [9 * a + b for a, b in joint]
    visits = list(joint.values())
    assert choose_apart(report(actions, visits), (9, 9)).tolist() == [9 * 0 + 2]
    del joint[0, 2]  # not legal: of what is, the pair of wishes that is liked best
    actions = [9 * a + b for a, b in joint]
    assert choose_apart(report(actions, list(joint.values())), (9, 9)).tolist() == [9 * 0 + 1]


def test_it_plays_legal_moves_and_needs_a_team():
    game = load_game("battlefield")
    agent = make_agent("independent:none?sims=20", game)
    states = game.new_states(np.arange(4, dtype=np.uint64))
    actions = agent.act(states, np.arange(4, dtype=np.uint64))
    for state, action in zip(states, actions, strict=True):
        assert action in game.legal_actions(state)
    with pytest.raises(BadSetting, match="is one choice, write mcts:none"):
        make_agent("independent:none?sims=4", load_game("connect_four"))
