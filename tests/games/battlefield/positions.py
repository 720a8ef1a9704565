"""Hand-made Battlefield positions from a drawing, for tests of single rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.core.registry import load_game


def draw(picture: str, **fields: int) -> tuple[Game, np.ndarray]:
    """A game and one position: A B C of seat 0 to move, a b c of seat 1, # obstacles.

    `fields` are scenario fields, or `margin`, `ply`, `seat`. Agents not drawn are dead.
    """
    rows = [line.split() for line in picture.strip().splitlines()]
    letters = {mark.lower() for row in rows for mark in row if mark.isalpha()}
    size = max((ord(letter) - ord("a") + 1 for letter in letters), default=1)
    live = {name: fields.pop(name) for name in ("margin", "ply", "seat") if name in fields}
    settings = {
        "height": len(rows), "width": len(rows[0]), "team_size": size, "obstacles": 0, **fields,
    }  # fmt: skip
    game = load_game("battlefield/default?" + "&".join(f"{k}={v}" for k, v in settings.items()))
    state = game.new_states(np.array([1], np.uint64))
    for field in ("cells", "health", "ammo"):
        state[field] = 255 if field == "cells" else 0
    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            if mark == "#":
                state["walls"][0, row] |= 1 << column
            if mark.isalpha():
                place(state[0], mark, row * 16 + column)
    for name, value in live.items():
        state[name] = value
    return game, state


def place(s: Any, letter: str, cell: int) -> None:
    seat = 0 if letter.isupper() else 1
    agent = ord(letter.lower()) - ord("a")
    s["cells"][seat, agent] = cell
    s["health"][seat, agent] = s["max_health"]
    s["ammo"][seat, agent] = s["max_ammo"]


def move(game: Game, state: np.ndarray, *texts: str) -> Any:
    """Play moves given as text; each must be legal. Returns the one record."""
    for text in texts:
        action = game.rules.notation.parse_action(state[0], text)
        assert action in game.legal_actions(state[0]), f"{text} is illegal"
        game.kernels.step(state, np.array([action], np.int32))
    return state[0]


def allowed(game: Game, state: np.ndarray) -> set[str]:
    """The legal actions as text."""
    return {game.rules.notation.format_action(state[0], a) for a in game.legal_actions(state[0])}
