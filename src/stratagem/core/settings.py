"""What all settings share: a model that knows its keys, and errors that name the fix."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from stratagem.core.errors import BadSetting

_MOST_LETTERS = 80  # of a wrong value that is quoted in an error
_UNIONS = ("int", "str")  # added by pydantic to keys that may hold either

Model = TypeVar("Model", bound=BaseModel)


class SettingsModel(BaseModel):
    """Frozen; unknown keys, infinity and NaN are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def check_values(model: type[Model], values: Any, where: str) -> Model:
    """Validate plain values as a model; an error says where they are, and names the fix."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise BadSetting(f"{where}: {explain(error)}") from None


def explain(error: ValidationError) -> str:
    """Describe the first problem of a pydantic error in one line: key, reason, given value."""
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"] if part not in _UNIONS)
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "extra_forbidden":
        return f"unknown key {key!r}: remove it or correct its spelling{more}"
    if first["type"] == "missing":
        return f"missing key {key!r}: add it{more}"
    where = f"key {key!r}: " if key else ""
    message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    message = message.replace("a valid tuple", "a list")
    given = "" if not key or isinstance(first["input"], dict) else f", got {_short(first['input'])}"
    return f"{where}{message}{given}{more}"


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of 5,000 digits
        return "an endless number"
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}…"
