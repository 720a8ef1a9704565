"""Every setting of a PPO run, on top of those that every run has."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from stratagem.nets.engine import EngineSetting
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


class PlaySection(Section):
    games: int = Field(256, ge=1, description="whole games of an iteration")
    decisions: int = Field(
        0, ge=0, description="written down in an iteration, about: decides how many games are "
        "played after the first; 0: always `games`",
    )  # fmt: skip
    workers: Threads = Field(0, ge=0, description="threads that share the games; 0: one per core")
    sequence: int = Field(
        8, ge=1, description="decisions in a row from one encoding; 1: encode every position"
    )
    renew: float = Field(
        0.25,
        ge=0,
        le=1,
        description="chance to encode anew before the sequence is full, as agents and searches do",
    )
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "float32", description="of the playing network; auto: bfloat16 where the processor has it"
    )
    engine: EngineSetting = Field(
        "auto", description="that computes it; auto: openvino where it is installed, else torch"
    )


class OpponentSection(Opponents):
    self_play: float = Field(0.3, ge=0, description="weight of the network as its own opponent")
    past: float = Field(0.2, ge=0, description="weight of earlier networks of the run")
    every: int = Field(10, ge=1, description="iterations between networks that are kept")

    @model_validator(mode="after")
    def _own_decisions(self) -> OpponentSection:
        if self.learn_from_opponents != "values":
            raise ValueError("learn_from_opponents: ppo learns from its own decisions only")
        return self


class OutcomeSection(Outcome):
    margin_share: float = Field(0.5, ge=0, le=1, description="share of the lead in a game's value")
    margin_scale: float = Field(
        20.0, gt=0, description="lead over the others' mean that counts tanh(1), about 0.76"
    )
    trace: float = Field(0.95, ge=0, le=1, description="lambda of generalised advantage estimation")
    points_weight: float = Field(
        0.0, ge=0, le=1, description="share of points soon scored in what makes a decision good"
    )
    points_horizon: float = Field(
        30.0, gt=0, description="decision sequences after which such points count 1/e"
    )


class LearningSection(ScheduledLearning):
    batch_size: int = Field(1024, ge=1, description="decisions of a training step, about")
    epochs: int = Field(2, ge=1, description="times the games of an iteration are trained on")
    learning_rate: float = Field(3e-4, gt=0, description="peak learning rate of AdamW")
    learning_rate_end: float = Field(5e-5, gt=0, description="at the end of the budget")
    gradient_clip: float = Field(1.0, gt=0, description="largest norm of a step's gradient")
    clip: float = Field(0.2, gt=0, description="how far a step may change an action's odds")
    stop_divergence: float = Field(
        0.03, gt=0, description="mean divergence from the old policy that ends an iteration"
    )
    entropy: float = Field(0.01, ge=0, description="bonus for undecidedness at the start")
    entropy_end: float = Field(0.001, ge=0, description="the same at the end of the budget")
    value_weight: float = Field(0.5, ge=0, description="of the value term in the loss")
    average_decay: float = Field(
        0.95, ge=0, lt=1, description="running average of weights that is saved and measured"
    )


class ImitationSection(Imitation):
    others: tuple[str, ...] = Field(
        (), description="agents that sit in some of the other seats; none: the teacher everywhere"
    )
    learning_rate: float = Field(2e-3, gt=0, description="learning rate while imitating")
    epochs: int = Field(1, ge=1, description="times the teacher's games are trained on")


class ReferenceSection(Section):
    """Regularisation towards a reference policy (piKL), with strengths drawn for each seat."""

    policy: str = Field(
        "",
        description="empty: none; start: the weights with which imitation ended or the run began; "
        "or a checkpoint or run",
    )
    low: float = Field(0.01, gt=0, description="smallest strength of the divergence in the loss")
    high: float = Field(0.1, gt=0, description="largest; drawn log-uniformly in between")

    @model_validator(mode="after")
    def _in_order(self) -> ReferenceSection:
        if self.low > self.high:
            raise ValueError(f"low {self.low} must not exceed high {self.high}")
        return self


class Settings(RunSettings):
    """A whole PPO run."""

    agent: ClassVar[str] = "policy:{run}"

    algorithm: Literal["ppo"] = Field("ppo", description="how to learn")
    network: Network = Network()
    play: PlaySection = PlaySection()
    opponents: OpponentSection = OpponentSection()
    outcome: OutcomeSection = OutcomeSection()
    learning: LearningSection = LearningSection()
    imitation: ImitationSection = ImitationSection()
    reference: ReferenceSection = ReferenceSection()
