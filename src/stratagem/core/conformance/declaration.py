"""Conformance of what a game declares, and of its starting positions."""

from __future__ import annotations

import numpy as np

from stratagem.core.conformance.failure import NonConformance, require, trying
from stratagem.core.errors import StratagemError
from stratagem.core.game import Game
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds


def check_declaration(game: Game) -> None:
    """The state can be copied as bytes, the sizes make sense, and game.toml agrees."""
    dtype = game.rules.dtype
    require(
        dtype.names is not None and "seat" in dtype.names,
        "the state has no field `seat`: add one that says who decides",
    )
    seat = dtype["seat"]
    require(
        seat.kind == "i" and seat.shape == (),
        f"field `seat` is {seat}: it must be one signed integer such as i1",
    )
    require(not dtype.hasobject, "the state holds Python objects: copies would share them")
    require(game.num_seats >= 1, f"the game has {game.num_seats} seats")
    require(game.actions.size >= 1, f"the game has {game.actions.size} actions")
    require(
        1 <= game.max_legal <= game.actions.size,
        f"max_legal is {game.max_legal}, but there are {game.actions.size} actions",
    )
    shape = game.actions.shape
    require(
        shape == () or int(np.prod(shape)) == game.actions.size,
        f"action shape {shape} does not fit {game.actions.size} actions",
    )
    names = [encoding.name for encoding in game.rules.encodings]
    require(len(names) > 0, "the game declares no encoding")
    require(len(set(names)) == len(names), f"two encodings share a name: {names}")
    both = (game.rules.symmetry is None) == (game.rules.symmetry_action is None)
    require(both, "declare `symmetry` and `symmetry_action` together")
    require(
        game.num_symmetries == 1 or game.rules.symmetry is not None,
        f"{game.num_symmetries} symmetries are declared, but no `symmetry` function",
    )
    for group in game.rules.groups(game.scenario):
        require(
            0 <= group.start < group.stop <= game.actions.size,
            f"action group {group.name!r} [{group.start}, {group.stop}) exceeds the actions",
        )


def check_card(game: Game) -> None:
    """The game.toml matches the rules."""
    try:
        about = game.rules.about
    except StratagemError as error:
        raise NonConformance(str(error)) from None
    require(about.version >= 1, f"game.toml: version is {about.version}, start with 1")
    low, mark, high = about.seats.partition("-")
    require(
        low.isdecimal() and (high.isdecimal() if mark else not high),
        f'game.toml: seats is {about.seats!r}, write "2" or "2-4"',
    )
    require(
        int(low) <= game.num_seats <= int(high or low),
        f"game.toml: seats is {about.seats!r}, but {game.spec} has {game.num_seats}",
    )


def check_reset(game: Game, games: int, seed: int) -> None:
    """The seed alone decides the starting position, whatever else is in the batch."""
    seeds = derive_seeds(seed, "conformance", "reset", count=max(games, 2))
    with trying("reset"):
        together = game.new_states(seeds)
    again = game.new_states(seeds)
    require(
        together.tobytes() == again.tobytes(), "reset made two different positions from one seed"
    )
    for number in range(len(seeds)):
        alone = game.new_states(seeds[number : number + 1])
        require(
            alone[0].tobytes() == together[number].tobytes(),
            "reset of a single state differs from the same reset in a batch",
        )
    first = together["seat"]
    require(
        bool(np.all((first >= CHANCE) & (first < game.num_seats))),
        f"after reset, seat is {sorted(set(first.tolist()))}; the game has {game.num_seats} seats",
    )
