"""Compiles a game ahead of time by using every kernel that its usual matches need."""

from __future__ import annotations

from stratagem.agents.kinds.random import RandomAgent
from stratagem.agents.shipped import KINDS, shipped
from stratagem.agents.spec import make_agent
from stratagem.core.compiling import WATCH
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.evaluate.bench import opening_positions
from stratagem.evaluate.matches import play_match


def warm_game(spec: str) -> float:
    """Use the rules, the bots, the search and the shipped player; return the compile time in s."""
    before = WATCH.seconds
    game = load_game(spec)
    play_match(game, [RandomAgent(game)] * game.num_seats, 1, seed=1)
    players = [*game.rules.bots, "mcts:none?sims=4"]
    players += [kind for kind in KINDS if shipped(game, kind=kind) is not None]
    states = opening_positions(game, 1, seed=1)
    seen = game.hidden_from(states, states["seat"], derive_seeds(1, "hide", count=1))
    for player in players:
        make_agent(player, game).act(seen, derive_seeds(1, "warm", count=1))
    return WATCH.seconds - before
