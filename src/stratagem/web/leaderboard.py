"""Measured matches: the leaderboard's rows, wherever this package finds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import stratagem
from stratagem.web.schema import Leaderboard, LeaderboardRow, Strength

_SHIPPED = Path(__file__).parent / "leaderboard"  # in an installed wheel
_CHECKOUT = Path(stratagem.__file__).resolve().parents[2] / "experiments" / "leaderboard"


def leaderboard_folder(chosen: Path | None) -> Path:
    """Where the rows lie: as chosen, in the package, or in the checkout."""
    if chosen is not None:
        return chosen
    return _SHIPPED if _SHIPPED.is_dir() else _CHECKOUT


def read_leaderboard(folder: Path) -> Leaderboard:
    """Every row that can be read, strongest first within a game and opponent."""
    rows = [row for file in sorted(folder.glob("*.json")) if (row := _read(file)) is not None]
    return Leaderboard(rows=sorted(rows, key=lambda row: (row.game, row.opponent, -row.score)))


def strength_of(leaderboard: Leaderboard, game: str, agent: str) -> list[Strength]:
    """What was measured of exactly this agent on exactly this game."""
    return [
        Strength(
            opponent=row.opponent,
            games=row.games,
            score=row.score,
            low=row.low,
            high=row.high,
            command=row.command,
        )
        for row in leaderboard.rows
        if row.game == game and row.agent == agent
    ]


def _read(file: Path) -> LeaderboardRow | None:
    """A row; None if the file is not (yet) one: rows are written while a server runs."""
    try:
        value: dict[str, Any] = json.loads(file.read_text())
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
    except (OSError, ValueError, KeyError, TypeError):
        return None
