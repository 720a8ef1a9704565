"""A network that decides in two steps: a group of actions, then an action of that group.

The orchestrator has one output per group; a specialist has one per action of its group; a group
without a specialist is played at random. All of them are ordinary networks of one kind, whose
logits are action values (Q). This is not a kind itself: it answers two questions, not one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, model_validator
from torch import nn

from stratagem.core.errors import BadSetting
from stratagem.core.settings import SettingsModel, check_values
from stratagem.core.specs import ActionGroup, ActionSpec, ObservationSpec
from stratagem.nets.build import build_network

NAME = "hierarchical"  # in the card of a checkpoint


class HierarchySettings(SettingsModel):
    """The settings of a hierarchical network; complete, so that a card can rebuild it."""

    kind: str = Field("feedforward", description="kind of every part; see stratagem.nets.kinds")
    settings: dict[str, Any] = Field(default_factory=dict, description="settings of that kind")
    groups: tuple[tuple[str, int, int], ...] = Field(
        description="name, first action and end of each group; together all actions, in order"
    )
    orchestrator: bool = Field(True, description="false: groups are chosen at random")
    specialists: tuple[str, ...] = Field((), description="groups with a network of their own")

    @model_validator(mode="after")
    def _groups_hold_together(self) -> HierarchySettings:
        end = 0
        for name, start, stop in self.groups:
            if start != end or stop <= start:
                raise ValueError(f"group {name!r} must begin at action {end} and not be empty")
            end = stop
        names = {name for name, _, _ in self.groups}
        for name in self.specialists:
            if name not in names:
                raise ValueError(f"no group {name!r}, known:  {', '.join(sorted(names))}")
        return self

    @property
    def action_groups(self) -> tuple[ActionGroup, ...]:
        return tuple(ActionGroup(*group) for group in self.groups)


class HierarchicalNetwork(nn.Module):
    """The orchestrator and the specialists, each callable on flat observations [B, D]."""

    def __init__(self, settings: HierarchySettings, observation: ObservationSpec) -> None:
        super().__init__()
        self.settings = settings
        self.groups = settings.action_groups

        def part(outputs: int) -> nn.Module:
            spec = ActionSpec(outputs)
            return build_network(settings.kind, settings.settings, observation, spec, 0)

        self.orchestrator = part(len(self.groups)) if settings.orchestrator else None
        sizes = {group.name: group.stop - group.start for group in self.groups}
        self.specialists = nn.ModuleDict({name: part(sizes[name]) for name in settings.specialists})

    def parts(self) -> dict[str, nn.Module]:
        """Every network by name, the orchestrator (if any) first."""
        first = {} if self.orchestrator is None else {"orchestrator": self.orchestrator}
        return {**first, **dict(self.specialists.items())}


def build_hierarchy(
    kind: str,
    settings: Mapping[str, Any],
    observation: ObservationSpec,
    actions: ActionSpec,
    num_values: int,
) -> nn.Module:
    """Build what a card describes; refuse the card of another kind of network."""
    if kind != NAME:
        raise BadSetting(f"its network is of kind {kind}, which decides in one step")
    checked = check_values(HierarchySettings, dict(settings), "hierarchical network")
    return HierarchicalNetwork(checked, observation)
