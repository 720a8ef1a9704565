"""Reading TOML with errors that name the file, and writing it (the standard library only reads)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadScenario
from stratagem.core.reading import read_regular

_BARE = re.compile(r"[A-Za-z0-9_-]+")  # keys that need no quotes


def read_toml(file: Path) -> dict[str, Any]:
    """A TOML file as a dictionary; a syntax error names file and line."""
    try:
        return tomllib.loads(read_regular(file).decode())
    except (ValueError, RecursionError) as error:  # wrong syntax, no text, too deep, too long
        reason = str(error).splitlines()[0][:200]
        raise BadScenario(f"{file.name}: not valid TOML: {reason}") from None


def parse_value(text: str) -> Any:
    """`3` is a number, `true` a truth, `[1, 2]` a list; anything else is a word."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):  # no TOML, too deep, or a number of 5,000 digits
        return text


def format_toml(values: Mapping[str, Any]) -> str:
    """Nested plain values as TOML text: scalars first, then a table per section."""
    return "\n".join(_lines(values, "")) + "\n"


def _lines(values: Mapping[str, Any], prefix: str) -> list[str]:
    lines = [
        f"{_key(key)} = {format_value(v)}"
        for key, v in values.items()
        if not isinstance(v, Mapping)
    ]
    for key, value in values.items():
        if isinstance(value, Mapping):
            name = f"{prefix}{_key(key)}"
            lines += ["", f"[{name}]", *_lines(value, f"{name}.")]
    return lines


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def format_value(value: Any) -> str:
    """A plain value as it stands behind `key =`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(format_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {format_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, float):
        return repr(value)  # inf and nan are spelled the same in both languages
    return json.dumps(value, ensure_ascii=False)
