"""Defaults for settings that neither preset nor user chose, based on the game.

A game without a preset can be trained too: the network fits its encoding, and it meets its own bot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stratagem.core.game import Game
from stratagem.core.specs import ObservationSpec
from stratagem.core.toml import read_toml

ANCHORS = ("random", "mcts:none?sims=200")
# Sizes that learn in minutes; the networks' own defaults are from papers.
SIZES: dict[str, dict[str, Any]] = {
    "cnn": {
        "filters": 32, "blocks": 3, "policy_channels": 8, "value_channels": 4, "value_hidden": 64,
    },
}  # fmt: skip
_RECIPE = "default.toml"  # in the algorithm's folder


def read_recipe(algorithm: str) -> dict[str, Any]:
    """Return an algorithm's settings for games without a preset; empty if it has none."""
    file = Path(__file__).parent / algorithm / _RECIPE
    return read_toml(file) if file.is_file() else {}


def choose_network(observation: ObservationSpec) -> str:
    """Return the network kind for an encoding: `cnn` for a board, `feedforward` for all else.

    A `cnn` reads one slice of planes and one vector. If there is more to read, it would miss
    something, so the plain network is chosen, which reads every number.
    """
    kinds = [part.kind for part in observation.slices]
    is_board = kinds.count("planes") == 1 and kinds.count("vector") == len(kinds) - 1 <= 1
    return "cnn" if is_board else "feedforward"


def choose_anchors(game: Game) -> tuple[str, ...]:
    """Return fixed opponents for a game: random moves, its first bot, a plain search."""
    return (ANCHORS[0], *list(game.rules.bots)[:1], *ANCHORS[1:])
