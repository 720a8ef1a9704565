"""All settings of a hierarchical DQN run, in addition to those of every run.

Defaults are from the thesis on Catan (section 7.1) where it gives them.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from stratagem.train.sections import MOST_AT_ONCE, Learning, Network, Opponents, Section
from stratagem.train.settings import AnchorSection, RunSettings


class NetworkSection(Network):
    kind: str = Field("feedforward", description="kind of every part; see stratagem.nets.kinds")


class HierarchySection(Section):
    orchestrator: bool = Field(True, description="false: groups are chosen at random")
    specialists: tuple[str, ...] = Field(
        (), description="groups with their own network; actions of other groups are random"
    )
    subgoals: tuple[str, ...] = Field(
        (), description="specialists that maximise the game's sub-goal instead of the score"
    )


class EpisodeSection(Section):
    seats: Literal["first", "rotate"] = Field("first", description="the learner's seat")
    slots: int = Field(8, ge=1, le=MOST_AT_ONCE, description="games played in parallel")
    per_iteration: int = Field(20, ge=1, description="games that finish per iteration")


class OpponentSection(Opponents):
    self_play: float = Field(0.0, ge=0, description="weight of the network as its own opponent")
    agents: dict[str, float] = Field(
        default_factory=lambda: {"random": 1.0}, description="weights of other agents, by spec"
    )

    @model_validator(mode="after")
    def _known_at_once(self) -> OpponentSection:
        if self.learn_from_opponents == "winners":
            raise ValueError(
                "learn_from_opponents: hdqn learns during a game: choose values or all"
            )
        return self


class ExploreSection(Section):
    start: float = Field(1.0, ge=0, le=1, description="epsilon of the first game")
    end: float = Field(0.0, ge=0, le=1, description="lowest epsilon")
    decay: float = Field(0.996, gt=0, le=1, description="decay factor per game, orchestrator")
    specialist_decay: float = Field(
        0.997, gt=0, le=1, description="decay factor per game, specialists"
    )


class LearningSection(Learning):
    replay: int = Field(
        1000, ge=64, le=10 * MOST_AT_ONCE, description="replay size per network, in decisions"
    )
    batch_size: int = Field(
        64, ge=1, le=MOST_AT_ONCE, description="decisions per optimisation step"
    )
    learning_rate: float = Field(1e-3, gt=0, description="constant learning rate of AdamW")
    weight_decay: float = Field(0.01, ge=0, description="weight decay of AdamW")
    steps_per_decision: float = Field(
        1.0, gt=0, description="optimisation steps per decision of a network"
    )
    discount: float = Field(0.99, gt=0, le=1, description="gamma, per decision")
    tau: float = Field(0.005, gt=0, le=1, description="rate at which target networks follow")
    reward: Literal["score", "gain"] = Field(
        "score", description="score at the next decision, or points gained until then"
    )
    reward_scale: float = Field(1.0, gt=0, description="factor applied to all rewards")
    double: bool = Field(
        False,
        description="double Q-learning: the online network chooses the action, the target "
        "network rates it",
    )


class Settings(RunSettings):
    """All settings of a hierarchical DQN run."""

    agent: ClassVar[str] = "hdqn:{run}"

    algorithm: Literal["hdqn"] = Field("hdqn", description="training algorithm")
    anchors: AnchorSection = AnchorSection(agents=("random",), games=100, times=4)
    network: NetworkSection = NetworkSection()
    hierarchy: HierarchySection = HierarchySection()
    episodes: EpisodeSection = EpisodeSection()
    explore: ExploreSection = ExploreSection()
    opponents: OpponentSection = OpponentSection()
    learning: LearningSection = LearningSection()
