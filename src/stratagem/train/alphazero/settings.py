"""Every dial of an AlphaZero run, on top of those that every run has."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from stratagem.search.settings import SearchSettings
from stratagem.train.settings import RunSettings, Section


class NetworkSection(Section):
    kind: str = Field("cnn", description="see stratagem.nets.kinds")
    settings: dict[str, Any] = Field(default_factory=dict, description="the network's own dials")
    encoding: str = Field("", description="an encoding of the game; empty: its first")
    encoding_options: dict[str, int] = Field(
        default_factory=dict, description="options of that encoding"
    )


class SelfPlaySection(Section):
    slots: int = Field(128, ge=1, description="games played side by side")
    workers: int = Field(2, ge=1, description="threads that share the slots")
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
    first_sims_share: float = Field(
        1.0,
        gt=0,
        le=1,
        description="simulations at the start of the run, as a share of search.sims",
    )
    sparring: str = Field(
        "", description="agent spec of a partner who takes one seat in some games; empty: none"
    )
    sparring_share: float = Field(0.0, ge=0, le=1, description="share of games with the partner")

    @model_validator(mode="after")
    def _partner_and_share(self) -> SelfPlaySection:
        if bool(self.sparring) != bool(self.sparring_share):
            raise ValueError("set both sparring and sparring_share, or neither")
        return self


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


class ImitationSection(Section):
    """The first iterations of a run can learn from a teacher instead of the run's own search."""

    agent: str = Field("", description="agent spec of the teacher, e.g. scripted; empty: none")
    iterations: int = Field(0, ge=0, description="iterations that the teacher plays")
    positions: int = Field(16_384, ge=1, description="decisions of each of them")
    explore: float = Field(
        0.1, ge=0, lt=1, description="share of moves played at random; the teacher's is learned"
    )

    @model_validator(mode="after")
    def _both_or_none(self) -> ImitationSection:
        if bool(self.agent) != bool(self.iterations):
            raise ValueError("set both imitation.agent and imitation.iterations, or neither")
        return self


class LearnSection(Section):
    batch: int = Field(256, ge=1, description="positions of a training step")
    passes: float = Field(
        4.0, gt=0, description="times each new position is trained on, on average"
    )
    rate: float = Field(2e-3, gt=0, description="peak learning rate of AdamW")
    rate_end: float = Field(1e-4, gt=0, description="learning rate at the end of the budget")
    weight_decay: float = Field(1e-4, ge=0, description="c of the loss")
    gradient_clip: float = Field(5.0, gt=0, description="largest norm of a step's gradient")
    value_weight: float = Field(1.0, ge=0, description="of the value term in the loss")
    score_weight: float = Field(
        0.25, ge=0, description="of predicted final points in the loss, where a network has them"
    )
    score_scale: float = Field(100.0, gt=0, description="points that count as one there")
    search_value_share: float = Field(
        0.3, ge=0, le=1, description="share of the search's root value in the value target"
    )
    average_decay: float = Field(
        0.99, ge=0, lt=1, description="running average of weights that plays; 0: the raw weights"
    )
    symmetries: bool = Field(True, description="show each position in a random mirror image")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="of the forward and backward pass; weights are float32 always"
    )
    threads: int = Field(2, ge=1, description="that share a batch of training")


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
    also: tuple[str, ...] = Field(
        (), description="further scenarios of the same game, played and learned side by side"
    )
    mode: Literal["sequential", "asynchronous"] = Field(
        "sequential",
        description="asynchronous: self-play goes on while the network learns from what was there",
    )
    network: NetworkSection = NetworkSection()
    search: SearchSettings = SearchSettings(sims=32)
    selfplay: SelfPlaySection = SelfPlaySection()
    replay: ReplaySection = ReplaySection()
    learn: LearnSection = LearnSection()
    imitation: ImitationSection = ImitationSection()
    shaping: ShapingSection = ShapingSection()
    gate: GateSection = GateSection()
