"""Reads TOML with errors that name the file, and writes it (the standard library only reads)."""

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
_DEEPEST = 32  # nested tables and lists
# Reading a key of n parts takes n * n steps, so the dots of each line are counted first.
_MOST_STEPS = 20_000_000


def read_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file as a dictionary; syntax errors name file and line."""
    try:
        text = read_regular(file).decode().removeprefix("\ufeff")  # added by some editors
        if sum(line.count(".") ** 2 for line in text.split("\n")) > _MOST_STEPS:
            raise ValueError("a line has thousands of dots: split it")
        values = tomllib.loads(text)
        if _is_deeper(values, _DEEPEST):
            raise ValueError(f"nested in more than {_DEEPEST} levels")
        if _holds_zero(values):
            raise ValueError("a text with the character 0 in it")
    except (ValueError, RecursionError) as error:  # wrong syntax, not text, too deep, too long
        reason = str(error).splitlines()[0][:200]
        raise BadScenario(f"{file.name}: not valid TOML: {reason}") from None
    return values


def _is_deeper(value: Any, most: int) -> bool:
    """Whether tables and lists are nested more than `most` levels deep."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_is_deeper(one, most - 1) for one in inner)


def _holds_zero(value: Any) -> bool:
    """Whether a text in it has the character 0, which no name of a file can have."""
    if isinstance(value, dict):
        return any(map(_holds_zero, (*value, *value.values())))
    return any(map(_holds_zero, value)) if isinstance(value, list) else "\0" in str(value)


def parse_value(text: str) -> Any:
    """Parse `3` as a number, `true` as a boolean, `[1, 2]` as a list; anything else is a string."""
    try:
        values = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):  # not TOML, too deep, or a number of 5,000 digits
        return text
    return values["value"] if len(values) == 1 else text  # more lines are no value


def format_toml(values: Mapping[str, Any]) -> str:
    """Write nested plain values as TOML: scalars first, then a table per section."""
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
    """Write a plain value as it appears after `key =`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(format_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {format_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, float):
        return repr(value)  # inf and nan are spelled the same in both languages
    return json.dumps(value, ensure_ascii=False)
