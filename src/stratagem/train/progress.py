"""How far a run has come, for all algorithms; an algorithm adds what else must be saved."""

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
    anchor_seconds: float = 0.0  # spent on fixed opponents so far
    anchor_rates: dict[str, float] = field(default_factory=dict)  # seconds per game, by opponent
    iteration_seconds: float = 0.0  # the last iteration, without compiling and anchors
    ended_budget: float = 0.0  # the budget in which no further iteration fits; 0: one may fit
    pool: list[int] = field(default_factory=list)  # iterations whose networks are opponents
    # By opponent: games and points against it; older results count less.
    standings: dict[str, list[float]] = field(default_factory=dict)

    def share(self, settings: RunSettings) -> float:
        """Return how much of the budget is used, 0 to 1; 1 if no further iteration fits."""
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
    """Load a progress from a file; impossible values raise a ValueError."""
    try:
        found = TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        raise ValueError(f"progress: {explain(error)}") from None
    if not _counts(vars(found)):
        raise ValueError("its progress contains a negative number")
    if not all(1 <= iteration <= found.iteration for iteration in found.pool):
        raise ValueError("its pool names an iteration that does not exist")
    for name, games_and_points in found.standings.items():
        if len(games_and_points) != 2:
            raise ValueError(f"its record against {name[:80]!r} is not games and points")
    return found


def _counts(value: Any) -> bool:
    """Whether every number in there is zero or more."""
    if isinstance(value, dict | list):
        return all(map(_counts, value.values() if isinstance(value, dict) else value))
    return bool(value >= 0)
