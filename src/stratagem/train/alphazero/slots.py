"""Games under way, written down between iterations so that a resumed run plays them on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game
from stratagem.train.alphazero.selfplay import SelfPlay, Trajectory

Arrays = dict[str, npt.NDArray[np.generic]]


def export_slots(groups: Sequence[SelfPlay]) -> Arrays:
    """All unfinished games of all groups as flat arrays with lengths."""
    trajectories = [t for group in groups for t in group.trajectories]
    states = np.concatenate([group.states for group in groups])
    decided = [state for t in trajectories for state in t.states]
    past = np.array(decided, states.dtype) if decided else np.zeros(0, states.dtype)
    actions = [a for t in trajectories for a in t.actions]
    shares = [s for t in trajectories for s in t.shares]
    return {
        "states": _bytes(states),
        "setup_seeds": np.array([t.setup_seed for t in trajectories], np.uint64),
        "event_counts": np.array([len(t.events) for t in trajectories], np.int64),
        "events": np.array([e for t in trajectories for e in t.events], np.int64),
        "plies": np.array([len(t.states) for t in trajectories], np.int64),
        "past": _bytes(past),
        "widths": np.array([len(a) for a in actions], np.int64),
        "actions": _joined(actions),
        "shares": _joined(shares),
        "search_values": np.array([v for t in trajectories for v in t.search_values], np.float64),
        "policy_weights": np.array([w for t in trajectories for w in t.policy_weights], np.float64),
    }


def restore_slots(groups: Sequence[SelfPlay], arrays: Arrays, game: Game) -> None:
    """Put exported games back into groups of the same sizes."""
    states = arrays["states"].reshape(-1).view(game.rules.dtype)
    wanted = sum(len(group.states) for group in groups)
    if len(states) != wanted:
        raise ValueError(f"{len(states)} games under way, selfplay.slots is {wanted}")
    past = arrays["past"].reshape(-1).view(game.rules.dtype)
    widths = np.cumsum(np.concatenate([[0], arrays["widths"]]))
    slot = ply = event = 0
    for group in groups:
        count = len(group.states)
        if not arrays["setup_seeds"][slot : slot + count].any():
            slot += count  # so far only a teacher played: these games have not been set up
            continue
        group.resume(states[slot : slot + count].copy())
        for own in range(count):
            plies, events = int(arrays["plies"][slot]), int(arrays["event_counts"][slot])
            span, cuts = range(ply, ply + plies), widths
            group.trajectories[own] = Trajectory(
                setup_seed=int(arrays["setup_seeds"][slot]),
                events=[int(e) for e in arrays["events"][event : event + events]],
                states=[past[k].copy() for k in span],
                actions=[arrays["actions"][cuts[k] : cuts[k + 1]].astype(np.uint16) for k in span],
                shares=[arrays["shares"][cuts[k] : cuts[k + 1]].astype(np.uint16) for k in span],
                search_values=[float(arrays["search_values"][k]) for k in span],
                policy_weights=[float(arrays["policy_weights"][k]) for k in span],
            )
            slot, ply, event = slot + 1, ply + plies, event + events


def _bytes(states: npt.NDArray[np.void]) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(states).view(np.uint8).reshape(len(states), states.dtype.itemsize)


def _joined(parts: Sequence[npt.NDArray[np.uint16]]) -> npt.NDArray[np.uint16]:
    return np.concatenate(parts) if parts else np.zeros(0, np.uint16)
