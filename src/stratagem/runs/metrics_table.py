"""The metrics of a run as a table of numbers, for spreadsheets and other tools."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stratagem.runs.metrics import IterationMetrics


def flat_metrics(row: IterationMetrics) -> dict[str, float]:
    """Return every number of an iteration by its path: `losses/total`, `anchors/random/score`.

    True is 1 and False is 0. Texts, lists and unmeasured values are left out.
    """
    return dict(_numbers("", row.model_dump(mode="json")))


def metrics_csv(rows: Sequence[IterationMetrics]) -> str:
    """Write one line per iteration; a cell is empty where nothing was measured."""
    lines = [flat_metrics(row) for row in rows]
    columns = list(dict.fromkeys(name for line in lines for name in line))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _numbers(path: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(f"{path}/{key}" if path else str(key), inner)
    elif isinstance(value, bool | int | float):
        yield path, int(value) if isinstance(value, bool) else value
