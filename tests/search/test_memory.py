"""Memory of a search is estimated before it is asked for."""

import pytest

from stratagem.agents import make_agent
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.search import memory
from stratagem.search.forest import Forest
from stratagem.search.settings import SearchSettings


def test_more_than_the_machine_has_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 3 * 2**30)
    game = load_game("connect_four")
    with pytest.raises(BadSetting, match=r"would need .* GiB and 3\.0 GiB are free: lower sims"):
        Forest(game, SearchSettings(sims=1_000_000_000), 1)
    Forest(game, SearchSettings(sims=100), 1)


def test_what_is_free_is_known():
    assert memory.free_memory() > 2**20
    make_agent("mcts:none?sims=10", load_game("connect_four"))
