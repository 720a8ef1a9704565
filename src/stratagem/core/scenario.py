"""Scenario data: a TOML file, checked against the game's model, packed for kernels.

A game subclasses `Scenario` with one documented field per number of its rules, and defines in
`pack` how they become one structured record. Errors name the file, the key and the fix.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import ConfigDict, ValidationError

from stratagem.core.errors import BadScenario, UnknownName
from stratagem.core.scenario_files import ScenarioFile
from stratagem.core.settings import SettingsModel, explain
from stratagem.core.toml import parse_value

__all__ = ["Scenario", "explain", "read_scenario"]


class Scenario(SettingsModel):
    """Base class of every game's scenario model. `title` and `summary` are shown to people."""

    model_config = ConfigDict(strict=True)

    title: str = ""
    summary: str = ""

    def pack(self) -> npt.NDArray[np.void]:
        """Return this scenario as an array of one structured record, for the `reset` kernel."""
        raise NotImplementedError


ScenarioT = TypeVar("ScenarioT", bound=Scenario)


def read_scenario(
    model: type[ScenarioT], file: ScenarioFile, overrides: Mapping[str, str] | None = None
) -> ScenarioT:
    """Load and check a scenario file, with `key=value` overrides applied on top."""
    values = file.values()
    for key, text in (overrides or {}).items():
        if key not in model.model_fields:
            raise UnknownName("scenario field", key, model.model_fields)
        values[key] = parse_value(text)
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise BadScenario(f"{file.path.name}: {explain(error)}") from None
