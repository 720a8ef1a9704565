"""Every setting of a run of hierarchical DQN, on top of those that every run has.

The defaults are those of the thesis on Catan (section 7.1) where it gives any.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from stratagem.train.sections import Learning, Network, Opponents, Section
from stratagem.train.settings import AnchorSection, RunSettings


class NetworkSection(Network):
    kind: str = Field("feedforward", description="of every part; see stratagem.nets.kinds")


class HierarchySection(Section):
    orchestrator: bool = Field(True, description="false: groups are chosen at random")
    specialists: tuple[str, ...] = Field(
        (), description="groups whose actions a network of their own chooses; others: at random"
    )
    subgoals: tuple[str, ...] = Field(
        (), description="specialists that strive for the game's sub-goal instead of the score"
    )


class EpisodeSection(Section):
    seats: Literal["first", "rotate"] = Field("first", description="where the learner sits")
    slots: int = Field(8, ge=1, description="games played side by side")
    per_iteration: int = Field(20, ge=1, description="games that end in an iteration")


class OpponentSection(Opponents):
    self_play: float = Field(0.0, ge=0, description="weight of the network as its own opponent")
    agents: dict[str, float] = Field(
        default_factory=lambda: {"random": 1.0}, description="weights of other agents by their spec"
    )

    @model_validator(mode="after")
    def _known_at_once(self) -> OpponentSection:
        if self.learn_from_opponents == "winners":
            raise ValueError(
                "learn_from_opponents: hdqn learns while a game goes on, choose values or all"
            )
        return self


class ExploreSection(Section):
    start: float = Field(1.0, ge=0, le=1, description="epsilon of the first game")
    end: float = Field(0.0, ge=0, le=1, description="epsilon never falls below")
    decay: float = Field(0.996, gt=0, le=1, description="factor per game, orchestrator")
    specialist_decay: float = Field(0.997, gt=0, le=1, description="factor per game, specialists")


class LearningSection(Learning):
    replay: int = Field(1000, ge=64, description="decisions that each network remembers")
    batch_size: int = Field(64, ge=1, description="decisions of an optimisation step")
    learning_rate: float = Field(1e-3, gt=0, description="of AdamW, the same all the time")
    weight_decay: float = Field(0.01, ge=0, description="of AdamW")
    steps_per_decision: float = Field(
        1.0, gt=0, description="optimisation steps of a network per decision it takes"
    )
    discount: float = Field(0.99, gt=0, le=1, description="gamma, per decision")
    tau: float = Field(0.005, gt=0, le=1, description="share of a step by which targets follow")
    reward: Literal["score", "gain"] = Field(
        "score", description="of a decision: the score at the next one, or what was gained by then"
    )
    reward_scale: float = Field(1.0, gt=0, description="factor of all rewards")
    double: bool = Field(
        False, description="the learning network chooses the action that the target rates"
    )


class Settings(RunSettings):
    """A whole run of hierarchical DQN."""

    agent: ClassVar[str] = "hdqn:{run}"

    algorithm: Literal["hdqn"] = Field("hdqn", description="how to learn")
    anchors: AnchorSection = AnchorSection(agents=("random",), games=100, times=4)
    network: NetworkSection = NetworkSection()
    hierarchy: HierarchySection = HierarchySection()
    episodes: EpisodeSection = EpisodeSection()
    explore: ExploreSection = ExploreSection()
    opponents: OpponentSection = OpponentSection()
    learning: LearningSection = LearningSection()
