"""A run is a folder that holds everything about it.

    config.toml     the resolved settings          ckpt/step_000012/   model + training state
    meta.json       versions, machine, command     ckpt/latest, best   names of step folders
    metrics.jsonl   one line per iteration         buffer/             replay, one file an iteration
    games/          sample games as records        log.txt             what the terminal showed

Order makes it safe: replay first, then the checkpoint folder (renamed into place), then the
pointer `latest`. What is not behind the pointer never happened, and is removed on resume; what
comes after it (the pointer `best`, the line of metrics) is restored on resume.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.record import GameRecord, write_record
from stratagem.core.toml import format_toml, read_toml
from stratagem.runs.metrics import IterationMetrics, parse_metrics
from stratagem.runs.provenance import Provenance, collect_provenance

_CONFIG = "config.toml"
_SEGMENT = ".safetensors"
_CARD = "model.json"  # as in nets.model_file, which would load torch


class RunFolder:
    """Paths, safe writes and reads of one run; the folder itself may not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._checkpoints = path / "ckpt"
        self._segments = path / "buffer"
        self._games = path / "games"
        self._metrics = path / "metrics.jsonl"
        self._meta = path / "meta.json"

    # -- settings ----------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, settings: BaseModel) -> RunFolder:
        """A new run; refuses a folder that already holds one."""
        folder = cls(path)
        folder.check_free()
        path.mkdir(parents=True, exist_ok=True)
        folder.write_settings(settings)
        write_atomically(folder._meta, collect_provenance().model_dump_json(indent=2) + "\n")
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """An existing run."""
        folder = cls(path)
        if not folder.exists():
            raise BadSetting(f"{path} holds no run: name a folder that `stratagem train` made")
        return folder

    def check_free(self) -> None:
        """Refuse a folder that already holds a run."""
        if self.exists():
            raise BadSetting(
                f"{self.path} already holds a run: go on with --resume --run {self.path}, "
                "or choose another folder"
            )

    def exists(self) -> bool:
        """Whether a run has been started here."""
        return self.config_file.is_file()

    @property
    def config_file(self) -> Path:
        """The settings, to be named in messages and copied beside a shipped network."""
        return self.path / _CONFIG

    def settings(self) -> dict[str, Any]:
        """The run's settings as plain values, unchecked."""
        return read_toml(self.config_file)

    def write_settings(self, settings: BaseModel) -> None:
        write_atomically(self.config_file, format_toml(settings.model_dump(mode="json")))

    def provenance(self) -> Provenance:
        """What the run was started with; empty fields where nothing is known."""
        try:
            return Provenance.model_validate_json(self._meta.read_bytes())
        except (OSError, ValidationError):
            return Provenance()

    def changed(self) -> float:
        """When settings or metrics were last written, in seconds since the epoch."""
        files = [self._metrics, self.config_file]
        return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)

    # -- checkpoints -------------------------------------------------------------------------

    def step_folder(self, iteration: int) -> Path:
        return self._checkpoints / f"step_{iteration:06d}"

    def steps(self) -> list[int]:
        """Iterations whose checkpoints are complete and kept, oldest first."""
        found = self._checkpoints.glob(f"step_*/{_CARD}")
        return sorted(_number(file.parent) for file in found)

    def latest(self) -> int:
        """The last finished iteration, 0 if there is none."""
        pointer = self._checkpoints / "latest"
        steps = {folder.name for folder in self._checkpoints.glob("step_*")}
        if not pointer.is_file() and steps <= {"step_000001"}:
            return 0  # at most the very first checkpoint was being written
        name = pointer.read_text(errors="replace").strip() if pointer.is_file() else ""
        if name not in steps:
            raise BadCheckpoint(
                f"{pointer} names no step folder beside it: write one into it, like step_000012"
            )
        return int(name.removeprefix("step_"))

    def best(self) -> int:
        """The iteration whose network plays for this run: the accepted one, else the latest."""
        for name in ("best", "latest"):
            file = self._checkpoints / name
            if file.is_file():
                text = file.read_text(errors="replace").strip().removeprefix("step_")
                if text.isdigit():
                    return int(text)
        return 0

    def point_latest(self, iteration: int) -> None:
        write_atomically(self._checkpoints / "latest", self.step_folder(iteration).name + "\n")

    def point_best(self, iteration: int) -> None:
        """Name the checkpoint that plays for this run; 0: there is none yet."""
        pointer = self._checkpoints / "best"
        if iteration:
            write_atomically(pointer, self.step_folder(iteration).name + "\n")
        else:
            pointer.unlink(missing_ok=True)

    def tidy(
        self, iteration: int, keep_every: int, oldest_segment: int, needed: Collection[int]
    ) -> None:
        """Delete what no one can need: old training states, unkept models, forgotten replay."""
        for folder in self._checkpoints.glob("step_*"):
            number = _number(folder)
            if number >= iteration - 1:
                continue
            if number % keep_every and number not in needed:
                shutil.rmtree(folder)
                continue
            for file in (*folder.glob("train_state.*"), *folder.glob("slots.*")):
                file.unlink()
        for file in self._segments.glob(f"*{_SEGMENT}"):
            if int(file.stem) < oldest_segment:
                file.unlink()

    def forget_after(self, iteration: int) -> None:
        """Delete what an interrupted iteration left behind."""
        for folder in self._checkpoints.glob("step_*"):
            if _number(folder) > iteration:
                shutil.rmtree(folder)
        for folder in (self.path, self._checkpoints, self._segments, self._games):
            for stale in folder.glob(".*.*"):  # what core.files was writing to when it was killed
                if stale.is_dir():
                    shutil.rmtree(stale, ignore_errors=True)
                else:
                    stale.unlink(missing_ok=True)
        for file in (*self._segments.glob(f"*{_SEGMENT}"), *self._games.glob("*.jsonl")):
            if file.stem.isdigit() and int(file.stem) > iteration:
                file.unlink()
        kept = [line for line in self.metrics() if line.iteration <= iteration]
        write_atomically(self._metrics, "".join(line.as_line() + "\n" for line in kept))

    def restore_after(self, iteration: int, best: int, metrics: IterationMetrics | None) -> None:
        """Delete what came after a finished iteration; write again what belongs to it."""
        self.forget_after(iteration)
        self.point_best(best)
        if metrics and not any(line.iteration == iteration for line in self.metrics()):
            self.add_metrics(metrics)

    # -- replay and games --------------------------------------------------------------------

    def segment(self, iteration: int) -> Path:
        """The file that holds one iteration's part of the replay."""
        return self._segments / f"{iteration:06d}{_SEGMENT}"

    def write_game(self, iteration: int, record: GameRecord) -> None:
        """Keep one game of an iteration to look at."""
        write_record(record, self._games / f"{iteration:06d}.jsonl")

    def games(self) -> list[Path]:
        """Records of the kept games, oldest first."""
        return sorted(self._games.glob("*.jsonl"))

    # -- metrics -----------------------------------------------------------------------------

    def add_metrics(self, metrics: IterationMetrics) -> None:
        with self._metrics.open("a") as stream:
            stream.write(metrics.as_line() + "\n")

    def metrics(self) -> list[IterationMetrics]:
        """One entry per finished iteration; a line that was cut short is ignored."""
        try:
            return parse_metrics(self._metrics.read_bytes())
        except OSError:
            return []

    def metrics_stamp(self) -> tuple[float, int]:
        """Changes whenever the metrics do."""
        try:
            found = self._metrics.stat()
        except OSError:
            return (0.0, 0)
        return (found.st_mtime, found.st_size)

    def log(self, text: str) -> None:
        """Add a line to the run's log."""
        with (self.path / "log.txt").open("a") as stream:
            stream.write(text + "\n")


def find_runs(root: Path, depth: int) -> Iterator[RunFolder]:
    """The runs at most `depth` folders below a folder, in no order."""
    for level in range(1, depth + 1):
        for file in root.glob("/".join(["*"] * level) + f"/{_CONFIG}"):
            yield RunFolder(file.parent)


def run_around(path: Path) -> RunFolder:
    """The run that a path inside it belongs to."""
    for place in (path, *path.parents):
        folder = RunFolder(place)
        if folder.exists():
            return folder
    raise BadSetting(f"{path} is not inside a run folder")


def new_run_path(root: Path, game: str, seed: int) -> Path:
    """root/<time>-<game>-s<seed>, not yet taken."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    name = game.split("?")[0].replace("/", "-")
    path = root / f"{stamp}-{name}-s{seed}"
    number = 2
    while path.exists():
        path = root / f"{stamp}-{name}-s{seed}-{number}"
        number += 1
    return path


def _number(step_folder: Path) -> int:
    return int(step_folder.name.split("_")[1])
