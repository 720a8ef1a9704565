"""Runs, their metrics and checkpoints, and the leaderboard."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from stratagem.runs.metrics import IterationMetrics
from stratagem.web.schema.fields import Answer


class CheckpointInfo(Answer):
    """A checkpoint of a run; `spec` is its agent spec."""

    name: str
    spec: str
    iteration: int
    best: bool


class RunSummary(Answer):
    """A line in the list of runs."""

    name: str
    game: str
    algorithm: str
    preset: str
    seed: int | None
    started: str
    iterations: int
    seconds: float | None
    games: int | None
    decisions: int | None
    games_per_second: float | None
    decisions_per_second: float | None
    memory_bytes: int | None = Field(description="of the process that trains it, if known")
    progress: float = Field(description="share of the budget used, 0 to 1")
    seconds_left: float | None = Field(description="of a running run, if it can be estimated")
    anchors: dict[str, float] = Field(description="newest score against each fixed opponent")
    status: Literal["running", "finished", "stopped"]
    changed: str
    damage: str = Field("", description="what is wrong with its files; empty: nothing")


class GateDecision(Answer):
    """Whether a trained network was accepted."""

    iteration: int
    accepted: bool
    score: float | None
    low: float | None
    high: float | None
    games: int | None
    note: str = ""


class Measure(Answer):
    """Mean and 95 % interval of one measure of play."""

    agent: str
    name: str
    mean: float
    low: float
    high: float
    games: int


class RunPayoffs(Answer):
    """The learner's scores against each opponent of its population, over spans of iterations."""

    opponents: list[str]
    spans: list[tuple[int, int]] = Field(description="first and last iteration of each column")
    games: list[list[int]]
    scores: list[list[float | None]] = Field(description="null: not met")


class RunLog(Answer):
    """The end of a run's log, oldest line first."""

    lines: list[str]


class RunDetail(Answer):
    """One run: settings, every row of metrics, acceptance, checkpoints."""

    summary: RunSummary
    settings: dict[str, Any]
    metrics: list[IterationMetrics]
    gates: list[GateDecision]
    checkpoints: list[CheckpointInfo]
    games: list[str] = Field(description="names of the self-play games, newest first")
    payoffs: RunPayoffs


class RunMeasures(Answer):
    """Measures of the newest (and the first) self-play games."""

    measures: list[Measure]
    note: str = ""


class Rung(Answer):
    """A player of a ladder."""

    agent: str
    rating: float
    low: float = Field(description="lower end of the 95 % interval of its rating")
    high: float
    games: int


class RatedGame(Answer):
    """The ladder of a game and scenario, the strongest player first."""

    game: str
    anchor: str = Field(description="the agent whose rating is 0")
    date: str
    rungs: list[Rung]


class Leaderboard(Answer):
    """What was measured: the ladders of games that have one, and every match."""

    ladders: list[RatedGame] = Field(default_factory=list)
    rows: list[LeaderboardRow]


class LeaderboardRow(Answer):
    """One measured match: the first agent's score against the second."""

    game: str
    agent: str
    opponent: str
    games: int
    score: float
    low: float
    high: float
    date: str
    commit: str
    command: str
    training: dict[str, Any] | None = None
