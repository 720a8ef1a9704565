"""The metrics of one iteration of a run, measured the same way by every algorithm.

A field that does not apply to an algorithm stays empty. What only one algorithm measures is in
`details`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

TOTAL = "total"  # the loss that is minimised, next to its parts
_CHECK = ', "check": "'
_LARGEST = 1e18  # largest meaningful number; also excludes infinity and NaN


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MeanOf(_Part):
    """A measure of play, averaged over games."""

    mean: float
    count: int = Field(ge=0)


class AnchorScore(_Part):
    """The score against a fixed opponent with its 95 % interval."""

    score: float = Field(ge=0, le=1)
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)
    games: int = Field(
        0, ge=0, description="games played; 0: an older run, which did not record it"
    )


class OpponentScore(AnchorScore):
    """The learner's score against an opponent in the games it learned from."""


class GateResult(_Part):
    """The games of an acceptance test."""

    accepted: bool
    games: int = Field(ge=0)
    score: float = Field(ge=0, le=1)
    reason: str


class IterationMetrics(_Part):
    """One line of a run's metrics."""

    iteration: int = Field(ge=1)
    seconds: float = Field(ge=0, description="since the run began, without pauses")
    progress: float = Field(ge=0, description="share of the budget used, 0 to 1")
    budget_seconds: float = Field(0.0, description="the budget, if it is a time budget")
    imitation: bool = Field(False, description="whether a teacher played its games")
    games: int = Field(ge=0, description="since the run began")
    decisions: int = Field(ge=0, description="since the run began")
    games_per_s: float = Field(description="in this iteration's games")
    decisions_per_s: float = Field(description="in this iteration's games")
    mean_plies: float | None = Field(None, description="mean over the games that ended")
    play_seconds: float
    train_seconds: float
    steps: int = Field(description="training steps in this iteration")
    learning_rate: float
    losses: dict[str, float] = Field(
        default={}, description="means by name, including `total`; empty: nothing was trained"
    )
    measures: dict[str, MeanOf] = Field(default={}, description="the game's own measures of play")
    accepted: bool = Field(True, description="whether this network now plays for the run")
    gate: GateResult | None = Field(None, description="the acceptance test, if there was one")
    anchors: dict[str, AnchorScore] = Field(default={}, description="by agent spec, when measured")
    opponents: dict[str, OpponentScore] = Field(
        default={}, description="by name: the other players in this iteration's games"
    )
    details: dict[str, Any] = Field(default={}, description="what only this algorithm measures")

    @property
    def loss(self) -> float | None:
        return self.losses.get(TOTAL)

    def as_line(self) -> str:
        """Return the row as text without a line ending; a checksum of the rest comes last."""
        body = json.dumps(self.model_dump(mode="json"))
        return f'{body[:-1]}{_CHECK}{_checksum(body)}"}}'


class MetricsLines(NamedTuple):
    """The contents of a run's metrics file."""

    rows: list[IterationMetrics]
    damaged: list[int]  # line numbers from 1, not counting a line still being written


def parse_metrics(data: bytes) -> MetricsLines:
    """Return the intact lines, in the order of their iterations."""
    rows: list[IterationMetrics] = []
    damaged = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines[:-1], 1):  # what follows the last line break is unfinished
        row = _parse_line(line)
        if row is None or (rows and row.iteration <= rows[-1].iteration):
            damaged.append(number)
        else:
            rows.append(row)
    return MetricsLines(rows, damaged)


def _parse_line(line: bytes) -> IterationMetrics | None:
    body, mark, check = line.rpartition(_CHECK.encode())
    if not mark or check != f'{_checksum((body + b"}").decode(errors="replace"))}"}}'.encode():
        return None
    try:
        row = IterationMetrics.model_validate_json(body + b"}")
    except ValidationError:
        return None
    return row if _is_sensible(row.model_dump(exclude={"details"})) else None


def _is_sensible(value: Any) -> bool:
    """Whether every number can be counted and drawn: a matching checksum guarantees nothing."""
    if isinstance(value, dict):
        return all(map(_is_sensible, value.values()))
    return not isinstance(value, int | float) or abs(value) <= _LARGEST


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def newest_anchors(rows: Sequence[IterationMetrics]) -> Mapping[str, AnchorScore]:
    """Return the last score against each fixed opponent."""
    found: dict[str, AnchorScore] = {}
    for row in rows:
        found |= row.anchors
    return found
