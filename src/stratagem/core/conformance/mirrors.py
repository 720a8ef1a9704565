"""Conformance of symmetries: a mirrored game is the same game."""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.conformance.failure import require, trying
from stratagem.core.conformance.playing import Played, list_legal
from stratagem.core.game import Game, States


def check_symmetry(game: Game, played: Played) -> None:
    """Index 0 changes nothing; legal sets, steps and returns commute with every other index."""
    if game.rules.symmetry is None:
        return
    for index in range(game.num_symmetries):
        states = played.decisions
        before = states.tobytes()
        with trying(f"symmetry {index}"):
            mirrored = mirror(game, states, index)
        require(states.tobytes() == before, f"symmetry {index} changed the original state")
        if index == 0:
            require(mirrored.tobytes() == before, "symmetry 0 must leave the state unchanged")
        require(
            bool(np.array_equal(mirrored["seat"], states["seat"])),
            f"symmetry {index} changed who decides",
        )
        _check_actions(game, states, mirrored, index)
        if len(played.endings):
            ends = mirror(game, played.endings, index)
            require(
                bool(np.array_equal(game.returns(ends), game.returns(played.endings))),
                f"symmetry {index} changed the returns of a finished game",
            )


def mirror(game: Game, states: States, index: int) -> States:
    """Return copies of the states under one symmetry."""
    out = states.copy()
    assert game.kernels.symmetry is not None
    game.kernels.symmetry(states, np.full(len(states), index, np.int64), out)
    return out


def _check_actions(game: Game, states: States, mirrored: States, index: int) -> None:
    ids, counts = list_legal(game, states)
    mirrored_ids, mirrored_counts = list_legal(game, mirrored)
    owners = np.repeat(np.arange(len(states)), counts)
    actions = _flat(ids, counts)
    images = np.empty(len(actions), np.int32)
    indices = np.full(len(states), index, np.int64)
    assert game.kernels.symmetry_action is not None
    with trying(f"symmetry_action {index}"):
        game.kernels.symmetry_action(states, owners, indices, actions, images)
    if index == 0:
        require(bool(np.array_equal(images, actions)), "symmetry 0 must leave actions unchanged")
    wanted = np.lexsort((images, owners))
    require(
        bool(np.array_equal(counts, mirrored_counts))
        and bool(np.array_equal(images[wanted], _sorted_rows(mirrored_ids, mirrored_counts))),
        f"symmetry {index}: legal actions do not map onto the legal actions of the mirrored state",
    )
    stepped_then_mirrored = states[owners]
    game.kernels.step(stepped_then_mirrored, actions)
    stepped_then_mirrored = mirror(game, stepped_then_mirrored, index)
    mirrored_then_stepped = mirrored[owners]
    game.kernels.step(mirrored_then_stepped, images)
    for number in range(len(actions)):
        require(
            stepped_then_mirrored[number].tobytes() == mirrored_then_stepped[number].tobytes(),
            f"symmetry {index} and step({actions[number]}) do not commute",
        )


def _flat(ids: Any, counts: Any) -> Any:
    return np.concatenate(
        [row[:count] for row, count in zip(ids, counts, strict=True)] or [np.empty(0, np.int32)]
    )


def _sorted_rows(ids: Any, counts: Any) -> Any:
    return _flat([np.sort(row[:count]) for row, count in zip(ids, counts, strict=True)], counts)
