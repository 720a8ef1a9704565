"""Fixed opponents: the same games at every share of the budget, so that curves mean something.

Under a budget of time they may take a share of it and no more (`anchor_share`). Then fewer games
are played, the first ones of the same list; a meeting for which there is no time is left out, but
never the last one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from stratagem.agents import make_agent
from stratagem.core.agent import Agent
from stratagem.core.game import Game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.matches import join_parts, play_rows
from stratagem.runs.metrics import AnchorScore
from stratagem.train.progress import RunProgress
from stratagem.train.settings import RunSettings

_FEWEST = 8  # games: they say how long one takes, and no score is counted over fewer

Clock = Callable[[], float]


def meet_anchors(
    game: Game,
    settings: RunSettings,
    progress: RunProgress,
    make_player: Callable[[], Agent],
    clock: Clock = time.perf_counter,
    announce: Callable[[str], None] = lambda text: None,
) -> dict[str, AnchorScore]:
    """Scores by agent spec when the next share of the budget is reached, else nothing."""
    agents, share = settings.anchors.agents, progress.share(settings)
    due = math.floor(share * settings.anchors.times + 1e-9)
    if due <= progress.anchors_played:
        return {}
    progress.anchors_played = due
    left = _allowed(settings, share) - progress.anchor_seconds
    if share < 1.0 and left < _shortest(settings, progress):
        return {}
    me = make_player()
    results: dict[str, AnchorScore] = {}
    for number, spec in enumerate(agents):
        announce(f"measuring against {spec}")
        began = clock()
        until = began + left / (len(agents) - number)
        rate = progress.anchor_rates.get(spec, 0.0)
        results[spec] = _meet(game, (me, make_agent(spec, game)), settings, rate, (until, clock))
        spent = clock() - began
        left -= spent
        progress.anchor_seconds += spent
        progress.anchor_rates[spec] = spent / results[spec].games
    return results


def seconds_for_anchors(settings: RunSettings, progress: RunProgress) -> float:
    """What the last meeting of a budget of time will take, at most."""
    if not settings.anchors.times or not settings.anchors.agents:
        return 0.0
    left = _allowed(settings, 1.0) - progress.anchor_seconds
    rates = progress.anchor_rates
    if len(rates) == len(settings.anchors.agents):
        left = min(left, settings.anchors.games * sum(rates.values()))
    return max(left, _shortest(settings, progress))


def _allowed(settings: RunSettings, share: float) -> float:
    """Seconds of all meetings until this share of the budget; no end without a budget of time."""
    return settings.anchor_share * settings.budget_seconds * share or math.inf


def _shortest(settings: RunSettings, progress: RunProgress) -> float:
    """What the fewest games against everybody take, as far as is known."""
    games = min(_FEWEST, settings.anchors.games)
    return games * sum(progress.anchor_rates.get(spec, 0.0) for spec in settings.anchors.agents)


def _meet(
    game: Game,
    pair: tuple[Agent, Agent],
    settings: RunSettings,
    rate: float,
    time_is_up: tuple[float, Clock],
) -> AnchorScore:
    """As many games as there is time for; `rate`: seconds of a game the last time, 0: unknown."""
    until, clock = time_is_up
    wanted, seats, began = settings.anchors.games, game.num_seats, clock()
    # The same seed every time: curves move because the network does.
    seed = derive_seed(settings.seed, "anchors", pair[1].spec)
    parts, played = [], 0
    while played < wanted:
        count = wanted - played
        if until < math.inf:
            fitting = int((until - clock()) / rate) // seats * seats if rate else 0
            if played and fitting < seats:
                break
            count = min(count, max(fitting, seats if played else _FEWEST))
        parts.append(play_rows(game, pair, wanted, seed, range(played, played + count)))
        played += count
        rate = (clock() - began) / played
    mine = join_parts(game.spec, played, seed, "rotate", parts).agents[0].tally
    low, high = mine.wilson
    return AnchorScore(
        score=round(mine.score, 4), low=round(low, 4), high=round(high, 4), games=played
    )
