"""Scenario data: a TOML file, checked against the game's model, packed for kernels.

A game subclasses `Scenario` with one documented field per number of its rules, and says in `pack`
how those become one structured record. Errors name the file, the key and the fix.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import ConfigDict, ValidationError

from stratagem.core.errors import BadScenario, UnknownName
from stratagem.core.scenario_files import ScenarioFile
from stratagem.core.settings import SettingsModel
from stratagem.core.toml import parse_value

_MOST_LETTERS = 80  # of a wrong value that an error repeats


class Scenario(SettingsModel):
    """Base of every game's scenario model. `title` and `summary` are for people."""

    model_config = ConfigDict(strict=True)

    title: str = ""
    summary: str = ""

    def pack(self) -> npt.NDArray[np.void]:
        """This scenario as an array of one structured record, for the `reset` kernel."""
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


def explain(error: ValidationError) -> str:
    """The first problem of a pydantic error in one line: key, reason, what was given."""
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "extra_forbidden":
        return f"unknown key {key!r}: remove it or correct its spelling{more}"
    if first["type"] == "missing":
        return f"missing key {key!r}: add it{more}"
    where = f"key {key!r}: " if key else ""
    message = first["msg"].removeprefix("Value error, ")
    given = "" if not key or isinstance(first["input"], dict) else f", got {_short(first['input'])}"
    return f"{where}{message}{given}{more}"


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of 5,000 digits
        return "a number without end"
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}…"
