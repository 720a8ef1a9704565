"""Arms: variants of one preset, each a training run (or one for each seed)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from stratagem.core.registry import game_folders
from stratagem.core.scenario_files import default_scenario
from stratagem.experiments.exhibit import ExperimentFile, Part
from stratagem.train.settings import RunSettings, check_settings, resolve_settings


class Arm(Part):
    name: str = Field(
        pattern=r"^[a-z][a-z0-9_-]*$", description="name of its run folder, and label"
    )
    title: str = Field("", description="what is special about it")
    settings: dict[str, Any] = Field(default_factory=dict, description="changes to the preset")
    preset: str = Field("", description="preset of this arm; empty: the experiment's")
    scenario: str = Field("", description="scenario to train on; empty: the experiment's")
    after: str = Field("", description="arm whose last network it starts from; empty: from scratch")
    share: float = Field(1.0, gt=0, description="training time relative to other arms")


class WithArms(ExperimentFile):
    """What every experiment that trains has: a game, a preset and changes to it."""

    scenario: str = Field("", description="scenario of the game; empty: its default")
    preset: str = "default"
    settings: dict[str, Any] = Field(default_factory=dict, description="changes for every arm")
    arms: tuple[Arm, ...] = ()
    seeds: int = Field(1, ge=1, description="runs per arm, with consecutive seeds")

    @property
    def game_folder(self) -> Path:
        return game_folders()[self.name.partition("/")[0]]

    @property
    def game_spec(self) -> str:
        return self.spec_of(self.scenario or default_scenario(self.game_folder))

    def spec_of(self, scenario: str) -> str:
        """Return the game spec of one of the game's scenarios."""
        return f"{self.game_folder.name}/{scenario}"

    def scenario_of(self, arm: Arm) -> str:
        """Return the scenario that an arm is trained on."""
        return arm.scenario or self.game_spec.partition("/")[2]

    def run_settings(self, arm: Arm, **values: Any) -> RunSettings:
        """Return an arm's settings: preset, changes of the experiment and of the arm, `values`."""
        spec = self.spec_of(self.scenario_of(arm))
        preset = resolve_settings(spec, self.game_folder, arm.preset or self.preset)
        merged = merge(merge(preset.model_dump(mode="json"), self.settings), arm.settings)
        return check_settings(merged | values, f"experiment {self.name}, arm {arm.name}")


def run_path(out: Path, arm: Arm, number: int) -> Path:
    """Return the folder of an arm's run with the number-th seed."""
    return out / "runs" / arm.name / f"s{number}"


def check_names(arms: Sequence[Arm], used: Iterable[str]) -> None:
    """Check that the names of arms are distinct, and that the used ones exist."""
    names = [arm.name for arm in arms]
    if len(set(names)) < len(names):
        raise ValueError("arms need different names")
    for name in used:
        if name not in names:
            raise ValueError(f"there is no arm {name!r}")


def merge(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge nested tables key by key; a table that names its `kind` replaces the old one."""
    merged = dict(values)
    for key, change in changes.items():
        old = merged.get(key)
        if isinstance(change, Mapping) and isinstance(old, Mapping) and "kind" not in change:
            merged[key] = merge(old, change)
        else:
            merged[key] = change
    return merged
