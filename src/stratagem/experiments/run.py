"""An experiment from start to end, whatever its kind.

Nothing is kept in memory that is not on disk: the same call on the same folder goes on where an
interrupted one stopped.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from stratagem.backend import Backend
from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically
from stratagem.experiments.call import Call, Progress
from stratagem.experiments.files import DEFAULT_KIND, experiment_name, experiment_values
from stratagem.experiments.plugins import load_module
from stratagem.experiments.publish import RESULTS
from stratagem.runs.provenance import find_checkout

KINDS = "stratagem.experiments.kinds"


def load_kind(values: dict[str, Any], experiment: str) -> ModuleType:
    """The module that an experiment file belongs to."""
    kind = str(values.get("kind", DEFAULT_KIND))
    return load_module(KINDS, kind, f"kind of experiment {experiment}")


def load_experiment(name: str) -> Any:
    """The definition of an experiment, checked with every arm's settings."""
    name = experiment_name(name)
    values = experiment_values(name)
    return load_kind(values, name).read(name, values)


def run_experiment(
    name: str,
    budget_seconds: float,
    out: Path,
    seed: int = 0,
    progress: Progress = lambda text: None,
    backend: Backend | None = None,
) -> dict[str, Any]:
    """Run `name` within about `budget_seconds` of wall clock; writes result.json and report.md."""
    if budget_seconds <= 0:
        raise BadSetting(f"budget {budget_seconds}: an experiment needs some seconds")
    name = experiment_name(name)
    values = experiment_values(name)
    kind = load_kind(values, name)
    definition = kind.read(name, values)
    began = time.time()
    call = Call(budget_seconds, began, out, seed, progress, backend)
    result, page = kind.run(definition, call)
    head = {key: getattr(definition, key) for key in ("name", "title", "source")}
    result = head | result | {"budget_seconds": budget_seconds, "seed": seed}
    result["commit"] = str(find_checkout((RESULTS,)))
    result["seconds"] = round(time.time() - began, 1)
    page.write(out / "report.md")
    text = json.dumps(result, indent=2)
    write_atomically(out / "result.json", text + "\n")
    progress(f"report: {out / 'report.md'}")
    written: dict[str, Any] = json.loads(text)  # exactly what the file says
    return written
