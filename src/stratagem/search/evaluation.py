"""What a search asks about a leaf, and evaluators that need no network.

An evaluator sees states and returns how promising each action is and what each seat can expect.
Evaluators with a network are in `agents`, which may import both packages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from stratagem.core.compile import kernel
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States
from stratagem.core.random_kernels import advance, start
from stratagem.core.seeding import derive_seed
from stratagem.core.state_arrays import as_bytes


@dataclass(frozen=True)
class Evaluation:
    """logits [B, A] float32 (no rows: all legal actions equal) and values [B, P] float32."""

    logits: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]


def check_evaluation(found: Evaluation, game: Game, count: int, finite: bool) -> None:
    """Refuse shapes that are unsafe for kernels and, on request, numbers that are not finite."""
    logits, values = np.shape(found.logits), np.shape(found.values)
    if values != (count, game.num_seats):
        raise BadSetting(
            f"the evaluator returned values of shape {list(values)} for {count} positions: "
            f"return [{count}, {game.num_seats}], one per seat"
        )
    if logits[:1] != (0,) and logits != (count, game.actions.size):
        raise BadSetting(
            f"the evaluator returned logits of shape {list(logits)} for {count} positions: "
            f"return [{count}, {game.actions.size}], or no rows if all actions are equal"
        )
    if finite and not (np.isfinite(found.values).all() and np.isfinite(found.logits).all()):
        raise BadSetting(
            "the evaluator returned numbers that are not finite: check what it computes"
        )


class Evaluator(Protocol):
    """Evaluates positions in which a seat decides: a network, playouts, or your own code.

    What it says about a position must not depend on when it is asked: a search asks once and uses
    the answer again (`SearchSettings.cache`).
    """

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        """Evaluate states[rows], rows [B] int64: logits [B, A] and values [B, P] float32."""
        ...


@runtime_checkable
class PerspectiveEvaluator(Evaluator, Protocol):
    """An evaluator that can also take the perspective of a seat that does not decide."""

    def evaluate_for(
        self, states: States, rows: npt.NDArray[np.int64], observer_seats: npt.NDArray[np.int8]
    ) -> Evaluation:
        """Evaluate states[rows] as `observer_seats` see them; logits are the deciding seat's."""
        ...


class UniformEvaluator:
    """All actions equal and all values zero, to measure the cost of the search itself."""

    playouts = 0
    seed = np.uint64(0)

    def __init__(self, game: Game) -> None:
        self._game = game

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        return Evaluation(
            np.empty((0, 0), np.float32), np.zeros((len(rows), self._game.num_seats), np.float32)
        )


class PlayoutEvaluator:
    """All actions equal; the value is the mean result of random games played to the end."""

    def __init__(self, game: Game, seed: int, playouts: int = 1) -> None:
        self._game = game
        self.playouts = playouts
        self._scratch = np.zeros(1, game.rules.dtype)
        self._scratch_raw = as_bytes(self._scratch)
        self.seed = np.uint64(derive_seed(seed, "rollout"))

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        values = np.zeros((len(rows), self._game.num_seats), np.float32)
        result = np.empty_like(values)
        raw = as_bytes(states)
        seeds = np.empty(len(rows), np.uint64)
        for number in range(self.playouts):
            # A playout depends only on the position, not on the rest of the batch.
            hash_rows(raw, rows, self.seed ^ np.uint64(number), seeds)
            self._game.kernels.playout(
                states, raw, rows, seeds, self._game.width, self._scratch, self._scratch_raw, result
            )
            values += result
        return Evaluation(np.empty((0, 0), np.float32), values / np.float32(self.playouts))


class HeuristicEvaluator:
    """The game's own evaluation, `Rules.heuristic`: no network, no playouts."""

    def __init__(self, game: Game) -> None:
        kernel = game.rules.heuristic_kernel
        if kernel is None:
            raise BadSetting(f"{game.name} declares no heuristic: use a network or playouts")
        self._game, self._heuristic = game, kernel
        self._options = np.zeros(1, np.int64)

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        actions = self._game.actions.size
        out = np.zeros((len(rows), actions + self._game.num_seats), np.float32)
        self._heuristic(states, rows, states["seat"][rows], self._options, out)
        return Evaluation(
            np.ascontiguousarray(out[:, :actions]), np.ascontiguousarray(out[:, actions:])
        )


@kernel
def hash_rows(raw, rows, seed, out):  # type: ignore[no-untyped-def]
    """Fill out [B] uint64 with a well-mixed hash of each selected row of bytes."""
    for i in range(len(rows)):
        mixed = start(seed)
        for byte in raw[rows[i]]:
            mixed = advance(mixed ^ np.uint64(byte))
        out[i] = mixed


@kernel
def turn_to_seats(relative, deciders, out):  # type: ignore[no-untyped-def]
    """Fill out [B, P] by absolute seat, from values [B, V] relative to the decider (or observer).

    One value means two seats with opposite interests; otherwise entry k is seat (decider + k) % P.
    """
    num_seats = out.shape[1]
    for i in range(len(deciders)):
        for k in range(num_seats):
            seat = (deciders[i] + k) % num_seats
            if relative.shape[1] == 1:
                out[i, seat] = relative[i, 0] if k == 0 else -relative[i, 0]
            else:
                out[i, seat] = relative[i, k]
