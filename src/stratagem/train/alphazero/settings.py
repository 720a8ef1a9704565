"""All settings of an AlphaZero run, in addition to those of every run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator

from stratagem.agents.search_limits import check_search
from stratagem.nets.engine import AnyPrecision, EngineSetting
from stratagem.search.settings import SearchSettings
from stratagem.train.sections import (
    MOST_AT_ONCE,
    MOST_WORKERS,
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
    slots: int = Field(128, ge=1, le=MOST_AT_ONCE, description="games played in parallel")
    workers: Threads = Field(
        0, ge=0, le=MOST_WORKERS, description="threads that share the slots; 0: one per core"
    )
    positions: int = Field(4096, ge=1, description="decisions per iteration")
    temperature: float = Field(
        1.0, ge=0, description="move selection temperature at the start of a game"
    )
    temperature_end: float = Field(0.25, ge=0, description="temperature after that")
    temperature_plies: int = Field(12, ge=0, description="plies over which the temperature falls")
    full_share: float = Field(
        1.0,
        gt=0,
        le=1,
        description="share of decisions with a full search; the policy learns only from those",
    )
    fast_sims: int = Field(8, ge=1, description="simulations for the other decisions")
    precision: AnyPrecision = Field(
        "auto",
        description="precision of the playing network; auto: bfloat16 if the processor supports it",
    )
    engine: EngineSetting = Field(
        "auto", description="inference engine; auto: openvino if it is installed, otherwise torch"
    )
    first_sims_share: float = Field(
        1.0,
        gt=0,
        le=1,
        description="simulations at the start of the run, as a share of search.sims",
    )


class AsynchronousSection(Section):
    """Applies only with `mode = "asynchronous"`."""

    rounds: int = Field(
        2, ge=1, description="number of rounds into which a worker splits its share of an iteration"
    )
    most_waiting: int = Field(
        2, ge=1, description="a worker pauses when this many of its finished rounds are waiting"
    )
    most_stale: int = Field(
        2, ge=1, description="skip rounds played by a network more than this many versions old"
    )


class ReplaySection(Section):
    capacity: int = Field(200_000, ge=1, description="maximum number of positions kept")
    growth: float = Field(
        0.5,
        gt=0,
        le=1,
        description="window size as a share of all positions so far, up to capacity",
    )
    minimum: int = Field(
        8_192,
        ge=1,
        description="smallest window; learning starts after this many positions, or one iteration",
    )


class ImitationSection(Imitation):
    positions: int = Field(16_384, ge=1, description="decisions per imitation iteration")
    explore: float = Field(
        0.1,
        ge=0,
        lt=1,
        description="share of moves played at random; the teacher's move is still the target",
    )


class OpponentSection(Opponents):
    past_sims: int = Field(
        0, ge=0, description="simulations for an earlier network; 0: same as the run's own"
    )
    past_temperature: float = Field(
        0.25, ge=0, description="temperature for an earlier network's moves"
    )


class LearningSection(ScheduledLearning):
    replay_ratio: float = Field(
        4.0, gt=0, description="how many times each new position is trained on, on average"
    )
    score_weight: float = Field(
        0.25,
        ge=0,
        description="weight of predicted final points in the loss, if the network predicts them",
    )
    score_scale: float = Field(100.0, gt=0, description="points that count as 1 in that term")
    search_value_share: float = Field(
        0.3, ge=0, le=1, description="share of the search's root value in the value target"
    )
    symmetries: bool = Field(True, description="train on a random mirror image of each position")
    precision: AnyPrecision = Field(
        "auto", description="precision of the forward and backward pass; weights are always float32"
    )


class ShapingSection(Section):
    target_weight: float = Field(
        0.0, ge=0, description="weight of shaping in the value targets; 0: none"
    )
    discount: float = Field(1.0, gt=0, le=1, description="gamma of the shaping terms")


class GateSection(Section):
    mode: Literal["always", "threshold", "sprt"] = Field(
        "always", description="when a trained network replaces the one that plays"
    )
    games: int = Field(
        40, ge=2, le=MOST_AT_ONCE, description="games in a threshold test; maximum games in an SPRT"
    )
    threshold: float = Field(0.55, ge=0, le=1, description="score required by a threshold test")
    p0: float = Field(0.50, gt=0, lt=1, description="SPRT: score of a network that is no better")
    p1: float = Field(0.55, gt=0, lt=1, description="SPRT: score of one worth accepting")
    alpha: float = Field(0.05, gt=0, lt=0.5, description="SPRT: probability of accepting at p0")
    beta: float = Field(0.05, gt=0, lt=0.5, description="SPRT: probability of rejecting at p1")
    pool: int = Field(
        3, ge=1, description="number of last accepted networks that a candidate plays"
    )
    wilson_threshold: float = Field(
        0.50, ge=0, le=1, description="required lower Wilson bound if the SPRT reaches no verdict"
    )
    sims: int = Field(32, ge=1, description="simulations per decision in the test games")
    every: int = Field(1, ge=1, description="iterations between tests")

    @model_validator(mode="after")
    def _hypotheses_differ(self) -> GateSection:
        if self.p0 >= self.p1:
            raise ValueError(f"p0 {self.p0} must be below p1 {self.p1}")
        return self


class Settings(RunSettings):
    """All settings of an AlphaZero run."""

    algorithm: Literal["alphazero"] = Field("alphazero", description="training algorithm")
    extra_scenarios: tuple[str, ...] = Field(
        (), description="further scenarios of the same game to train on in the same run"
    )
    mode: Literal["sequential", "asynchronous"] = Field(
        "sequential",
        description="asynchronous: self-play continues while the network learns",
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

    @field_validator("search")
    @classmethod
    def _search_can_be_kept(cls, search: SearchSettings) -> SearchSettings:
        return check_search(search)

    @property
    def full_search(self) -> SearchSettings:
        """The search of this run, including how finished games are valued."""
        return self.search.model_copy(update=self.outcome.model_dump())
