"""How the conformance kit reports a broken promise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from stratagem.core.game_faults import explain


class NonConformance(AssertionError):
    """A game broke a promise of the Game contract; the message says which and where."""


def require(kept: bool, promise: str) -> None:
    """Raise NonConformance with this message unless the promise was kept."""
    if not kept:
        raise NonConformance(promise)


@contextmanager
def trying(what: str) -> Iterator[None]:
    """Turn any exception from the game's code into a NonConformance that says where it happened."""
    try:
        yield
    except NonConformance:
        raise
    except Exception as error:
        raise NonConformance(f"{what} failed: {explain(error)}") from error
