"""Evaluates positions by games that a scripted player plays from there, alone or with a network.

A network is best near the positions it was trained on; a scripted player plays any board. Blending
both is what AlphaGo did (Silver et al., 2016).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stratagem.core.game import Game, States
from stratagem.core.random_kernels import spread
from stratagem.core.seeding import Seeds, derive_seed
from stratagem.core.state_arrays import as_bytes, take
from stratagem.search.evaluation import Evaluation, Evaluator, hash_rows


def play_out(
    game: Game, bot: str, states: States, seeds: Seeds, length: int | None = None
) -> States:
    """Play these games on for up to `length` events (decisions and dice); return where they stand.

    A bot decides for every seat, with its own random stream in each game.
    """
    ends = take(states, np.arange(len(states)))
    game.rules.bot_plays[bot](ends, seeds, game.width, -1 if length is None else length)
    return ends


class BotPlayouts:
    """The value is the mean result of games between copies of one bot.

    All actions are equal, or the bot's choice gets `prior_share` of the prior.
    """

    def __init__(
        self, game: Game, bot: str, seed: int, playouts: int = 1, prior_share: float = 0.0
    ) -> None:
        self._game = game
        self._bot = bot
        self._playouts = playouts
        self._prior_share = prior_share
        self._seed = np.uint64(derive_seed(seed, "playout"))

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        seeds = expand_seeds(self._seeds(states, rows), self._playouts)
        begun = take(states, np.repeat(rows, self._playouts))
        results = self._game.returns(play_out(self._game, self._bot, begun, seeds))
        values = results.reshape(len(rows), self._playouts, -1).mean(1)
        alike = np.empty((0, 0), np.float32)
        return Evaluation(self.favour(alike, states, rows), values)

    def favour(
        self, logits: npt.NDArray[np.float32], states: States, rows: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """Return logits [B, A] (no rows: all equal) in which the bot's choices get their share."""
        share = self._prior_share
        if share == 0.0:
            return logits
        game = self._game
        if len(logits) == 0:
            logits = np.zeros((len(rows), game.actions.size), np.float32)
        positions, here = take(states, rows), np.arange(len(rows))
        chosen = np.empty(len(rows), np.int32)
        game.rules.bot_kernels[self._bot](positions, self._seeds(states, rows), game.width, chosen)
        ids, counts = game.legal(positions)
        other = np.arange(ids.shape[1])[None, :] < counts[:, None]
        other &= ids != chosen[:, None]
        # With the weights of all others together, the bot's choice gets share : (1 - share).
        found = np.where(other, logits[here[:, None], np.where(other, ids, 0)], -np.inf)
        odds = np.log(share) - np.log1p(-share)
        raised = logits.copy()
        lively = other.any(axis=1)
        total = np.logaddexp.reduce(found[lively], axis=1)
        raised[here[lively], chosen[lively]] = total + np.float32(odds)
        return raised

    def _seeds(self, states: States, rows: npt.NDArray[np.int64]) -> Seeds:
        """Derive seeds from the positions alone, so that the rest of the batch does not matter."""
        seeds = np.empty(len(rows), np.uint64)
        hash_rows(as_bytes(states), rows, self._seed, seeds)
        return seeds


class BlendedEvaluator:
    """Priors of another evaluator, and its values blended with playouts."""

    def __init__(self, inner: Evaluator, playouts: BotPlayouts, share: float) -> None:
        self._inner = inner
        self._playouts = playouts
        self._share = np.float32(share)

    def evaluate(self, states: States, rows: npt.NDArray[np.int64]) -> Evaluation:
        judged = self._inner.evaluate(states, rows)
        played = self._playouts.evaluate(states, rows)
        share = self._share
        logits = self._playouts.favour(judged.logits, states, rows)
        return Evaluation(logits, (1 - share) * judged.values + share * played.values)


def expand_seeds(seeds: Seeds, count: int) -> Seeds:
    """[B * count]: `count` new seeds from each seed's stream, those of one seed side by side."""
    expanded = np.empty(len(seeds) * count, np.uint64)
    spread(seeds, count, expanded)
    return expanded
