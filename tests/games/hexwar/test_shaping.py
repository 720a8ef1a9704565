"""The shaping potential: distances, armies, nearness, and that both seats see the same."""

from collections import deque

import numpy as np
import pytest

from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_seeds
from stratagem.games.hexwar.board import hexes_between, neighbour
from stratagem.games.hexwar.shaping import nearness, potential, strength
from stratagem.games.hexwar.state import (
    DEAD,
    UNITS,
)


@pytest.mark.parametrize("scenario", ["symmetric", "symmetric-6", "solo-9"])
def test_hexes_between_by_walking(scenario):
    state = load_game(f"hexwar/{scenario}").new_state(1)
    area = int(state["height"]) * int(state["width"])
    for start in range(0, area, 3):
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for direction in range(6):
                there = int(neighbour(state, here, direction))
                if there >= 0 and there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        assert [hexes_between(state, start, cell) for cell in range(area)] == [
            steps[cell] for cell in range(area)
        ]


@pytest.mark.parametrize("scenario", ["curriculum", "randomized", "asymmetric", "breakthrough"])
def test_what_one_gains_the_other_loses(scenario):
    game = load_game(f"hexwar/{scenario}")
    states = game.new_states(derive_seeds(2, count=20))
    seen = []
    for _ in range(60):
        states = states[states["seat"] != OVER]
        if not len(states):
            break
        both = game.potentials(states)
        assert np.allclose(both[:, 0], -both[:, 1])
        assert np.abs(both).max() <= 1
        seen += both[:, 0].tolist()
        ids, counts = game.legal(states)
        game.kernels.step(states, ids[np.arange(len(states)), (7 * counts) // 11])
    assert np.ptp(seen) > 0.001


def test_a_lost_unit_and_a_step_nearer():
    """By hand: four infantry of 1 + 1 each; losing one is a quarter of the army's half weight."""
    game = load_game("hexwar/symmetric")
    state = game.new_states(derive_seeds(1, count=1))[0].copy()
    assert strength(state, 0, True) == strength(state, 1, False) == 4
    assert potential(state, 0) == 0
    state["status"][UNITS] = DEAD
    assert potential(state, 0) == pytest.approx(0.5 * 2 / 8)
    assert potential(state, 1) == pytest.approx(-0.5 * 2 / 8)
    while state["turn"] == 0:
        state = game.after(state, game.legal_actions(state)[0])
    before = nearness(state, 0)
    state["cell"][0] = state["goals"][1, 0]  # on the goal itself
    assert nearness(state, 0) == 1 > before
    assert potential(state, 0) > 0
