"""The peers benchmark runs and counts the same things on both sides."""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

pyspiel = pytest.importorskip("pyspiel")
FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "peers.py"


@pytest.fixture(scope="module")
def peers() -> ModuleType:
    found = importlib.util.spec_from_file_location("peers", FILE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["peers"] = module  # dataclasses look their module up
    found.loader.exec_module(module)
    return module


def test_every_row_compares_two_rates(peers: ModuleType) -> None:
    rows = peers.compare(seconds=0.0, sims=8, games=8, trees=2, leaves=2)
    assert [row.unit for row in rows] == ["steps/s"] + 3 * ["simulations/s"]
    for row in rows:
        assert row.stratagem > 0
        assert row.openspiel > 0
        assert row.ratio == pytest.approx(row.stratagem / row.openspiel, rel=0.01)
    assert peers.table(rows).count("\n") == len(rows) + 1


def test_both_searches_count_the_simulations_they_were_asked_for(peers: ModuleType) -> None:
    game = peers.load_game(peers.GAME)
    assert peers.their_search(sims=30, searches=3)(1) == 90
    assert peers.our_search(game, trees=2, leaves=1, sims=30, searches=1)(1) == 60
    # Several leaves at once may go past the number by less than a round.
    assert 30 <= peers.our_search(game, trees=1, leaves=4, sims=30, searches=1)(1) < 34


def test_random_games_are_as_long_as_openspiels(peers: ModuleType) -> None:
    generator = random.Random(1)
    plies = 0
    for _ in range(400):
        state = pyspiel.load_game(peers.GAME).new_initial_state()
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            plies += 1
    ours = peers.our_random_play(peers.load_game(peers.GAME), 4000)(1) / 4000
    # A random game's length has a deviation of about 7: four deviations of the mean of 400.
    assert plies / 400 == pytest.approx(ours, abs=1.5)
