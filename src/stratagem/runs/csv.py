"""The metrics of a run as a table that a spreadsheet or a notebook reads."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from stratagem.runs.compare import flatten
from stratagem.runs.metrics import IterationMetrics

_SCALARS = (str, int, float, bool)


def metrics_csv(rows: Sequence[IterationMetrics]) -> str:
    """A line per iteration; `losses.total` and the like are columns, lists are left out."""
    flat = [_numbers(row) for row in rows]
    columns = list(dict.fromkeys(key for row in flat for key in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return stream.getvalue()


def _numbers(row: IterationMetrics) -> dict[str, Any]:
    values = flatten(row.model_dump(mode="json"))
    return {key: value for key, value in values.items() if isinstance(value, _SCALARS)}
