"""Potentials inside the search: each seat's own, whoever moves next, and never a change of plan."""

from dataclasses import replace

import numpy as np
import pytest

from oracles.exact import ExactSolver
from search.growing import batch, grow, most_visited, play
from search.table_game import Place, TableEvaluator, TableGame, ended, rolled
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.search import UniformEvaluator


def corridor():
    """Seat 0, seat 1, seat 1 again, dice, the end: potentials differ per seat everywhere."""
    return TableGame(
        [
            Place(0, (1,), potentials=(0.1, -0.3), values=(0.05, -0.05)),
            Place(1, (2,), potentials=(0.5, 0.2), values=(0.2, -0.2)),
            Place(1, (3,), potentials=(-0.4, 0.7), values=(-0.6, 0.6)),
            rolled((4,), (1.0,), potentials=(9.0, 9.0)),
            ended(1.0, -1.0),
        ]
    )


@pytest.mark.parametrize(("weight", "discount"), [(1.0, 1.0), (1.0, 0.9), (0.5, 0.8)])
def test_edges_hold_value_and_discounted_shaping_of_the_seat_that_chose(weight, discount):
    game = corridor()
    options = {"shaping": weight, "shaping_discount": discount}
    forest, _ = grow(game, game.new_states([0]), TableEvaluator(game), 3, **options)
    places = game.places

    def gain(place, seat):
        """discount · potential(after) - potential(before), both of the same seat."""
        after = places[place + 1].potentials[seat]
        return weight * (discount * after - places[place].potentials[seat])

    def shaped(path, seat, value):
        return value + sum(discount**k * gain(place, seat) for k, place in enumerate(path))

    # Simulation 1 stops at place 1, simulation 2 at place 2, simulation 3 at the end.
    first = shaped([0], 0, 0.2) + shaped([0, 1], 0, -0.6) + shaped([0, 1, 2, 3], 0, 1.0)
    second = shaped([1], 1, 0.6) + shaped([1, 2, 3], 1, -1.0)
    third = shaped([2, 3], 1, -1.0)
    edges = forest.view(0).edges
    np.testing.assert_allclose(edges["value"], [first, second, third, 0.0], atol=1e-6)
    wanted = [np.multiply(weight, place.potentials) for place in places]  # dice have one too
    np.testing.assert_allclose(forest.view(0).potentials, wanted, atol=1e-6)


def test_a_path_telescopes_and_an_end_has_no_potential():
    """With discount 1 a finished game is worth its result less the potential at the start."""
    game = corridor()
    forest, trees = grow(game, game.new_states([0]), TableEvaluator(game), 60, shaping=1.0)
    report = forest.report(trees)
    early = (0.2 + 0.5 - 0.1) + (-0.6 - 0.4 - 0.1)
    wanted = (early + 58 * (1.0 - 0.1)) / 60
    assert report.values[0, 0] == pytest.approx(wanted, abs=1e-6)


def test_shaping_survives_reuse_and_growth():
    game = corridor()
    evaluator = TableEvaluator(game)
    forest, trees = grow(game, game.new_states([0]), evaluator, 10, shaping=1.0)
    forest.advance(trees, np.array([0], np.int32))
    fresh = TableGame([replace(p, moves=tuple(m - 1 for m in p.moves)) for p in game.places[1:]])
    other, _ = grow(fresh, fresh.new_states([0]), TableEvaluator(fresh), 9, shaping=1.0)
    forest.search(trees, 50, evaluator)
    other.search(trees, 50, TableEvaluator(fresh))
    np.testing.assert_allclose(forest.report(trees).values, other.report(trees).values, atol=1e-6)


def test_no_potential_or_no_weight_changes_nothing():
    game = corridor()
    bare = TableGame([replace(place, potentials=()) for place in game.places])
    plain, trees = grow(game, game.new_states([0]), TableEvaluator(game), 20)
    other, _ = grow(bare, bare.new_states([0]), TableEvaluator(bare), 20, shaping=1.0)
    np.testing.assert_array_equal(plain.report(trees).values, other.report(trees).values)


def with_potential(spec, batch_potential):
    """A real game of which only the potential is replaced."""
    game = load_game(spec)
    shaped = Game(replace(game.rules), game.scenario, game.spec)
    shaped.kernels.potential = batch_potential
    return shaped


def misleading(states, rows, out):
    """Large and arbitrary, different for each seat, none once the game is over."""
    for i, row in enumerate(rows):
        state = states[row]
        words = np.frombuffer(state.tobytes(), np.uint8).astype(np.int64)
        for seat in range(out.shape[1]):
            noise = int((words * (np.arange(len(words)) + 3 + 7 * seat)).sum()) % 101
            out[i, seat] = 0.0 if state["seat"] == OVER else noise / 101 - 0.5


@pytest.mark.parametrize("moves", ["", "1", "22", "2213"])
def test_the_best_policy_is_the_same_with_shaping(moves):
    """Ng et al. 1999: potentials change values by a constant per position, never the best move."""
    spec = "connect_four/default?rows=3&columns=3&connect=3"
    game = with_potential(spec, misleading)
    state = play(moves, game)
    best = ExactSolver(game).best_actions(state)
    for weight in (0.0, 1.0):
        forest, trees = grow(
            game, batch([state]), UniformEvaluator(game), sims=5000, shaping=weight, c_init=2.5
        )
        assert most_visited(forest.report(trees)) in best
    seat = int(state["seat"])
    exact = ExactSolver(game).values(state)[seat] - game.potentials(batch([state]))[0, seat]
    assert forest.report(trees).root_values[0] == pytest.approx(exact, abs=0.15)
