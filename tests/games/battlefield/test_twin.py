"""The kernels and the slow twin agree on every position of random games."""

import numpy as np
import pytest

from games.battlefield import twin
from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds

SPECS = [
    ("battlefield", 40),
    ("battlefield/duel", 40),
    ("battlefield/open?shot_range=6&ammo=2&health=3&damage=2&shrink_every=4", 15),
    ("battlefield/default?height=6&width=9&obstacles=12&hold_turns=2&shrink_every=5", 15),
    ("battlefield/default?height=8&width=5&team_size=1&ammo=0&hold_turns=9&shrink_every=9", 20),
    ("battlefield/default?height=5&width=6&team_size=3&health=1&obstacles=3", 3),
]


def play_beside_twin(spec: str, seed: int, compare_legal: bool) -> int:
    game = load_game(spec)
    choice = derive_generator(seed, spec)
    state = game.new_states(derive_seeds(seed, "setup", count=1))
    position = twin.read_position(state[0])
    repetitions = 0
    while True:
        assert twin.differences(position, state[0]) == []
        if state["seat"][0] == OVER:
            return repetitions
        legal = game.legal_actions(state[0])
        assert len(legal) == len(set(legal))
        if compare_legal:
            assert set(legal) == twin.legal_actions(position)
        repetitions += int(state["repeated"][0])
        action = int(choice.choice(legal))
        # Agents that shoot less live longer: calm games reach the last shrinks and repetitions.
        for _ in range(3):
            if seed % 2 and any(deed[0] == "shoot" for deed in twin.deeds_of(position, action)):
                action = int(choice.choice(legal))
        twin.play(position, action)
        game.kernels.step(state, np.array([action], np.int32))


@pytest.mark.parametrize(("spec", "games"), SPECS)
def test_random_games_agree(spec, games):
    for seed in range(games):
        play_beside_twin(spec, seed, compare_legal=seed < 5)


def test_repetitions_occur_and_agree():
    assert sum(play_beside_twin("battlefield/duel", seed, False) for seed in range(60)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["battlefield/squad", "battlefield/large", "battlefield"])
def test_legal_lists_agree_on_more_games(spec):
    for seed in range(100, 104):
        play_beside_twin(spec, seed, compare_legal=True)


def test_close_quarters_with_kills_agree():
    """Agents shoulder to shoulder: cells freed by a teammate's kill, shots over fallen bodies."""
    game = load_game("battlefield/default?height=5&width=5&team_size=3&health=2&obstacles=0")
    choice = derive_generator(5, "close quarters")
    for seed in range(12):
        state = game.new_states(derive_seeds(seed, "setup", count=1))
        centre = [row * 16 + column for row in (1, 2, 3) for column in (1, 2, 3)]
        state["cells"][0] = choice.permutation(centre)[:6].reshape(2, 3)
        state["health"][0] = choice.integers(1, 3, size=(2, 3))
        position = twin.read_position(state[0])
        legal = game.legal_actions(state[0])
        assert set(legal) == twin.legal_actions(position)
        for action in legal[::7]:
            other = twin.read_position(state[0])
            twin.play(other, action)
            assert twin.differences(other, game.after(state[0], action)) == []
