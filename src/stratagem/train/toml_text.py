"""Writing settings as TOML (the standard library only reads it)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def to_toml(values: Mapping[str, Any]) -> str:
    """Nested plain values as TOML text: scalars first, then a table per section."""
    return "\n".join(_lines(values, "")) + "\n"


def _lines(values: Mapping[str, Any], prefix: str) -> list[str]:
    lines = [f"{key} = {_scalar(v)}" for key, v in values.items() if not isinstance(v, Mapping)]
    for key, value in values.items():
        if isinstance(value, Mapping):
            name = f"{prefix}{key}"
            lines += ["", f"[{name}]", *_lines(value, f"{name}.")]
    return lines


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_scalar, value)) + "]"
    if isinstance(value, float):
        return repr(value)  # inf and nan are spelled the same in both languages
    return json.dumps(value, ensure_ascii=False)
