"""A forest's cache of evaluations: a position that comes up again is not evaluated again.

Each search starts where the last one looked ahead, and the same position comes up in several games
and by several orders of moves. In self-play this saves between a fifth and two thirds of all
evaluations; in matches, where every move gets a new tree, it saves more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from stratagem.core.direct_call import direct
from stratagem.core.game import Game
from stratagem.search.evaluation import Evaluation
from stratagem.search.kernels import Leaves
from stratagem.search.kernels.cache import NEVER, PLACES, Batch, Entries, fill, look_up

_MOST_LOGITS = 128  # a position with more legal actions is evaluated every time
_MOST_BYTES = 64 << 20
_FEWEST = 1024  # entries; enough for a small search over many moves

_NO_ROWS = np.zeros((0, 0), np.float32)

Rows = npt.NDArray[np.int64]
Seats = npt.NDArray[np.int8]


class EvaluationCache:
    """Caches evaluations by position and observing seat; drops the least recently used first."""

    def __init__(self, game: Game, leaves: Leaves, positions: int) -> None:
        """Make room for about `positions` evaluations, but take no more than 64 MiB."""
        most_leaves = len(leaves.kind)
        kept, seats = min(game.width, _MOST_LOGITS), game.num_seats
        wanted = max(_FEWEST, min(positions, _MOST_BYTES // (4 * (kept + seats) + 33)))
        size = PLACES << max(0, (wanted // PLACES).bit_length() - 1)  # a power of two, rounded down
        self._entries = Entries(
            keys=np.zeros((size, 2), np.uint64),
            used=np.full(size, NEVER, np.int64),
            filled=np.zeros(size, np.bool_),
            logits=np.zeros((size, kept), np.float32),
            values=np.zeros((size, seats), np.float32),
            first=np.zeros(size, np.int64),
        )
        words = np.zeros(-(-game.rules.dtype.itemsize // 8), np.uint64)
        self._batch = Batch(
            logits=np.zeros((most_leaves, game.actions.size), np.float32),
            values=np.zeros((most_leaves, seats), np.float32),
            entry=np.zeros(most_leaves, np.int64),
            twin=np.zeros(most_leaves, np.int64),
            fresh=np.zeros(most_leaves, np.int64),
            padded=words.view(np.uint8),
            words=words,
        )
        self._now = NEVER  # number of the last batch
        bundles, rows = (self._entries, self._batch, leaves), np.arange(0)
        raw = np.zeros((0, game.rules.dtype.itemsize), np.uint8)
        self._look_up = direct(look_up, *bundles, raw, rows, np.zeros(0, np.int8), 0)
        self._fill = direct(fill, *bundles, rows, 0, _NO_ROWS, _NO_ROWS)
        self.asked = 0  # positions so far
        self.evaluated = 0  # of them

    def __len__(self) -> int:
        """Return how many evaluations there is room for."""
        return len(self._entries.used)

    def forget(self) -> None:
        """Forget everything, for another evaluator or new weights."""
        self._entries.used[:] = NEVER

    def evaluate(
        self,
        leaves: Leaves,
        raw: npt.NDArray[np.uint8],
        picked: Rows,
        observer_seats: Seats,
        ask: Callable[[Rows], Evaluation],
    ) -> Evaluation:
        """Return the evaluation of the leaves `picked` [B]; `ask` evaluates the unknown ones.

        Logits of illegal actions are arbitrary. The arrays are valid until the next call.
        """
        entries, batch = self._entries, self._batch
        self._now += 1
        count = self._look_up(entries, batch, leaves, raw, picked, observer_seats, self._now)
        self.asked += len(picked)
        self.evaluated += count
        if count:
            found = ask(batch.fresh[:count])
            logits = np.ascontiguousarray(found.logits, np.float32)
            values = np.ascontiguousarray(found.values, np.float32)
            self._fill(entries, batch, leaves, picked, count, logits, values)
        return Evaluation(batch.logits[: len(picked)], batch.values[: len(picked)])
