"""The policy agent: the likeliest legal action, or a sample at its temperature."""

import numpy as np
import pytest

from search.growing import CONNECT_FOUR, HashEvaluator, batch, play
from stratagem.agents import make_agent
from stratagem.agents.kinds.policy import PolicyAgent
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.seeding import derive_seeds
from stratagem.search import Evaluation


class FixedLogits:
    """The same logits everywhere."""

    def __init__(self, logits):
        self.logits = np.array(logits, np.float32)

    def evaluate(self, states, rows):
        return Evaluation(
            np.tile(self.logits, (len(rows), 1)), np.zeros((len(rows), 2), np.float32)
        )


def act(logits, states, temperature=0.0, seed=1):
    agent = PolicyAgent(CONNECT_FOUR, FixedLogits(logits), "test", temperature)
    return agent.act(states, derive_seeds(seed, count=len(states)))


def test_the_likeliest_action_is_played():
    assert act([0, 1, 5, 2, 3, 4, -1], batch([play("")])).tolist() == [2]


@pytest.mark.parametrize("temperature", [0.0, 1.0, 50.0])
def test_an_illegal_action_is_never_played(temperature):
    states = np.repeat(batch([play("444444")]), 500)  # the favourite column is full
    picked = act([0, 0, 0, 90, 1, 0, 0], states, temperature)
    assert 3 not in picked
    if temperature == 0:
        assert set(picked) == {4}
    if temperature == 50:
        assert set(picked) == {0, 1, 2, 4, 5, 6}


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_samples_follow_the_softmax_over_legal_actions(temperature):
    logits = np.array([0.5, -1.0, 2.0, 9.0, 0.0, 1.0, -0.5])
    times = 8000
    states = np.repeat(batch([play("444444")]), times)
    picked = act(logits, states, temperature)
    weights = np.exp(logits / temperature)
    weights[3] = 0
    wanted = weights / weights.sum()
    found = np.bincount(picked, minlength=7) / times
    assert np.all(np.abs(found - wanted) <= 4 * np.sqrt(wanted * (1 - wanted) / times))


def test_a_decision_depends_on_position_and_seed_alone():
    states = batch([play("1" * n) for n in range(6)])
    seeds = derive_seeds(2, count=6)
    agent = PolicyAgent(CONNECT_FOUR, HashEvaluator(CONNECT_FOUR), "test", 1.0)
    together = agent.act(states, seeds)
    assert [agent.act(states[n : n + 1], seeds[n : n + 1])[0] for n in range(6)] == list(together)
    many = np.repeat(states[:1], 50)
    assert len(set(agent.act(many, derive_seeds(3, count=50)))) > 1


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("policy", BadSetting, "write policy:PATH"),
        ("policy:somewhere?sims=5", UnknownName, "'sims'"),
        ("policy:somewhere?temperature=hot", BadSetting, "temperature must be a number"),
    ],
)
def test_specs_that_make_no_sense(spec, error, message):
    with pytest.raises(error, match=message):
        make_agent(spec, CONNECT_FOUR)
