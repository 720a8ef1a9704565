"""Replays games from a file from their seeds and events: only such positions can be trusted.

Rules do not check their input. A position written by somebody else could make a kernel read or
write outside its arrays, so games in progress are not restored as bytes: they are replayed, every
event is checked, and the bytes must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from stratagem.core.errors import BadCheckpoint
from stratagem.core.game import Game, States
from stratagem.core.seeding import Seeds
from stratagem.core.state_arrays import as_bytes

OnPly = Callable[[npt.NDArray[np.int64], States], None]  # rows and their positions


def retrace_games(
    game: Game, setup_seeds: Seeds, events: Sequence[Sequence[int]], on_ply: OnPly | None = None
) -> States:
    """Return the positions that these games have reached; refuse an impossible event.

    `on_ply` is called with every position on the way, including the first and the last.
    """
    states = game.new_states(np.asarray(setup_seeds, np.uint64))
    lengths = np.array([len(one) for one in events], np.int64)
    if on_ply is not None:
        on_ply(np.arange(len(states)), states)
    for ply in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > ply)
        actions = np.array([events[row][ply] for row in rows.tolist()], np.int64)
        moved = states[rows]
        if not game.possible(moved, actions).all():
            raise BadCheckpoint(f"a game in progress has an event that {game.spec} does not allow")
        game.kernels.step(moved, actions.astype(np.int32))
        states[rows] = moved
        if on_ply is not None:
            on_ply(rows, moved)
    return states


def check_retraced(
    game: Game, setup_seeds: Seeds, events: Sequence[Sequence[int]], states: States,
    on_ply: OnPly | None = None,
) -> None:  # fmt: skip
    """Refuse positions that differ in any byte from what their games have reached."""
    retraced = retrace_games(game, setup_seeds, events, on_ply)
    if not np.array_equal(as_bytes(retraced), as_bytes(states)):
        raise BadCheckpoint("a game in progress does not lead to the position saved with it")
