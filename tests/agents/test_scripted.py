"""Scripted agents answer what the game's bot answers."""

import numpy as np

from stratagem.agents import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds


def test_the_bot_decides() -> None:
    game = load_game("dice/three")
    states = game.new_states(derive_seeds(1, count=5))
    game.kernels.step(states, game.draw(states, derive_seeds(2, count=5)))
    assert (states["seat"] == 0).all()
    actions = make_agent("keeper", game).act(states, derive_seeds(3, count=5))
    assert actions.dtype == np.int32
    assert actions.tolist() == [0] * 5


def test_the_bare_name_means_the_bot_of_that_name() -> None:
    """Catan declares `scripted` last: `scripted` must not become a random player."""
    game = load_game("catan")
    assert make_agent("scripted", game).bot == "scripted"  # type: ignore[attr-defined]
    assert next(iter(game.rules.bots)) != "scripted"
