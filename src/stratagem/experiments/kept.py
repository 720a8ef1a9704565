"""What earlier calls on an experiment's folder found out, one JSON file each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stratagem.core.errors import BadSetting
from stratagem.core.reading import MEGABYTE, read_json

_MOST_BYTES = 256 * MEGABYTE


def read_kept(file: Path) -> Any:
    """What a file says; one that is damaged is refused, since nobody knows what it said."""
    try:
        return read_json(file, _MOST_BYTES)
    except OSError as error:
        raise BadSetting(f"cannot read {file}: {error.strerror}: check the path") from None
    except ValueError:
        raise BadSetting(
            f"{file} is damaged: delete it, and the same command creates it again"
        ) from None


def read_result(file: Path) -> dict[str, Any]:
    """The result of an experiment."""
    result = read_kept(file)
    if not isinstance(result, dict) or not isinstance(result.get("definition", {}), dict):
        raise BadSetting(f"{file} holds no result of an experiment: run the experiment again")
    return result
