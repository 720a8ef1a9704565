"""Games from a file, played again from their seeds and events: the only positions to be trusted.

Rules do not check what they are given. A position that somebody else wrote could make a kernel
read or write outside its arrays, so games that go on are not taken over as bytes: they are played
again, every event checked, and the bytes must come out the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from stratagem.core.errors import BadCheckpoint
from stratagem.core.game import Game, States
from stratagem.core.seeding import Seeds
from stratagem.core.state_arrays import as_bytes

OnPly = Callable[[npt.NDArray[np.int64], States], None]  # rows, and their positions


def retrace_games(
    game: Game, setup_seeds: Seeds, events: Sequence[Sequence[int]], on_ply: OnPly | None = None
) -> States:
    """The positions that these games have come to; an event that is impossible is refused.

    `on_ply` sees every position on the way, the first and the last included.
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
            raise BadCheckpoint(f"a game under way has an event that {game.spec} does not allow")
        game.kernels.step(moved, actions.astype(np.int32))
        states[rows] = moved
        if on_ply is not None:
            on_ply(rows, moved)
    return states


def check_retraced(
    game: Game, setup_seeds: Seeds, events: Sequence[Sequence[int]], states: States,
    on_ply: OnPly | None = None,
) -> None:  # fmt: skip
    """Refuse positions that are not what their games have come to, byte by byte."""
    retraced = retrace_games(game, setup_seeds, events, on_ply)
    if not np.array_equal(as_bytes(retraced), as_bytes(states)):
        raise BadCheckpoint("a game under way does not lead to the position that is saved with it")
