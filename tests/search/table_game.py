"""A game written down as a table: what a test needs to compute trees by hand.

Place 0 is the start. The forest sees exactly what it sees of a real game; only the kernels are
plain Python, so that a test can state any seats, chances, results and potentials in a few lines.
"""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from stratagem.core.seats import CHANCE, OVER
from stratagem.search import Evaluation

DTYPE = np.dtype([("seat", "i1"), ("place", "i4")])


@dataclass(frozen=True)
class Place:
    """Who decides, and where action k leads; or what a finished game gave each seat."""

    seat: int
    moves: tuple[int, ...] = ()
    chances: tuple[float, ...] = ()
    returns: tuple[float, ...] = ()
    potentials: tuple[float, ...] = ()
    logits: tuple[float, ...] = ()  # what TableEvaluator says
    values: tuple[float, ...] = ()


def ended(*returns):
    return Place(OVER, returns=returns, potentials=(0.0,) * len(returns))


def rolled(moves, chances, potentials=()):
    return Place(CHANCE, tuple(moves), tuple(chances), potentials=tuple(potentials))


class TableGame:
    """As much of `Game` as a forest asks for."""

    def __init__(self, places, num_seats=2):
        self.places = places
        self.num_seats = num_seats
        self.width = max(len(place.moves) for place in places)
        self.rules = SimpleNamespace(dtype=DTYPE, chance=self._expand)
        shaped = any(place.potentials for place in places if place.seat != OVER)
        self.kernels = SimpleNamespace(
            expand=self._expand, potential=self._potential if shaped else None, hide=None
        )
        self.actions = SimpleNamespace(size=self.width)

    def new_states(self, seeds):
        return np.array([(self.places[0].seat, 0)] * len(seeds), DTYPE)

    def _expand(self, states, raw, parents, children, actions, seats, ids, probs, counts, values):
        for i, child in enumerate(children):
            if actions[i] >= 0:
                here = self.places[states[parents[i]]["place"]].moves[actions[i]]
                states[child] = (self.places[here].seat, here)
            place = self.places[states[child]["place"]]
            seats[i] = place.seat
            counts[i] = len(place.moves)
            ids[i, : counts[i]] = range(counts[i])
            if place.seat == CHANCE:
                probs[i, : counts[i]] = place.chances
            if place.seat == OVER:
                values[i] = place.returns

    def _potential(self, states, rows, out):
        for i, row in enumerate(rows):
            out[i] = self.places[states[row]["place"]].potentials


class TableEvaluator:
    """Says what the table says."""

    def __init__(self, game):
        self._game = game

    def evaluate(self, states, rows):
        logits = np.zeros((len(rows), self._game.width), np.float32)
        values = np.zeros((len(rows), self._game.num_seats), np.float32)
        for i, row in enumerate(rows):
            place = self._game.places[states[row]["place"]]
            logits[i, : len(place.logits)] = place.logits
            values[i] = place.values or 0.0
        return Evaluation(logits, values)
