"""The metrics of a run as event files for TensorBoard, written without TensorFlow."""

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
    """Every number of every iteration as a scalar; gives how many names there are.

    The step is the iteration. Times are those of the run, without its pauses.
    """
    rows = run.metrics()
    if not rows:
        raise BadSetting(f"{run.path} has no finished iteration yet: let it train a little longer")
    if any(folder.glob(_EVENTS)):
        raise BadSetting(
            f"{folder} already contains events, which would be shown twice: name another folder"
        )
    began = 0.0
    with suppress(ValueError):  # an old run does not say when it was started
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
