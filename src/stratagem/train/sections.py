"""Groups of settings that algorithms share: network, imitation, opponents, outcome, learning.

An algorithm's own section adds its fields to one of these (`train/<algorithm>/settings.py`).
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from annotated_types import Le, Lt
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from stratagem.backend.cores import available_cores
from stratagem.core.settings import SettingsModel


def _from_machine(count: int) -> int:
    return count or available_cores()


# A number of threads; 0 is replaced by the number of cores when settings are built, so that a run
# that is resumed elsewhere keeps the number it was started with.
Threads = Annotated[int, AfterValidator(_from_machine)]


MOST = 1_000_000_000  # upper bound of anything that is counted
MOST_WORKERS = 1024
MOST_AT_ONCE = 1_000_000  # upper bound of games or positions that are in memory together


class Section(SettingsModel):
    """A group of settings; defaults are validated too, since some depend on the machine.

    Absurdly large numbers are refused, and so are values that only look like numbers.
    """

    model_config = ConfigDict(validate_default=True)

    @field_validator("*", mode="before")
    @classmethod
    def _is_number(cls, value: Any, info: ValidationInfo) -> Any:
        field = cls.model_fields[info.field_name or ""]
        if field.annotation not in (int, float):
            return value
        if isinstance(value, bool | str):
            raise ValueError("must be a number")
        limited = any(isinstance(one, Lt | Le) for one in field.metadata)
        if isinstance(value, int) and abs(value) > MOST and not limited:
            raise ValueError(f"must be at most {MOST:,}")
        return value


class Network(Section):
    kind: str = Field(
        "cnn",
        description="see stratagem.nets.kinds; default: one that fits the encoding",
    )
    settings: dict[str, Any] = Field(default_factory=dict, description="the network's own settings")
    encoding: str = Field("", description="one of the game's encodings; empty: the first")
    encoding_options: dict[str, int] = Field(
        default_factory=dict, description="options of that encoding"
    )


class Imitation(Section):
    """Learn from a teacher's games instead of the run's own in the first iterations."""

    teacher: str = Field("", description="agent spec, e.g. scripted; empty: none")
    iterations: int = Field(0, ge=0, description="iterations that the teacher plays")
    share: float = Field(0.0, ge=0, le=1, description="minimum share of the budget for imitation")

    @model_validator(mode="after")
    def _both_or_none(self) -> Imitation:
        if bool(self.teacher) != bool(self.iterations or self.share):
            raise ValueError("set imitation.teacher with imitation.iterations or share, or neither")
        return self

    def is_due(self, iteration: int, used: float) -> bool:
        """Whether the teacher plays an iteration that begins at this share of the budget."""
        return iteration <= self.iterations or used < self.share


class Opponents(Section):
    """The opponents of the run's network, by weight; weights need not sum to 1.

    One seat of a game is the learner's own. The players of the others are drawn by weight.
    """

    self_play: float = Field(1.0, ge=0, description="weight of the network as its own opponent")
    past: float = Field(0.0, ge=0, description="weight of earlier networks of the run")
    agents: dict[str, float] = Field(
        default_factory=dict, description="weights of other agents, by spec"
    )
    exploiters: float = Field(0.0, ge=0, description="weight of best responses to earlier agents")
    exploiter_agents: tuple[str, ...] = Field(
        (), description="specs of those best responses; harder ones are met more often"
    )
    seating: Literal["mixed", "alike"] = Field(
        "mixed", description="mixed: every other seat is drawn separately; alike: one draw for all"
    )
    past_choice: Literal["hard", "level", "uniform"] = Field(
        "hard",
        description="which earlier networks to prefer: those that score well against the learner, "
        "those that score about half, or any",
    )
    past_power: float = Field(2.0, ge=0, description="how strongly to prefer them")
    past_at_once: int = Field(
        3,
        ge=1,
        le=1000,
        description="earlier networks used per iteration; fewer give larger batches",
    )
    pool: int = Field(
        8, ge=1, description="number of earlier networks kept; the one beaten most often is dropped"
    )
    every: int = Field(5, ge=1, description="add a network to the pool every this many iterations")
    learn_from_opponents: Literal["values", "winners", "all"] = Field(
        "values",
        description="values: only how the games end; winners: also the moves of opponents that "
        "beat the learner; all: also every opponent's moves",
    )

    @model_validator(mode="after")
    def _someone_plays(self) -> Opponents:
        if any(weight < 0 for weight in self.agents.values()):
            raise ValueError("agents: a weight cannot be negative")
        if bool(self.exploiters) != bool(self.exploiter_agents):
            raise ValueError("set exploiters together with exploiter_agents, or neither")
        if self.total <= 0:
            raise ValueError("at least one opponent needs a weight above 0")
        if not math.isfinite(self.total):
            raise ValueError("the weights are too large to be added: only their ratios count")
        return self

    @property
    def total(self) -> float:
        return self.self_play + self.past + sum(self.agents.values()) + self.exploiters

    @property
    def present(self) -> dict[str, float]:
        """The other agents with a weight, each with its share; always in the same order."""
        agents = sorted(self.agents.items())
        return {spec: weight / self.total for spec, weight in agents if weight}

    @property
    def named(self) -> tuple[str, ...]:
        """Specs of all agents from outside the run, in a fixed order: agents, then exploiters."""
        return (*self.present, *self.exploiter_agents)

    @property
    def alone(self) -> bool:
        """Whether the network only ever plays itself."""
        return not (self.past or self.named)


class Outcome(Section):
    """The value of a finished game: its result, mixed with the lead in points."""

    margin_share: float = Field(
        0.0, ge=0, le=1, description="share of the point margin in a game's value"
    )
    margin_scale: float = Field(
        30.0, gt=0, description="lead over the others' mean that counts as tanh(1), about 0.76"
    )


class Learning(Section):
    batch_size: int = Field(256, ge=1, le=MOST_AT_ONCE, description="positions per training step")
    learning_rate: float = Field(2e-3, gt=0, description="peak learning rate of AdamW")
    weight_decay: float = Field(1e-4, ge=0, description="weight decay of AdamW")


class ScheduledLearning(Learning):
    """Learning with a rate that follows a half cosine, and averaged weights."""

    learning_rate_end: float = Field(
        1e-4, gt=0, description="learning rate at the end of the budget"
    )
    gradient_clip: float = Field(5.0, gt=0, description="maximum gradient norm")
    value_weight: float = Field(1.0, ge=0, description="weight of the value term in the loss")
    average_decay: float = Field(
        0.99,
        ge=0,
        lt=1,
        description="decay of the running average of weights used for play; 0: raw weights",
    )
    threads: Threads = Field(
        0, ge=0, le=MOST_WORKERS, description="threads that share a batch; 0: one per core"
    )

    def learning_rate_at(self, share: float) -> float:
        """Return the rate when this share of the schedule is over."""
        return between(self.learning_rate, self.learning_rate_end, share)


def between(first: float, last: float, share: float) -> float:
    """Interpolate from first to last along a half cosine."""
    return last + (first - last) * (0.5 * (1 + math.cos(math.pi * share)))
