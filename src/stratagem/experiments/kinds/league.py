"""Kind `league`: the arms of a `repeats` experiment play everybody against everybody, both seats.

Each arm is represented by its best run against a fixed opponent, as in the thesis on Catan. Every
pair plays with either of them in the first seat. Games are stored, so that the same call on the
same folder resumes. Missing runs are trained first, in the other experiment's folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path
from statistics import mean
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.core.settings import check_values
from stratagem.evaluate.bradley_terry import bradley_terry
from stratagem.evaluate.drawing.charts import Bar, draw_bars
from stratagem.evaluate.intervals import mean_interval, wilson
from stratagem.evaluate.reports import Cell, Report, with_interval
from stratagem.experiments.call import Call
from stratagem.experiments.exhibit import ExperimentFile, Part
from stratagem.experiments.files import experiment_values
from stratagem.experiments.findings import Compared
from stratagem.experiments.kinds import repeats
from stratagem.experiments.meetings import Arena, Meeting, Player
from stratagem.experiments.training import TrainedArm, agent_spec

_TRAINING_SHARE = 0.9  # of the budget; games are played however long they take

Pairs = Mapping[tuple[str, str], Sequence[float]]  # results of the player in the first seat


class PaperStanding(Part):
    """A line of the paper's table: games won out of those played in each position."""

    arm: str
    first: int = Field(description="won in the first position")
    second: int = Field(description="won in the second position")
    row: str = Field("", description="results in the first position, a cell for each of its arms")


class League(ExperimentFile):
    """A complete experiment file."""

    kind: Literal["league"]
    training: str = Field(description="game/file of the experiment whose runs take part")
    arms: tuple[str, ...] = Field(min_length=2, description="of that experiment")
    others: dict[str, str] = Field(
        default_factory=dict, description="label = agent spec of players without a run"
    )
    beyond: tuple[str, ...] = Field((), description="those of them that the paper does not have")
    scenario: str = Field("", description="that is played; empty: the one of the training")
    chosen_against: str = Field("random", description="who decides which run of an arm is its best")
    choosing_games: int = Field(100, ge=2, description="for that, of each run")
    games_per_pair: int = Field(100, ge=2, description="half in each position")
    paper_games_per_pair: int = Field(10, ge=2, description="the first of them, counted apart")
    paper: tuple[PaperStanding, ...] = ()
    figures: str = Field("", description="what the tables are called in the paper")

    @model_validator(mode="after")
    def _arms_differ(self) -> League:
        if len(set(self.members)) < len(self.members):
            raise ValueError("arms and others need different names")
        for name in self.beyond:
            if name not in self.arms:
                raise ValueError(f"there is no arm {name!r}")
        for row in self.paper:
            if row.arm not in self.paper_arms:
                raise ValueError(f"there is no arm {row.arm!r}")
            if row.row and len(row.row.split()) != len(self.paper_arms):
                raise ValueError(f"paper, {row.arm}: the row needs a cell for each of its arms")
        if self.paper_games_per_pair > self.games_per_pair:
            raise ValueError("paper_games_per_pair must not be above games_per_pair")
        return self

    @property
    def members(self) -> tuple[str, ...]:
        """All agents that take part."""
        return (*self.arms, *self.others)

    @property
    def paper_arms(self) -> tuple[str, ...]:
        return tuple(arm for arm in self.arms if arm not in self.beyond)


def read(name: str, values: Mapping[str, Any]) -> League:
    """Parse and check the file, and the experiment it builds on."""
    definition = check_values(League, {**values, "name": name}, f"experiment {name}")
    known = {arm.name for arm in _training(definition).arms}
    for arm in definition.arms:
        if arm not in known:
            raise BadSetting(f"experiment {name}: {definition.training} has no arm {arm!r}")
    return definition


def run(definition: League, call: Call) -> dict[str, Any]:
    """Train missing runs, choose the best, play."""
    training = _training(definition)
    folder = call.out.parent / training.name.replace("/", "-")
    deadline = call.began + _TRAINING_SHARE * call.budget_seconds
    trained = repeats.train_all(training, replace(call, out=folder), deadline)
    missing = set(definition.arms) - {one.arm.name for one in trained}
    if missing:
        raise BadSetting(f"no trained run of {', '.join(sorted(missing))}: use a larger --budget")
    spec = training.game_spec
    if definition.scenario:
        spec = training.spec_of(definition.scenario)
    arena = Arena(load_game(spec).spec, call)
    players = _best_runs(definition, trained, arena)
    for arm, found in players.items():
        against = f"{found['score']:.2f} against {definition.chosen_against}"
        call.progress(f"{arm}: {found['run']}, {against}")
    for label, spec in definition.others.items():
        players[label] = {"spec": spec, "iteration": 0, "scores": {}}
    pairs = _play_pairs(definition, players, arena)
    titles = {arm.name: arm.title or arm.name for arm in training.arms}
    titles |= {label: label for label in definition.others}
    return {"game": arena.game, **result_of(definition, titles, players, pairs)}


def compared(definition: League, result: Mapping[str, Any]) -> list[Compared]:
    """Return the scores of every run against the fixed opponent; a league has one run per arm."""
    values = {
        found["title"]: list(found["scores"].values())
        for found in result["players"].values()
        if found["scores"]
    }
    return [Compared(f"score against `{definition.chosen_against}`", values, 100.0,
                     "percentage points")]  # fmt: skip


def _training(definition: League) -> repeats.Repeats:
    return repeats.read(definition.training, experiment_values(definition.training))


def _best_runs(
    definition: League, trained: Sequence[TrainedArm], arena: Arena
) -> dict[str, dict[str, Any]]:
    """Return each arm's run with the best score against the fixed opponent, and all scores."""
    runs = [one for one in trained if one.arm.name in definition.arms]
    players = [Player(agent_spec(one), one.folder.latest()) for one in runs]
    opponent, count = Player(definition.chosen_against), definition.choosing_games
    played = arena.play("choose", [Meeting(one, opponent, count, "rotate") for one in players])
    best: dict[str, dict[str, Any]] = {
        arm: {"score": -1.0, "scores": {}} for arm in definition.arms
    }
    for one, player, games in zip(runs, players, played, strict=True):
        found, score = best[one.arm.name], sum(games) / len(games)
        run = one.folder.path.name
        found["scores"][run] = round(score, 4)
        if score > found["score"]:
            found |= {"run": run, **player._asdict(), "score": score}
    return best


def _play_pairs(
    definition: League, players: Mapping[str, Mapping[str, Any]], arena: Arena
) -> dict[tuple[str, str], list[float]]:
    """Return (first, second) -> results of the first position's player, game by game."""
    pairs = list(permutations(definition.members, 2))
    games = definition.games_per_pair // 2
    known = {arm: Player(found["spec"], found["iteration"]) for arm, found in players.items()}
    meetings = [Meeting(known[first], known[second], games, "fixed") for first, second in pairs]
    return dict(zip(pairs, arena.play("league", meetings), strict=True))


def result_of(
    definition: League,
    titles: Mapping[str, str],
    players: Mapping[str, Mapping[str, Any]],
    pairs: Pairs,
) -> dict[str, Any]:
    """Return everything that was measured, ready for JSON."""
    few = definition.paper_games_per_pair // 2
    short = {pair: results[:few] for pair, results in pairs.items()}
    return {
        "players": {arm: {**found, "title": titles[arm]} for arm, found in players.items()},
        "games_per_pair": definition.games_per_pair,
        "ranking": ranking(definition, pairs),
        "matrix": matrix(definition, pairs),
        "paper_games_per_pair": definition.paper_games_per_pair,
        "paper_ranking": ranking(definition, short),
        "paper_matrix": matrix(definition, short),
    }


def ranking(definition: League, pairs: Pairs) -> list[dict[str, Any]]:
    """Return one line per arm, by the share of games won, with the paper's beside it."""
    arms = definition.members
    points = np.zeros((len(arms), len(arms)))  # [N, N] score of row against column
    for (first, second), results in pairs.items():
        points[arms.index(first), arms.index(second)] += sum(results)
        points[arms.index(second), arms.index(first)] += len(results) - sum(results)
    ratings = bradley_terry(points, anchor=len(definition.arms) - 1)
    theirs = {row.arm: row for row in definition.paper}
    per_seat = (len(definition.paper_arms) - 1) * definition.paper_games_per_pair // 2
    rows = []
    for number, arm in enumerate(arms):
        as_first = [x for (one, _), results in pairs.items() if one == arm for x in results]
        as_second = [1 - x for (_, one), results in pairs.items() if one == arm for x in results]
        games = as_first + as_second
        won = sum(x == 1.0 for x in games)
        low, high = wilson(won / len(games), len(games))
        paper = theirs.get(arm)
        rows.append(
            {
                "arm": arm,
                "games": len(games),
                "won": won,
                "drawn": sum(x == 0.5 for x in games),
                "win_rate": round(won / len(games), 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "first": round(sum(x == 1.0 for x in as_first) / len(as_first), 4),
                "second": round(sum(x == 1.0 for x in as_second) / len(as_second), 4),
                "rating": round(ratings[number].rating, 1),
                "rating_low": round(ratings[number].low, 1),
                "rating_high": round(ratings[number].high, 1),
                "paper": paper and round((paper.first + paper.second) / (2 * per_seat), 4),
                "paper_first": paper and round(paper.first / per_seat, 4),
                "paper_second": paper and round(paper.second / per_seat, 4),
            }
        )
    rows.sort(key=lambda row: -float(str(row["win_rate"])))
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]


def matrix(definition: League, pairs: Pairs) -> list[list[str]]:
    """Row in the first seat, column in the second: games won by each."""
    return [
        [_cell(pairs[row, column]) if row != column else "x" for column in definition.members]
        for row in definition.members
    ]


def write(definition: League, result: Mapping[str, Any], page: Report) -> None:
    """Write the ranking and the matrix, at our number of games and at the paper's."""
    titles = {arm: found["title"] for arm, found in result["players"].items()}
    page.paragraph(
        f"Each agent is represented by the run that scored best in {definition.choosing_games} "
        f"games against `{definition.chosen_against}` (its score in parentheses): "
        + ", ".join(f"{titles[arm]} {found['run']} ({found['score']:.2f})"
                    for arm, found in result["players"].items() if found["scores"])
        + ". Percentages are games won; a game without a winner counts for neither player. "
        f"Ratings are Bradley-Terry on the Elo scale, with {titles[definition.arms[-1]]} at 0. "
        f"Intervals are 95 %."
    )  # fmt: skip
    for games, ranks, cells in (
        (result["games_per_pair"], result["ranking"], result["matrix"]),
        (result["paper_games_per_pair"], result["paper_ranking"], result["paper_matrix"]),
    ):
        _add_ranking(page, f"{games} games per pair", f"ranking_{games}", ranks, titles)
        page.heading(f"Results by pair, {games} games per pair")
        page.paragraph(
            "The agent of the row sits first. Each cell shows the games that the row and the "
            "column won."
        )
        _add_matrix(page, [titles[arm] for arm in definition.members], cells)
    page.heading(f"All runs against `{definition.chosen_against}`")
    page.paragraph(
        f"{definition.choosing_games} games each. The ranking above uses one run per agent."
    )
    page.table(
        ["agent", "mean", "runs"],
        [
            [titles[arm], _mean_score(found["scores"].values()),
             ", ".join(f"{score:.2f}" for score in found["scores"].values())]
            for arm, found in result["players"].items()
            if found["scores"]
        ],
    )  # fmt: skip
    if any(row.row for row in definition.paper):
        page.heading(f"The paper's {definition.figures or 'matrix'}")
        by_arm = {row.arm: row.row.split() for row in definition.paper}
        unknown = [""] * len(definition.paper_arms)
        theirs = [by_arm.get(arm) or unknown for arm in definition.paper_arms]
        _add_matrix(page, [titles[arm] for arm in definition.paper_arms], theirs)


def _add_ranking(
    page: Report,
    over: str,
    picture: str,
    ranks: Sequence[dict[str, Any]],
    titles: Mapping[str, str],
) -> None:
    page.heading(f"Ranking, {over}")
    page.table(
        ["rank", "agent", "won", "interval", "paper: won", "won in first seat", "paper: first",
         "won in second seat", "paper: second", "drawn", "rating", "interval"],
        [_ranking_row(row, titles) for row in ranks],
    )  # fmt: skip
    page.paragraph(_seat_words(ranks))
    page.figure(
        picture,
        f"Share of games won with 95 % intervals, {over}",
        partial(_draw_ranking, rows=ranks, titles=titles),
    )


def _add_matrix(page: Report, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    rows: list[list[Cell]] = [[head, *row] for head, row in zip(heads, cells, strict=True)]
    page.table(["", *heads], rows)


def _seat_words(ranks: Sequence[dict[str, Any]]) -> str:
    """Say how much the first seat is worth, over all games."""
    ours = _percent(mean(row["first"] for row in ranks))
    words = f"The first seat won {ours} of all games, the second "
    words += _percent(mean(row["second"] for row in ranks))
    theirs = [
        (row["paper_first"], row["paper_second"]) for row in ranks if row["paper"] is not None
    ]
    if theirs:
        first, second = (mean(column) for column in zip(*theirs, strict=True))
        words += f" (the paper: {_percent(first)} and {_percent(second)})"
    return words + "."


def _draw_ranking(file: Path, rows: Sequence[dict[str, Any]], titles: Mapping[str, str]) -> None:
    def percent(share: float | None) -> float | None:
        return None if share is None else 100 * share

    bars = [
        Bar(titles[row["arm"]], 100 * row["win_rate"], percent(row["low"]), percent(row["high"]),
            percent(row["paper"]))
        for row in rows
    ]  # fmt: skip
    draw_bars(bars, file, "games won, percent")


def _ranking_row(row: dict[str, Any], titles: Mapping[str, str]) -> list[Cell]:
    return [
        row["rank"], titles[row["arm"]], _percent(row["win_rate"]),
        f"{_percent(row['low'])} to {_percent(row['high'])}", _percent(row["paper"]),
        _percent(row["first"]), _percent(row["paper_first"]), _percent(row["second"]),
        _percent(row["paper_second"]), row["drawn"], f"{row['rating']:.0f}",
        f"{row['rating_low']:.0f} to {row['rating_high']:.0f}",
    ]  # fmt: skip


def _mean_score(scores: Iterable[float]) -> str:
    found = mean_interval(list(scores))
    return with_interval(found.mean, found.high, 2)


def _cell(results: Sequence[float]) -> str:
    return f"{sum(x == 1.0 for x in results)}-{sum(x == 0.0 for x in results)}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
