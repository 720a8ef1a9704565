"""A run's scores against each of its opponents over time, as a matrix.

Iterations are grouped into spans, so that a long run has as many columns as a short one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from stratagem.runs.metrics import IterationMetrics

_SPANS = 12


@dataclass(frozen=True)
class Payoffs:
    """Rows are opponents in the order they were first met, columns are spans."""

    opponents: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]  # first and last iteration of each
    games: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[float | None, ...], ...]  # None: not met

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def payoffs_of(rows: Sequence[IterationMetrics], most_spans: int = _SPANS) -> Payoffs:
    """Return the matrix of a run; it is empty without opponents."""
    names = tuple(dict.fromkeys(name for row in rows for name in row.opponents))
    if not names:
        return Payoffs((), (), (), ())
    size = -(-len(rows) // most_spans)
    parts = [rows[first : first + size] for first in range(0, len(rows), size)]
    cells = [[_add(part, name) for part in parts] for name in names]
    return Payoffs(
        opponents=names,
        spans=tuple((part[0].iteration, part[-1].iteration) for part in parts),
        games=tuple(tuple(games for games, _ in line) for line in cells),
        scores=tuple(
            tuple(round(points / games, 4) if games else None for games, points in line)
            for line in cells
        ),
    )


def _add(rows: Sequence[IterationMetrics], name: str) -> tuple[int, float]:
    """Return (games, points) against an opponent in these iterations."""
    met = [row.opponents[name] for row in rows if name in row.opponents]
    return sum(one.games for one in met), sum(one.games * one.score for one in met)
