"""Fixed opponents: the same games at every share of the budget, so that curves mean something."""

from __future__ import annotations

import math
from collections.abc import Callable

from stratagem.agents import make_agent
from stratagem.core.agent import Agent
from stratagem.core.game import Game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.matches import play_match
from stratagem.runs.metrics import AnchorScore
from stratagem.train.progress import RunProgress
from stratagem.train.settings import RunSettings


def meet_anchors(
    game: Game, settings: RunSettings, progress: RunProgress, make_player: Callable[[], Agent]
) -> dict[str, AnchorScore]:
    """Scores by agent spec when the next share of the budget is reached, else nothing."""
    anchors = settings.anchors
    due = math.floor(progress.share(settings) * anchors.times + 1e-9)
    if due <= progress.anchors_played:
        return {}
    progress.anchors_played = due
    me = make_player()
    results: dict[str, AnchorScore] = {}
    for spec in anchors.agents:
        # The same seed every time: curves move because the network does.
        seed = derive_seed(settings.seed, "anchors", spec)
        match = play_match(game, [me, make_agent(spec, game)], anchors.games, seed)
        mine = match.agents[0].tally
        low, high = mine.wilson
        results[spec] = AnchorScore(
            score=round(mine.score, 4), low=round(low, 4), high=round(high, 4)
        )
    return results
