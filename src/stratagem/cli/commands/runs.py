"""`stratagem runs`: lists the training runs in a folder."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stratagem.cli.durations import format_seconds
from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line, print_table
from stratagem.core.errors import BadSetting, StratagemError

if TYPE_CHECKING:
    from stratagem.runs.folder import RunFolder

_FOLDER = Path("runs")  # may not exist yet
_DEPTH = 3  # how many levels below the folder to look for runs


def command(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder with the runs.")
    ] = _FOLDER,
    as_json: JsonOption = False,
) -> None:
    """List training runs with progress, scores and any damage."""
    from stratagem.runs.folder import RunFolder, find_runs

    if not folder.is_dir() and folder != _FOLDER:
        raise BadSetting(f"{folder} is not a folder: give a folder that contains runs")
    here = [RunFolder(folder)] if RunFolder(folder).exists() else []
    unique = {
        one.path.resolve(): one
        for one in [*here, *find_runs(folder, _DEPTH)]
        if not one.path.is_symlink()
    }  # `latest` is one of the others
    found = [_about(one) for one in sorted(unique.values(), key=lambda one: -one.changed())]
    if as_json:
        print_json(found)
    elif not found:
        print_line(f"no runs in {folder}: start one with `stratagem train GAME`")
    else:
        _print(found)


def _about(folder: RunFolder) -> dict[str, Any]:
    from stratagem.runs.folder import LIMITS
    from stratagem.runs.metrics import IterationMetrics, newest_anchors
    from stratagem.runs.status import find_damage, seconds_left, status_of

    settings: dict[str, Any] = {}
    rows: list[IterationMetrics] = []
    try:
        settings = folder.settings()
        rows = folder.metrics()
        damage = find_damage(folder, settings)[1]
    except (StratagemError, OSError) as error:
        damage = str(error)
    status, last = status_of(folder, rows), rows[-1] if rows else None
    left = None
    if status == "running":
        budget, limit = (_number(settings.get(key)) for key in LIMITS)
        left = seconds_left(rows, budget, limit, max(0.0, time.time() - folder.changed()))
    return {
        "run": str(folder.path),
        "game": _text(settings.get("game")),
        "algorithm": _text(settings.get("algorithm")),
        "seed": seed if isinstance(seed := settings.get("seed"), int) else None,
        "status": status,
        "iterations": last.iteration if last else 0,
        "seconds": last.seconds if last else 0.0,
        "seconds_left": None if left is None else round(left, 1),
        "games": last.games if last else 0,
        "anchors": {spec: one.model_dump() for spec, one in newest_anchors(rows).items()},
        "damage": damage,
    }


def _text(value: Any) -> str | None:
    """Return a value as text; in a damaged run it may have any type."""
    return value if isinstance(value, str) else None


def _number(value: Any) -> Any:
    """Return a limit as written, or None."""
    return value if isinstance(value, int | float) and 0 <= value < math.inf else 0


def _print(found: list[dict[str, Any]]) -> None:
    rows = []
    for one in found:
        left = one["seconds_left"]
        state = one["status"] + (f", {format_seconds(left)} left" if left is not None else "")
        anchors = [f"{spec} {score['score']:.2f}" for spec, score in one["anchors"].items()]
        rows.append(
            [
                one["run"], one["game"] or "?", one["algorithm"] or "?",
                "damaged" if one["damage"] else state, f"{one['iterations']:,}",
                format_seconds(one["seconds"]), ", ".join(anchors),
            ]
        )  # fmt: skip
    print_table(["run", "game", "algorithm", "status", "iterations", "time", "score against"], rows)
    for one in found:
        if one["damage"]:
            print_line(f"damaged: {one['run']}: {one['damage']}")
