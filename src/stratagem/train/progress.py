"""How far a run is, whatever its algorithm; an algorithm adds what else must outlive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from stratagem.core.scenario import explain
from stratagem.train.settings import RunSettings


@dataclass
class RunProgress:
    """What a run has done so far; saved with every checkpoint."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    iteration: int = 0
    seconds: float = 0.0
    decisions: int = 0
    games: int = 0
    anchors_played: int = 0
    anchor_seconds: float = 0.0  # that fixed opponents took so far
    anchor_rates: dict[str, float] = field(default_factory=dict)  # seconds of a game, by opponent
    iteration_seconds: float = 0.0  # of the last iteration, without compiling and anchors
    ended_budget: float = 0.0  # the budget in which no other iteration fitted; 0: one may
    pool: list[int] = field(default_factory=list)  # iterations whose networks are opponents
    # By opponent: games and points against it; older ones count less.
    standings: dict[str, list[float]] = field(default_factory=dict)

    def share(self, settings: RunSettings) -> float:
        """How much of the budget is used, 0 to 1; what is too short for an iteration counts."""
        used = [0.0]
        if 0.0 < settings.budget_seconds <= self.ended_budget:
            return 1.0
        if settings.budget_seconds:
            used.append(self.seconds / settings.budget_seconds)
        if settings.iterations:
            used.append(self.iteration / settings.iterations)
        return min(1.0, max(used))


P = TypeVar("P", bound=RunProgress)


def read_progress(kind: type[P], values: Mapping[str, Any]) -> P:
    """A progress from a file; what no run can have reached is a ValueError."""
    try:
        found = TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        raise ValueError(f"progress: {explain(error)}") from None
    if not _counts(vars(found)):
        raise ValueError("a number in its progress is below zero")
    if not all(1 <= iteration <= found.iteration for iteration in found.pool):
        raise ValueError("its pool names an iteration that there was not")
    for name, games_and_points in found.standings.items():
        if len(games_and_points) != 2:
            raise ValueError(f"its standing against {name[:80]!r} is not games and points")
    return found


def _counts(value: Any) -> bool:
    """Whether no number in there is below zero."""
    if isinstance(value, dict | list):
        return all(map(_counts, value.values() if isinstance(value, dict) else value))
    return bool(value >= 0)
