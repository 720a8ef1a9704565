"""Batched kernels, built from a game's functions over one state.

A game author writes functions over one state; everybody else calls these over arrays of states.
Each builder below closes over the game's compiled functions and is cached in the game's room.

Letters: B batch, W width of the widest legal or chance list, P seats, D observation size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stratagem.core.compile import Kernel, kernel, kernel_in
from stratagem.core.prefetch import LINE, prefetch
from stratagem.core.random_kernels import advance, below, start, unit
from stratagem.core.seats import CHANCE, OVER


@kernel
def copy_row(target, row, source, source_row):  # type: ignore[no-untyped-def]
    """Copy a row of bytes. Numba takes seconds to compile its own slice assignment."""
    for byte in range(source.shape[1]):
        target[row, byte] = source[source_row, byte]


def _no_chance(s: Any, ids: Any, probs: Any) -> int:
    return 0


@dataclass(frozen=True, eq=False)
class StateFunctions:
    """A game's compiled functions over one state, as its folder declares them."""

    reset: Kernel
    legal: Kernel
    step: Kernel
    returns: Kernel
    score: Kernel
    chance: Kernel | None = None
    potential: Kernel | None = None
    hide: Kernel | None = None
    symmetry: Kernel | None = None
    symmetry_action: Kernel | None = None


class Kernels:
    """The batched functions of one game. `rows` picks states of a larger array by index."""

    def __init__(self, room: Path, identity: str, one: StateFunctions) -> None:
        self._room = room
        self._identity = identity
        chance = one.chance or self._named("no_chance")(_no_chance)
        step, legal = one.step, one.legal
        draw_one = self._build("draw_one", _make_draw_one(chance))
        self._step, self._legal, self._draw_one = step, legal, draw_one
        self.reset = self._build("reset", _make_reset(one.reset))
        self.legal = self._build("legal", _make_legal(legal))
        self.step = self._build("step", _make_step(step))
        self.chance = self._build("chance", _make_chance(chance))
        self.draw = self._build("draw", _make_draw(draw_one))
        self.returns = self._build("returns", _make_returns(one.returns))
        self.score = self._build("score", _make_score(one.score))
        self.expand = self._build("expand", _make_expand(step, legal, chance, one.returns))
        self.playout = self._build("playout", _make_playout(step, legal, draw_one, one.returns))
        self.random_play = self._build(
            "random_play", _make_random_play(one.reset, step, legal, draw_one)
        )
        self.potential = one.potential and self._build("potential", _make_potential(one.potential))
        self.hide = one.hide and self._build("hide", _make_hide(one.hide))
        self.symmetry = one.symmetry and self._build("symmetry", _make_symmetry(one.symmetry))
        self.symmetry_action = one.symmetry_action and self._build(
            "symmetry_action", _make_symmetry_action(one.symmetry_action)
        )

    def observer(self, name: str, observe: Kernel) -> Kernel:
        """(states, rows[B], seats[B], options, out[B, D]): write what each seat sees."""
        return self._build(f"observe.{name}", _make_observe(observe))

    def bot(self, name: str, choose: Kernel) -> Kernel:
        """(states, seeds[B], width, out[B]): choose a scripted player's action in each state."""
        return self._build(f"bot.{name}", _make_bot(choose, self._legal))

    def bot_play(self, name: str, choose: Kernel) -> Kernel:
        """(states, seeds[B], width, length): let a scripted player play on for all seats."""
        return self._build(
            f"bot_play.{name}", _make_bot_play(self._step, self._legal, self._draw_one, choose)
        )

    def measure(self, name: str, function: Kernel) -> Kernel:
        """(states, out[B, P]): write a number for each seat of each state."""
        return self._build(f"measure.{name}", _make_score(function))

    def _named(self, name: str) -> Callable[[Callable[..., Any]], Kernel]:
        return kernel_in(self._room, f"{self._identity}.batch.{name}")

    def _build(self, name: str, function: Callable[..., Any]) -> Kernel:
        return self._named(name)(function)


def _make_reset(reset: Kernel) -> Callable[..., Any]:
    def batch_reset(states, scenario, seeds):  # type: ignore[no-untyped-def]
        for i in range(len(states)):
            reset(states[i], scenario[0], seeds[i])

    return batch_reset


def _make_legal(legal: Kernel) -> Callable[..., Any]:
    def batch_legal(states, ids, counts):  # type: ignore[no-untyped-def]
        """ids [B, W] int32, counts [B] int32; zero where no seat decides."""
        for i in range(len(states)):
            counts[i] = 0
            if states[i]["seat"] >= 0:
                counts[i] = legal(states[i], ids[i])

    return batch_legal


def _make_step(step: Kernel) -> Callable[..., Any]:
    def batch_step(states, actions):  # type: ignore[no-untyped-def]
        for i in range(len(states)):
            step(states[i], actions[i])

    return batch_step


def _make_chance(chance: Kernel) -> Callable[..., Any]:
    def batch_chance(states, ids, probs, counts):  # type: ignore[no-untyped-def]
        """ids [B, W] int32, probs [B, W] float32; zero outcomes where chance does not decide."""
        for i in range(len(states)):
            counts[i] = 0
            if states[i]["seat"] == CHANCE:
                counts[i] = chance(states[i], ids[i], probs[i])

    return batch_chance


def _make_draw_one(chance: Kernel) -> Callable[..., Any]:
    def draw_one(s, word, ids, probs):  # type: ignore[no-untyped-def]
        """Draw one chance outcome of this state with the stream `word`."""
        count = chance(s, ids, probs)
        target = unit(word)
        for k in range(count):
            target -= probs[k]
            if target < 0.0:
                return ids[k]
        return ids[count - 1]

    return draw_one


def _make_draw(draw_one: Kernel) -> Callable[..., Any]:
    def batch_draw(states, seeds, width, out):  # type: ignore[no-untyped-def]
        """out [B] int32: the outcome drawn in each chance state, -1 elsewhere."""
        ids = np.empty(width, np.int32)
        probs = np.empty(width, np.float32)
        for i in range(len(states)):
            out[i] = -1
            if states[i]["seat"] == CHANCE:
                out[i] = draw_one(states[i], start(seeds[i]), ids, probs)

    return batch_draw


def _make_observe(observe: Kernel) -> Callable[..., Any]:
    def batch_observe(states, rows, seats, options, out):  # type: ignore[no-untyped-def]
        for i in range(len(rows)):
            observe(states[rows[i]], seats[i], options, out[i])

    return batch_observe


def _make_returns(returns: Kernel) -> Callable[..., Any]:
    def batch_returns(states, out):  # type: ignore[no-untyped-def]
        """out [B, P] float32."""
        for i in range(len(states)):
            returns(states[i], out[i])

    return batch_returns


def _make_score(score: Kernel) -> Callable[..., Any]:
    def batch_score(states, out):  # type: ignore[no-untyped-def]
        """out [B, P] float32."""
        for i in range(len(states)):
            for seat in range(out.shape[1]):
                out[i, seat] = score(states[i], seat)

    return batch_score


def _make_potential(potential: Kernel) -> Callable[..., Any]:
    def batch_potential(states, rows, out):  # type: ignore[no-untyped-def]
        """out [B, P] float32; a finished game has no potential left."""
        for i in range(len(rows)):
            over = states[rows[i]]["seat"] == OVER
            for seat in range(out.shape[1]):
                out[i, seat] = 0.0 if over else potential(states[rows[i]], seat)

    return batch_potential


def _make_hide(hide: Kernel) -> Callable[..., Any]:
    def batch_hide(states, seats, seeds):  # type: ignore[no-untyped-def]
        for i in range(len(states)):
            hide(states[i], seats[i], seeds[i])

    return batch_hide


def _make_symmetry(symmetry: Kernel) -> Callable[..., Any]:
    def batch_symmetry(states, indices, out):  # type: ignore[no-untyped-def]
        """out [B]: each state under its symmetry; `out` starts as a copy of `states`."""
        for i in range(len(states)):
            symmetry(states[i], indices[i], out[i])

    return batch_symmetry


def _make_symmetry_action(symmetry_action: Kernel) -> Callable[..., Any]:
    def batch_symmetry_action(states, owners, indices, actions, out):  # type: ignore[no-untyped-def]
        """out [K]: action k of state owners[k], under that state's symmetry."""
        for k in range(len(actions)):
            owner = owners[k]
            out[k] = symmetry_action(states[owner], indices[owner], actions[k])

    return batch_symmetry_action


def _make_expand(
    step: Kernel, legal: Kernel, chance: Kernel, returns: Kernel
) -> Callable[..., Any]:
    def batch_expand(  # type: ignore[no-untyped-def]
        states, raw, parents, children, actions, seats, ids, probs, counts, values
    ):
        """Copy each parent to its child, step it, and list what can happen there.

        states [M] records and raw [M, bytes] are the same memory. ids [B, W] int32 and
        counts [B] hold legal actions or chance outcomes (then probs [B, W] too); values [B, P]
        holds the returns where the game ended. With an action of -1 the child is listed unchanged.
        """
        for i in range(len(children)):
            if i + 1 < len(children):  # prefetch the next state while this one is being stepped
                for byte in range(0, raw.shape[1], LINE):
                    prefetch(raw, parents[i + 1], byte)
                    prefetch(raw, children[i + 1], byte)
            child = children[i]
            if actions[i] >= 0:
                copy_row(raw, child, raw, parents[i])
                step(states[child], actions[i])
            s = states[child]
            seat = s["seat"]
            seats[i] = seat
            if seat >= 0:
                counts[i] = legal(s, ids[i])
            elif seat == CHANCE:
                counts[i] = chance(s, ids[i], probs[i])
            else:
                counts[i] = 0
                returns(s, values[i])

    return batch_expand


def _make_playout(
    step: Kernel, legal: Kernel, draw_one: Kernel, returns: Kernel
) -> Callable[..., Any]:
    def batch_playout(states, raw, rows, seeds, width, scratch, scratch_raw, out):  # type: ignore[no-untyped-def]
        """Play each state to the end with random legal moves; out [B, P] are the returns."""
        ids = np.empty(width, np.int32)
        probs = np.empty(width, np.float32)
        for i in range(len(rows)):
            copy_row(scratch_raw, 0, raw, rows[i])
            s = scratch[0]
            word = start(seeds[i])
            while s["seat"] != OVER:
                word = advance(word)
                if s["seat"] == CHANCE:
                    step(s, draw_one(s, word, ids, probs))
                else:
                    count = legal(s, ids)
                    step(s, ids[below(word, count)])
            returns(s, out[i])

    return batch_playout


def _make_random_play(
    reset: Kernel, step: Kernel, legal: Kernel, draw_one: Kernel
) -> Callable[..., Any]:
    def batch_random_play(states, scenario, seeds, width):  # type: ignore[no-untyped-def]
        """Play whole games from the start with random legal moves; return the number of steps."""
        ids = np.empty(width, np.int32)
        probs = np.empty(width, np.float32)
        steps = 0
        for i in range(len(states)):
            s = states[i]
            reset(s, scenario[0], seeds[i])
            word = start(seeds[i])
            while s["seat"] != OVER:
                word = advance(word)
                if s["seat"] == CHANCE:
                    step(s, draw_one(s, word, ids, probs))
                else:
                    count = legal(s, ids)
                    step(s, ids[below(word, count)])
                steps += 1
        return steps

    return batch_random_play


def _make_bot(choose: Kernel, legal: Kernel) -> Callable[..., Any]:
    def batch_bot(states, seeds, width, out):  # type: ignore[no-untyped-def]
        ids = np.empty(width, np.int32)
        for i in range(len(states)):
            count = legal(states[i], ids)
            out[i] = choose(states[i], ids, count, start(seeds[i]))

    return batch_bot


def _make_bot_play(
    step: Kernel, legal: Kernel, draw_one: Kernel, choose: Kernel
) -> Callable[..., Any]:
    def batch_bot_play(states, seeds, width, length):  # type: ignore[no-untyped-def]
        """Play up to `length` decisions and dice, or with -1 to the end. Changes the states."""
        ids = np.empty(width, np.int32)
        probs = np.empty(width, np.float32)
        for i in range(len(states)):
            s = states[i]
            word = start(seeds[i])
            left = length
            while left != 0 and s["seat"] != OVER:
                if s["seat"] == CHANCE:
                    step(s, draw_one(s, word, ids, probs))
                else:
                    count = legal(s, ids)
                    step(s, choose(s, ids, count, word))
                word = start(advance(advance(word)))
                left -= 1

    return batch_bot_play
