"""One training run, whatever its algorithm: iterate until the budget is used up, measure, save.

An algorithm defines how an iteration plays and learns, and what must be saved. All randomness of an
iteration comes from the run's seed and the iteration's number, and everything that must outlive it
is in the checkpoint; so a run that is killed and resumed ends exactly like an uninterrupted one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from torch import Tensor, nn

from stratagem.backend import Backend, ThreadBackend
from stratagem.core.agent import Agent
from stratagem.core.compiling import WATCH
from stratagem.core.errors import Diverged
from stratagem.core.game import Game
from stratagem.core.record import GameRecord
from stratagem.core.state_arrays import Arrays
from stratagem.nets.model_file import ModelCard, load_model
from stratagem.runs.checkpoints import (
    TrainingState,
    files_of_network,
    load_training_state,
    newest_whole,
    reading_state,
    save_checkpoint,
)
from stratagem.runs.folder import LIMITS, RunFolder
from stratagem.runs.metrics import GateResult, IterationMetrics, MeanOf, OpponentScore
from stratagem.runs.provenance import collect_provenance, what_changed
from stratagem.train.anchors import meet_anchors, seconds_for_anchors
from stratagem.train.finite import check_losses, check_tensors
from stratagem.train.population import Population
from stratagem.train.progress import RunProgress, read_progress
from stratagem.train.settings import RunSettings

S = TypeVar("S", bound=RunSettings)
P = TypeVar("P", bound=RunProgress)

OnIteration = Callable[[IterationMetrics], None]

_GRACE = 0.05  # how much a budget may be exceeded, as a share of it


@dataclass(frozen=True)
class Learned:
    """The training steps of an iteration."""

    steps: int
    learning_rate: float
    losses: Mapping[str, float]  # means by name, including `total`; empty: no step was taken
    seconds: float
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Iteration:
    """An algorithm's report on an iteration; the template adds what all have in common."""

    games: int  # games that ended
    decisions: int
    play_seconds: float
    learned: Learned
    sample: GameRecord | None  # a game to keep
    mean_plies: float | None = None
    imitation: bool = False
    measures: Mapping[str, MeanOf] = field(default_factory=dict)
    accepted: bool = True  # whether the network now plays for the run
    gate: GateResult | None = None
    opponents: Mapping[str, OpponentScore] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Snapshot:
    """Everything that a checkpoint stores, besides the progress."""

    module: nn.Module  # the network that plays
    card: ModelCard
    tensors: dict[str, Tensor]  # of learner and optimiser
    arrays: Arrays = field(default_factory=dict)  # games in progress
    values: Mapping[str, Any] = field(default_factory=dict)  # any other JSON values


class Trainer(ABC, Generic[S, P]):
    """A training run bound to its folder."""

    game: Game

    def __init__(
        self,
        settings: S,
        folder: RunFolder,
        progress: P,
        backend: Backend | None = None,
        on_iteration: OnIteration | None = None,
    ) -> None:
        self.settings = settings
        self.folder = folder
        self.progress = progress
        self.population = Population(settings.opponents, settings.seed)
        self._backend = backend or ThreadBackend()
        self._report = on_iteration or (lambda metrics: None)
        self.notes: list[str] = []  # problems that a resumed run found, to be shown
        self.on_phase: Callable[[str], None] = lambda phase: None  # called when it changes
        self._clock = settings.clock()
        self._since: float | None = None  # end of the last iteration

    def run(self) -> None:
        """Iterate until the budget is used up."""
        self._since = self._clock()
        try:
            while self.progress.share(self.settings) < 1.0:
                self._iterate()
        finally:
            self._stop()

    def resume(self) -> None:
        """Continue after the last finished iteration.

        The disk is written to only after everything was read: a refused run does not change.
        """
        iteration, reasons = newest_whole(self.folder)
        metrics = None
        if iteration:
            self.folder.check_settings(_fixed_settings(self.settings), iteration)
            state = load_training_state(self.folder, iteration)
            with reading_state(self.folder.step_folder(iteration)):
                self.progress = read_progress(type(self.progress), state.values["progress"])
                if self.progress.iteration != iteration:
                    raise ValueError(f"it belongs to iteration {self.progress.iteration}")
                metrics = IterationMetrics.model_validate(state.values["metrics"])
                self._restore(state)
        if reasons:
            place = self.folder.step_folder(iteration).name
            self.notes.append(f"{reasons[0]}; continuing from {place}, the newest intact one")
        if changed := what_changed(self.folder.provenance(), collect_provenance()):
            self.notes.append(changed)
        if damage := self.folder.damaged_metrics():
            self.notes.append(damage)
        self.folder.restore_after(iteration, self._best(), metrics)
        for note in self.notes:
            self.folder.log(note)
        self._tidy()

    # -- what an algorithm fills in ----------------------------------------------------------

    @abstractmethod
    def _work(self, used: float) -> Iteration:
        """Play, learn and test; `used` is the share of the budget used so far."""

    @abstractmethod
    def _player(self) -> Agent:
        """Return the player that meets the fixed opponents for this run."""

    @abstractmethod
    def _snapshot(self, training: Mapping[str, Any]) -> Snapshot:
        """Return what a checkpoint stores; `training` tells its card where the network is from."""

    @abstractmethod
    def _restore(self, state: TrainingState) -> None:
        """Restore a saved state, after the progress; read every file that is needed later."""

    def _load(self, checkpoint: Path) -> nn.Module:
        """Load a network of this run's kind."""
        return load_model(checkpoint, self.game).module

    def _stop(self) -> None:
        """End work that continues between iterations; also called after an error or Ctrl-C."""

    def _best(self) -> int:
        """Return the iteration whose network plays for this run; 0 if there is none yet."""
        return self.progress.iteration

    def _oldest_segment(self) -> int:
        """Return the oldest iteration whose part of the replay is still needed."""
        return 0

    def _needed(self) -> set[int]:
        """Return the iterations whose networks are still needed."""
        return set()

    def _network_of(self, iteration: int) -> nn.Module:
        return self._load(self.folder.step_folder(iteration))

    # -- one iteration -----------------------------------------------------------------------

    def _iterate(self) -> None:
        clock = self._clock
        # Saving counts towards the next iteration.
        started = clock() if self._since is None else self._since
        compiled = WATCH.seconds
        progress, used = self.progress, self.progress.share(self.settings)
        progress.iteration += 1
        try:
            done = self._work(used)
        except Diverged as error:
            raise Diverged(f"iteration {progress.iteration}: {error}") from None
        check_losses(done.learned.losses, progress.iteration)
        if done.sample is not None:
            self.folder.write_game(progress.iteration, done.sample)
        # Which anchors are due depends on the time: count it before and after they are played.
        spent = clock() - started
        progress.seconds += spent
        progress.iteration_seconds = max(0.0, spent - (WATCH.seconds - compiled))
        self._end_budget()
        started = clock()
        anchors = meet_anchors(
            self.game, self.settings, progress, self._player, clock, self.on_phase
        )
        self._since = clock()
        progress.seconds += self._since - started
        metrics = IterationMetrics(
            iteration=progress.iteration,
            seconds=round(progress.seconds, 3),
            progress=round(progress.share(self.settings), 6),
            budget_seconds=self.settings.budget_seconds,
            imitation=done.imitation,
            games=progress.games,
            decisions=progress.decisions,
            games_per_s=round(done.games / done.play_seconds, 2),
            decisions_per_s=round(done.decisions / done.play_seconds, 1),
            mean_plies=None if done.mean_plies is None else round(done.mean_plies, 2),
            play_seconds=round(done.play_seconds, 3),
            train_seconds=round(done.learned.seconds, 3),
            steps=done.learned.steps,
            learning_rate=round(done.learned.learning_rate, 8),
            losses={name: round(value, 5) for name, value in done.learned.losses.items()},
            measures=dict(done.measures),
            accepted=done.accepted,
            gate=done.gate,
            anchors=anchors,
            opponents=dict(done.opponents),
            details={**done.details, **done.learned.details},
        )
        self._save(metrics)
        self._report(metrics)

    def _end_budget(self) -> None:
        """Make this iteration the last one if another one, and the anchors, would take too long."""
        settings, progress = self.settings, self.progress
        if not settings.budget_seconds:
            return
        left = settings.budget_seconds - progress.seconds
        left -= seconds_for_anchors(settings, progress)
        if progress.iteration_seconds > left + _GRACE * settings.budget_seconds:
            progress.ended_budget = settings.budget_seconds

    def _save(self, metrics: IterationMetrics) -> None:
        progress = self.progress
        kept = self._snapshot(
            {
                "iteration": progress.iteration,
                "progress": metrics.progress,
                "seconds": metrics.seconds,
                "games": progress.games,
                "decisions": progress.decisions,
                "seed": self.settings.seed,
            }
        )
        check_tensors(kept.module.state_dict(), progress.iteration)
        check_tensors(kept.tensors, progress.iteration)
        common = {
            "progress": vars(progress),
            "metrics": metrics.model_dump(mode="json"),
            "settings": _fixed_settings(self.settings),
        }
        state = TrainingState(kept.tensors, {**common, **kept.values}, kept.arrays)
        needs = self._needs()
        save_checkpoint(self.folder, progress.iteration, kept.module, kept.card, state, needs)
        if metrics.accepted:
            self.folder.point_best(progress.iteration)
        self.folder.add_metrics(metrics)
        self._tidy()

    def _tidy(self) -> None:
        self.folder.tidy(self.progress.iteration, self.settings.keep_every)

    def _needs(self) -> list[Path]:
        """Return files of earlier iterations that are needed to resume from this one."""
        iteration, oldest = self.progress.iteration, self._oldest_segment()
        segments = range(oldest, iteration + 1) if oldest else ()
        networks = sorted(self._needed() - {iteration})
        return [
            *(self.folder.segment(number) for number in segments),
            *(file for number in networks for file in files_of_network(self.folder, number)),
        ]


def _fixed_settings(settings: RunSettings) -> dict[str, Any]:
    """Return the settings that a resumed run may not change, as plain values."""
    values = settings.model_dump(mode="json")
    return {key: value for key, value in values.items() if key not in LIMITS}
