"""Runs an experiment from start to end, whatever its kind.

Everything is on disk: the same call on the same folder resumes an interrupted one where it
stopped.
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
from stratagem.evaluate.reports import Pictures, Report
from stratagem.experiments.call import Call, Progress
from stratagem.experiments.clock import running_clock
from stratagem.experiments.exhibit import ExperimentFile
from stratagem.experiments.files import DEFAULT_KIND, experiment_name, experiment_values
from stratagem.experiments.findings import findings
from stratagem.experiments.plugins import load_module
from stratagem.runs.lock import hold_run
from stratagem.runs.provenance import find_checkout

KINDS = "stratagem.experiments.kinds"
RESULT = "result.json"


def load_kind(values: dict[str, Any], experiment: str) -> ModuleType:
    """Load the module of an experiment file's kind."""
    kind = str(values.get("kind", DEFAULT_KIND))
    return load_module(KINDS, kind, f"kind of experiment {experiment}")


def load_experiment(name: str) -> Any:
    """Load the definition of an experiment, checked with every arm's settings."""
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
    """Run `name` within about `budget_seconds` of wall-clock time; write result.json and report.md.

    Time used by earlier calls on the same folder counts, too.
    """
    if budget_seconds <= 0:
        raise BadSetting(f"budget {budget_seconds}: an experiment needs some seconds")
    name = experiment_name(name)
    values = experiment_values(name)
    kind = load_kind(values, name)
    definition = kind.read(name, values)
    with hold_run(out), running_clock(out) as before:
        call = Call(budget_seconds, time.time() - before, out, seed, progress, backend)
        result = head_of(definition) | kind.run(definition, call)
        result["findings"] = findings(kind.compared(definition, result))
        result |= {"budget_seconds": budget_seconds, "seed": seed, "definition": values}
        result["commit"] = str(find_checkout())
        result["seconds"] = round(time.time() - call.began, 1)
        page = page_of(definition, result, Pictures(out))
        page.write(out / "report.md")
        text = json.dumps(result, indent=1)
        write_atomically(out / RESULT, text + "\n")
    for sentence in result["findings"]:
        progress(sentence)
    progress(f"report: {out / 'report.md'}")
    written: dict[str, Any] = json.loads(text)  # exactly what is in the file
    return written


def head_of(definition: ExperimentFile) -> dict[str, Any]:
    """Return what a result says about its experiment."""
    return {"name": definition.name, "title": definition.title, "source": definition.source}


def page_of(
    definition: ExperimentFile, result: dict[str, Any], pictures: Pictures, part: bool = False
) -> Report:
    """Write a result as text, tables and figures: a page, or a section without its own title."""
    page = Report("" if part else definition.title, pictures, 2 if part else 1)
    page.paragraph(_first_words(definition, result))
    kind = load_module(KINDS, getattr(definition, "kind", DEFAULT_KIND), "kind")
    # From the numbers, not the stored sentences, so that a page has one wording.
    sentences = findings(kind.compared(definition, result)) if "findings" in result else []
    if sentences:
        page.paragraph(sentences[0])
    if sentences[1:]:
        page.paragraph("\n".join(f"- {sentence}" for sentence in sentences[1:]))
    kind.write(definition, result, page)
    return page


def _first_words(definition: ExperimentFile, result: dict[str, Any]) -> str:
    seeds = result.get("seeds", 1)
    first = result["seed"]
    which = f"seed {first}" if seeds == 1 else f"seeds {first} to {first + seeds - 1}"
    budget = result.get("budget_seconds")
    spent = f", total budget {budget / 60:.0f} minutes" if budget else ""
    source = f"Source: {definition.source}" if definition.source else "Not from a paper"
    return f"{source}. Game: `{result['game']}`, {which}{spent}."
