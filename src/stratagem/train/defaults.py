"""What a run does where neither its preset nor its user says anything, chosen from the game.

A game without a preset trains too: the network fits its encoding, and the run meets its own bot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stratagem.core.game import Game
from stratagem.core.specs import ObservationSpec
from stratagem.core.toml import read_toml

ANCHORS = ("random", "mcts:none?sims=200")
# Sizes that learn in minutes; the networks' own defaults are those of papers.
SIZES: dict[str, dict[str, Any]] = {
    "cnn": {
        "filters": 32, "blocks": 3, "policy_channels": 8, "value_channels": 4, "value_hidden": 64,
    },
}  # fmt: skip
_RECIPE = "default.toml"  # in the folder of an algorithm


def read_recipe(algorithm: str) -> dict[str, Any]:
    """The settings of an algorithm's run for a game that has no preset; empty if it has none."""
    file = Path(__file__).parent / algorithm / _RECIPE
    return read_toml(file) if file.is_file() else {}


def choose_network(observation: ObservationSpec) -> str:
    """The kind of network for an encoding: `cnn` for a board, `feedforward` for all else.

    A `cnn` reads one slice of planes and one vector. Where there is more to read it would leave
    something out, so the plain network is chosen, which reads every number.
    """
    kinds = [part.kind for part in observation.slices]
    is_board = kinds.count("planes") == 1 and kinds.count("vector") == len(kinds) - 1 <= 1
    return "cnn" if is_board else "feedforward"


def choose_anchors(game: Game) -> tuple[str, ...]:
    """Fixed opponents for a game: random moves, its first bot if it has any, a plain search."""
    return (ANCHORS[0], *list(game.rules.bots)[:1], *ANCHORS[1:])
