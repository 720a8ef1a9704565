"""Fixed opponents: the same games at regular shares of the budget, so that curves are comparable.

Under a time budget they may take only a share of it (`anchor_share`). If time is short, fewer games
are played, the first ones of the same list; a measurement that does not fit is left out, except for
the last one.
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

_FEWEST = 8  # minimum number of games: enough to time them, and no score is reported for fewer

Clock = Callable[[], float]


def meet_anchors(
    game: Game,
    settings: RunSettings,
    progress: RunProgress,
    make_player: Callable[[], Agent],
    clock: Clock = time.perf_counter,
    announce: Callable[[str], None] = lambda text: None,
) -> dict[str, AnchorScore]:
    """Return scores by agent spec if the next share of the budget is reached, else nothing."""
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
    """Estimate the time of the last measurement under a time budget, at most."""
    if not settings.anchors.times or not settings.anchors.agents:
        return 0.0
    left = _allowed(settings, 1.0) - progress.anchor_seconds
    rates = progress.anchor_rates
    if len(rates) == len(settings.anchors.agents):
        left = min(left, settings.anchors.games * sum(rates.values()))
    return max(left, _shortest(settings, progress))


def _allowed(settings: RunSettings, share: float) -> float:
    """Return the seconds for all measurements up to this share; infinite without a time budget."""
    return settings.anchor_share * settings.budget_seconds * share or math.inf


def _shortest(settings: RunSettings, progress: RunProgress) -> float:
    """Return the time of the minimum number of games against everybody, as far as known."""
    games = min(_FEWEST, settings.anchors.games)
    return games * sum(progress.anchor_rates.get(spec, 0.0) for spec in settings.anchors.agents)


def _meet(
    game: Game,
    pair: tuple[Agent, Agent],
    settings: RunSettings,
    rate: float,
    time_is_up: tuple[float, Clock],
) -> AnchorScore:
    """Play as many games as fit; `rate`: seconds per game last time, 0: unknown."""
    until, clock = time_is_up
    wanted, seats, began = settings.anchors.games, game.num_seats, clock()
    # Always the same seed: curves should move only because of the network.
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
