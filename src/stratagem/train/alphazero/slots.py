"""Unfinished games: what was decided in each slot, and all games as flat arrays.

Checkpoints store these arrays. Those of several groups of slots are joined and split again, so the
groups of a resumed run may have other sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stratagem.core.driver import GameBatch
from stratagem.core.driver.retracing import check_retraced
from stratagem.core.errors import BadCheckpoint
from stratagem.core.game import Game, States
from stratagem.core.state_arrays import Arrays, as_bytes
from stratagem.train.lineups import Lineups

# The columns, by what they have a row for; the last has one per searched action.
_PER_SLOT = ("states", "setup_seeds", "lineups", "event_counts", "plies")
_PER_EVENT = ("events",)
_PER_PLY = ("past", "widths", "search_values", "policy_weights")
_PER_CHOICE = ("actions", "shares")


@dataclass
class Trajectory:
    """The game in a slot so far: one entry per decision."""

    states: list[np.void] = field(default_factory=list)
    actions: list[npt.NDArray[np.uint16]] = field(default_factory=list)
    shares: list[npt.NDArray[np.uint16]] = field(default_factory=list)
    search_values: list[float] = field(default_factory=list)  # NaN: an opponent's decision
    policy_weights: list[float] = field(default_factory=list)

    def add(
        self,
        state: np.void,
        actions: npt.NDArray[np.uint16],
        shares: npt.NDArray[np.uint16],
        search_value: float,
        policy_weight: float,
    ) -> None:
        self.states.append(state)
        self.actions.append(actions)
        self.shares.append(shares)
        self.search_values.append(search_value)
        self.policy_weights.append(policy_weight)


def export_slots(batch: GameBatch, lineups: Lineups, trajectories: Sequence[Trajectory]) -> Arrays:
    """Return all unfinished games of a batch as flat arrays with lengths."""
    decided = [state for t in trajectories for state in t.states]
    dtype = batch.states.dtype
    past = np.array(decided, dtype) if decided else np.zeros(0, dtype)
    actions = [a for t in trajectories for a in t.actions]
    shares = [s for t in trajectories for s in t.shares]
    return {
        "states": as_bytes(batch.states).copy(),
        "setup_seeds": batch.setup_seeds.copy(),
        "lineups": lineups.copy(),
        "event_counts": np.array([len(events) for events in batch.events], np.int64),
        "events": np.array([e for events in batch.events for e in events], np.int64),
        "plies": np.array([len(t.states) for t in trajectories], np.int64),
        "past": as_bytes(past),
        "widths": np.array([len(a) for a in actions], np.int64),
        "actions": _joined(actions),
        "shares": _joined(shares),
        "search_values": np.array([v for t in trajectories for v in t.search_values], np.float64),
        "policy_weights": np.array([w for t in trajectories for w in t.policy_weights], np.float64),
    }


def restore_slots(batch: GameBatch, arrays: Arrays) -> list[Trajectory]:
    """Restore exported games into a batch of equally many slots; return what was decided there."""
    _check(batch.game, arrays)
    dtype = batch.states.dtype
    batch.states[:] = np.ascontiguousarray(arrays["states"]).reshape(-1).view(dtype)
    batch.setup_seeds[:] = arrays["setup_seeds"]
    past = np.ascontiguousarray(arrays["past"]).reshape(-1).view(dtype)
    cuts = _cuts(arrays["widths"])
    plies, events = _cuts(arrays["plies"]), _cuts(arrays["event_counts"])
    for slot in range(len(batch)):
        batch.events[slot] = arrays["events"][events[slot] : events[slot + 1]].tolist()
    _check_retraced(batch, past, plies)
    trajectories = []
    for slot in range(len(batch)):
        span = range(plies[slot], plies[slot + 1])
        trajectories.append(
            Trajectory(
                states=[past[k].copy() for k in span],
                actions=[arrays["actions"][cuts[k] : cuts[k + 1]].astype(np.uint16) for k in span],
                shares=[arrays["shares"][cuts[k] : cuts[k + 1]].astype(np.uint16) for k in span],
                search_values=[float(arrays["search_values"][k]) for k in span],
                policy_weights=[float(arrays["policy_weights"][k]) for k in span],
            )
        )
    return trajectories


def _check_retraced(batch: GameBatch, past: States, plies: npt.NDArray[np.int64]) -> None:
    """Refuse positions that the games did not reach, and decisions that they did not contain."""
    passed: list[set[bytes]] = [set() for _ in range(len(batch))]

    def note(rows: npt.NDArray[np.int64], states: States) -> None:
        for row, state in zip(rows.tolist(), as_bytes(states), strict=True):
            passed[row].add(state.tobytes())

    check_retraced(batch.game, batch.setup_seeds, batch.events, batch.states, note)
    raw = as_bytes(past)
    for slot, known in enumerate(passed):
        if any(raw[k].tobytes() not in known for k in range(plies[slot], plies[slot + 1])):
            raise BadCheckpoint("a game in progress never was in a position saved with it")


def _check(game: Game, arrays: Arrays) -> None:
    """Refuse arrays that are inconsistent, or not of this game."""
    slots, plies, choices = (len(arrays[name]) for name in ("states", "past", "actions"))
    lengths = {
        "setup_seeds": slots, "event_counts": slots, "plies": slots, "widths": plies,
        "shares": choices, "search_values": plies, "policy_weights": plies,
    }  # fmt: skip
    for name, length in lengths.items():
        if arrays[name].shape != (length,):
            raise BadCheckpoint(f"games in progress: {name} has the wrong length")
    for name, total in {
        "event_counts": len(arrays["events"]),
        "plies": plies,
        "widths": choices,
    }.items():
        parts = arrays[name].astype(np.int64)
        if (parts < 0).any() or parts.sum() != total:
            raise BadCheckpoint(f"games in progress: {name} do not add up")
    if (arrays["actions"].astype(np.int64) >= game.actions.size).any():
        raise BadCheckpoint(f"games in progress: an action that does not exist in {game.spec}")
    # There is no search and no value where an opponent decided.
    if np.isinf(arrays["search_values"]).any() or not np.isfinite(arrays["policy_weights"]).all():
        raise BadCheckpoint("games in progress: values or weights are not finite")


def join_slots(parts: Sequence[Arrays]) -> Arrays:
    """Join the games of several groups."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def split_slots(arrays: Arrays, sizes: Sequence[int]) -> list[Arrays]:
    """Divide the games among several groups with these numbers of slots."""
    found, wanted = len(arrays["states"]), sum(sizes)
    if found != wanted:
        raise ValueError(f"{found} games in progress, but selfplay.slots is {wanted}")
    slots = np.cumsum([0, *sizes])
    plies = _cuts(arrays["plies"])[slots]
    cuts = {
        _PER_SLOT: slots,
        _PER_EVENT: _cuts(arrays["event_counts"])[slots],
        _PER_PLY: plies,
        _PER_CHOICE: _cuts(arrays["widths"])[plies],
    }
    return [
        {
            name: arrays[name][at[group] : at[group + 1]]
            for names, at in cuts.items()
            for name in names
        }
        for group in range(len(sizes))
    ]


def _cuts(lengths: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """Return where each of these parts begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths.astype(np.int64))])


def _joined(parts: Sequence[npt.NDArray[np.uint16]]) -> npt.NDArray[np.uint16]:
    return np.concatenate(parts) if parts else np.zeros(0, np.uint16)
