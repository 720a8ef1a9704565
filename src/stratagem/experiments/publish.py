"""Decides what may be published: only results of a clean commit go into `results/`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadSetting
from stratagem.experiments.results import RESULTS, checkout_root
from stratagem.runs.provenance import PUBLISHED, find_checkout


def clean_commit(ignore: Sequence[str] = PUBLISHED) -> str:
    """Return the commit of this checkout; refuse one with changes outside `ignore`."""
    checkout = find_checkout(ignore)
    if not checkout.commit:
        raise BadSetting("no checkout to publish from: run it from a clone of the repository")
    if checkout.changed:
        raise BadSetting(
            f"the checkout has changes since {checkout.commit}: commit or stash them first, "
            "because a result names the commit that reproduces it"
        )
    return checkout.commit


def refuse_changed(result: Mapping[str, Any], what: str) -> None:
    """Refuse a result from a changed checkout."""
    commit = str(result.get("commit", ""))
    if not commit or commit.endswith("+"):
        raise BadSetting(
            f"{what} comes from a changed checkout ({commit or 'unknown'}): run it again from a "
            "clean one"
        )


def results_folder() -> Path:
    """Return the folder of published results in this checkout."""
    return checkout_root() / RESULTS
