"""What a search process does, in this process."""

import time

import pytest

from stratagem.core.errors import BadSetting
from stratagem.core.game import as_batch
from stratagem.core.registry import load_game
from stratagem.web.engine import Engine, Job
from stratagem.web.luck import luck_of_dice

GAME = "connect_four/default"


def job(kind="analyse", agent="mcts:none?sims=400", **more):
    state = as_batch(load_game(GAME).new_state(1)).tobytes()
    return Job(kind, GAME, agent, state, (7,), **more)


def never(visits, interim):
    return False


def test_a_slow_listener_does_not_slow_the_search():
    calls = []

    def listen(visits, interim):
        calls.append(visits)
        time.sleep(0.03)
        return False

    Engine().run(job(), listen)
    assert calls[-1] == 400 and len(calls) < 30


def test_portions_change_nothing_in_what_is_found():
    whole, watched = Engine().run(job(), never), Engine().run(job(), never)
    assert whole["positions"] == watched["positions"]
    moved = Engine().run(job("move"), never)
    best = whole["positions"][0]["moveInfos"][0]
    assert (moved["action"], moved["visits"]) == (best["action"], 400)


def test_a_search_that_is_stopped_answers_with_what_it_has():
    found = Engine().run(job(), lambda visits, interim: visits >= 5)["positions"][0]
    assert 5 <= found["rootInfo"]["visits"] < 400


def test_a_tree_that_was_left_early_is_not_kept():
    engine = Engine()
    engine.run(job(), lambda visits, interim: True)
    assert engine.run(job("tree", limit=1), never)["visits"] == 401
    again = []
    engine.run(job("tree", limit=1), lambda visits, interim: bool(again.append(visits)))
    assert again == []  # the same tree is not grown twice


def test_an_agent_that_does_not_search_cannot_analyse():
    with pytest.raises(BadSetting, match="does not search"):
        Engine().run(job(agent="random"), never)
    assert 0 <= Engine().run(job("move", agent="random"), never)["action"] < 7


def test_luck_is_zero_on_average():
    game = load_game("dice")
    agent = Engine()._agent("dice/default", "mcts:none?sims=4", game)
    state = game.new_state(1)  # the first roll
    outcomes = game.chance_outcomes(state)
    states = as_batch(state).repeat(len(outcomes))
    luck = luck_of_dice(game, agent, states, [outcome for outcome, _ in outcomes])
    mean = sum(chance * one[0] for (_, chance), one in zip(outcomes, luck, strict=True))
    assert mean == pytest.approx(0, abs=1e-6)
    assert luck[-1][0] > 0.2 > luck[0][0]  # a six is luckier than a one
