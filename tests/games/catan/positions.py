"""Hand-made positions of Catan, for tests of single rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE
from stratagem.games.catan import notation, setup
from stratagem.games.catan import state as catan
from stratagem.games.catan.rules import roads, step, turn

PLAIN = "catan/official?players=2&target=15"


def in_play(spec: str = PLAIN, seat: int = 0, rolled: bool = True) -> tuple[Game, np.ndarray]:
    """A game past its set-up with nothing on the board; this seat builds, or is about to roll."""
    game = load_game(spec)
    state = game.new_states(np.array([5], np.uint64))
    s = state[0]
    s["placed"] = 2 * game.num_seats
    s["turn_seat"] = s["seat"] = seat
    s["rolled"] = rolled
    s["phase"] = catan.BUILD
    if not rolled:
        turn.go_on(s)
    return game, state


def build(state: np.ndarray, seat: int, settle: Any = (), city: Any = (), road: str = "") -> None:
    """Put pieces on the board for nothing. Roads as a text of edges: "0-3 3-7"."""
    s = state[0]
    for place in (*settle, *city):
        step.put_settlement(s, seat, place)
        roads.cut_roads(s, seat, place)
    for place in city:
        s["place"][place] = 5 + seat
        s["pieces"][seat, catan.SETTLEMENT] += 1
        s["pieces"][seat, catan.CITY] -= 1
    names = [notation.edge_name(edge) for edge in range(72)]
    for name in road.split():
        roads.lay_road(s, seat, names.index(name))


def give(state: np.ndarray, seat: int, **cards: int) -> None:
    """Cards from the bank (resources) or the deck (development cards) into a hand."""
    s = state[0]
    for name, number in cards.items():
        if name in notation.RESOURCE_NAMES:
            catan.earn(s, seat, notation.RESOURCE_NAMES.index(name), number)
        else:
            kind = notation.KIND_NAMES.index(name)
            s["deck"][kind] -= number
            s["cards"][seat, kind] += number


def terrain(state: np.ndarray, tile: int, name: str, number: int) -> None:
    """Make one tile what a test needs; every other tile of that number loses it."""
    s = state[0]
    s["token"][s["token"] == number] = 0
    s["terrain"][tile] = notation.TERRAIN_NAMES.index(name)
    s["token"][tile] = number
    setup.find_sites(s)


def play(game: Game, state: np.ndarray, *texts: str) -> Any:
    """Moves and chance outcomes as text; each must be possible. Returns the one record."""
    for text in texts:
        s = state[0]
        if s["seat"] == CHANCE:
            ids = [outcome for outcome, _ in game.chance_outcomes(s)]
        else:
            ids = game.legal_actions(s)
        by_text = {game.rules.notation.format_action(s, action): action for action in ids}
        assert text in by_text, f"{text!r} is not among {sorted(by_text)}"
        game.kernels.step(state, np.array([by_text[text]], np.int32))
    return state[0]


def legal(game: Game, state: np.ndarray, start: str = "") -> set[str]:
    """What may be done now, as text; only what begins with `start`."""
    texts = [game.rules.notation.format_action(state[0], a) for a in game.legal_actions(state[0])]
    return {text for text in texts if text.startswith(start)}


def hand(state: np.ndarray, seat: int) -> dict[str, int]:
    counts = zip(notation.RESOURCE_NAMES, state[0]["hand"][seat], strict=True)
    return {name: int(number) for name, number in counts if number}


def roll(game: Game, state: np.ndarray, total: int) -> Any:
    """Let these dice fall for the player whose turn it is."""
    s = state[0]
    s["rolled"] = 0
    s["seat"], s["phase"] = CHANCE, catan.ROLL
    return play(game, state, f"rolled {total}")
