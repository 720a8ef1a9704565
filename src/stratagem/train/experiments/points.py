"""What an experiment file may ask to be averaged: measures of self-play games, e.g. points by side.

Our rows come from the last games that each arm's training played, and from scripted players that
play themselves; rows of papers and other programs are data beside them. Plays nothing itself.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PointsRow(_Part):
    """Somebody else's means, in the order of the table's measures."""

    who: str = Field(description="who played")
    source: str = Field("", description="where the numbers stand")
    games: int | None = Field(None, ge=1, description="how many games they are made of")
    means: tuple[float, ...]


class PointsTable(_Part):
    """Means of some measures, ours and theirs, and their curves along the training."""

    title: str = Field(description="heading in the report")
    note: str = Field("", description="a sentence below it")
    measures: tuple[str, ...] = Field(min_length=1, description="names that the game declares")
    games: int = Field(1000, ge=1, description="last games of each arm's self-play")
    agents: tuple[str, ...] = Field((), description="players that play themselves, for comparison")
    agent_games: int = Field(200, ge=2, description="games of each of them")
    rows: tuple[PointsRow, ...] = Field((), description="what others have measured")

    @model_validator(mode="after")
    def _a_number_each(self) -> PointsTable:
        for row in self.rows:
            if len(row.means) != len(self.measures):
                raise ValueError(f"{self.title}, {row.who}: give {len(self.measures)} means")
        return self
