"""The dice test game has the values that pencil and paper give it."""

from fractions import Fraction

import numpy as np
import pytest

from oracles.exact import ExactSolver
from stratagem.core.conformance import check_game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE

KEEP, AGAIN = 0, 1


def last_seat_value(kept, faces):
    """What the last of two seats can expect against a kept die, with one more roll."""

    def result(roll):
        return (roll > kept) - (roll < kept)

    again = Fraction(sum(result(roll) for roll in range(1, faces + 1)), faces)
    return sum(max(Fraction(result(roll)), again) for roll in range(1, faces + 1)) / faces


def first_seat_value(faces):
    kept = {die: -last_seat_value(die, faces) for die in range(1, faces + 1)}
    again = sum(kept.values()) / faces
    return sum(max(value, again) for value in kept.values()) / faces


@pytest.mark.parametrize("spec", ["dice", "dice/three", "dice?faces=2", "dice?top_weight=9"])
def test_conforms(spec):
    check_game(load_game(spec), games=10)


@pytest.mark.parametrize("faces", [2, 3, 6, 8])
def test_value_of_the_first_seat(faces):
    game = load_game(f"dice?faces={faces}")
    values = ExactSolver(game).values(game.new_state(0))
    assert values[0] == pytest.approx(float(first_seat_value(faces)), abs=1e-6)
    assert values.sum() == pytest.approx(0, abs=1e-6)


def test_the_last_seat_rolls_again_when_behind_or_tied_low():
    game = load_game("dice")
    solver = ExactSolver(game)
    for kept in range(1, 7):
        for roll in range(1, 7):
            state = game.new_state(0)
            for event in (kept - 1, KEEP, roll - 1):
                state = game.after(state, event)
            assert state["seat"] == 1
            wanted = AGAIN if roll < kept or (roll == kept and kept <= 3) else KEEP
            assert solver.best_actions(state) == {wanted}


def test_three_seats_share_a_pot():
    game = load_game("dice/three")
    values = ExactSolver(game).values(game.new_state(0))
    assert values.shape == (3,)
    assert values.sum() == pytest.approx(0, abs=1e-6)
    assert values[2] > values[0]  # the last seat knows what it must beat


def test_one_seat_decides_many_times_in_a_row():
    game = load_game("dice/three")
    state = game.new_state(0)
    deciders = []
    while len(deciders) < 3:
        if state["seat"] == CHANCE:
            state = game.after(state, 0)
        else:
            deciders.append(int(state["seat"]))
            state = game.after(state, AGAIN)
    assert deciders == [0, 0, 0]


def test_a_loaded_die_falls_as_listed():
    game = load_game("dice/three")
    state = game.new_state(0)
    assert dict(game.chance_outcomes(state)) == pytest.approx({0: 0.2, 1: 0.2, 2: 0.2, 3: 0.4})
    states = np.repeat(np.array([state]), 20_000)
    drawn = game.draw(states, np.random.default_rng(0).integers(1, 2**63, 20_000, np.uint64))
    assert np.bincount(drawn) / 20_000 == pytest.approx([0.2, 0.2, 0.2, 0.4], abs=0.015)
