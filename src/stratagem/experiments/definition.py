"""The contents of a file of kind `arms`: arms that share a budget, and the tables to measure.

The sections of tables belong to the modules of `tables`; a new one needs no change here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from stratagem.experiments.arms import Arm, WithArms, check_names
from stratagem.experiments.exhibit import Part

MODEL = "{model}"  # replaced by a checkpoint in an agent spec
SIZE = "{size}"  # replaced by the number in a scenario's name


class Table(Part):
    """A table of an experiment; every module of `tables` has a subclass named Settings."""

    takes_measuring_time: ClassVar[bool] = True  # uses the experiment's `measuring_share`

    title: str = Field("", description="heading in the report")
    note: str = Field("", description="a sentence below it")
    arms: tuple[str, ...] = Field((), description="whose networks; empty: all")

    @property
    def budget_share(self) -> float:
        """Share of the whole budget that is reserved for this table alone."""
        return 0.0

    def has_arm(self, arm: Arm) -> bool:
        return not self.arms or arm.name in self.arms

    def check(self, with_arms: bool) -> None:
        """Raise ValueError if an experiment with or without arms cannot have this table."""
        if not with_arms:
            raise ValueError("it measures networks: add [[arms]] that train them")


class NetworkTable(Table):
    """A table of agents that play with an arm's network, and of players without one."""

    others: dict[str, str] = Field(
        default_factory=dict, description="label = agent spec of players without a network"
    )
    agents: dict[str, str] = Field(
        default_factory=dict,
        description="label = agent spec, where {model} is the network of an arm",
    )

    @field_validator("agents")
    @classmethod
    def _name_the_model(cls, agents: dict[str, str]) -> dict[str, str]:
        for label, spec in agents.items():
            if MODEL not in spec:
                raise ValueError(f"agent {label!r}: write {MODEL} in place of the network")
        return agents


class Figures(Part):
    """The numbers of our figures in the paper; figures without a number are drawn too."""

    losses: str = ""
    acceptance: str = ""


class Experiment(WithArms):
    """A complete experiment file."""

    kind: Literal["arms"] = "arms"
    models: Literal["trained", "accepted"] = Field(
        "trained",
        description="whether a checkpoint means the network after that much training, or the last "
        "one that was accepted by then",
    )
    smoothing: float = Field(0.9, ge=0, lt=1, description="of the moving average in figures")
    measuring_share: float = Field(
        0.25, gt=0, lt=1, description="of the budget, set aside for tables that play games"
    )
    figures: Figures = Figures()
    tables: Mapping[str, tuple[Table, ...]] = Field(description="by module, in the file's order")

    @model_validator(mode="after")
    def _parts_fit(self) -> Experiment:
        names = [arm.name for arm in self.arms]
        check_names(self.arms, ())
        for number, arm in enumerate(self.arms):
            if arm.after and arm.after not in names[:number]:
                raise ValueError(f"arm {arm.name}: no arm {arm.after!r} before it to start from")
        if not self.tables:
            raise ValueError("nothing to measure: add at least one table, such as [[rates]]")
        for key, tables in self.tables.items():
            for table in tables:
                try:
                    check_names(self.arms, table.arms)
                    table.check(bool(self.arms))
                except ValueError as error:
                    raise ValueError(f"{table.title or key}: {error}") from None
        return self

    def measuring_time(self) -> float:
        """Share of the budget that is left for the tables after training."""
        every = [table for tables in self.tables.values() for table in tables]
        own = sum(table.budget_share for table in every)
        return own + (self.measuring_share if any(t.takes_measuring_time for t in every) else 0.0)
