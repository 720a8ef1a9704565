"""Players have names that people understand."""

import pytest

from stratagem.web.names import player_title


@pytest.mark.parametrize(
    ("agent", "title"),
    [
        ("scripted", "Rule-based bot"),
        ("goal-rush", "Goal Rush (rule-based bot)"),
        ("scripted:goal-rush", "Goal Rush (rule-based bot)"),
        ("random", "Random moves"),
        ("best", "Strongest AI"),
        ("best:?sims=64", "Strongest AI, 64 simulations"),
        ("mcts:none?sims=200", "Plain search (no learning), 200 simulations"),
        ("run:first@step_000004?sims=32", "first@step_000004, 32 simulations"),
        ("somebody?x", "somebody?x"),
    ],
)
def test_an_agent_has_a_name(agent, title):
    assert player_title(agent) == title
