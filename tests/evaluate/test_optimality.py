"""Shares of optimal moves, on a board small enough to know everything."""

import json

import numpy as np
import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.solution import Solution
from stratagem.evaluate.optimality import (
    grade_agent,
    read_solutions,
    sample_positions,
    solve_positions,
)

SMALL = load_game("connect_four?rows=4&columns=4&connect=3")


class Scripted:
    """Plays what it was told for each position."""

    spec = "told"

    def __init__(self, states, actions):
        self._actions = {
            state.tobytes(): action for state, action in zip(states, actions, strict=True)
        }

    def act(self, states, seeds):
        return np.array([self._actions[state.tobytes()] for state in states], np.int32)


def samples(count=40, seed=1, **options):
    return sample_positions(SMALL, make_agent("random", SMALL), count, seed, **options)


def test_positions_differ_and_can_be_decided():
    states = samples(40, first_ply=3)
    assert len({state.tobytes() for state in states}) == 40
    assert (states["seat"] >= 0).all()
    assert (states["ply"] >= 3).all()
    assert (samples(40, first_ply=3) == states).all()
    assert (samples(40, seed=2, first_ply=3) != states).any()


def test_more_positions_than_there_are_is_refused():
    tiny = load_game("connect_four?rows=2&columns=2&connect=2")
    with pytest.raises(BadSetting, match="ask for fewer"):
        sample_positions(tiny, make_agent("random", tiny), 50, 1)


def test_perfect_play_is_perfect_and_the_worst_is_counted():
    states = samples()
    solutions = solve_positions(SMALL, states)
    perfect = grade_agent(
        Scripted(states, [one.best[0] for one in solutions]), SMALL, states, solutions, 0
    )
    assert perfect.best.share == perfect.holding.share == perfect.critical.share == 1.0
    ids, counts = SMALL.legal(states)
    worst, critical = [], 0
    for row, one in enumerate(solutions):
        losing = [a for a in ids[row, : counts[row]].tolist() if a not in one.holding]
        critical += bool(losing)
        worst.append(losing[0] if losing else one.best[0])
    assert 0 < critical < len(states)
    poor = grade_agent(Scripted(states, worst), SMALL, states, solutions, 0)
    assert poor.critical.positions == critical
    assert poor.critical.share == 0.0
    assert poor.holding.share == 1 - critical / len(states)


def test_an_agent_that_searches_is_better_than_a_random_one():
    states = samples()
    solutions = solve_positions(SMALL, states)
    shares = [
        grade_agent(make_agent(spec, SMALL), SMALL, states, solutions, 3).critical.share
        for spec in ("random", "mcts:none?sims=400")
    ]
    assert shares[0] < 0.8 < shares[1]


def test_solutions_are_kept_and_not_solved_again(tmp_path):
    states, file = samples(12), tmp_path / "solved" / "small.json"
    solutions = solve_positions(SMALL, states, file)
    assert set(read_solutions(file).values()) == set(solutions)
    wrong = {name: [99, [0], [0]] for name in json.loads(file.read_text())}
    file.write_text(json.dumps(wrong))
    assert solve_positions(SMALL, states, file) == [Solution(99, (0,), (0,))] * 12
    file.write_text("[1]")
    with pytest.raises(BadSetting, match="no solved positions"):
        solve_positions(SMALL, states, file)


def test_a_game_without_a_solver_is_refused():
    dice = load_game("dice")
    with pytest.raises(BadSetting, match="no solver"):
        solve_positions(dice, dice.new_states(np.zeros(1, np.uint64)))
