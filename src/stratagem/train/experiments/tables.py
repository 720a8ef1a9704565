"""What an experiment file may ask to be counted: results against fixed opponents, seat by seat.

A rate table plays every chosen arm's last network; a rate curve plays networks from along the
training. The paper's own percentages are data beside ours. Plays nothing itself.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator

MODEL = "{model}"  # stands for a checkpoint in an agent spec


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PaperRate(_Part):
    """A cell of the paper's table, in percent."""

    agent: str = Field(description="label of the agent")
    player: int = Field(ge=1, description="seat, counted from 1")
    win: float = Field(ge=0, le=100)
    draw: float = Field(0.0, ge=0, le=100)
    loss: float = Field(0.0, ge=0, le=100)
    arm: str = Field("", description="of this arm only; empty: of every arm")
    scenario: str = Field("", description="of this scenario only; empty: of every scenario")


class _Rates(_Part):
    title: str = Field(description="heading in the report")
    opponent: str = Field(description="agent spec of who is met")
    agents: dict[str, str] = Field(
        min_length=1, description="label = agent spec, in which {model} stands for the network"
    )
    players: tuple[int, ...] = Field((1, 2), min_length=1, description="seats, counted from 1")
    arms: tuple[str, ...] = Field((), description="whose networks; empty: all")

    @field_validator("agents")
    @classmethod
    def _name_the_model(cls, agents: dict[str, str]) -> dict[str, str]:
        for label, spec in agents.items():
            if MODEL not in spec:
                raise ValueError(f"agent {label!r}: write {MODEL} where the network belongs")
        return agents

    def has_arm(self, arm: str) -> bool:
        return not self.arms or arm in self.arms


class RateTable(_Rates):
    """Wins, draws and losses of every arm, agent, scenario and seat."""

    note: str = Field("", description="a sentence below it")
    scenarios: tuple[str, ...] = Field(
        (), description="boards to play on, by name; empty: the arm's own"
    )
    games: int = Field(250, ge=1, description="of each cell")
    axis: str = Field("", description="name of what changes along the scenarios: draws a figure")
    paper: tuple[PaperRate, ...] = Field((), description="what the paper has")

    def paper_rate(self, arm: str, scenario: str, agent: str, player: int) -> PaperRate | None:
        """The paper's cell, if it has one."""
        for cell in self.paper:
            fits = cell.arm in ("", arm) and cell.scenario in ("", scenario)
            if fits and (cell.agent, cell.player) == (agent, player):
                return cell
        return None


class RateCurves(_Rates):
    """Shares of wins and draws along the training, one figure per seat."""

    games: int = Field(100, ge=1, description="of each point")
    points: int = Field(8, ge=1, description="networks, spread evenly over the training time")
