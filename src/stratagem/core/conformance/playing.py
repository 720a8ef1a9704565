"""Random games for the conformance kit, with every position, and their trace hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stratagem.core.conformance.failure import require, trying
from stratagem.core.game import Game, States, as_batch
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.seeding import derive_generator, derive_seed

_MARGIN = 64  # room behind every list, so that overlong lists are noticed, not memory corrupted
_SAMPLE = 150  # positions of each kind that the slower checks look at

Integers = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Trajectory:
    """One random game: its set-up seed, its events, and every position [events + 1]."""

    setup_seed: int
    actions: tuple[int, ...]
    states: States


@dataclass(frozen=True, eq=False)
class Played:
    """The random games of one check, and samples of their positions by kind."""

    trajectories: tuple[Trajectory, ...]
    everything: States  # every position of every game, not sampled
    decisions: States
    chances: States
    endings: States


def list_legal(game: Game, states: States) -> tuple[Integers, Integers]:
    """Like Game.legal, with extra room."""
    ids = np.full((len(states), max(game.width, game.actions.size) + _MARGIN), -1, np.int32)
    counts = np.full(len(states), -1, np.int32)
    with trying("legal"):
        game.kernels.legal(states, ids, counts)
    return ids, counts


def list_chance(game: Game, states: States) -> tuple[Integers, npt.NDArray[np.float32], Integers]:
    """Return outcomes, probabilities and counts, with extra room."""
    ids = np.full((len(states), game.width + _MARGIN), -1, np.int32)
    probs = np.full(ids.shape, np.nan, np.float32)
    counts = np.full(len(states), -1, np.int32)
    with trying("chance"):
        game.kernels.chance(states, ids, probs, counts)
    return ids, probs, counts


def play_random(
    game: Game, states: States, generator: np.random.Generator, max_events: int
) -> tuple[list[int], list[Any]]:
    """Play a single state to the end; return the actions taken and the positions after them."""
    actions: list[int] = []
    positions: list[Any] = []
    while states["seat"][0] != OVER:
        require(len(actions) < max_events, f"a random game did not end in {max_events} events")
        seat = int(states["seat"][0])
        require(
            CHANCE <= seat < game.num_seats,
            f"after {len(actions)} events, seat is {seat}; the game has {game.num_seats} seats",
        )
        if seat == CHANCE:
            require(game.rules.chance is not None, "seat is CHANCE but no `chance` is declared")
            ids, probs, counts = list_chance(game, states)
            require(counts[0] > 0, f"no chance outcome after {len(actions)} events")
            weights = probs[0, : counts[0]].astype(np.float64)
            require(bool(np.all(weights > 0)), f"chance probabilities {weights} are not positive")
            action = int(generator.choice(ids[0, : counts[0]], p=weights / weights.sum()))
        else:
            ids, counts = list_legal(game, states)
            require(counts[0] > 0, f"no legal action for seat {seat} after {len(actions)} events")
            action = int(generator.choice(ids[0, : counts[0]]))
        with trying(f"step({action})"):
            game.kernels.step(states, np.array([action], np.int32))
        actions.append(action)
        positions.append(states[0].copy())
    return actions, positions


def random_trajectory(game: Game, seed: int, max_events: int = 20_000) -> Trajectory:
    """Play one game of random legal moves and chance outcomes."""
    setup_seed = derive_seed(seed, "conformance", "setup")
    states = game.new_states(np.array([setup_seed], np.uint64))
    first = states[0].copy()
    generator = derive_generator(seed, "conformance", "moves")
    actions, positions = play_random(game, states, generator, max_events)
    return Trajectory(setup_seed, tuple(actions), join(game, [first, *positions]))


def play_games(game: Game, games: int, seed: int, max_events: int) -> Played:
    """Play random games, and sample their positions of each kind."""
    trajectories = tuple(
        random_trajectory(game, derive_seed(seed, "game", number), max_events)
        for number in range(games)
    )
    everything = np.concatenate([trajectory.states for trajectory in trajectories])
    seats = everything["seat"]
    generator = derive_generator(seed, "conformance", "sample")
    samples = []
    for wanted in (seats >= 0, seats == CHANCE, seats == OVER):
        rows = np.flatnonzero(wanted)
        if len(rows) > _SAMPLE:
            rows = np.sort(generator.choice(rows, _SAMPLE, replace=False))
        samples.append(everything[rows])
    return Played(trajectories, everything, *samples)


def trace_game(game: Game, seed: int) -> str:
    """Hash one random game: positions, lists, returns and what each deciding seat saw.

    The hash must not change with NUMBA_DISABLE_JIT=1: compiled and interpreted rules must agree.
    """
    with trying("a random game"):
        states = random_trajectory(game, seed).states
    digest = hashlib.blake2b(digest_size=16)
    digest.update(states.tobytes())
    ids, counts = list_legal(game, states)
    for row, count in zip(ids, counts, strict=True):
        digest.update(row[:count].tobytes())
    with trying("returns"):
        digest.update(_coarse(game.returns(states[-1:])))
    with trying("potential"):
        digest.update(_coarse(game.potentials(states)))
    deciding = np.flatnonzero(states["seat"] >= 0)
    for encoding in game.rules.encodings:
        with trying(f"observe of encoding {encoding.name!r}"):
            digest.update(_coarse(game.observer(encoding.name)(states, deciding)))
    return digest.hexdigest()


def join(game: Game, records: list[Any]) -> States:
    """Join single states into one array."""
    states: States = np.concatenate([as_batch(record) for record in records])
    return states.astype(game.rules.dtype, copy=False)


def _coarse(values: npt.NDArray[np.float32]) -> bytes:
    # Compiled code may round the last bit differently. The odd scale and offset keep common
    # fractions (halves, tenths, …) away from the edges between two buckets.
    return np.floor(values.astype(np.float64) * 997.0 + 0.137).astype(np.int64).tobytes()
