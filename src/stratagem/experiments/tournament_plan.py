"""The size of a tournament: what fits into its time, at the measured speed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from stratagem.agents.spec import make_agent
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.matches import play_match
from stratagem.experiments.definition import Table

PACE_GAMES = 8


class SizedByTime(Table):
    """A table with a share of the budget, and numbers of games and simulations within limits."""

    takes_measuring_time: ClassVar[bool] = False  # it has its own share

    games_per_pair: int = Field(8, ge=2, description="games of each pair that sequential Elo rates")
    most_games_per_pair: int = Field(
        64, ge=2, description="played if the budget allows, for narrower intervals"
    )
    sims: int = Field(64, ge=1, description="simulations per decision; a short budget gets fewer")
    least_sims: int = Field(8, ge=1, description="never fewer than this")
    measured_games: int = Field(8, ge=2, description="games of each model against itself")
    share: float = Field(0.18, gt=0, lt=1, description="of the whole budget")

    @property
    def budget_share(self) -> float:
        return self.share


@dataclass(frozen=True)
class Plan:
    """What fits into the time: simulations per decision and games per pair."""

    sims: int
    games_per_pair: int


@dataclass(frozen=True)
class Pace:
    """A short match of a model with itself, to measure how long its games take."""

    game: str
    agent: str  # agent spec
    sims: int  # in the agent spec
    games: int
    seed: int


def pace(task: Pace) -> dict[str, Any]:
    """Measure seconds of one core per game and simulation."""
    game = load_game(task.game)
    agent = make_agent(task.agent, game)
    play_match(game, [agent] * game.num_seats, 2, task.seed)  # the first calls compile
    began = time.process_time()
    seed = derive_seed(task.seed, "pace")
    play_match(game, [agent] * game.num_seats, task.games, seed)
    return {"unit": (time.process_time() - began) / (task.games * task.sims)}


def make_plan(table: SizedByTime, seconds: float, pairs: int, models: int, unit: float) -> Plan:
    """Add simulations first, up to the setting; then games. `unit`: seconds per game and sim."""

    def needed(sims: int, games: int) -> float:
        return (pairs * games + models * table.measured_games) * sims * unit

    fitting = int(table.sims * seconds / max(needed(table.sims, table.games_per_pair), 1e-9))
    sims = max(min(table.sims, fitting), min(table.least_sims, table.sims))
    spare = seconds - models * table.measured_games * sims * unit
    rounds = int(spare / max(2 * pairs * sims * unit, 1e-9))  # a round trip: both seats
    games = max(table.games_per_pair, min(table.most_games_per_pair, 2 * rounds))
    return Plan(sims, games)
