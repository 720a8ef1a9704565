"""All settings of a PPO run, in addition to those of every run."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from stratagem.nets.engine import AnyPrecision, EngineSetting
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


class PlaySection(Section):
    games: int = Field(256, ge=1, le=MOST_AT_ONCE, description="whole games per iteration")
    decisions: int = Field(
        0, ge=0, description="approximate decisions per iteration, which sets the number of games "
        "after the first iteration; 0: always `games`",
    )  # fmt: skip
    workers: Threads = Field(
        0, ge=0, le=MOST_WORKERS, description="threads that share the games; 0: one per core"
    )
    sequence: int = Field(
        8, ge=1, description="maximum decisions from one encoding; 1: encode every position"
    )
    renew: float = Field(
        0.25,
        ge=0,
        le=1,
        description="probability of re-encoding before the sequence is full, as agents and "
        "searches do",
    )
    precision: AnyPrecision = Field(
        "float32",
        description="precision of the playing network; auto: bfloat16 if the processor supports it",
    )
    engine: EngineSetting = Field(
        "auto", description="inference engine; auto: openvino if it is installed, otherwise torch"
    )


class OpponentSection(Opponents):
    self_play: float = Field(0.3, ge=0, description="weight of the network as its own opponent")
    past: float = Field(0.2, ge=0, description="weight of earlier networks of the run")
    every: int = Field(10, ge=1, description="add a network to the pool every this many iterations")

    @model_validator(mode="after")
    def _own_decisions(self) -> OpponentSection:
        if self.learn_from_opponents != "values":
            raise ValueError("learn_from_opponents: ppo learns from its own decisions only")
        return self


class OutcomeSection(Outcome):
    margin_share: float = Field(
        0.5, ge=0, le=1, description="share of the point margin in a game's value"
    )
    margin_scale: float = Field(
        20.0, gt=0, description="lead over the others' mean that counts as tanh(1), about 0.76"
    )
    trace: float = Field(0.95, ge=0, le=1, description="lambda of generalised advantage estimation")
    points_weight: float = Field(
        0.0,
        ge=0,
        le=1,
        description="weight of points scored soon afterwards in the advantage of a decision",
    )
    points_horizon: float = Field(
        30.0, gt=0, description="number of decision sequences after which such points count 1/e"
    )


class LearningSection(ScheduledLearning):
    batch_size: int = Field(
        1024, ge=1, le=MOST_AT_ONCE, description="approximate number of decisions per training step"
    )
    epochs: int = Field(2, ge=1, description="number of passes over the games of an iteration")
    learning_rate: float = Field(3e-4, gt=0, description="peak learning rate of AdamW")
    learning_rate_end: float = Field(
        5e-5, gt=0, description="learning rate at the end of the budget"
    )
    gradient_clip: float = Field(1.0, gt=0, description="maximum gradient norm")
    clip: float = Field(0.2, gt=0, description="clip range of the probability ratio")
    stop_divergence: float = Field(
        0.03, gt=0, description="end the iteration at this mean divergence from the old policy"
    )
    entropy: float = Field(0.01, ge=0, description="entropy bonus at the start")
    entropy_end: float = Field(0.001, ge=0, description="entropy bonus at the end of the budget")
    value_weight: float = Field(0.5, ge=0, description="weight of the value term in the loss")
    average_decay: float = Field(
        0.95,
        ge=0,
        lt=1,
        description="decay of the running average of weights that is saved and measured",
    )


class ImitationSection(Imitation):
    others: tuple[str, ...] = Field(
        (), description="agents for some of the other seats; none: the teacher plays every seat"
    )
    learning_rate: float = Field(2e-3, gt=0, description="learning rate while imitating")
    epochs: int = Field(1, ge=1, description="number of passes over the teacher's games")


class ReferenceSection(Section):
    """Regularisation towards a reference policy (piKL), with strengths drawn for each seat."""

    policy: str = Field(
        "",
        description="empty: none; start: the weights at the end of imitation or at the start of "
        "the "
        "run; or a checkpoint or run",
    )
    low: float = Field(0.01, gt=0, description="smallest weight of the divergence in the loss")
    high: float = Field(0.1, gt=0, description="largest weight; drawn log-uniformly in between")

    @model_validator(mode="after")
    def _in_order(self) -> ReferenceSection:
        if self.low > self.high:
            raise ValueError(f"low {self.low} must not exceed high {self.high}")
        return self


class Settings(RunSettings):
    """All settings of a PPO run."""

    agent: ClassVar[str] = "policy:{run}"

    algorithm: Literal["ppo"] = Field("ppo", description="training algorithm")
    network: Network = Network()
    play: PlaySection = PlaySection()
    opponents: OpponentSection = OpponentSection()
    outcome: OutcomeSection = OutcomeSection()
    learning: LearningSection = LearningSection()
    imitation: ImitationSection = ImitationSection()
    reference: ReferenceSection = ReferenceSection()
