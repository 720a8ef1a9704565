"""Many games of random and Goal Rush at once, for comparison with the paper's code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stratagem.core.registry import load_game
from stratagem.core.seats import OVER
from stratagem.core.seeding import derive_generator, derive_seeds


@dataclass(frozen=True)
class Outcomes:
    """Shares of player 1's wins, draws and player 2's wins; actions per game; legal lists."""

    shares: tuple[float, float, float]
    actions: float
    mean_legal: float
    most_legal: int


def play_many(spec: str, players: tuple[str, str], games: int, seed: int) -> Outcomes:
    game = load_game(spec)
    states = game.new_states(derive_seeds(seed, "outcomes", count=games))
    draw = derive_generator(seed, "outcomes", *players)
    steps = total = most = 0
    while len(live := np.flatnonzero(states["seat"] != OVER)):
        now = states[live]
        ids, counts = game.legal(now)
        chosen = ids[np.arange(len(now)), (draw.random(len(now)) * counts).astype(np.int64)]
        for seat, player in enumerate(players):
            mine = np.flatnonzero(now["seat"] == seat)
            if player != "random" and len(mine):
                picked = np.empty(len(mine), np.int32)
                seeds = draw.integers(1, 2**63, len(mine)).astype(np.uint64)
                game.rules.bot_kernels[player](now[mine], seeds, game.width, picked)
                chosen[mine] = picked
        game.kernels.step(now, chosen)
        states[live] = now
        steps += len(live)
        total += int(counts.sum())
        most = max(most, int(counts.max()))
    value = game.returns(states)[:, 0]
    shares = (float(np.mean(value > 0)), float(np.mean(value == 0)), float(np.mean(value < 0)))
    return Outcomes(shares, steps / games, total / steps, most)
