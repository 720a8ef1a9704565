"""Section `[tournament]`: networks from along the training meet each other and fixed agents.

Ratings come twice: Elo with K = 32 over the paper's number of rounds, to stand beside its table,
and Bradley-Terry with intervals over everything that was played. Searches run without shaping,
whatever the arms were trained with. As many simulations and games are played as the time allows.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any, ClassVar, Literal

import torch
from pydantic import Field, field_validator

from stratagem.agents import Agent
from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.agents.model import load_evaluator
from stratagem.agents.spec import make_agent
from stratagem.core.game import Game
from stratagem.core.record import GameRecord, read_record, write_record
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.elo import elo_ratings
from stratagem.evaluate.game_pictures import add_course
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import Measures, measure_games
from stratagem.evaluate.reports import Cell, Report, measures_table
from stratagem.evaluate.tournaments import PairResult, Tournament, games_in_rounds, play_tournament
from stratagem.experiments.arms import Part
from stratagem.experiments.definition import Table
from stratagem.experiments.learning import caption
from stratagem.experiments.measuring import Bench, Row
from stratagem.search import SearchSettings


class Checkpoint(Part):
    label: str = Field("", description="follows the arm's name in the model's name")
    share: float = Field(gt=0, le=1, description="of the arm's training time")


class PaperRow(Part):
    rank: int
    model: str
    elo: float


class Paper(Part):
    table: str = Field("", description="its number there")
    models: tuple[PaperRow, ...] = ()

    def row(self, model: str) -> PaperRow | None:
        return next((row for row in self.models if row.model == model), None)


class Settings(Table):
    takes_measuring_time: ClassVar[bool] = False  # it has a share of its own

    checkpoints: tuple[Checkpoint, ...] = Field(
        min_length=1, description="networks of each arm that take part"
    )
    games_per_pair: int = Field(8, ge=2, description="games of each pair that sequential Elo rates")
    most_games_per_pair: int = Field(
        64, ge=2, description="played if the budget allows, for narrower intervals"
    )
    sims: int = Field(64, ge=1, description="simulations per decision; a short budget gets fewer")
    least_sims: int = Field(8, ge=1, description="never fewer than this")
    root: Literal["puct", "gumbel"] = Field("puct", description="how roots choose their edges")
    agents: tuple[str, ...] = Field(("random",), description="who else takes part")
    measured_games: int = Field(8, ge=2, description="games of each model against itself")
    share: float = Field(0.18, gt=0, lt=1, description="of the whole budget")
    game_figure: str = Field("", description="the number of a drawn game in the paper")
    paper: Paper = Paper()

    @field_validator("checkpoints")
    @classmethod
    def _labels_differ(cls, checkpoints: tuple[Checkpoint, ...]) -> tuple[Checkpoint, ...]:
        if len({one.label for one in checkpoints}) < len(checkpoints):
            raise ValueError("checkpoints need different labels")
        return checkpoints

    @property
    def budget_share(self) -> float:
        return self.share


@dataclass(frozen=True)
class Model:
    """A network of an arm that takes part."""

    name: str
    arm: str
    iteration: int
    checkpoint: Path


@dataclass(frozen=True)
class Plan:
    """What fits into the time: simulations per decision and games of each pair."""

    sims: int
    games_per_pair: int


def measure(tables: Sequence[Settings], bench: Bench) -> list[Row]:
    """Every tournament: ranking, means of the arms, pairs and measures."""
    return [_measure(number, table, bench) for number, table in enumerate(tables, start=1)]


def _measure(number: int, table: Settings, bench: Bench) -> Row:
    game, seed, began = bench.game, bench.call.seed, time.perf_counter()
    # Batches are small here; two threads stalled on a busy machine (experiments/LOG.md).
    torch.set_num_threads(1)
    models = pick_models(table, bench)
    others = [make_agent(spec, game) for spec in table.agents]
    unit = _seconds_per_unit(game, models, table, seed)
    players = len(models) + len(others)
    left = table.share * bench.call.budget_seconds - (time.perf_counter() - began)
    plan = make_plan(table, left, players * (players - 1) // 2, len(models), unit)
    bench.call.progress(
        f"tournament: {plan.games_per_pair} games a pair, {plan.sims} simulations a decision"
    )
    agents: list[Agent] = [_agent(game, model, plan.sims, table.root) for model in models]
    tournament = _play(game, [*agents, *others], plan, bench)
    records = {agent.spec: _self_play(game, agent, table, seed) for agent in agents}
    elo = paper_elo(tournament, table.games_per_pair)
    ranking = rank(table, models, tournament, elo)
    best = next(row["model"] for row in ranking if row["arm"] is not None)
    sample = bench.call.out / f"tournament_{number}.jsonl"
    write_record(typical_game(records[best]), sample)
    return {
        "ranking": ranking,
        "arm_means": arm_means(ranking),
        **tournament.as_json(),
        "sims": plan.sims,
        "elo": elo,
        "measures": _measures(game, records),
        "sample": str(sample),
    }


def pick_models(table: Settings, bench: Bench) -> list[Model]:
    """Each arm's networks at the checkpoints."""
    models = []
    for one in bench.trained:
        for point in table.checkpoints if table.has_arm(one.arm) else ():
            iteration = bench.iteration(one, point.share)
            checkpoint = bench.checkpoint(one, point.share)
            models.append(Model(one.arm.name + point.label, one.arm.name, iteration, checkpoint))
    return models


def make_plan(table: Settings, seconds: float, pairs: int, models: int, unit: float) -> Plan:
    """Simulations first, up to the setting; then more games. `unit`: seconds per game and sim."""

    def needed(sims: int, games: int) -> float:
        return (pairs * games + models * table.measured_games) * sims * unit

    fitting = int(table.sims * seconds / max(needed(table.sims, table.games_per_pair), 1e-9))
    sims = max(min(table.sims, fitting), min(table.least_sims, table.sims))
    spare = seconds - models * table.measured_games * sims * unit
    rounds = int(spare / max(2 * pairs * sims * unit, 1e-9))  # a round trip: both seats
    games = max(table.games_per_pair, min(table.most_games_per_pair, 2 * rounds))
    return Plan(sims, games)


def _play(game: Game, agents: Sequence[Agent], plan: Plan, bench: Bench) -> Tournament:
    def report(pair: PairResult, done: int, total: int) -> None:
        names = agents[pair.first].spec, agents[pair.second].spec
        bench.call.progress(f"{done} of {total}: {names[0]} against {names[1]} {pair.score:.2f}")

    seed = derive_seed(bench.call.seed, "tournament")
    return play_tournament(game, agents, plan.games_per_pair, seed, report)


def _self_play(game: Game, agent: Agent, table: Settings, seed: int) -> tuple[GameRecord, ...]:
    agents, seed = [agent] * game.num_seats, derive_seed(seed, "measures")
    return tuple(play_match(game, agents, table.measured_games, seed, keep=True).records)


def paper_elo(tournament: Tournament, rounds: int) -> dict[str, float]:
    """Sequential Elo over the first so many games of each pair, round by round."""
    first = [replace(pair, scores=pair.scores[:rounds]) for pair in tournament.pairs]
    ratings = elo_ratings(games_in_rounds(first), len(tournament.specs))
    return dict(zip(tournament.specs, ratings, strict=True))


def _agent(game: Game, model: Model, sims: int, root: str) -> MctsAgent:
    evaluator = load_evaluator(str(model.checkpoint), game)
    # What the network's values mean belongs to it; everything else is the same for all.
    settings = SearchSettings.model_validate({**evaluator.search, "sims": sims, "root": root})
    return MctsAgent(game, evaluator, settings, model.name)


def _seconds_per_unit(game: Game, models: Sequence[Model], table: Settings, seed: int) -> float:
    """Seconds per game and simulation, from a short match of each arm's last model with itself."""
    sims, games = min(table.least_sims, table.sims), table.games_per_pair
    last = {model.arm: model for model in models}
    seconds = []
    for model in last.values():
        agent = _agent(game, model, sims, table.root)
        play_match(game, [agent] * game.num_seats, 2, seed)  # the first calls compile
        began = time.perf_counter()
        play_match(game, [agent] * game.num_seats, games, derive_seed(seed, "pace"))
        seconds.append((time.perf_counter() - began) / (games * sims))
    return sum(seconds) / len(seconds)


def rank(
    table: Settings, models: Sequence[Model], tournament: Tournament, elo: dict[str, float]
) -> list[Row]:
    """One row per player, by sequential Elo as in the paper, with the paper's row beside it."""
    by_name = {model.name: model for model in models}
    rows: list[Row] = []
    for standing in tournament.standings:
        model = by_name.get(standing.spec)
        theirs = table.paper.row(standing.spec)
        rows.append(
            {
                "model": standing.spec,
                "arm": model and model.arm,
                "iteration": model and model.iteration,
                "elo": round(elo[standing.spec], 1),
                "rating": round(standing.rating.rating, 1),
                "low": round(standing.rating.low, 1),
                "high": round(standing.rating.high, 1),
                "score": round(standing.score, 4),
                "games": standing.games,
                "paper_rank": theirs and theirs.rank,
                "paper_elo": theirs and theirs.elo,
            }
        )
    rows.sort(key=lambda row: -row["elo"])
    return [{"rank": number, **row} for number, row in enumerate(rows, start=1)]


def arm_means(ranking: Sequence[Row]) -> list[Row]:
    """Mean ratings over an arm's models: what the paper concludes from."""
    means = []
    for arm in dict.fromkeys(row["arm"] for row in ranking if row["arm"] is not None):
        mine = [row for row in ranking if row["arm"] == arm]
        theirs = [row["paper_elo"] for row in mine if row["paper_elo"] is not None]
        means.append(
            {
                "arm": arm,
                "elo": round(mean(row["elo"] for row in mine), 1),
                "rating": round(mean(row["rating"] for row in mine), 1),
                "paper_elo": round(mean(theirs), 1) if theirs else None,
            }
        )
    return means


def typical_game(records: Sequence[GameRecord]) -> GameRecord:
    """The game of median length among those with a winner, else among all."""
    decided = [r for r in records if len(set(r.returns)) > 1] or list(records)
    return sorted(decided, key=lambda record: len(record.events))[len(decided) // 2]


def _measures(game: Game, records: dict[str, tuple[GameRecord, ...]]) -> dict[str, Any] | None:
    if game.rules.measures is None:
        return None
    return measure_games(game, [one for each in records.values() for one in each]).as_json()


def report(page: Report, tables: Sequence[Settings], measured: list[Row], bench: Bench) -> None:
    """Ranking, means of the arms, a game of the best model and how all of them play."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        page.heading(table.title or caption(table.paper.table, "Ranking"))
        page.paragraph(
            f"Elo is sequential (K = 32, from 1500) over the first {table.games_per_pair} games of "
            f"each pair, as in the paper. The rating is Bradley-Terry over all "
            f"{found['games_per_pair']} games a pair, `{found['anchor']}` = 0, with its 95 % "
            f"interval. {found['sims']} simulations a decision, no shaping. Iteration is where "
            f"the model comes from. {table.note}".rstrip()
        )
        _add_ranking(page, found)
        game = bench.game
        if game.rules.view is not None:
            page.heading(caption(table.game_figure, "A game of the best model"))
            file = bench.call.out / f"gameplay_{number}.png"
            add_course(page, game, read_record(Path(found["sample"])), file)
        if found["measures"] is not None:
            page.heading("Measures")
            games = table.measured_games
            page.paragraph(f"Each model against itself, {games} games; mean and 95 % interval.")
            page.paragraph(measures_table(Measures.from_json(found["measures"])))


def _add_ranking(page: Report, found: Row) -> None:
    theirs = any(row["paper_elo"] is not None for row in found["ranking"])
    rows: list[list[Cell]] = [
        [
            row["rank"], row["model"], row["iteration"], _points(row["elo"]),
            *([row["paper_rank"], _points(row["paper_elo"])] if theirs else []),
            _points(row["rating"]), f"{row['low']:.0f} to {row['high']:.0f}", row["score"],
        ]
        for row in found["ranking"]
    ]  # fmt: skip
    paper = ["paper's rank", "paper's Elo"] if theirs else []
    page.table(
        ["rank", "model", "iteration", "Elo", *paper, "rating", "95 % interval", "score"], rows
    )
    page.paragraph("Means over each arm's models:")
    means: list[list[Cell]] = [
        [row["arm"], _points(row["elo"]), *([_points(row["paper_elo"])] if theirs else []),
         _points(row["rating"])]
        for row in found["arm_means"]
    ]  # fmt: skip
    page.table(["arm", "Elo", *paper[1:], "rating"], means)


def _points(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
