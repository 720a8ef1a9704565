"""Publishing a result: only what one commit reproduces goes into the repository's `results/`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import stratagem
from stratagem.core.errors import BadSetting
from stratagem.runs.provenance import find_checkout

RESULTS = "results"  # at the top of the checkout


def clean_commit(ignore: Sequence[str] = (RESULTS,)) -> str:
    """The commit of this checkout; refuses one with changes outside of `ignore`."""
    checkout = find_checkout(ignore)
    if not checkout.commit:
        raise BadSetting("no checkout to publish from: run it from a clone of the repository")
    if checkout.changed:
        raise BadSetting(
            f"the checkout has changes since {checkout.commit}: commit or stash them first, "
            "because a result names the commit that reproduces it"
        )
    return checkout.commit


def publish(folder: Path, results: Path | None = None) -> Path:
    """Copy an experiment's result.json to results/<game>-<name>.json; returns the copy."""
    file = folder / "result.json"
    if not file.is_file():
        raise BadSetting(f"{folder} holds no result: run the experiment first")
    result = json.loads(file.read_text())
    refuse_changed(result, str(file))
    target = (results or results_folder()) / f"{result['name'].replace('/', '-')}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target)
    return target


def refuse_changed(result: Mapping[str, Any], what: str) -> None:
    """Refuse a result that no commit reproduces."""
    commit = str(result.get("commit", ""))
    if not commit or commit.endswith("+"):
        raise BadSetting(
            f"{what} comes from a changed checkout ({commit or 'unknown'}): run it again from a "
            "clean one"
        )


def results_folder() -> Path:
    """Where published results lie in this checkout."""
    package = Path(stratagem.__file__).resolve().parent
    return package.parent.parent / RESULTS
