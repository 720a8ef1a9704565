"""The settings of every training run: checked when built, saved with the run.

An algorithm adds its own settings (`train/<algorithm>/settings.py`). A preset is a TOML file in the
game's folder (`presets/<name>.toml`), which may extend another one; `--set a.b=c` changes a value.
The resolved settings are saved with the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, get_origin

from pydantic import BaseModel, Field

from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.extends import read_extended
from stratagem.core.registry import load_game
from stratagem.core.settings import check_values
from stratagem.core.toml import parse_value
from stratagem.runs.folder import RunFolder
from stratagem.train.algorithms import DEFAULT, algorithm_names, load_settings_model
from stratagem.train.defaults import ANCHORS, SIZES, choose_anchors, choose_network, read_recipe
from stratagem.train.sections import MOST, MOST_AT_ONCE, Network, Opponents, Section

MOST_ITERATIONS = MOST
_MOST_SECONDS = 10 * 366 * 24 * 3600.0  # maximum of a budget


class AnchorSection(Section):
    agents: tuple[str, ...] = Field(
        ANCHORS,
        description="fixed opponents; if a preset names none, the game's first bot is added",
    )
    games: int = Field(40, ge=2, le=MOST_AT_ONCE, description="games against each of them")
    sims: int = Field(64, ge=1, description="simulations per decision for the run's network")
    times: int = Field(8, ge=0, description="how many times during the budget; 0: never")


class RunSettings(Section):
    """The settings that all runs have in common, whatever their algorithm."""

    agent: ClassVar[str] = "mcts:{run}?sims=64"  # the agent that a run of this algorithm produces

    game: str = Field(description="name/scenario?key=value")
    seed: int = Field(0, ge=0, lt=2**63, description="seed for all randomness")
    algorithm: str = Field(DEFAULT, description="training algorithm")
    preset: str = Field("default", description="the preset that the run is based on")
    budget_seconds: float = Field(
        0.0, ge=0, le=_MOST_SECONDS, description="time of the run; 0: by iterations"
    )
    budget_clock: Literal["wall", "processor"] = Field(
        "wall",
        description="what the budget counts: wall-clock time, or processor time of the run over "
        "all cores, which other programs do not affect",
    )
    iterations: int = Field(
        0, ge=0, le=MOST_ITERATIONS, description="iterations of the run; 0: by time"
    )
    anchor_share: float = Field(
        0.15, gt=0, le=1, description="maximum share of a time budget spent on anchors"
    )
    start: str = Field(
        "", description="checkpoint to take the initial weights from; its network may be smaller"
    )
    keep_every: int = Field(1, ge=1, description="keep a checkpoint every this many iterations")
    anchors: AnchorSection = AnchorSection()
    opponents: Opponents = Opponents()

    def clock(self) -> Callable[[], float]:
        """Seconds as this run's budget counts them."""
        return time.process_time if self.budget_clock == "processor" else time.perf_counter


def settings_model(values: Mapping[str, Any], source: str) -> type[RunSettings]:
    """Return the settings class of the algorithm that these values name."""
    name = values.get("algorithm", DEFAULT)
    if name not in algorithm_names():
        raise UnknownName(f"algorithm in {source}", str(name), algorithm_names())
    return load_settings_model(name)


def resolve_settings(
    game: str,
    game_folder: Path,
    preset: str = "default",
    overrides: Sequence[str] = (),
    fixed: Mapping[str, Any] | None = None,
) -> RunSettings:
    """Return a game's preset, with `a.b=c` overrides and fixed values (seed, budget) applied.

    Settings that are still open, the kind of network and the anchors, are chosen to fit the game.
    """
    presets = {file.stem: file for file in (game_folder / "presets").glob("*.toml")}
    if preset not in presets and preset != "default":
        raise UnknownName("preset", preset, presets, game_folder.name)
    last = {"game": game, "preset": preset, **(fixed or {})}
    if preset in presets:
        values = read_extended(presets[preset])
    else:  # a game that has no preset yet
        values = read_recipe(str(last.get("algorithm", DEFAULT)))
    source = f"preset {preset}"
    model = settings_model({**values, **last}, source)
    for text in overrides:
        _check_free(text, last)
        _apply_override(values, text, model)
    values |= last
    return _fitted(check_settings(values, source))


def _check_free(override: str, said: Mapping[str, Any]) -> None:
    """Refuse to change what is said elsewhere: one of the two would be ignored."""
    key = override.partition("=")[0]
    if key in said:
        raise BadSetting(f"setting {key}: it is given in another way, too: leave one of them out")


def _fitted(settings: RunSettings) -> RunSettings:
    """Fit settings that nobody chose to the game."""
    changes: dict[str, Any] = {}
    network, anchors = getattr(settings, "network", None), settings.anchors
    # An algorithm with a network section of its own has its own default.
    if type(network) is Network and "kind" not in network.model_fields_set:
        game = load_game(settings.game)
        observer = game.observer(network.encoding or None, network.encoding_options)
        kind = choose_network(observer.spec)
        sizes = network.settings or SIZES.get(kind, {})
        fitting = {"kind": kind, "settings": sizes}
        changes["network"] = network.model_copy(update=fitting)
    if anchors.times and "agents" not in anchors.model_fields_set:
        agents = {"agents": choose_anchors(load_game(settings.game))}
        changes["anchors"] = anchors.model_copy(update=agents)
    return settings.model_copy(update=changes)


def check_settings(values: Mapping[str, Any], source: str) -> RunSettings:
    """Build settings from plain values; errors name the key and the fix."""
    return check_values(settings_model(values, source), values, source)


def read_settings(folder: RunFolder) -> RunSettings:
    """Read the settings that a run was started with."""
    return check_settings(folder.settings(), str(folder.config_file))


def with_workers(settings: RunSettings, workers: int) -> RunSettings:
    """Return the settings with this many playing workers, whichever section that setting is in."""
    section = _section_of_workers(settings)
    if section is None:
        raise BadSetting(f"--workers {workers}: {settings.algorithm} uses no workers, leave it out")
    values = settings.model_dump(mode="json")
    values[section]["workers"] = workers
    return check_settings(values, f"--workers {workers}")


def names_workers(settings: RunSettings, overrides: Sequence[str]) -> bool:
    """Whether an `a.b=c` override chose the number of workers, or there is nothing to choose."""
    section = _section_of_workers(settings)
    return section is None or any(text.startswith(f"{section}.workers=") for text in overrides)


def _section_of_workers(settings: RunSettings) -> str | None:
    for name in type(settings).model_fields:
        section = getattr(settings, name)
        if isinstance(section, BaseModel) and "workers" in type(section).model_fields:
            return name
    return None


def _apply_override(values: dict[str, Any], text: str, model: type[BaseModel]) -> None:
    path, mark, word = text.partition("=")
    if not mark or not path:
        raise BadSetting(f"--set {text!r}: write key=value, e.g. search.sims=64")
    value = parse_value(word)
    *sections, key = path.split(".")
    _check_path(path.split("."), model)
    for depth, section in enumerate(sections, 1):
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            name = ".".join(sections[:depth])
            raise BadSetting(
                f"--set {text[:80]!r}: {name} was set to a plain value: remove one of the two"
            )
    values[key] = value


def _check_path(parts: Sequence[str], model: type[BaseModel]) -> None:
    """Refuse an unknown key, suggesting the most similar known one."""
    for depth, part in enumerate(parts):
        if part not in model.model_fields:
            known = (".".join([*parts[:depth], field]) for field in model.model_fields)
            raise UnknownName("setting", ".".join(parts[: depth + 1]), known)
        annotation = model.model_fields[part].annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            model = annotation
            continue
        rest = parts[depth + 1 :]
        if len(rest) > (1 if get_origin(annotation) is dict else 0):
            name = ".".join(parts[: depth + 1])
            raise BadSetting(f"setting {'.'.join(parts)!r}: {name} has no parts, set {name} itself")
        return  # a plain value, or a key of a free-form table such as network.settings


def parse_budget(text: str) -> float:
    """Parse `90s`, `10m` or `2h` into seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = text[:-1], text[-1:]
    try:
        if unit in units and 0 < (seconds := float(number) * units[unit]) <= _MOST_SECONDS:
            return seconds
    except ValueError:
        pass
    raise BadSetting(f"budget {text!r}: write it like 90s, 10m or 2h, at most ten years")
