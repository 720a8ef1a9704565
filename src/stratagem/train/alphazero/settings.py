"""Every setting of an AlphaZero run, on top of those that every run has."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from stratagem.nets.engine import EngineSetting
from stratagem.search.settings import SearchSettings
from stratagem.train.sections import (
    Imitation,
    Network,
    Opponents,
    Outcome,
    ScheduledLearning,
    Section,
    Threads,
)
from stratagem.train.settings import RunSettings


class SelfPlaySection(Section):
    slots: int = Field(128, ge=1, description="games played side by side")
    workers: Threads = Field(0, ge=0, description="threads that share the slots; 0: one per core")
    positions: int = Field(4096, ge=1, description="decisions per iteration")
    temperature: float = Field(1.0, ge=0, description="of the visits, at the first plies")
    temperature_end: float = Field(0.25, ge=0, description="afterwards")
    temperature_plies: int = Field(12, ge=0, description="plies until it has fallen")
    full_share: float = Field(
        1.0,
        gt=0,
        le=1,
        description="share of decisions searched fully; only those teach the policy",
    )
    fast_sims: int = Field(8, ge=1, description="simulations of the other decisions")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="of the playing network; auto: bfloat16 where the processor has it"
    )
    engine: EngineSetting = Field(
        "auto", description="that computes it; auto: openvino where it is installed, else torch"
    )
    first_sims_share: float = Field(
        1.0,
        gt=0,
        le=1,
        description="simulations at the start of the run, as a share of search.sims",
    )


class AsynchronousSection(Section):
    """Of `mode = "asynchronous"`."""

    rounds: int = Field(2, ge=1, description="parts in which a worker plays its iteration's share")
    most_waiting: int = Field(
        2, ge=1, description="finished rounds of a worker that may wait; then the worker waits"
    )
    most_stale: int = Field(
        2, ge=1, description="networks that may be newer than the one that played a round"
    )


class ReplaySection(Section):
    capacity: int = Field(200_000, ge=1, description="positions kept at the most")
    growth: float = Field(
        0.5, gt=0, le=1, description="window = this share of all positions so far, up to capacity"
    )
    minimum: int = Field(
        8_192,
        ge=1,
        description="smallest window; training waits for so many, or for one iteration's worth",
    )


class ImitationSection(Imitation):
    positions: int = Field(16_384, ge=1, description="decisions of each of its iterations")
    explore: float = Field(
        0.1, ge=0, lt=1, description="share of moves played at random; the teacher's is learned"
    )


class OpponentSection(Opponents):
    past_sims: int = Field(
        0, ge=0, description="simulations of an earlier network; 0: as many as the run's own"
    )
    past_temperature: float = Field(
        0.25, ge=0, description="of the visits, when an earlier network chooses its move"
    )


class LearningSection(ScheduledLearning):
    replay_ratio: float = Field(
        4.0, gt=0, description="times each new position is trained on, on average"
    )
    score_weight: float = Field(
        0.25, ge=0, description="of predicted final points in the loss, where a network has them"
    )
    score_scale: float = Field(100.0, gt=0, description="points that count as one there")
    search_value_share: float = Field(
        0.3, ge=0, le=1, description="share of the search's root value in the value target"
    )
    symmetries: bool = Field(True, description="show each position in a random mirror image")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="of the forward and backward pass; weights are float32 always"
    )


class ShapingSection(Section):
    target_weight: float = Field(0.0, ge=0, description="shaping of value targets; 0: none")
    discount: float = Field(1.0, gt=0, le=1, description="gamma of the shaping terms")


class GateSection(Section):
    mode: Literal["always", "threshold", "sprt"] = Field(
        "always", description="when a trained network replaces the one that plays"
    )
    games: int = Field(40, ge=2, description="games of a threshold test; the cap of an SPRT")
    threshold: float = Field(0.55, ge=0, le=1, description="score that a threshold test asks for")
    p0: float = Field(0.50, gt=0, lt=1, description="SPRT: score of a network that is no better")
    p1: float = Field(0.55, gt=0, lt=1, description="SPRT: score of one worth accepting")
    alpha: float = Field(0.05, gt=0, lt=0.5, description="SPRT: chance to accept at p0")
    beta: float = Field(0.05, gt=0, lt=0.5, description="SPRT: chance to reject at p1")
    pool: int = Field(3, ge=1, description="last accepted networks that a candidate meets")
    wilson_threshold: float = Field(0.50, ge=0, le=1, description="fallback: the lower bound's bar")
    sims: int = Field(32, ge=1, description="simulations per decision in the test games")
    every: int = Field(1, ge=1, description="iterations between tests")

    @model_validator(mode="after")
    def _hypotheses_differ(self) -> GateSection:
        if self.p0 >= self.p1:
            raise ValueError(f"p0 {self.p0} must be below p1 {self.p1}")
        return self


class Settings(RunSettings):
    """A whole AlphaZero run."""

    algorithm: Literal["alphazero"] = Field("alphazero", description="how to learn")
    extra_scenarios: tuple[str, ...] = Field(
        (), description="further scenarios of the same game, played and learned side by side"
    )
    mode: Literal["sequential", "asynchronous"] = Field(
        "sequential",
        description="asynchronous: self-play goes on while the network learns from what was there",
    )
    asynchronous: AsynchronousSection = AsynchronousSection()
    network: Network = Network()
    search: SearchSettings = SearchSettings(sims=32)
    selfplay: SelfPlaySection = SelfPlaySection()
    replay: ReplaySection = ReplaySection()
    learning: LearningSection = LearningSection()
    imitation: ImitationSection = ImitationSection()
    opponents: OpponentSection = OpponentSection()
    outcome: Outcome = Outcome()
    shaping: ShapingSection = ShapingSection()
    gate: GateSection = GateSection()

    @model_validator(mode="after")
    def _one_place_for_the_margin(self) -> Settings:
        if self.search.margin_share:
            raise ValueError("search.margin_share: set outcome.margin_share instead")
        return self

    @property
    def full_search(self) -> SearchSettings:
        """The search of this run, with what a finished game is worth."""
        return self.search.model_copy(update=self.outcome.model_dump())
