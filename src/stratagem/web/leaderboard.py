"""Measured matches: leaderboard rows and ladders, from wherever this package finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import stratagem
from stratagem.core.reading import read_json
from stratagem.experiments.ladder import FOLDER as LADDER
from stratagem.experiments.ladder import read_ladders
from stratagem.experiments.publish import results_folder
from stratagem.web.schema import Leaderboard, LeaderboardRow, RatedGame, Rung, Strength

_TELLING_GAMES = 40  # fewer games say little, and are shown only if there is nothing else
_SHIPPED = Path(__file__).parent / "leaderboard"  # in an installed wheel
_CHECKOUT = Path(stratagem.__file__).resolve().parents[2] / "experiments" / "leaderboard"


def leaderboard_folder(chosen: Path | None) -> Path:
    """Return the folder of the rows: as chosen, in the package, or in the checkout."""
    if chosen is not None:
        return chosen
    return _SHIPPED if _SHIPPED.is_dir() else _CHECKOUT


def ladder_folder(chosen: Path | None) -> Path:
    """Return the folder of ladders: below the chosen one, in the package, or in the checkout."""
    if chosen is not None:
        return chosen / LADDER
    shipped = _SHIPPED.with_name(LADDER)
    return shipped if shipped.is_dir() else results_folder() / LADDER


def read_leaderboard(folder: Path, ladders: Path) -> Leaderboard:
    """Read every ladder and every row that can be read, strongest first.

    Pairs of ladders are rows, too. If a pair was measured twice, the one with more games counts.
    """
    rows = [row for file in sorted(folder.glob("*.json")) if (row := _read(file)) is not None]
    found = read_ladders(ladders)
    rows += [row for ladder in found for row in _pairs(ladder)]
    kept: dict[tuple[str, str, str], LeaderboardRow] = {}
    for row in rows:
        pair = (row.game, row.agent, row.opponent)
        if pair not in kept or kept[pair].games < row.games:
            kept[pair] = row
    order = sorted(kept.values(), key=lambda row: (row.game, row.opponent, -row.score))
    return Leaderboard(ladders=[_rated(ladder) for ladder in found], rows=order)


def rating_notes(ladders: Path, game: str) -> dict[str, str]:
    """Return what a game's ladder says about each of its players, in a few words."""
    return {
        one["agent"]: f"Rating {one['rating']['rating']:.0f} (95 %: {one['rating']['low']:.0f} to "
        f"{one['rating']['high']:.0f}), where {ladder['anchor']} has 0"
        for ladder in read_ladders(ladders)
        if ladder["game"] == game
        for one in ladder["agents"]
    }


def strength_of(leaderboard: Leaderboard, game: str, agent: str) -> list[Strength]:
    """Return the measurements of exactly this agent on this game, the hardest opponent first."""
    rows = [row for row in leaderboard.rows if row.game == game and row.agent == agent]
    telling = [row for row in rows if row.games >= _TELLING_GAMES] or rows
    return [
        Strength(
            opponent=row.opponent,
            games=row.games,
            score=row.score,
            low=row.low,
            high=row.high,
            command=row.command,
        )
        for row in sorted(telling, key=lambda row: row.score)
    ]


def _read(file: Path) -> LeaderboardRow | None:
    """Read a row; None if the file is not one (yet): rows are written while a server runs."""
    try:
        value: dict[str, Any] = read_json(file)
        low, high = value["wilson"]
        return LeaderboardRow(
            game=value["game"],
            agent=value["agent"],
            opponent=value["opponent"],
            games=value["games"],
            score=value["score"],
            low=low,
            high=high,
            date=value.get("date", ""),
            commit=value.get("commit", ""),
            command=value.get("command", ""),
            training=value.get("training"),
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _rated(ladder: dict[str, Any]) -> RatedGame:
    rungs = [
        Rung(agent=one["agent"], games=one.get("games", 0), **one["rating"])
        for one in ladder["agents"]
    ]
    rungs.sort(key=lambda rung: -rung.rating)
    return RatedGame(game=ladder["game"], anchor=ladder["anchor"], date=ladder["date"], rungs=rungs)


def _pairs(ladder: dict[str, Any]) -> list[LeaderboardRow]:
    """Return a ladder's pairs as rows, each from both sides."""
    rows = []
    for pair in ladder["pairs"]:
        low, high = pair["wilson"]
        sides = (
            (pair["first"], pair["second"], pair["score"], low, high),
            (pair["second"], pair["first"], 1.0 - pair["score"], 1.0 - high, 1.0 - low),
        )
        for agent, opponent, score, least, most in sides:
            rows.append(
                LeaderboardRow(
                    game=ladder["game"],
                    agent=agent,
                    opponent=opponent,
                    games=pair["games"],
                    score=score,
                    low=least,
                    high=most,
                    date=ladder["date"],
                    commit=ladder["commit"],
                    command=f"stratagem ladder {ladder['game']}",
                )
            )
    return rows
