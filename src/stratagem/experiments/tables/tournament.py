"""Section `[tournament]`: networks from different times of the training meet, with fixed agents.

There are two ratings: Elo with K = 32 over the paper's number of rounds, for comparison with its
table, and Bradley-Terry with intervals over all games. Searches run without shaping, unless
`with_potential` asks for both. The time decides how many simulations and games are played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from statistics import mean
from typing import Literal

from pydantic import Field, field_validator

from stratagem.agents.spec import make_agent
from stratagem.backend.cores import available_cores
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
from stratagem.experiments.definition import Experiment
from stratagem.experiments.exhibit import Part
from stratagem.experiments.findings import Compared
from stratagem.experiments.learning import caption
from stratagem.experiments.measuring import Bench, Measuring, OwnGames, Row, Wanted
from stratagem.experiments.tournament_plan import (
    PACE_GAMES,
    Pace,
    Plan,
    SizedByTime,
    make_plan,
    pace,
)
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
    share: float = Field(gt=0, le=1, description="share of the arm's training time")


class PaperRow(Part):
    rank: int
    model: str
    elo: float


class Paper(Part):
    table: str = Field("", description="its number in the paper")
    models: tuple[PaperRow, ...] = ()

    def row(self, model: str) -> PaperRow | None:
        return next((row for row in self.models if row.model == model), None)


class Settings(SizedByTime):
    checkpoints: tuple[Checkpoint, ...] = Field(
        min_length=1, description="networks of each arm that take part"
    )
    root: Literal["puct", "gumbel"] = Field("puct", description="how roots choose their edges")
    agents: tuple[str, ...] = Field(("random",), description="who else takes part")
    by: Literal["time", "iterations"] = Field(
        "time", description="what a checkpoint's share is of; of the shortest arm's iterations"
    )
    with_potential: bool = Field(
        False, description="networks trained with a potential also play with it in the search"
    )
    game_figure: str = Field("", description="the number of a drawn game in the paper")
    game_arm: str = Field("", description="arm whose best model's game is drawn; empty: any arm")
    paper: Paper = Paper()

    @field_validator("checkpoints")
    @classmethod
    def _labels_differ(cls, checkpoints: tuple[Checkpoint, ...]) -> tuple[Checkpoint, ...]:
        if len({one.label for one in checkpoints}) < len(checkpoints):
            raise ValueError("checkpoints need different labels")
        return checkpoints


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


def measure(tables: Sequence[Settings], bench: Bench) -> Measuring[list[Row]]:
    """Run every tournament: ranking, means of the arms and measures, one round robin per seed."""
    seeds = range(bench.experiment.seeds)
    models = [[pick_models(table, bench, seed) for seed in seeds] for table in tables]
    found = yield [
        Wanted("pace", pace, [(one,) for one in _paces(table, each[0], bench)])
        for table, each in zip(tables, models, strict=True)
    ]
    entered = [
        Entered(table, each, _plan(table, each[0], rows, bench), bench)
        for table, each, rows in zip(tables, models, found, strict=True)
    ]
    for one in entered:
        bench.call.progress(
            f"tournament: {one.plan.games_per_pair} games per pair, {one.plan.sims} simulations "
            f"per decision"
        )
    played = yield [wanted for one in entered for wanted in one.wanted()]
    return [
        one.result(pairs, alone)
        for one, pairs, alone in zip(entered, played[::2], played[1::2], strict=True)
    ]


@dataclass(frozen=True)
class Entered:
    """One tournament: the players in each seed's round robin, and what they play."""

    table: Settings
    models: Sequence[Sequence[Model]]  # by seed
    plan: Plan
    bench: Bench

    def wanted(self) -> tuple[Wanted, Wanted]:
        """Return the pairs of every round robin, and every model against itself."""
        game, root = self.bench.game.spec, self.bench.call.seed
        pairs: list[tuple[PairTask]] = []
        for number, specs in enumerate(self.specs()):
            seed = derive_seed(root, "tournament", number)
            for (a, first), (b, second) in combinations(enumerate(specs.values()), 2):
                pair_seed = derive_seed(seed, "pair", a, b)
                task = PairTask(game, (first, second), self.plan.games_per_pair, pair_seed)
                pairs.append((task,))
        alone = [
            (OwnGames(game, self.spec(one), self.table.measured_games, root),)
            for each in self.models
            for one in each
        ]
        return Wanted("tournament", play_scores, pairs), Wanted("self_play", play_self, alone)

    def spec(self, model: Model) -> str:
        return model.spec(self.plan.sims, self.table.root)

    def specs(self) -> Iterator[dict[str, str]]:
        """Yield the players of every seed by name."""
        for each in self.models:
            yield {one.name: self.spec(one) for one in each} | {s: s for s in self.table.agents}

    def result(self, pairs: Sequence[Row], alone: Sequence[Row]) -> Row:
        """Return the tournament's result."""
        scores, playing = iter(pairs), iter(alone)
        tournaments = [
            rated(
                self.bench.game.spec, self.bench.call.seed, list(specs),
                [
                    PairResult(a, b, tuple(next(scores)["scores"]))
                    for a, b in combinations(range(len(specs)), 2)
                ],
            )
            for specs in self.specs()
        ]  # fmt: skip
        own = [{one.name: next(playing) for one in each} for each in self.models]
        rankings = [
            rank(self.table, each, found)
            for each, found in zip(self.models, tournaments, strict=True)
        ]
        ranking = over_runs(rankings)
        shown = shown_model(self.table, ranking)
        return {
            "ranking": ranking,
            "arm_means": arm_means(ranking),
            "seeds": [{"agents": one.specs, "matrix": _rounded(one.matrix)} for one in tournaments],
            "games_per_pair": self.plan.games_per_pair,
            "anchor": tournaments[0].anchor,
            "sims": self.plan.sims,
            "measures": measures_over_runs(own),
            "sample": own[0][shown]["sample"],
            "sample_model": shown,
        }


def shown_model(table: Settings, ranking: Sequence[Row]) -> str:
    """Return whose game is drawn: the best of the table's arm for it, else the best of all."""
    wanted = [row["model"] for row in ranking if row["arm"] and table.game_arm in ("", row["arm"])]
    return str(wanted[0])


def _paces(table: Settings, models: Sequence[Model], bench: Bench) -> list[Pace]:
    """Return the pace of each arm's last model."""
    sims = min(table.least_sims, table.sims)
    games = min(table.games_per_pair, PACE_GAMES)
    last = {model.arm: model.spec(sims, table.root) for model in models}
    return [Pace(bench.game.spec, spec, sims, games, bench.call.seed) for spec in last.values()]


def _plan(table: Settings, models: Sequence[Model], found: Sequence[Row], bench: Bench) -> Plan:
    """Return the plan, stored for this budget and these networks: resuming must not change it."""
    players, budget = len(models) + len(table.agents), bench.call.budget_seconds

    def find() -> Row:
        unit = mean(one["unit"] for one in found) / available_cores()
        seconds = table.share * budget / bench.experiment.seeds
        pairs = players * (players - 1) // 2
        return asdict(make_plan(table, seconds, pairs, len(models), unit))

    return Plan(**bench.once("plan", (table, budget, tuple(models)), find))


def pick_models(table: Settings, bench: Bench, seed: int) -> list[Model]:
    """Return each arm's networks of one seed at the checkpoints."""
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
    """Return the weight of the potential in a run's values."""
    values = run.folder.settings()
    in_search = values.get("search", {}).get("shaping", 0.0)
    return float(in_search or values.get("shaping", {}).get("target_weight", 0.0))


def play_scores(task: PairTask) -> Row:
    """Return the scores of one pair."""
    return {"scores": play_pair(task).scores}


def play_self(task: OwnGames) -> Row:
    """Return means of measures of a model against itself, and a typical game."""
    game = load_game(task.game)
    agent = make_agent(task.agent, game)
    seed = derive_seed(task.seed, "measures")
    records = play_match(game, [agent] * game.num_seats, task.games, seed, keep=True).records
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


def paper_elo(tournament: Tournament, rounds: int) -> dict[str, float]:
    """Compute sequential Elo over the first games of each pair, round by round."""
    first = [replace(pair, scores=pair.scores[:rounds]) for pair in tournament.pairs]
    ratings = elo_ratings(games_in_rounds(first), len(tournament.specs))
    return dict(zip(tournament.specs, ratings, strict=True))


def rank(table: Settings, models: Sequence[Model], tournament: Tournament) -> list[Row]:
    """Return one row per player of one seed, with the paper's row beside it."""
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
    """Yield ratings above the mean of the seed's networks, by model and by the arms' means."""
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
    """Return the game of median length among those with a winner, else among all."""
    decided = [r for r in records if len(set(r.returns)) > 1] or list(records)
    return sorted(decided, key=lambda record: len(record.events))[len(decided) // 2]


def _rounded(matrix: Sequence[Sequence[float | None]]) -> list[list[float | None]]:
    return [[None if x is None else round(x, 3) for x in row] for row in matrix]


def report(
    page: Report, tables: Sequence[Settings], measured: Sequence[Row], experiment: Experiment
) -> None:
    """Write the ranking, means of the arms, a game of the best model, and the measures."""
    for number, (table, found) in enumerate(zip(tables, measured, strict=True), start=1):
        page.heading(table.title or caption(table.paper.table, "Ranking"))
        page.paragraph(
            f"Elo is updated game by game (K = 32, from 1500) over the first "
            f"{table.games_per_pair} games of each pair, as in the paper. The rating is "
            f"Bradley-Terry over all {found['games_per_pair']} games per pair, with "
            f"`{found['anchor']}` at 0. Each seed has its own round robin; the table shows means "
            f"over {len(found['seeds'])}, with 95 % intervals over seeds (over games if there is "
            f"only one seed). Searches use {found['sims']} simulations per decision, without "
            f"shaping unless the name says so. The iteration is a mean over seeds too. "
            f"{table.note}".rstrip()
        )
        add_ranking(page, found, f"tournament_{number}")
        whose = (
            f"A game of {found['sample_model']}"
            if "sample_model" in found
            else ("A game of the best model")
        )
        add_game(page, found["sample"], caption(table.game_figure, whose), f"gameplay_{number}")
        if found["measures"]:
            add_measures(page, found["measures"], table.measured_games)
