"""Reading TOML with errors that name the file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadScenario


def read_toml(file: Path) -> dict[str, Any]:
    """A TOML file as a dictionary; a syntax error names file and line."""
    try:
        return tomllib.loads(file.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadScenario(f"{file.name}: not valid TOML: {error}") from None
