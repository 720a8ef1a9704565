"""Battlefield scenarios: the fields of a scenario file, and the struct that `reset` reads."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from stratagem.core.scenario import Scenario
from stratagem.games.battlefield.state import MAX_SHRINK_EVERY, TEAM, TERMS

SCENARIO = np.dtype(
    [
        ("height", "u1"),
        ("width", "u1"),
        ("team_size", "u1"),
        ("obstacles", "u1"),
        ("health", "u1"),
        ("ammo", "u1"),
        ("shot_range", "u1"),
        ("damage", "u1"),
        ("hold_turns", "u1"),
        ("shrink_every", "u1"),
        ("weights", "f4", len(TERMS)),
        ("clip", "f4"),
    ]
)


class BattlefieldScenario(Scenario):
    height: int = Field(7, ge=5, le=15, description="rows of the board")
    width: int = Field(7, ge=5, le=15, description="columns of the board")
    team_size: int = Field(2, ge=1, le=TEAM, description="agents in each team")
    obstacles: int = Field(4, ge=0, le=200, description="obstacles, as many as fit")
    health: int = Field(2, ge=1, le=20, description="health points of a fresh agent")
    ammo: int = Field(6, ge=0, le=200, description="shots of a fresh agent")
    shot_range: int = Field(3, ge=1, le=14, description="cells that a shot crosses at most")
    damage: int = Field(1, ge=1, le=20, description="health points that a hit takes")
    hold_turns: int = Field(3, ge=1, le=100, description="own plies in a row on the goal to win")
    shrink_every: int = Field(
        6, ge=1, le=MAX_SHRINK_EVERY, description="rounds (both teams moved) between shrinks"
    )
    weight_health: float = Field(0.3, description="shaping: share of the team alive")
    weight_centre: float = Field(0.1, description="shaping: best agent's nearness to the goal")
    weight_goal: float = Field(0.1, description="shaping: mean nearness to the goal")
    weight_border: float = Field(0.05, description="shaping: rings away from the zone's edge")
    weight_threat: float = Field(0.05, description="shaping: agents that could hit an enemy")
    weight_cohesion: float = Field(0.05, description="shaping: teammates near each other")
    weight_focus: float = Field(0.05, description="shaping: teammates with the same nearest enemy")
    shaping_clip: float = Field(1.0, ge=0.0, le=1.0, description="bound of the shaping potential")

    @model_validator(mode="after")
    def _finite_weights(self) -> BattlefieldScenario:
        if not all(np.isfinite(self.weights())):
            raise ValueError("shaping weights must be finite numbers")
        return self

    def weights(self) -> list[float]:
        """The weights of the shaping terms, in the order of TERMS."""
        return [float(getattr(self, f"weight_{term}")) for term in TERMS]

    def pack(self) -> npt.NDArray[np.void]:
        packed = np.zeros(1, SCENARIO)
        for name in SCENARIO.names or ():
            if name not in ("weights", "clip"):
                packed[name] = getattr(self, name)
        packed["weights"] = self.weights()
        packed["clip"] = self.shaping_clip
        return packed
