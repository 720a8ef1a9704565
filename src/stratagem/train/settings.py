"""Every dial of a training run: checked when built, printed at the start, saved with the run.

A preset is a TOML file in the game's folder (`presets/<name>.toml`); `--set a.b=c` changes one
value. The resolved settings are written to the run's config.toml.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.scenario import explain
from stratagem.core.toml import read_toml
from stratagem.search.settings import SearchSettings


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NetworkSection(_Section):
    kind: str = Field("cnn", description="a module of stratagem.nets")
    settings: dict[str, Any] = Field(default_factory=dict, description="the network's own dials")
    encoding: str = Field("", description="an encoding of the game; empty: its first")
    encoding_options: dict[str, int] = Field(
        default_factory=dict, description="options of that encoding"
    )


class SelfPlaySection(_Section):
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


class ReplaySection(_Section):
    capacity: int = Field(200_000, ge=1, description="positions kept at the most")
    growth: float = Field(
        0.5, gt=0, le=1, description="window = this share of all positions so far, up to capacity"
    )
    minimum: int = Field(
        8_192,
        ge=1,
        description="smallest window; training waits for so many, or for one iteration's worth",
    )


class LearnSection(_Section):
    batch: int = Field(256, ge=1, description="positions of a training step")
    passes: float = Field(
        4.0, gt=0, description="times each new position is trained on, on average"
    )
    rate: float = Field(2e-3, gt=0, description="peak learning rate of AdamW")
    rate_end: float = Field(1e-4, gt=0, description="learning rate at the end of the budget")
    weight_decay: float = Field(1e-4, ge=0, description="c of the loss")
    gradient_clip: float = Field(5.0, gt=0, description="largest norm of a step's gradient")
    value_weight: float = Field(1.0, ge=0, description="of the value term in the loss")
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


class ShapingSection(_Section):
    target_weight: float = Field(0.0, ge=0, description="shaping of value targets; 0: none")
    discount: float = Field(1.0, gt=0, le=1, description="gamma of the shaping terms")


class GateSection(_Section):
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


class AnchorSection(_Section):
    agents: tuple[str, ...] = Field(("random", "mcts:none?sims=200"), description="fixed opponents")
    games: int = Field(40, ge=2, description="games against each")
    sims: int = Field(64, ge=1, description="simulations per decision of the run's network")
    times: int = Field(8, ge=0, description="how often during the budget; 0: never")


class TrainSettings(_Section):
    """A whole run."""

    game: str = Field(description="name/scenario?key=value")
    seed: int = Field(0, description="root of everything random")
    algorithm: Literal["alphazero"] = Field("alphazero", description="how to learn")
    preset: str = Field("default", description="the game's preset that the run started from")
    budget_seconds: float = Field(0.0, ge=0, description="wall clock of the run; 0: by iterations")
    iterations: int = Field(0, ge=0, description="iterations of the run; 0: by wall clock")
    start: str = Field("", description="checkpoint to take the first weights from")
    keep_every: int = Field(1, ge=1, description="iterations between checkpoints that are kept")
    network: NetworkSection = NetworkSection()
    search: SearchSettings = SearchSettings(sims=32)
    selfplay: SelfPlaySection = SelfPlaySection()
    replay: ReplaySection = ReplaySection()
    learn: LearnSection = LearnSection()
    shaping: ShapingSection = ShapingSection()
    gate: GateSection = GateSection()
    anchors: AnchorSection = AnchorSection()


def resolve_settings(
    game: str,
    game_folder: Path,
    preset: str = "default",
    overrides: Sequence[str] = (),
    fixed: Mapping[str, Any] | None = None,
) -> TrainSettings:
    """A game's preset, with `a.b=c` overrides and fixed values (seed, budget) on top."""
    presets = {file.stem: file for file in (game_folder / "presets").glob("*.toml")}
    if preset not in presets and preset != "default":
        raise UnknownName(f"preset of {game_folder.name}", preset, presets)
    values: dict[str, Any] = read_toml(presets[preset]) if preset in presets else {}
    for text in overrides:
        _apply_override(values, text)
    values |= {"game": game, "preset": preset, **(fixed or {})}
    return check_settings(values, f"preset {preset}")


def check_settings(values: Mapping[str, Any], source: str) -> TrainSettings:
    """Build settings from plain values; the error names the key and the fix."""
    try:
        return TrainSettings.model_validate(values)
    except ValidationError as error:
        raise BadSetting(f"{source}: {explain(error)}") from None


def _apply_override(values: dict[str, Any], text: str) -> None:
    path, mark, word = text.partition("=")
    if not mark or not path:
        raise BadSetting(f"--set {text!r}: write key=value, e.g. search.sims=64")
    try:
        value = tomllib.loads(f"value = {word}")["value"]
    except tomllib.TOMLDecodeError:
        value = word
    *sections, key = path.split(".")
    _check_path(path.split("."))
    for section in sections:
        values = values.setdefault(section, {})
    values[key] = value


def _check_path(parts: Sequence[str]) -> None:
    """Refuse an unknown key by name, with the nearest known one as a hint."""
    model: type[BaseModel] = TrainSettings
    for depth, part in enumerate(parts):
        if part not in model.model_fields:
            raise UnknownName("setting", ".".join(parts[: depth + 1]), model.model_fields)
        annotation = model.model_fields[part].annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            model = annotation
            continue
        rest = parts[depth + 1 :]
        if len(rest) > (1 if get_origin(annotation) is dict else 0):
            name = ".".join(parts[: depth + 1])
            raise BadSetting(
                f"setting {'.'.join(parts)!r}: nothing below {name}, set {name} itself"
            )
        return  # a plain value, or a key of a free table such as network.settings


def parse_budget(text: str) -> float:
    """`90s`, `10m` or `2h` in seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = text[:-1], text[-1:]
    try:
        if unit in units and 0 < float(number) < math.inf:
            return float(number) * units[unit]
    except ValueError:
        pass
    raise BadSetting(f"budget {text!r}: write it like 90s, 10m or 2h")
