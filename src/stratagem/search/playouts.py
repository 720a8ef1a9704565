"""Positions judged by games that a scripted player plays from there, alone or beside a network.

A network judges best what is like the positions that it was trained on; a scripted player plays
any board. Blending both is AlphaGo's way (Silver et al., 2016). Knows no network and no game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game, States
from stratagem.core.random_kernels import spread
from stratagem.core.records import as_bytes, put, take
from stratagem.core.seats import OVER
from stratagem.core.seeding import Seeds, derive_seed
from stratagem.search.evaluation import Evaluation, Evaluator, hash_rows


def play_out(
    game: Game, bot: str, states: States, seeds: Seeds, length: int | None = None
) -> States:
    """Where these games stand after `length` events (decisions and dice), or when they are over.

    A bot decides for every seat. All games advance together, each by its own random stream.
    """
    choose = game.rules.bot_kernels[bot]
    ends = take(states, np.arange(len(states)))
    rows = np.flatnonzero(states["seat"] != OVER)
    states, seeds = take(states, rows), seeds[rows]  # a copy: the caller's stay as they are
    played = 0
    while len(rows) and (length is None or played < length):
        actions = game.draw(states, seeds)
        decides = np.flatnonzero(states["seat"] >= 0)
        chosen = np.empty(len(decides), np.int32)
        choose(take(states, decides), seeds[decides], game.width, chosen)
        actions[decides] = chosen
        game.kernels.step(states, actions)
        over = states["seat"] == OVER
        if over.any():
            ended, going = np.flatnonzero(over), np.flatnonzero(~over)
            put(ends, rows[ended], take(states, ended))
            states, rows, seeds = take(states, going), rows[going], seeds[going]
        seeds = several(seeds, 2)[1::2]  # the next word of each game's own stream
        played += 1
    put(ends, rows, states)
    return ends


class BotPlayouts:
    """Every action alike; the value is the mean result of games between copies of one bot."""

    def __init__(self, game: Game, bot: str, seed: int, rollouts: int = 1) -> None:
        self._game = game
        self._bot = bot
        self._rollouts = rollouts
        self._word = np.uint64(derive_seed(seed, "playout"))

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        # A playout depends on the position alone, not on the company it is evaluated in.
        seeds = np.empty(len(rows), np.uint64)
        hash_rows(as_bytes(states), rows, self._word, seeds)
        seeds = several(seeds, self._rollouts)
        begun = take(states, np.repeat(rows, self._rollouts))
        results = self._game.returns(play_out(self._game, self._bot, begun, seeds))
        values = results.reshape(len(rows), self._rollouts, -1).mean(1)
        return Evaluation(np.empty((0, 0), np.float32), values)


class BlendedEvaluator:
    """Another evaluator's opinion of the actions, and of the value together with playouts."""

    def __init__(self, inner: Evaluator, playouts: BotPlayouts, share: float) -> None:
        self._inner = inner
        self._playouts = playouts
        self._share = np.float32(share)

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        judged = self._inner.evaluate(states, rows)
        played = self._playouts.evaluate(states, rows)
        share = self._share
        return Evaluation(judged.logits, (1 - share) * judged.values + share * played.values)


def several(seeds: Seeds, count: int) -> Seeds:
    """[B * count]: so many words of each seed's stream, one seed's after another's."""
    words = np.empty(len(seeds) * count, np.uint64)
    spread(seeds, count, words)
    return words
