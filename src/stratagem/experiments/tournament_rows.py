"""Combines the tournaments of several seeds: means of ranks, growth and measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

from stratagem.experiments.findings import over_seeds
from stratagem.experiments.measuring import Row


def over_runs(rankings: Sequence[Sequence[Row]]) -> list[Row]:
    """Average the seeds' tournaments, ordered by sequential Elo as in the paper."""
    rows: list[Row] = []
    for lines in zip(*rankings, strict=True):
        first = lines[0]
        rating = over_seeds([one["rating"] for one in lines], (first["low"], first["high"]))
        rows.append(
            {
                **{key: first[key] for key in ("model", "arm", "paper_rank", "paper_elo")},
                "iteration": first["iteration"] and round(mean(one["iteration"] for one in lines)),
                "elo": round(mean(one["elo"] for one in lines), 1),
                "rating": round(rating["mean"], 1),
                "low": round(rating["low"], 1),
                "high": round(rating["high"], 1),
                "above_mean": [round(one["above_mean"], 1) for one in lines],
                "score": round(mean(one["score"] for one in lines), 4),
                "games": sum(one["games"] for one in lines),
            }
        )
    rows.sort(key=lambda row: -row["elo"])
    return [{"rank": number, **row} for number, row in enumerate(rows, start=1)]


def arm_means(ranking: Sequence[Row]) -> list[Row]:
    """Return mean ratings over an arm's models, from which the paper concludes."""
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


def growth_by_arm(rows: Sequence[Row]) -> dict[str, list[float]]:
    """Return by arm and seed how far the latest network's rating is above the earliest one's."""
    found = {}
    for arm in dict.fromkeys(row["arm"] for row in rows):
        mine = sorted((row for row in rows if row["arm"] == arm), key=lambda row: row["iteration"])
        if mine[0]["iteration"] < mine[-1]["iteration"]:
            pairs = zip(mine[-1]["above_mean"], mine[0]["above_mean"], strict=True)
            found[arm] = [last - first for last, first in pairs]
    return found


def measures_over_runs(playing: Sequence[Mapping[str, Row]]) -> dict[str, dict[str, Row]] | None:
    """[measure][model]: the mean over the seeds."""
    found: dict[str, dict[str, Row]] = {}
    for model in playing[0]:
        each = [seed[model]["measures"] for seed in playing]
        for name in each[0]:
            if all(name in one for one in each):
                found.setdefault(name, {})[model] = over_seeds([one[name] for one in each])
    return found or None
