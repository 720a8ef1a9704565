"""The decisions that one network remembers: a ring of positions, choices and consequences.

A decision belongs to a chain (one seat of one game in progress). It is complete, and may be learned
from, when the same chain decides again or its game ends. Positions are stored as states, so the
next position of a decision is the entry of a later one, which is always forgotten later.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from stratagem.core.errors import BadCheckpoint
from stratagem.core.game import Game, States
from stratagem.core.state_arrays import Arrays

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
_NOBODY = -1


class Replay:
    """A ring of decisions. Letters: C capacity, K options of the network."""

    def __init__(
        self,
        dtype: np.dtype[np.void],
        capacity: int,
        outputs: int,
        chains: int,
        discount: float,
        reward: Literal["score", "gain"],
    ) -> None:
        self.capacity = capacity
        self._discount = discount
        self._gain = reward == "gain"
        self.states = np.zeros(capacity, dtype)  # [C]
        self.seats = np.zeros(capacity, np.int8)  # [C] who decided
        self.legal = np.zeros((capacity, outputs), np.bool_)  # [C, K]
        self.choices = np.zeros(capacity, np.int64)  # [C]
        self.rewards = np.zeros(capacity, np.float32)  # [C]
        self.discounts = np.zeros(capacity, np.float32)  # [C] 0 where the game ended
        self.following = np.zeros(capacity, np.int64)  # [C] index of the chain's next decision
        self._goals = np.zeros(capacity, np.float32)  # [C] score or sub-goal when deciding
        self._clocks = np.zeros(capacity, np.int64)  # [C] the chain's time when deciding
        self._chains = np.full(capacity, _NOBODY, np.int64)  # [C]
        self._complete = np.zeros(capacity, np.bool_)  # [C]
        self._pending = np.full(chains, _NOBODY, np.int64)  # [chains] index of the open decision
        self._added = 0

    def __len__(self) -> int:
        """The number of decisions that may be learned from."""
        return int(self._complete.sum())

    def add(
        self,
        chains: Numbers,
        states: States,
        legal: Mask,
        choices: Numbers,
        goals: Floats,
        clocks: Numbers,
    ) -> None:
        """Add decisions, at most one per chain; they complete the chains' earlier ones."""
        places = (self._added + np.arange(len(chains))) % self.capacity
        self._added += len(chains)
        self._forget(places)
        self._close(chains, goals, clocks, places)
        self.states[places] = states
        self.seats[places] = states["seat"]
        self.legal[places] = legal
        self.choices[places] = choices
        self._goals[places] = goals
        self._clocks[places] = clocks
        self._chains[places] = chains
        self._complete[places] = False
        self._pending[chains] = places

    def end(self, chains: Numbers, goals: Floats) -> None:
        """End the games of these chains."""
        self._close(chains, goals, None, None)
        self._pending[chains] = _NOBODY

    def draw(self, count: int, generator: np.random.Generator) -> Numbers:
        """Return indices of complete decisions, drawn with replacement."""
        complete = np.flatnonzero(self._complete)
        drawn: Numbers = complete[generator.integers(len(complete), size=count)]
        return drawn

    def _forget(self, places: Numbers) -> None:
        """Drop open decisions about to be overwritten because their chain waited too long."""
        owners = self._chains[places]
        open_here = (owners != _NOBODY) & (self._pending[owners] == places)
        self._pending[owners[open_here]] = _NOBODY

    def _close(
        self, chains: Numbers, goals: Floats, clocks: Numbers | None, places: Numbers | None
    ) -> None:
        before = self._pending[chains]
        open_rows = np.flatnonzero(before != _NOBODY)
        at, found = before[open_rows], goals[open_rows]
        self.rewards[at] = found - self._goals[at] if self._gain else found
        if clocks is None or places is None:
            self.following[at] = at
            self.discounts[at] = 0.0
        else:
            self.following[at] = places[open_rows]
            self.discounts[at] = self._discount ** (clocks[open_rows] - self._clocks[at])
        self._complete[at] = True

    # -- state -------------------------------------------------------------------------------

    def export(self) -> Arrays:
        """Return everything as named plain arrays, but only the used part of the ring."""
        used = min(self._added, self.capacity)
        arrays: Arrays = {name: getattr(self, name)[:used] for name in _COLUMNS}
        arrays["states"] = self.states[:used].view(np.uint8).reshape(used, self.states.itemsize)
        arrays["pending"] = self._pending
        arrays["added"] = np.array([self._added])
        return arrays

    def restore(self, arrays: Arrays, game: Game) -> None:
        """Continue exactly where `export` left off; refuse arrays that do not fit the game."""
        self._added = int(np.asarray(arrays["added"], np.int64)[0])
        used = min(self._added, self.capacity)
        raw = np.ascontiguousarray(arrays["states"])
        states = raw.view(self.states.dtype).reshape(-1)
        if used < 0 or len(states) != used:
            raise BadCheckpoint(f"a replay has {len(states)} positions instead of {used}")
        self._check(arrays, used)
        game.check_states(states)
        for name in _COLUMNS:
            getattr(self, name)[:used] = arrays[name]
        self.states[:used] = states
        self._pending[:] = arrays["pending"]

    def _check(self, arrays: Arrays, used: int) -> None:
        """Refuse columns with wrong shapes, and indices outside the ring."""
        for name in (*_COLUMNS, "pending"):
            own = self._pending if name == "pending" else getattr(self, name)[:used]
            if arrays[name].shape != own.shape:
                raise BadCheckpoint(f"a replay whose {name.strip('_')} have the wrong shape")
        bounds = {
            "following": (0, used), "pending": (_NOBODY, used),
            "_chains": (_NOBODY, len(self._pending)), "choices": (0, self.legal.shape[1]),
        }  # fmt: skip
        for name, (low, high) in bounds.items():
            numbers = np.asarray(arrays[name], np.int64)
            if ((numbers < low) | (numbers >= high)).any():
                raise BadCheckpoint(f"a replay whose {name.strip('_')} lie outside it")
        for name in ("rewards", "discounts", "_goals"):
            if not np.isfinite(np.asarray(arrays[name], np.float64)).all():
                raise BadCheckpoint(f"a replay whose {name.strip('_')} are not finite")


_COLUMNS = (
    "seats", "legal", "choices", "rewards", "discounts", "following",
    "_goals", "_clocks", "_chains", "_complete",
)  # fmt: skip
