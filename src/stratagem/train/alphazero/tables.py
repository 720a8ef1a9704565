"""The games of a run: one, or several scenarios of the same rules learned side by side."""

from __future__ import annotations

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.train.alphazero.settings import Settings


def load_tables(settings: Settings) -> list[Game]:
    """The run's game and the further scenarios it learns from, which must be of its kind."""
    games = [load_game(spec) for spec in (settings.game, *settings.extra_scenarios)]
    for other in games[1:]:
        if other.name != games[0].name or other.num_seats != games[0].num_seats:
            raise BadSetting(
                f"extra_scenarios: {other.spec}: a run learns one game with one number of seats, "
                f"choose scenarios of {games[0].name} with {games[0].num_seats} seats"
            )
    return games
