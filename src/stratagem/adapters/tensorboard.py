"""Writes the metrics of a run as TensorBoard event files, without TensorFlow."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from stratagem.adapters.extras import need
from stratagem.core.errors import BadSetting
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics_table import flat_metrics

_X_AXIS = "iteration"
_EVENTS = "events.out.tfevents.*"


def write_tensorboard(run: RunFolder, folder: Path) -> int:
    """Write every number of every iteration as a scalar; return how many names there are.

    The step is the iteration. Times are those of the run, without pauses.
    """
    rows = run.metrics()
    if not rows:
        raise BadSetting(f"{run.path} has no finished iteration yet: let it train for longer")
    if any(folder.glob(_EVENTS)):
        raise BadSetting(
            f"{folder} already contains events, which would be shown twice: use another folder"
        )
    began = 0.0
    with suppress(ValueError):  # old runs do not say when they were started
        began = datetime.fromisoformat(run.provenance().started).timestamp()
    writer = need("tensorboardX", "tensorboard").SummaryWriter(str(folder))
    names = set()
    try:
        for row in rows:
            numbers = flat_metrics(row)
            step = int(numbers.pop(_X_AXIS))
            for name, number in numbers.items():
                writer.add_scalar(name, number, step, walltime=began + row.seconds)
            names |= set(numbers)
    finally:
        writer.close()
    return len(names)
