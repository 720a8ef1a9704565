"""What every training run does, whatever its algorithm.

It iterates until its budget is used up, and is taken up again after its last finished iteration.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from stratagem.backend import Backend, ThreadBackend
from stratagem.runs.folder import RunFolder
from stratagem.train.progress import RunProgress
from stratagem.train.settings import RunSettings

Metrics = dict[str, Any]
S = TypeVar("S", bound=RunSettings)
P = TypeVar("P", bound=RunProgress)


class TrainingRun(ABC, Generic[S, P]):
    """A training run bound to its folder; algorithms say what an iteration is."""

    def __init__(
        self,
        settings: S,
        folder: RunFolder,
        progress: P,
        backend: Backend | None,
        on_iteration: Callable[[Metrics], None] | None,
    ) -> None:
        self.settings = settings
        self.folder = folder
        self.progress = progress
        self._backend = backend or ThreadBackend()
        self._report = on_iteration or (lambda metrics: None)

    def run(self) -> None:
        """Iterate until the budget is used up."""
        while self.progress.share(self.settings) < 1.0:
            self._iterate()

    def resume(self) -> None:
        """Take up the run after its last finished iteration.

        The disk is touched only after everything was read: a run that is refused stays as it was.
        """
        iteration = self.folder.latest()
        metrics = self._load(iteration) if iteration else {}
        self.folder.restore_after(iteration, self._strongest(), metrics)
        self._tidy()

    @abstractmethod
    def _iterate(self) -> None:
        """Play, learn, measure, save."""

    @abstractmethod
    def _load(self, iteration: int) -> Metrics:
        """Read all that outlived an iteration; returns its line of metrics."""

    @abstractmethod
    def _tidy(self) -> None:
        """Remove files that nobody needs any more."""

    def _strongest(self) -> int:
        """The iteration whose network is this run's best; 0 if there is none yet."""
        return self.progress.iteration

    def _provenance(self, metrics: Metrics) -> dict[str, Any]:
        """Where the network of this iteration comes from, for its card."""
        return {
            "iteration": self.progress.iteration,
            "progress": metrics["progress"],
            "seconds": metrics["seconds"],
            "games": self.progress.games,
            "decisions": self.progress.decisions,
            "seed": self.settings.seed,
        }
