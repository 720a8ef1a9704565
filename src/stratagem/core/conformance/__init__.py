"""The conformance kit: checks that every game must pass, run on random games.

    check_game(load_game("connect_four"))       raises NonConformance on the first broken promise
    trace_game(load_game("connect_four"), 7)    a hash that must not depend on the JIT
    python -m stratagem.core.conformance GAME   both, from a shell

It checks the promises of the Game contract (docs/add-a-game.md), not that the rules are the right
ones: that takes a slow twin, leaf counts and a reader with the rulebook.
"""

from __future__ import annotations

from stratagem.core.conformance.declaration import check_card, check_declaration, check_reset
from stratagem.core.conformance.endings import check_endings
from stratagem.core.conformance.failure import NonConformance, trying
from stratagem.core.conformance.hiding import check_hide
from stratagem.core.conformance.limiting import check_limits
from stratagem.core.conformance.mirrors import check_symmetry
from stratagem.core.conformance.moves import check_chance, check_legal, check_step
from stratagem.core.conformance.playing import play_games, trace_game
from stratagem.core.conformance.seeing import (
    check_observations,
    check_potential,
    check_slices,
)
from stratagem.core.conformance.shape import check_shape
from stratagem.core.conformance.text import (
    check_bots,
    check_notation,
    check_record,
    check_sentences,
)
from stratagem.core.conformance.viewing import check_view
from stratagem.core.game import Game

__all__ = ["NonConformance", "check_game", "trace_game"]


def check_game(game: Game, games: int = 20, seed: int = 0, max_events: int = 20_000) -> None:
    """Play `games` random games and check every promise; raises NonConformance."""
    check_shape(game)
    check_declaration(game)
    check_card(game)
    check_slices(game)
    check_reset(game, games, seed)
    with trying("a random game"):
        played = play_games(game, games, seed, max_events)
    check_legal(game, played)
    check_chance(game, played)
    check_step(game, played)
    check_limits(game, played)
    check_endings(game, played)
    check_observations(game, played)
    check_potential(game, played)
    check_hide(game, played, max_events)
    check_symmetry(game, played)
    check_notation(game, played)
    check_sentences(game, played)
    check_record(game, played)
    check_bots(game, played)
    check_view(game, played)
