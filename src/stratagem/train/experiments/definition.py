"""What an experiment file says, checked; and finding the files. Trains and plays nothing.

    <game's folder>/experiments/<name>.toml   is the experiment   <game>/<name>

Arms are variants of one preset: each changes some settings; without any, only players that need no
training are measured. Checkpoints are shares of the budget
at which every arm's network enters the tournament; rate tables (tables.py) count results against
fixed opponents. The paper's own table is data beside ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.registry import game_folders
from stratagem.core.scenario import explain
from stratagem.core.scenario_files import default_scenario
from stratagem.core.toml import read_toml
from stratagem.train.experiments.conduct import ConductTable
from stratagem.train.experiments.forms import form_of
from stratagem.train.experiments.points import PointsTable
from stratagem.train.experiments.tables import RateCurves, RateTable
from stratagem.train.settings import RunSettings, check_settings, resolve_settings


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Arm(_Part):
    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$", description="folder of its run, and label")
    title: str = Field("", description="what is special about it")
    settings: dict[str, Any] = Field(default_factory=dict, description="changes to the preset")
    preset: str = Field("", description="of this arm; empty: the experiment's")
    scenario: str = Field("", description="that it is trained on; empty: the experiment's")
    after: str = Field("", description="arm whose last network it starts from; empty: from nothing")
    share: float = Field(1.0, gt=0, description="of the training time, as against other arms")


class Checkpoint(_Part):
    label: str = Field("", description="follows the arm's name in the model's name")
    share: float = Field(gt=0, le=1, description="of the arm's training time")


class TournamentSection(_Part):
    games_per_pair: int = Field(8, ge=2, description="games of each pair that sequential Elo rates")
    most_games_per_pair: int = Field(
        64, ge=2, description="played if the budget allows, for narrower intervals"
    )
    sims: int = Field(64, ge=1, description="simulations per decision; a short budget gets fewer")
    least_sims: int = Field(8, ge=1, description="never fewer than this")
    root: Literal["puct", "gumbel"] = Field("puct", description="how roots choose their edges")
    agents: tuple[str, ...] = Field(("random",), description="who else takes part")
    tactics_games: int = Field(8, ge=2, description="games of each model against itself")
    budget_share: float = Field(0.18, gt=0, lt=1, description="of the whole budget")


class PaperRow(_Part):
    rank: int
    model: str
    elo: float


class Paper(_Part):
    table: str = Field("", description="its number there")
    models: tuple[PaperRow, ...] = ()

    def row(self, model: str) -> PaperRow | None:
        return next((row for row in self.models if row.model == model), None)


class Figures(_Part):
    """Numbers that our figures have in the paper; a figure without one is drawn all the same."""

    losses: str = ""
    acceptance: str = ""
    gameplay: str = ""


class Experiment(_Part):
    """One file, complete."""

    title: str
    source: str = Field("", description="what is made again, and where it stands")
    scenario: str = Field("", description="of the game; empty: its default")
    preset: str = "default"
    settings: dict[str, Any] = Field(default_factory=dict, description="changes for every arm")
    models: Literal["trained", "accepted"] = Field(
        "trained",
        description="whether a checkpoint means the network after so much training, or the last "
        "one that was accepted by then",
    )
    smoothing: float = Field(0.9, ge=0, lt=1, description="of the moving average in figures")
    arms: tuple[Arm, ...] = Field((), description="none: only players that need no training meet")
    checkpoints: tuple[Checkpoint, ...] = Field(
        (), description="networks of each arm that enter the tournament; none: there is none"
    )
    tournament: TournamentSection = TournamentSection()
    rates: tuple[RateTable, ...] = Field((), description="results against fixed opponents")
    rates_share: float = Field(
        0.25, gt=0, lt=1, description="of the budget, set aside for these tables and curves"
    )
    curves: tuple[RateCurves, ...] = Field((), description="the same along the training")
    points: tuple[PointsTable, ...] = Field((), description="means of measures of self-play")
    conduct: tuple[ConductTable, ...] = Field((), description="how networks play in every seat")
    figures: Figures = Figures()
    paper: Paper = Paper()
    name: str = Field(description="game/file")

    @model_validator(mode="after")
    def _names_differ(self) -> Experiment:
        names = [arm.name for arm in self.arms]
        if len(set(names)) < len(names):
            raise ValueError("arms need different names")
        for number, arm in enumerate(self.arms):
            if arm.after and arm.after not in names[:number]:
                raise ValueError(f"arm {arm.name}: no arm {arm.after!r} before it to start from")
        asked = [(table.title, table.arms) for table in (*self.rates, *self.curves)]
        for title, arms in [*asked, *((table.title, table.arms) for table in self.conduct)]:
            for name in arms:
                if name not in names:
                    raise ValueError(f"{title}: no arm {name!r}")
        trained = self.checkpoints or self.rates or self.curves or self.points
        if not self.arms and (trained or not all(table.scenarios for table in self.conduct)):
            raise ValueError("without [[arms]] write only [[conduct]] with scenarios and others")
        for table in self.conduct:
            if bool(table.agents) != bool(self.arms):
                raise ValueError(f"{table.title}: agents are of arms, give both or neither")
        if not (self.checkpoints or self.rates or self.points or self.conduct):
            raise ValueError(
                "give [[checkpoints]] for a tournament, [[rates]], [[points]] or [[conduct]]"
            )
        labels = [checkpoint.label for checkpoint in self.checkpoints]
        if len(set(labels)) < len(labels):
            raise ValueError("checkpoints need different labels")
        return self

    @property
    def game_folder(self) -> Path:
        return game_folders()[self.name.partition("/")[0]]

    @property
    def game_spec(self) -> str:
        return self.spec_of(self.scenario or default_scenario(self.game_folder))

    def spec_of(self, scenario: str) -> str:
        """The game spec of one of the game's scenarios."""
        return f"{self.game_folder.name}/{scenario}"

    def scenario_of(self, arm: Arm) -> str:
        """The scenario that an arm is trained on."""
        return arm.scenario or self.game_spec.partition("/")[2]

    def arm_settings(self, arm: Arm, budget_seconds: float, seed: int) -> RunSettings:
        """The run of one arm: preset, then the experiment's changes, then the arm's."""
        spec = self.spec_of(self.scenario_of(arm))
        preset = resolve_settings(spec, self.game_folder, arm.preset or self.preset)
        values = merge(merge(preset.model_dump(mode="json"), self.settings), arm.settings)
        # Every iteration is kept, because any of them may be nearest to a checkpoint's share.
        values |= {"seed": seed, "budget_seconds": budget_seconds, "keep_every": 1}
        return check_settings(values, f"experiment {self.name}, arm {arm.name}")


@dataclass(frozen=True)
class ExperimentInfo:
    """A line of the list of experiments."""

    name: str
    title: str
    form: str  # see forms.py


def list_experiments() -> list[ExperimentInfo]:
    """Every experiment of every game."""
    found = {name: read_toml(file) for name, file in _files().items()}
    return [
        ExperimentInfo(name, str(values.get("title", "")), form_of(values))
        for name, values in found.items()
    ]


def experiment_name(text: str) -> str:
    """The name that a text means: a game's name may be written with dashes."""
    game, mark, rest = text.partition("/")
    return game.replace("-", "_") + mark + rest


def experiment_values(name: str) -> dict[str, Any]:
    """What the file of an experiment says, unchecked."""
    files = _files()
    if name not in files:
        raise UnknownName("experiment", name, files)
    return read_toml(files[name])


def load_experiment(name: str) -> Experiment:
    """An experiment of arms that share a budget; every arm's settings are checked too."""
    name = experiment_name(name)
    try:
        experiment = Experiment.model_validate({**experiment_values(name), "name": name})
    except ValidationError as error:
        raise BadSetting(f"experiment {name}: {explain(error)}") from None
    for arm in experiment.arms:
        experiment.arm_settings(arm, 1.0, 0)
    return experiment


def merge(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested tables are merged key by key; a table that names its `kind` replaces the old one."""
    merged = dict(values)
    for key, change in changes.items():
        old = merged.get(key)
        if isinstance(change, Mapping) and isinstance(old, Mapping) and "kind" not in change:
            merged[key] = merge(old, change)
        else:
            merged[key] = change
    return merged


def _files() -> dict[str, Path]:
    return {
        f"{game}/{file.stem}": file
        for game, folder in sorted(game_folders().items())
        for file in sorted((folder / "experiments").glob("*.toml"))
    }
