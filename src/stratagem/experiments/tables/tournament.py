"""Section `[tournament]`: networks from along the training meet each other and fixed agents.

Ratings come twice: Elo with K = 32 over the paper's number of rounds, to stand beside its table,
and Bradley-Terry with intervals over everything that was played. Searches run without shaping,
unless `with_potential` asks for both. As many simulations and games are played as the time allows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from statistics import mean
from typing import ClassVar, Literal

import torch
from pydantic import Field, field_validator

from stratagem.agents.spec import make_agent
from stratagem.backend.cores import available_cores
from stratagem.core.game import Game
from stratagem.core.record import GameRecord, format_record
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seed
from stratagem.evaluate.elo import elo_ratings
from stratagem.evaluate.matches import play_match
from stratagem.evaluate.measures import measure_games
from stratagem.evaluate.pairs import PairTask, play_pair
from stratagem.evaluate.reports import Report
from stratagem.evaluate.tournaments import (
    PairResult,
    Tournament,
    games_in_rounds,
    rated,
)
from stratagem.experiments.definition import Experiment, Table
from stratagem.experiments.exhibit import Part
from stratagem.experiments.findings import Compared
from stratagem.experiments.learning import caption
from stratagem.experiments.measuring import Bench, Row
from stratagem.experiments.tournament_report import add_game, add_measures, add_ranking
from stratagem.experiments.tournament_rows import (
    arm_means,
    growth_by_arm,
    measures_over_runs,
    over_runs,
)
from stratagem.experiments.training import TrainedArm


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
    by: Literal["time", "iterations"] = Field(
        "time", description="what a checkpoint's share is of; of the shortest arm's iterations"
    )
    with_potential: bool = Field(
        False, description="networks trained with a potential also play with it in the search"
    )
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
    """A network of a run that takes part."""

    name: str
    arm: str
    iteration: int
    checkpoint: str
    potential: float = 0.0  # weight of the game's potential in its search

    def spec(self, sims: int, root: str) -> str:
        shaped = f"&shaping={self.potential:g}" if self.potential else ""
        return f"mcts:{self.checkpoint}?sims={sims}&root={root}{shaped}"


@dataclass(frozen=True)
class Plan:
    """What fits into the time: simulations per decision and games of each pair."""

    sims: int
    games_per_pair: int


def measure(tables: Sequence[Settings], bench: Bench) -> list[Row]:
    """Every tournament: ranking, means of the arms and measures, over a round robin per seed."""
    return [_measure(number, table, bench) for number, table in enumerate(tables, start=1)]


def _measure(number: int, table: Settings, bench: Bench) -> Row:
    seeds = range(bench.experiment.seeds)
    models = {seed: pick_models(table, bench, seed) for seed in seeds}
    plan = Plan(**bench.once(f"plan_{number}", lambda: asdict(_plan(table, bench, models[0]))))
    bench.call.progress(
        f"tournament: {plan.games_per_pair} games per pair, {plan.sims} simulations per decision"
    )
    tournaments = _play_all(table, models, plan, bench)
    playing = _self_play(table, models, plan, bench)
    rankings = [rank(table, models[seed], tournaments[seed]) for seed in seeds]
    ranking = over_runs(rankings)
    best = next(row["model"] for row in ranking if row["arm"] is not None)
    return {
        "ranking": ranking,
        "arm_means": arm_means(ranking),
        "seeds": [{"agents": one.specs, "matrix": _rounded(one.matrix)} for one in tournaments],
        "games_per_pair": plan.games_per_pair,
        "anchor": tournaments[0].anchor,
        "sims": plan.sims,
        "measures": measures_over_runs(playing),
        "sample": playing[0][best]["sample"],
    }


def pick_models(table: Settings, bench: Bench, seed: int) -> list[Model]:
    """Each arm's networks of one seed at the checkpoints."""
    runs = [(arm, every[seed]) for arm, every in bench.arms(table)]
    last = min(one.rows[-1].iteration for _, one in runs) if table.by == "iterations" else None
    models = []
    for arm, one in runs:
        potential = _potential(one) if table.with_potential else 0.0
        for point in table.checkpoints:
            iteration = bench.iteration(one, point.share, last)
            folder = str(one.folder.step_folder(iteration))
            name = arm.name + point.label
            models.append(Model(name, arm.name, iteration, folder))
            if potential:
                models.append(Model(f"{name}+potential", arm.name, iteration, folder, potential))
    return models


def _potential(run: TrainedArm) -> float:
    """The weight of the potential that a run's values belong to."""
    values = run.folder.settings()
    in_search = values.get("search", {}).get("shaping", 0.0)
    return float(in_search or values.get("shaping", {}).get("target_weight", 0.0))


def _plan(table: Settings, bench: Bench, models: Sequence[Model]) -> Plan:
    """From a short match of each arm's last model with itself."""
    game, seed, began = bench.game, bench.call.seed, time.perf_counter()
    torch.set_num_threads(1)
    unit = _seconds_per_unit(game, models, table, seed) / available_cores()
    players, seeds = len(models) + len(table.agents), bench.experiment.seeds
    left = table.share * bench.call.budget_seconds - (time.perf_counter() - began)
    return make_plan(table, left / seeds, players * (players - 1) // 2, len(models), unit)


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


def _play_all(
    table: Settings, models: Mapping[int, Sequence[Model]], plan: Plan, bench: Bench
) -> list[Tournament]:
    """A round robin for each seed; all their pairs go to the cores together."""
    tasks: list[tuple[PairTask]] = []
    players = []
    for number, each in models.items():
        specs = {one.name: one.spec(plan.sims, table.root) for one in each}
        players.append(specs | {spec: spec for spec in table.agents})
        seed = derive_seed(bench.call.seed, "tournament", number)
        for (a, first), (b, second) in combinations(enumerate(players[-1].values()), 2):
            pair_seed = derive_seed(seed, "pair", a, b)
            pair = PairTask(bench.game.spec, (first, second), plan.games_per_pair, pair_seed)
            tasks.append((pair,))
    played = iter(bench.played("tournament", play_scores, tasks))
    return [
        rated(
            bench.game.spec, bench.call.seed, list(specs),
            [
                PairResult(a, b, tuple(next(played)["scores"]))
                for a, b in combinations(range(len(specs)), 2)
            ],
        )
        for specs in players
    ]  # fmt: skip


def play_scores(task: PairTask) -> Row:
    """The scores of one pair."""
    return {"scores": play_pair(task).scores}


def _self_play(
    table: Settings, models: Mapping[int, Sequence[Model]], plan: Plan, bench: Bench
) -> list[dict[str, Row]]:
    """For each seed: what is measured of every model's games against itself, and one of them."""
    jobs = [
        (bench.game.spec, one.spec(plan.sims, table.root), table.measured_games, bench.call.seed)
        for each in models.values()
        for one in each
    ]
    played = iter(bench.played("self_play", play_self, jobs))
    return [{one.name: next(played) for one in each} for each in models.values()]


def play_self(game_spec: str, spec: str, games: int, seed: int) -> Row:
    """Means of measures of a model against itself, and a typical game."""
    game = load_game(game_spec)
    agent = make_agent(spec, game)
    seed = derive_seed(seed, "measures")
    records = play_match(game, [agent] * game.num_seats, games, seed, keep=True).records
    measures: dict[str, float] = {}
    if game.rules.measures is not None:
        found = measure_games(game, records).by_agent
        measures = {
            name: one.mean
            for each in found.values()
            for name, one in each.items()
            if "/" not in name
        }
    return {"measures": measures, "sample": format_record(typical_game(records))}


def _seconds_per_unit(game: Game, models: Sequence[Model], table: Settings, seed: int) -> float:
    """Seconds per game and simulation, from a short match of each arm's last model with itself."""
    sims, games = min(table.least_sims, table.sims), table.games_per_pair
    last = {model.arm: model for model in models}
    seconds = []
    for model in last.values():
        agent = make_agent(model.spec(sims, table.root), game)
        play_match(game, [agent] * game.num_seats, 2, seed)  # the first calls compile
        began = time.perf_counter()
        play_match(game, [agent] * game.num_seats, games, derive_seed(seed, "pace"))
        seconds.append((time.perf_counter() - began) / (games * sims))
    return sum(seconds) / len(seconds)


def paper_elo(tournament: Tournament, rounds: int) -> dict[str, float]:
    """Sequential Elo over the first so many games of each pair, round by round."""
    first = [replace(pair, scores=pair.scores[:rounds]) for pair in tournament.pairs]
    ratings = elo_ratings(games_in_rounds(first), len(tournament.specs))
    return dict(zip(tournament.specs, ratings, strict=True))


def rank(table: Settings, models: Sequence[Model], tournament: Tournament) -> list[Row]:
    """One row per player of one seed, with the paper's row beside it."""
    by_name = {model.name: model for model in models}
    elo = paper_elo(tournament, table.games_per_pair)
    networks = [one.rating.rating for one in tournament.standings if one.spec in by_name]
    middle = mean(networks)
    rows: list[Row] = []
    for standing in tournament.standings:
        model = by_name.get(standing.spec)
        theirs = table.paper.row(standing.spec)
        rows.append(
            {
                "model": standing.spec,
                "arm": model and model.arm,
                "iteration": model and model.iteration,
                "elo": elo[standing.spec],
                "rating": standing.rating.rating,
                "low": standing.rating.low,
                "high": standing.rating.high,
                "above_mean": standing.rating.rating - middle,
                "score": standing.score,
                "games": standing.games,
                "paper_rank": theirs and theirs.rank,
                "paper_elo": theirs and theirs.elo,
            }
        )
    return rows


def compared(measured: Sequence[Row]) -> Iterator[Compared]:
    """Ratings above the mean of the seed's networks, model by model and by the arms' means."""
    for found in measured:
        rows = [row for row in found["ranking"] if row["arm"] is not None]
        values = {row["model"]: row["above_mean"] for row in rows}
        by_arm: dict[str, list[list[float]]] = {}
        for row in rows:
            by_arm.setdefault(row["arm"], []).append(row["above_mean"])
        means = {arm: [mean(x) for x in zip(*each, strict=True)] for arm, each in by_arm.items()}
        if len(means) < len(values):
            yield Compared("mean rating of an arm's networks", means, 1.0, "Elo")
        yield Compared("rating", values, 1.0, "Elo")
        growth = growth_by_arm(rows)
        if len(growth) > 1:
            yield Compared("rating of an arm's last network above its first", growth, 1.0, "Elo")
        for name, each in (found["measures"] or {}).items():
            known = {model: one["by_seed"] for model, one in each.items()}
            yield Compared(f"{name} in games against itself", known)


def typical_game(records: Sequence[GameRecord]) -> GameRecord:
    """The game of median length among those with a winner, else among all."""
    decided = [r for r in records if len(set(r.returns)) > 1] or list(records)
    return sorted(decided, key=lambda record: len(record.events))[len(decided) // 2]


def _rounded(matrix: Sequence[Sequence[float | None]]) -> list[list[float | None]]:
    return [[None if x is None else round(x, 3) for x in row] for row in matrix]


def report(
    page: Report, tables: Sequence[Settings], measured: Sequence[Row], experiment: Experiment
) -> None:
    """Ranking, means of the arms, a game of the best model and how all of them play."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        page.heading(table.title or caption(table.paper.table, "Ranking"))
        page.paragraph(
            f"Elo is sequential (K = 32, from 1500) over the first {table.games_per_pair} games of "
            f"each pair, as in the paper. The rating is Bradley-Terry over all "
            f"{found['games_per_pair']} games per pair, `{found['anchor']}` = 0. One round robin "
            f"per seed, averaged over {len(found['seeds'])}, with 95 % intervals over seeds (over "
            f"games if there is one). {found['sims']} simulations per decision, without shaping "
            f"unless the name says so. Iteration is the mean iteration of the model's networks. "
            f"{table.note}".rstrip()
        )
        add_ranking(page, found, f"tournament_{number}")
        add_game(page, found["sample"], caption(table.game_figure, "A game of the best model"),
                 f"gameplay_{number}")  # fmt: skip
        if found["measures"]:
            add_measures(page, found["measures"], table.measured_games)
