"""The tournament at the end of an experiment: how much the time allows, ratings, tactics.

Ratings come twice: Elo with K = 32 over the paper's number of rounds, to stand beside its table,
and Bradley-Terry with intervals over everything that was played. Searches run without shaping,
whatever the arms were trained with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from stratagem.agents import Agent
from stratagem.agents.mcts import MctsAgent
from stratagem.agents.model import load_evaluator
from stratagem.agents.spec import make_agent
from stratagem.core.game import Game
from stratagem.core.record import GameRecord
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.elo import elo_ratings
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.tournaments import PairResult, Tournament, games_in_rounds, play_tournament
from stratagem.search import SearchSettings
from stratagem.train.experiments.arms import Model
from stratagem.train.experiments.definition import TournamentSection

Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What fits into the time: simulations per decision and games of each pair."""

    sims: int
    games_per_pair: int


@dataclass(frozen=True)
class Contest:
    """A tournament played, with the paper's kind of Elo and each model's games against itself."""

    plan: Plan
    tournament: Tournament
    elo: dict[str, float]
    records: dict[str, tuple[GameRecord, ...]]  # by model

    def as_json(self) -> dict[str, Any]:
        return {**self.tournament.as_json(), "sims": self.plan.sims, "elo": self.elo}


def make_plan(
    settings: TournamentSection, seconds: float, pairs: int, models: int, unit: float
) -> Plan:
    """Simulations first, up to the setting; then more games. `unit`: seconds per game and sim."""

    def needed(sims: int, games: int) -> float:
        return (pairs * games + models * settings.tactics_games) * sims * unit

    fitting = int(
        settings.sims * seconds / max(needed(settings.sims, settings.games_per_pair), 1e-9)
    )
    sims = max(min(settings.sims, fitting), min(settings.least_sims, settings.sims))
    spare = seconds - models * settings.tactics_games * sims * unit
    rounds = int(spare / max(2 * pairs * sims * unit, 1e-9))  # a round trip: both seats
    games = max(settings.games_per_pair, min(settings.most_games_per_pair, 2 * rounds))
    return Plan(sims, games)


def hold_contest(
    game: Game,
    models: Sequence[Model],
    settings: TournamentSection,
    seconds: float,
    seed: int,
    say: Say,
) -> Contest:
    """Measure, plan, play, rate."""
    began = time.perf_counter()
    # Batches are small here; two threads stalled on a busy machine (experiments/LOG.md).
    torch.set_num_threads(1)
    others = [make_agent(spec, game) for spec in settings.agents]
    unit = _seconds_per_unit(game, models, settings, seed)
    players = len(models) + len(others)
    left = seconds - (time.perf_counter() - began)
    plan = make_plan(settings, left, players * (players - 1) // 2, len(models), unit)
    say(f"tournament: {plan.games_per_pair} games a pair, {plan.sims} simulations a decision")
    agents: list[Agent] = [_agent(game, model, plan.sims, settings.root) for model in models]

    def report(pair: PairResult, done: int, total: int) -> None:
        names = [player.spec for player in (*agents, *others)]
        say(f"{done} of {total}: {names[pair.first]} against {names[pair.second]} {pair.score:.2f}")

    tournament = play_tournament(
        game, [*agents, *others], plan.games_per_pair, derive_seed(seed, "tournament"), report
    )
    records = {
        agent.spec: play_match(
            game, [agent] * game.num_seats, settings.tactics_games,
            derive_seed(seed, "tactics"), keep=True,
        ).records
        for agent in agents
    }  # fmt: skip
    elo = paper_elo(tournament, settings.games_per_pair)
    return Contest(plan, tournament, elo, records)


def paper_elo(tournament: Tournament, rounds: int) -> dict[str, float]:
    """Sequential Elo over the first so many games of each pair, round by round."""
    first = [replace(pair, scores=pair.scores[:rounds]) for pair in tournament.pairs]
    ratings = elo_ratings(games_in_rounds(first), len(tournament.specs))
    return dict(zip(tournament.specs, ratings, strict=True))


def _agent(game: Game, model: Model, sims: int, root: str) -> MctsAgent:
    evaluator = load_evaluator(str(model.checkpoint), game)
    # What the network's values mean belongs to it; everything else is the same for all.
    dials = SearchSettings.model_validate({**evaluator.search, "sims": sims, "root": root})
    return MctsAgent(game, evaluator, dials, model.name)


def _seconds_per_unit(
    game: Game, models: Sequence[Model], settings: TournamentSection, seed: int
) -> float:
    """Seconds per game and simulation, from a short match of each arm's last model with itself."""
    sims, games = min(settings.least_sims, settings.sims), settings.games_per_pair
    last = {model.arm: model for model in models}
    seconds = []
    for model in last.values():
        agent = _agent(game, model, sims, settings.root)
        play_match(game, [agent] * game.num_seats, 2, seed)  # the first calls compile
        began = time.perf_counter()
        play_match(game, [agent] * game.num_seats, games, derive_seed(seed, "pace"))
        seconds.append((time.perf_counter() - began) / (games * sims))
    return sum(seconds) / len(seconds)
