"""Hand-made hexwar positions, for tests of single rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.core.registry import load_rules
from stratagem.games.hexwar.scenario import HexwarScenario

UNITS = 32
PLAIN = ["PPPPP"] * 5
EXTRA = {
    "lance": {"letter": "L", "attack": 3, "defence": 1, "movement": 3},
    "wall": {"letter": "W", "attack": 1, "defence": 3, "movement": 3},
}
NAMES = {"I": "infantry", "A": "armour", "L": "lance", "W": "wall"}


def scenario(**changes: Any) -> dict[str, Any]:
    """The values of a valid scenario file, with some keys changed."""
    values: dict[str, Any] = {
        "height": 5,
        "width": 5,
        "turns": 9,
        "stacking": 2,
        "map": PLAIN,
        "units": EXTRA,
        "player1": {"victory": [[1, 0]], "arrivals": [{"turn": 0, "units": ["infantry"]}]},
        "player2": {"victory": [[3, 4]], "arrivals": [{"turn": 0, "units": ["infantry"]}]},
    }
    return {**values, **changes}


def new_game(**changes: Any) -> tuple[Game, np.ndarray]:
    """A fresh game of such a scenario, and its first position."""
    model = HexwarScenario.model_validate(scenario(**changes))
    game = Game(load_rules("hexwar"), model, "hexwar/by-hand")
    return game, game.new_states(np.array([1], np.uint64))


def battle(
    west: dict[str, str], east: dict[str, str], phase: int = 1, **changes: Any
) -> tuple[Game, np.ndarray]:
    """Turn 1, player 1 to move: units as {hex: letters from the bottom up}, all ready."""
    players = {}
    for number, army in ((1, west), (2, east)):
        units = [NAMES[letter] for letters in army.values() for letter in letters]
        goal = [[1, 0]] if number == 1 else [[3, 4]]
        # They come long after, so that set-up asks for nothing; then they are put on the board.
        arrivals = [{"turn": 0, "units": units}] if units else []
        players[f"player{number}"] = {"victory": goal, "arrivals": arrivals}
    model = HexwarScenario.model_validate({**scenario(), **players, **changes})
    game = Game(load_rules("hexwar"), model, "hexwar/by-hand")
    state = game.new_states(np.array([1], np.uint64))
    for seat, army in enumerate((west, east)):
        unit = seat * UNITS
        for name, letters in army.items():
            cell = cell_of(state[0], name)
            for _ in letters:
                put(state[0], unit, cell)
                unit += 1
    state["seat"], state["turn"], state["phase"], state["arriving"] = 0, 1, phase, 255
    return game, state


def cell_of(s: Any, name: str) -> int:
    return (int(name[1:]) - 1) * int(s["width"]) + ord(name[0]) - ord("a")


def put(s: Any, unit: int, cell: int) -> None:
    s["status"][unit] = 1
    s["points"][unit] = s["kinds"][s["kind"][unit], 2]
    s["cell"][unit] = cell
    if s["stack"][cell] == 0:
        s["stack"][cell] = unit + 1
        return
    top = int(s["stack"][cell]) - 1
    while s["above"][top]:
        top = int(s["above"][top]) - 1
    s["above"][top] = unit + 1


def move(game: Game, state: np.ndarray, *texts: str) -> Any:
    """Play moves given as text; each must be legal. Returns the one record."""
    for text in texts:
        action = game.rules.notation.parse_action(state[0], text)
        assert action in game.legal_actions(state[0]), f"{text} is illegal: {allowed(game, state)}"
        game.kernels.step(state, np.array([action], np.int32))
    return state[0]


def allowed(game: Game, state: np.ndarray) -> set[str]:
    """The legal actions as text."""
    return {game.rules.notation.format_action(state[0], a) for a in game.legal_actions(state[0])}


def army(game: Game, state: np.ndarray, seat: int) -> dict[str, str]:
    """{hex: letters from the bottom up} of a seat's units on the board."""
    s = state[0]
    found = {}
    for cell in range(int(s["height"]) * int(s["width"])):
        letters, link = "", int(s["stack"][cell])
        while link:
            if (link - 1) // UNITS == seat:
                letters += chr(s["kind_letters"][s["kind"][link - 1]])
            link = int(s["above"][link - 1])
        if letters:
            row, column = divmod(cell, int(s["width"]))
            found[f"{chr(ord('a') + column)}{row + 1}"] = letters
    return found
