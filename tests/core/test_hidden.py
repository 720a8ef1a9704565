"""An agent only ever sees what passed through `hide`, wherever games are played.

The game `spy` marks every state that `hide` has touched, and its bot plays BET when it sees one
that is not marked for its own seat. `Witness` and `WitnessEvaluator` check the same in Python. The
other halves of the proof are `tests/web/test_spy.py` and `tests/train/test_hidden.py`.
"""

import numpy as np
import pytest

from stratagem.adapters.pettingzoo import StratagemEnv
from stratagem.agents import make_agent
from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.core.driver import GameBatch, GameStreams
from stratagem.core.registry import load_game
from stratagem.core.session import GameSession, SessionSetup
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.play_session import PlaySession
from stratagem.search import SearchSettings
from witness import PASS, Witness, WitnessEvaluator


@pytest.fixture(scope="module")
def game():
    return load_game("spy")


@pytest.fixture
def spy(game):
    return make_agent("spy", game)


def decisions(events):
    return [event.action for event in events if event.seat >= 0]


def test_the_spy_tells_the_truth_from_a_sight(game, spy):
    """Without this the tests below would prove nothing."""
    session = GameSession(game, SessionSetup.new(game, ("human", "human"), 1))
    list(session.advance({}))
    seeds = np.ones(3, np.uint64)
    states = np.array([session.state, session.seen_by(1), session.seen_by(0)], game.rules.dtype)
    assert spy.act(states, seeds).tolist() == [1, 1, PASS]
    with pytest.raises(AssertionError):
        Witness().act(states[:1], seeds[:1])


def test_session(game, spy):
    for seed in range(8):
        session = GameSession(game, SessionSetup.new(game, ("spy", "spy"), seed))
        events = list(session.advance({0: spy, 1: Witness()}))
        assert decisions(events) == [PASS, PASS]
        assert not any(state["seen_by"] for state in session.states)  # the truth is left alone


def test_terminal(game):
    for seat in (0, 1):
        play = PlaySession(game, seat, "spy", seed=3)
        list(play.advance())
        assert play.hint()
        list(play.play(PASS))
        assert decisions(play.session.events) == [PASS, PASS]


def test_pettingzoo():
    env = StratagemEnv("spy")
    seen = []

    class Observing:
        spec = env._observer.spec

        def observe_into(self, states, rows, seats, out):
            assert (states["seen_by"] == seats + 1).all()
            seen.append(int(seats[0]))

    env._observer = Observing()
    env.reset(seed=4)
    for agent in env.agent_iter():
        _, _, over, _, _ = env.last()
        env.observe("player_0"), env.observe("player_1")
        env.step(None if over else PASS)
        assert agent in env.possible_agents
    assert {0, 1} <= set(seen)


def test_match(game, spy):
    witness = Witness()
    match = play_match(game, [spy, witness], games=16, seed=5, keep=True)
    assert witness.asked == 16
    for record in match.records:
        assert decisions(record.events) == [PASS, PASS]


def test_batch(game):
    batch = GameBatch(game, 6, GameStreams(7, np.arange(6)))
    rows = np.arange(6)
    batch.start(rows)
    while (batch.roll(rows) >= 0).any():
        pass
    assert (batch.ask(Witness(), rows) == PASS).all()
    assert not batch.states["seen_by"].any()


def test_search(game):
    evaluator = WitnessEvaluator(game)
    agent = MctsAgent(
        game, evaluator, SearchSettings(sims=8, determinizations=2, cache=False), "witness"
    )
    session = GameSession(game, SessionSetup.new(game, ("witness", "witness"), 2))
    list(session.advance({0: agent, 1: agent}))
    assert session.is_finished and evaluator.asked > 8
