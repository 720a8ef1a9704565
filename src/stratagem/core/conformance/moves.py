"""Conformance of legal actions, chance outcomes and stepping."""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.core.conformance.failure import require, trying
from stratagem.core.conformance.playing import Played, list_chance, list_legal
from stratagem.core.game import Game, States
from stratagem.core.seats import CHANCE, OVER

_SUM_TOLERANCE = 1e-4  # of float32 probabilities


def check_legal(game: Game, played: Played) -> None:
    """Every deciding seat has legal actions; they are unique, in range and at most max_legal."""
    states = played.everything[played.everything["seat"] >= 0]
    before = states.tobytes()
    with trying("legal"):
        ids, counts = list_legal(game, states)
    require(states.tobytes() == before, "legal changed the state")
    for row, count in zip(ids, counts, strict=True):
        actions = row[:count]
        require(count > 0, "a seat decides but has no legal action")
        require(
            count <= game.max_legal, f"{count} legal actions, but max_legal is {game.max_legal}"
        )
        require(len(set(actions.tolist())) == count, f"duplicate legal actions: {actions}")
        require(
            bool(np.all((actions >= 0) & (actions < game.actions.size))),
            f"legal actions {actions} are outside the range [0, {game.actions.size})",
        )


def check_chance(game: Game, played: Played) -> None:
    """Chance outcomes are unique, can be stepped, and have positive probabilities of sum 1."""
    states = played.chances
    if len(states) == 0:
        return
    before = states.tobytes()
    with trying("chance"):
        ids, probs, counts = list_chance(game, states)
    require(states.tobytes() == before, "chance changed the state")
    most = game.rules.max_chance(game.scenario)
    for state, row, chances, count in zip(states, ids, probs, counts, strict=True):
        outcomes = row[:count]
        require(0 < count <= most, f"{count} chance outcomes, but max_chance is {most}")
        require(len(set(outcomes.tolist())) == count, f"duplicate chance outcomes: {outcomes}")
        require(bool(np.all(outcomes >= 0)), f"chance outcomes {outcomes} must not be negative")
        weights = chances[:count]
        require(bool(np.all(weights > 0)), f"chance probabilities {weights} are not positive")
        total = float(weights.astype(np.float64).sum())
        require(abs(total - 1) < _SUM_TOLERANCE, f"chance probabilities sum to {total}, not 1")
        for outcome in outcomes:
            with trying(f"step with chance outcome {outcome}"):
                resolved = game.after(state, int(outcome))
            require(
                resolved.tobytes() != state.tobytes(),
                f"step with chance outcome {outcome} changed nothing",
            )


def check_step(game: Game, played: Played) -> None:
    """Stepping is deterministic, changes only its own state, and does not depend on the batch."""
    states = np.concatenate([played.decisions, played.chances])
    parents, actions = _every_move(game, states)
    single = states[parents]
    with trying("step"):
        for row, action in enumerate(actions):
            alone = states[parents[row] : parents[row] + 1].copy()
            game.kernels.step(alone, actions[row : row + 1])
            single[row] = alone[0]
            require(
                OVER <= alone["seat"][0] < game.num_seats,
                f"step({action}) left seat at {alone['seat'][0]}; there are {game.num_seats} seats",
            )
    for _ in range(2):
        batch = states[parents]
        game.kernels.step(batch, actions)
        differing = np.flatnonzero([a.tobytes() != b.tobytes() for a, b in _pairs(batch, single)])
        require(
            len(differing) == 0,
            f"step({actions[differing[:1]]}) gave two results for the same state: "
            "it may depend only on the state and the action",
        )
    _check_expand(game, states, parents, actions, single)


def _check_expand(game: Game, states: States, parents: Any, actions: Any, expected: States) -> None:
    """The search's copy-and-step leaves parents unchanged and lists the same actions as Game."""
    pool = np.concatenate([states, np.zeros(len(actions), states.dtype)])
    raw = pool.view(np.uint8).reshape(len(pool), -1)
    children = np.arange(len(states), len(pool))
    seats = np.empty(len(actions), np.int8)
    ids = np.empty((len(actions), game.width), np.int32)
    probs = np.empty(ids.shape, np.float32)
    counts = np.empty(len(actions), np.int32)
    values = np.empty((len(actions), game.num_seats), np.float32)
    game.kernels.expand(
        pool, raw, parents, children, actions, seats, ids, probs, counts, values
    )  # fmt: skip
    require(
        pool[: len(states)].tobytes() == states.tobytes(),
        "stepping a copy changed the original state",
    )
    require(
        pool[len(states) :].tobytes() == expected.tobytes(),
        "a state stepped in a batch differs from the same state stepped alone",
    )
    wanted_ids, wanted_counts = game.legal(expected)
    chance_ids, _, chance_counts = list_chance(game, expected)
    for row, seat in enumerate(seats):
        if seat == OVER:
            continue
        listed = chance_ids[row, : chance_counts[row]] if seat == CHANCE else (
            wanted_ids[row, : wanted_counts[row]]
        )  # fmt: skip
        require(
            bool(np.array_equal(ids[row, : counts[row]], listed)),
            "the moves listed for a state depend on the batch it is in",
        )


def _every_move(game: Game, states: States) -> tuple[Any, Any]:
    """Return (row of the state, action) for all legal actions and chance outcomes of the states."""
    legal_ids, legal_counts = list_legal(game, states)
    chance_ids, _, chance_counts = list_chance(game, states)
    rows: list[int] = []
    actions: list[int] = []
    for row in range(len(states)):
        listed = [*legal_ids[row, : legal_counts[row]], *chance_ids[row, : chance_counts[row]]]
        rows += [row] * len(listed)
        actions += [int(action) for action in listed]
    return np.array(rows, np.int64), np.array(actions, np.int32)


def _pairs(first: States, second: States) -> Any:
    return zip(first, second, strict=True)
