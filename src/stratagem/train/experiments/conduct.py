"""What an experiment file may ask about how networks play: results, points and measures together.

Each arm's last network meets opponents in every seat in turn; agents that need no network can be
put beside it. Measures are those that the game declares. Plays nothing itself.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator

from stratagem.train.experiments.tables import MODEL


class ConductTable(BaseModel):
    """One row per arm, agent, scenario and opponent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = Field(description="heading in the report")
    note: str = Field("", description="a sentence below it")
    agents: dict[str, str] = Field(
        default_factory=dict,
        description="label = agent spec, in which {model} stands for the network of an arm",
    )
    others: dict[str, str] = Field(
        default_factory=dict, description="label = agent spec of players without a network"
    )
    opponents: tuple[str, ...] = Field(min_length=1, description="who sits in all other seats")
    arms: tuple[str, ...] = Field((), description="whose networks; empty: all")
    scenarios: tuple[str, ...] = Field((), description="by name; empty: the arm's own")
    games: int = Field(100, ge=2, description="of each row, the seats taken in turn")
    measures: tuple[str, ...] = Field((), description="of the agent's seat, or of the whole game")
    by_side: tuple[str, ...] = Field(
        (), description="measures NAME/SIDE as the agent led it, a table with a column per side"
    )
    series: tuple[str, ...] = Field(
        (), description="measures NAME/SIDE/rN as the agent led it, drawn over N"
    )

    @field_validator("agents")
    @classmethod
    def _name_the_model(cls, agents: dict[str, str]) -> dict[str, str]:
        for label, spec in agents.items():
            if MODEL not in spec:
                raise ValueError(f"agent {label!r}: write {MODEL} where the network belongs")
        return agents

    def has_arm(self, arm: str) -> bool:
        return not self.arms or arm in self.arms
