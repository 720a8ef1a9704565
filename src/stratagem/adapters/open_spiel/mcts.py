"""OpenSpiel's own search as an agent: `stratagem.adapters.open_spiel.mcts?sims=100`.

The UCT of `open_spiel.python.algorithms.mcts` with random playouts. Options: `sims`, `c`
(exploration) and `playouts` per leaf. It queries our rules one position at a time, so it is many
times slower than `mcts:none`; it is meant for comparison.

`step` of `pyspiel.MCTSBot`, the same in C++, releases Python's lock and crashes with every game
that is written in Python. Its `mcts_search` does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from open_spiel.python.algorithms import mcts

from stratagem.adapters.open_spiel.our_games import SpielGame
from stratagem.adapters.open_spiel.players import BotAgent
from stratagem.agents.spec import check_options
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game


def build(target: str, options: Mapping[str, str], game: Game, spec: str) -> BotAgent:
    """`stratagem.adapters.open_spiel.mcts?sims=N&c=C&playouts=N`."""
    check_options(spec, options, ("sims", "c", "playouts"))
    if target:
        raise BadSetting(f"agent spec {spec!r}: it takes no target, leave out {':' + target!r}")
    try:
        sims, playouts = int(options.get("sims", 100)), int(options.get("playouts", 1))
        exploration = float(options.get("c", 2.0))
    except ValueError as error:
        raise BadSetting(f"agent spec {spec!r}: {error}") from None
    if sims < 1 or playouts < 1 or not exploration >= 0:
        raise BadSetting(f"agent spec {spec!r}: write sims=1, playouts=1 and c=0, or more")

    def make_bot(spiel_game: SpielGame, seed: int) -> Any:
        source = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(playouts, source)
        return mcts.MCTSBot(spiel_game, exploration, sims, evaluator, random_state=source)

    return BotAgent(game, make_bot, spec)
