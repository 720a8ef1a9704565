"""A run is a folder that holds all: settings, metrics, checkpoints, replay, games, evaluations.

    config.toml     the resolved settings          ckpt/step_000012/   model + training state
    meta.json       versions, machine, command     ckpt/latest, best   names of step folders
    metrics.jsonl   one line per iteration         buffer/             replay, one file an iteration
    games/          sample games as records        eval/               matches against anchors

Order makes it safe: replay first, then the checkpoint folder (renamed into place), then the
pointer `latest`. What is not behind the pointer never happened, and is swept up on resume; what
comes after it (the pointer `best`, the line of metrics) is made good on resume.
"""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

import stratagem
from stratagem.core.errors import BadCheckpoint, BadSetting
from stratagem.core.files import new_folder, write_atomically
from stratagem.core.toml import read_toml
from stratagem.nets.model_file import ModelCard, save_model
from stratagem.train.named_tensors import Tensors
from stratagem.train.settings import RunSettings, check_settings
from stratagem.train.toml_text import to_toml


class RunFolder:
    """Paths and safe writes of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoints = path / "ckpt"
        self.buffer = path / "buffer"
        self.games = path / "games"
        self.evaluations = path / "eval"
        self.metrics_file = path / "metrics.jsonl"

    # -- settings ----------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, settings: RunSettings) -> RunFolder:
        """A new run; refuses a folder that already holds one."""
        if (path / "config.toml").exists():
            raise BadSetting(
                f"{path} already holds a run: go on with --resume --run {path}, "
                "or choose another folder"
            )
        path.mkdir(parents=True, exist_ok=True)
        write_atomically(path / "config.toml", to_toml(settings.model_dump(mode="json")))
        write_atomically(path / "meta.json", json.dumps(_meta(), indent=2) + "\n")
        return cls(path)

    @classmethod
    def open(cls, path: Path) -> tuple[RunFolder, RunSettings]:
        """An existing run and its settings."""
        if not (path / "config.toml").is_file():
            raise BadSetting(f"{path} holds no run to resume: start one without --resume")
        values = read_toml(path / "config.toml")
        return cls(path), check_settings(values, str(path / "config.toml"))

    # -- checkpoints -------------------------------------------------------------------------

    def latest(self) -> int:
        """The last finished iteration, 0 if there is none."""
        pointer = self.checkpoints / "latest"
        steps = {folder.name for folder in self.checkpoints.glob("step_*")}
        if not pointer.is_file() and steps <= {"step_000001"}:
            return 0  # at most the very first checkpoint was being written
        name = pointer.read_text(errors="replace").strip() if pointer.is_file() else ""
        if name not in steps:
            raise BadCheckpoint(
                f"{pointer} names no step folder beside it: write one into it, like step_000012"
            )
        return int(name.removeprefix("step_"))

    def step_folder(self, iteration: int) -> Path:
        return self.checkpoints / f"step_{iteration:06d}"

    def save_checkpoint(
        self,
        iteration: int,
        module: nn.Module,
        card: ModelCard,
        tensors: Tensors,
        state: Mapping[str, Any],
        slots: bytes,
        accepted: bool,
    ) -> None:
        """Write model and training state; the pointers move last."""
        folder = self.step_folder(iteration)
        with new_folder(folder) as temporary:
            save_model(temporary, module, card)
            save_file(tensors, temporary / "train_state.safetensors")
            (temporary / "slots.safetensors").write_bytes(slots)
            (temporary / "train_state.json").write_text(json.dumps(state))
        write_atomically(self.checkpoints / "latest", folder.name + "\n")
        if accepted:
            self.point_best(iteration)

    def point_best(self, iteration: int) -> None:
        """Name the checkpoint that plays for this run; 0: there is none yet."""
        pointer = self.checkpoints / "best"
        if iteration:
            write_atomically(pointer, self.step_folder(iteration).name + "\n")
        else:
            pointer.unlink(missing_ok=True)

    def load_training_state(self, iteration: int) -> tuple[Tensors, dict[str, Any]]:
        folder = self.step_folder(iteration)
        try:
            state: dict[str, Any] = json.loads((folder / "train_state.json").read_text())
            return load_file(folder / "train_state.safetensors"), state
        except (SafetensorError, OSError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise BadCheckpoint(
                f"{folder}: damaged training state ({reason}): restore it or start a new run"
            ) from None

    def tidy(self, iteration: int, keep_every: int, oldest_segment: int, needed: set[int]) -> None:
        """Drop what nobody can need: old training states, unkept models, forgotten replay."""
        for folder in self.checkpoints.glob("step_*"):
            number = int(folder.name.split("_")[1])
            if number >= iteration - 1:
                continue
            if number % keep_every and number not in needed:
                shutil.rmtree(folder)
                continue
            for file in (*folder.glob("train_state.*"), *folder.glob("slots.*")):
                file.unlink()
        for file in self.buffer.glob("*.safetensors"):
            if int(file.stem) < oldest_segment:
                file.unlink()

    def forget_after(self, iteration: int) -> None:
        """Sweep up what an interrupted iteration left behind."""
        for folder in self.checkpoints.glob("step_*"):
            if int(folder.name.split("_")[1]) > iteration:
                shutil.rmtree(folder)
        for folder in (self.path, self.checkpoints, self.buffer, self.games, self.evaluations):
            for stale in folder.glob(".*.*"):  # what core.files was writing to when it was killed
                if stale.is_dir():
                    shutil.rmtree(stale, ignore_errors=True)
                else:
                    stale.unlink(missing_ok=True)
        for file in (*self.buffer.glob("*.safetensors"), *self.games.glob("*.jsonl")):
            if file.stem.isdigit() and int(file.stem) > iteration:
                file.unlink()
        lines = [line for line in self.metrics() if line["iteration"] <= iteration]
        write_atomically(self.metrics_file, "".join(json.dumps(line) + "\n" for line in lines))

    def take_up(self, iteration: int, best: int, metrics: Mapping[str, Any]) -> None:
        """Sweep up after the last finished iteration and make good what came after its pointer."""
        self.forget_after(iteration)
        self.point_best(best)
        if metrics and not any(line["iteration"] == iteration for line in self.metrics()):
            self.add_metrics(metrics)

    # -- metrics -----------------------------------------------------------------------------

    def add_metrics(self, line: Mapping[str, Any]) -> None:
        with self.metrics_file.open("a") as stream:
            stream.write(json.dumps(line) + "\n")

    def metrics(self) -> list[dict[str, Any]]:
        """One dictionary per finished iteration; a torn last line is ignored."""
        if not self.metrics_file.is_file():
            return []
        lines = []
        for text in self.metrics_file.read_text().splitlines():
            try:
                lines.append(json.loads(text))
            except json.JSONDecodeError:
                continue
        return lines


def new_run_path(root: Path, game: str, seed: int) -> Path:
    """runs/<time>-<game>-s<seed>, not yet taken."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    name = game.split("?")[0].replace("/", "-")
    path = root / f"{stamp}-{name}-s{seed}"
    number = 2
    while path.exists():
        path = root / f"{stamp}-{name}-s{seed}-{number}"
        number += 1
    return path


def _meta() -> dict[str, Any]:
    return {
        "stratagem": stratagem.__version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
        "machine": platform.machine(),
        "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
        "started": datetime.now().isoformat(timespec="seconds"),
    }


def _commit() -> str:
    """The checkout's commit, with a + where files were changed; empty outside a checkout."""
    folder = Path(stratagem.__file__).parent

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=folder, capture_output=True, text=True, check=True, timeout=10
        ).stdout.strip()

    try:
        return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.SubprocessError):
        return ""
