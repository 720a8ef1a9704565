"""A run is a folder that holds everything about it.

    config.toml     the resolved settings          ckpt/step_000012/   model + training state
    meta.json       versions, machine, command     ckpt/latest, best   names of step folders
    metrics.jsonl   one line per iteration         buffer/             replay, one file an iteration
    games/          sample games as records        log.txt             what the terminal showed

Order makes it safe: replay first, then the checkpoint folder (renamed into place), then the
pointer `latest`. Whatever `latest` does not cover never happened and is removed on resume; what is
written after it (the pointer `best`, the line of metrics) is restored on resume. Every checkpoint
has a manifest with checksums of its files and of those that it needs elsewhere in the run.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from stratagem.core.errors import BadCheckpoint, BadSetting, StratagemError
from stratagem.core.files import append_fully, write_atomically
from stratagem.core.manifest import Manifest, read_manifest, write_manifest
from stratagem.core.reading import MEGABYTE, read_regular
from stratagem.core.record import GameRecord, write_record
from stratagem.core.toml import format_toml, read_toml
from stratagem.runs.lock import LOCK_FILE
from stratagem.runs.metrics import IterationMetrics, MetricsLines, parse_metrics
from stratagem.runs.pointers import read_pointer, write_pointer
from stratagem.runs.provenance import Provenance, collect_provenance

_CONFIG = "config.toml"
_SEGMENT = ".safetensors"
_CARD = "model.json"  # as in nets.model_file, which would load torch
_STATE = "train_state.json"  # as in checkpoints.py
LIMITS = ("budget_seconds", "iterations")  # settings that a resumed run may change
_MOST_METRICS = 256 * MEGABYTE
_NUMBER = re.compile(r"[0-9]{6,9}")
_STEP = re.compile(r"step_([0-9]{6,9})")


class RunFolder:
    """The folder of one training run: its contents, with safe reads and writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._checkpoints = path / "ckpt"
        self._segments = path / "buffer"
        self._games = path / "games"
        self._metrics = path / "metrics.jsonl"
        self._meta = path / "meta.json"
        self._log = path / "log.txt"

    # -- settings ----------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, settings: BaseModel) -> RunFolder:
        """Create a new run; a folder that already holds one is refused."""
        folder = cls(path)
        folder.check_free()
        path.mkdir(parents=True, exist_ok=True)
        folder.write_settings(settings)
        write_atomically(folder._meta, collect_provenance().model_dump_json(indent=2) + "\n")
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open an existing run."""
        folder = cls(path)
        if not folder.exists():
            raise BadSetting(
                f"{path} does not contain a run: give a folder that `stratagem train` created"
            )
        return folder

    def check_free(self) -> None:
        """Refuse a folder that already holds a run, or anything else."""
        if self.exists():
            raise BadSetting(
                f"{self.path} already contains a run: continue with --resume --run {self.path}, "
                "or choose another folder"
            )
        if found := self._foreign():
            raise BadSetting(f"{self.path} already contains {found}: choose an empty or new folder")

    def _foreign(self) -> str:
        """A file of somebody else; what an interrupted start leaves behind is not."""
        if not self.path.is_dir():
            return ""
        names = (file.name for file in sorted(self.path.iterdir()))
        return next((one for one in names if one != LOCK_FILE and not one.startswith(".")), "")

    def exists(self) -> bool:
        """Whether a run has been started in this folder."""
        return self.config_file.is_file()

    @property
    def config_file(self) -> Path:
        """The settings file, for messages and for copying beside a shipped network."""
        return self.path / _CONFIG

    def settings(self) -> dict[str, Any]:
        """Read the run's settings as plain values, without checking them."""
        return read_toml(self.config_file)

    def write_settings(self, settings: BaseModel) -> None:
        """Write config.toml, completely or not at all."""
        write_atomically(self.config_file, format_toml(settings.model_dump(mode="json")))

    def check_settings(
        self, settings: Mapping[str, Any] | None = None, iteration: int | None = None
    ) -> None:
        """Refuse settings (default: the file's) that differ from those of a training state.

        The default is the newest training state.
        """
        step = "step_*" if iteration is None else self.step_folder(iteration).name
        states = sorted(self._checkpoints.glob(f"{step}/{_STATE}"))
        if not states:
            return
        try:
            saved = json.loads(read_regular(states[-1]))["settings"]
            changed = [
                key
                for key, value in (self.settings() if settings is None else settings).items()
                if key not in LIMITS and key in saved and saved[key] != value
            ]
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise BadCheckpoint(f"{states[-1]} is damaged: use another checkpoint") from None
        if changed:
            raise BadSetting(
                f"{self.config_file} was changed or damaged since the last checkpoint "
                f"(see {changed[0]}): restore it, or start a new run"
            )

    def damage(self) -> list[str]:
        """Describe what is wrong with settings and metrics, one line each."""
        found = [self.damaged_metrics()]
        try:
            self.check_settings()
        except StratagemError as error:
            found.append(str(error))
        return [text for text in found if text]

    def provenance(self) -> Provenance:
        """How the run was started; fields are empty where nothing is known."""
        try:
            return Provenance.model_validate_json(read_regular(self._meta))
        except (OSError, ValidationError):
            return Provenance()

    def changed(self) -> float:
        """Return when settings or metrics were last written, in seconds since the epoch."""
        times = [0.0]
        for file in (self._metrics, self.config_file):
            with suppress(OSError):  # the file may not exist yet, or no longer
                times.append(file.stat().st_mtime)
        return max(times)

    # -- checkpoints -------------------------------------------------------------------------

    def step_folder(self, iteration: int) -> Path:
        """Return where the checkpoint of an iteration is, or would be."""
        return self._checkpoints / f"step_{iteration:06d}"

    def steps(self) -> list[int]:
        """Return the iterations whose checkpoints are complete and kept, oldest first."""
        return sorted(n for n in self.step_numbers() if (self.step_folder(n) / _CARD).is_file())

    def latest(self) -> int:
        """Return the last finished iteration, 0 if there is none."""
        pointer = self._checkpoints / "latest"
        if not pointer.exists() and self.step_numbers() <= {1}:
            return 0  # at most the first checkpoint was being written
        return read_pointer(pointer)

    def best(self) -> int:
        """Return the iteration whose network plays for this run: the accepted one or the latest."""
        pointer = self._checkpoints / "best"
        return read_pointer(pointer) if pointer.exists() else self.latest()

    def step_numbers(self) -> set[int]:
        """Return the iterations that have a checkpoint folder, whatever is in it."""
        names = {folder.name for folder in self._checkpoints.glob("step_*")}
        numbers = {int(found[1]) for name in names if (found := _STEP.fullmatch(name))}
        return {number for number in numbers if self.step_folder(number).name in names}

    def point_latest(self, iteration: int) -> None:
        """Set the pointer to the last finished iteration."""
        write_pointer(self._checkpoints / "latest", self.step_folder(iteration))

    def point_best(self, iteration: int) -> None:
        """Set the pointer to the checkpoint that plays for this run; 0: there is none yet."""
        pointer = self._checkpoints / "best"
        if iteration:
            write_pointer(pointer, self.step_folder(iteration))
        else:
            pointer.unlink(missing_ok=True)

    def tidy(self, iteration: int, keep_every: int) -> None:
        """Delete what is no longer needed: old training states, unkept models, old replay.

        The last two checkpoints stay resumable; their manifests say what they need.
        """
        last = sorted(self.step_numbers() & {iteration, iteration - 1})
        needs = {path for number in last for path in _needs_of(self.step_folder(number))}
        networks = {Path(path).parent.name for path in needs}
        for number in sorted(self.step_numbers() - {iteration, iteration - 1}):
            folder = self.step_folder(number)
            if number % keep_every and folder.name not in networks:
                _remove(folder)
            else:
                _drop_training_state(folder)
        for file in self._segments.glob(f"*{_SEGMENT}"):
            if str(file.relative_to(self.path)) not in needs:
                file.unlink()

    def forget_after(self, iteration: int) -> None:
        """Delete what an interrupted iteration left behind."""
        for number in self.step_numbers():
            if number > iteration:
                _remove(self.step_folder(number))
        steps = self._checkpoints.glob("step_*")
        for folder in (self.path, self._checkpoints, self._segments, self._games, *steps):
            for stale in folder.glob(".*.*"):  # temporary files of core.files after a kill
                if stale.is_dir():
                    shutil.rmtree(stale, ignore_errors=True)
                else:
                    stale.unlink(missing_ok=True)
        for file in (*self._segments.glob(f"*{_SEGMENT}"), *self._games.glob("*.jsonl")):
            if _NUMBER.fullmatch(file.stem) and int(file.stem) > iteration:
                file.unlink()
        kept = [line for line in self.metrics() if line.iteration <= iteration]
        write_atomically(self._metrics, "".join(line.as_line() + "\n" for line in kept))

    def restore_after(self, iteration: int, best: int, metrics: IterationMetrics | None) -> None:
        """Delete what came after a finished iteration; rewrite what belongs to it."""
        if iteration and not self._is_latest(iteration):  # newer ones are damaged
            self.point_latest(iteration)
        self.forget_after(iteration)
        self.point_best(best)
        if metrics and not any(line.iteration == iteration for line in self.metrics()):
            self.add_metrics(metrics)

    def _is_latest(self, iteration: int) -> bool:
        try:
            return self.latest() == iteration
        except BadCheckpoint:
            return False

    # -- replay and games --------------------------------------------------------------------

    def segment(self, iteration: int) -> Path:
        """Return the file with one iteration's part of the replay."""
        return self._segments / f"{iteration:06d}{_SEGMENT}"

    def write_game(self, iteration: int, record: GameRecord) -> None:
        """Keep a sample game of an iteration."""
        write_record(record, self._games / f"{iteration:06d}.jsonl")

    def games(self) -> list[Path]:
        """Return the records of the kept games, oldest first."""
        return sorted(self._games.glob("*.jsonl"))

    # -- metrics -----------------------------------------------------------------------------

    def add_metrics(self, metrics: IterationMetrics) -> None:
        """Append the line of one iteration to the metrics."""
        append_fully(self._metrics, metrics.as_line() + "\n")

    def metrics(self) -> list[IterationMetrics]:
        """Read the metrics of every finished iteration, leaving out damaged or unfinished lines."""
        return self._read_metrics().rows

    def damaged_metrics(self) -> str:
        """Say which lines of the metrics are damaged or missing; empty if none are."""
        rows, damaged = self._read_metrics()
        if damaged:
            listed = ", ".join(map(str, damaged[:5])) + (", …" if len(damaged) > 5 else "")
            return f"{self._metrics}: line {listed} is damaged and was skipped"
        for expected, row in enumerate(rows, 1):  # they are in order and unique
            if row.iteration != expected:
                return f"{self._metrics}: iteration {expected} is missing"
        return self._lost_end_of_metrics(rows)

    def _lost_end_of_metrics(self, rows: list[IterationMetrics]) -> str:
        """Whether iterations that have a checkpoint lack their metrics.

        A run that is killed between the two loses nothing: resuming it restores them.
        """
        steps = self.steps()
        last = rows[-1].iteration if rows else 0
        if not steps or steps[-1] <= last:
            return ""
        return f"{self._metrics}: iteration {last + 1} is missing; resuming the run may restore it"

    def _read_metrics(self) -> MetricsLines:
        try:
            return parse_metrics(read_regular(self._metrics, _MOST_METRICS))
        except FileNotFoundError:
            return MetricsLines([], [])
        except OSError as error:
            raise BadCheckpoint(f"cannot read {self._metrics}: {error.strerror}") from None

    def metrics_stamp(self) -> tuple[float, int]:
        """Return a value that changes whenever the metrics do."""
        try:
            found = self._metrics.stat()
        except OSError:
            return (0.0, 0)
        return (found.st_mtime, found.st_size)

    def log(self, text: str) -> None:
        """Append a line to the run's log."""
        append_fully(self._log, text + "\n")

    def log_lines(self, most: int) -> list[str]:
        """Return the last lines of the run's log, oldest first; none if there is no log."""
        try:
            data = read_regular(self._log, _MOST_METRICS)
        except OSError:
            return []
        return data.decode(errors="replace").splitlines()[-most:]


def find_runs(root: Path, depth: int) -> Iterator[RunFolder]:
    """Yield the runs at most `depth` folders below a folder, in no particular order."""
    for level in range(1, depth + 1):
        for file in root.glob("/".join(["*"] * level) + f"/{_CONFIG}"):
            yield RunFolder(file.parent)


def run_around(path: Path) -> RunFolder:
    """Return the run that contains this path."""
    for place in (path, *path.parents):
        folder = RunFolder(place)
        if folder.exists():
            return folder
    raise BadSetting(f"{path} is not inside a run folder")


def new_run_path(root: Path, game: str, seed: int) -> Path:
    """Return root/<time>-<game>-s<seed>, a path that does not exist yet."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    name = game.split("?")[0].replace("/", "-")
    path = root / f"{stamp}-{name}-s{seed}"
    number = 2
    while path.exists():
        path = root / f"{stamp}-{name}-s{seed}-{number}"
        number += 1
    return path


def _needs_of(step: Path) -> Iterable[str]:
    """Return the files elsewhere in the run that a checkpoint needs; none if it is damaged."""
    try:
        return read_manifest(step).needs
    except BadCheckpoint:
        return ()


def _drop_training_state(folder: Path) -> None:
    """Keep only what is needed to play; the manifest is updated first."""
    if folder.is_symlink():  # its target does not belong to this run
        return
    try:
        manifest = read_manifest(folder)
    except BadCheckpoint:  # playing with it will report the error
        return
    kept = {name: sum_ for name, sum_ in manifest.files.items() if name.startswith("model.")}
    if kept != manifest.files or manifest.needs:
        write_manifest(folder, Manifest(files=kept))
    for file in (*folder.glob("train_state.*"), *folder.glob("slots.*")):
        file.unlink()


def _remove(folder: Path) -> None:
    """Delete a checkpoint; if it is a link, delete only the link."""
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder)
