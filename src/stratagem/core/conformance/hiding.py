"""Conformance of `hide`: a seat keeps what it has seen, and learns nothing else."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.conformance.failure import require, trying
from stratagem.core.conformance.playing import Played, play_random
from stratagem.core.conformance.seeing import observe
from stratagem.core.game import Game, States
from stratagem.core.seeding import Seeds, derive_generator, derive_seeds

_CONTINUED = 10  # hidden positions per seat that are played to the end


def check_hide(game: Game, played: Played, max_events: int) -> None:
    """A state that went through `hide` looks the same to its seat and holds no secret."""
    if game.rules.hide is None or len(played.decisions) == 0:
        return
    states = played.decisions
    seeds = derive_seeds(0, "conformance", "hide", count=len(states))
    changed = False
    for seat in range(game.num_seats):
        seats = np.full(len(states), seat, np.int8)
        before = states.tobytes()
        with trying("hide"):
            hidden = game.hidden_from(states, seats, seeds)
        require(states.tobytes() == before, "hide changed the original state")
        require(
            bool(np.array_equal(hidden["seat"], states["seat"])),
            f"hide from seat {seat} changed who decides",
        )
        changed = changed or hidden.tobytes() != before
        _check_view_kept(game, states, hidden, seat)
        _check_no_secret(game, states, hidden, seats, seeds)
        mine = hidden[states["seat"] == seat][:_CONTINUED]
        for number in range(len(mine)):
            generator = derive_generator(number, "conformance", "hidden")
            play_random(game, mine[number : number + 1].copy(), generator, max_events)
    require(changed, "hide never changed anything: hidden information stays in the state")


def _check_view_kept(game: Game, states: States, hidden: States, seat: int) -> None:
    for encoding in game.rules.encodings:
        observer = game.observer(encoding.name)
        require(
            bool(np.array_equal(observe(observer, states, seat), observe(observer, hidden, seat))),
            f"encoding {encoding.name!r} shows seat {seat} something that hide removes",
        )
    mine = states["seat"] == seat
    ids, counts = game.legal(states[mine])
    hidden_ids, hidden_counts = game.legal(hidden[mine])
    same = np.array_equal(counts, hidden_counts) and all(
        np.array_equal(ids[row, :count], hidden_ids[row, :count])
        for row, count in enumerate(counts)
    )
    require(bool(same), f"hide from seat {seat} changed that seat's legal actions")


def _check_no_secret(
    game: Game, states: States, hidden: States, seats: npt.NDArray[np.int8], seeds: Seeds
) -> None:
    # `other` agrees with the truth only in what the seat can see. Hiding the truth and hiding
    # `other` with the same seeds must therefore give the same state, or it leaks the truth.
    other = game.hidden_from(states, seats, seeds[::-1].copy())
    again = game.hidden_from(other, seats, seeds)
    require(
        again.tobytes() == hidden.tobytes(),
        f"what hide draws for seat {seats[0]} depends on what that seat cannot see",
    )
