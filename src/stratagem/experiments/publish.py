"""What may be published: `results/` takes only what one commit reproduces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadSetting
from stratagem.experiments.results import RESULTS, checkout_root
from stratagem.runs.provenance import PUBLISHED, find_checkout


def clean_commit(ignore: Sequence[str] = PUBLISHED) -> str:
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
    return checkout_root() / RESULTS
