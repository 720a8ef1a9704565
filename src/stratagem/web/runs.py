"""Training runs as folders: which there are, and what their files say. Trains nothing.

A run is known to clients by its name alone: its path below the runs folder with `~` for `/`. Names
are looked up in what was found there; no text of a client becomes part of a path.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stratagem.core.errors import StratagemError
from stratagem.core.registry import GameSpec
from stratagem.core.toml import read_toml
from stratagem.evaluate.intervals import wilson
from stratagem.web.problems import NotFound
from stratagem.web.schema import CheckpointInfo, GateDecision, RunSummary

_DEPTH = 3  # folders below the runs folder in which a run may lie
_MOST_RUNS = 500
_ACTIVE_SECONDS = 120.0


@dataclass(frozen=True)
class Run:
    """One run folder and its settings."""

    name: str
    folder: Path
    settings: dict[str, Any]

    @property
    def game(self) -> str:
        return str(self.settings.get("game", ""))

    @property
    def algorithm(self) -> str:
        return str(self.settings.get("algorithm", "alphazero"))

    @property
    def search_sims(self) -> int:
        search = self.settings.get("search")
        return int(search.get("sims", 64)) if isinstance(search, dict) else 64

    @property
    def has_checkpoint(self) -> bool:
        return any((self.folder / "ckpt" / name).is_file() for name in ("best", "latest"))

    def steps(self) -> list[str]:
        """Names of the checkpoints, oldest first."""
        return sorted(f.parent.name for f in self.folder.glob("ckpt/step_*/model.json"))

    def pointer(self, name: str) -> str:
        file = self.folder / "ckpt" / name
        return file.read_text(errors="replace").strip() if file.is_file() else ""

    def checkpoint(self, step: str) -> Path:
        """The folder of a step; without one the accepted one, else the latest."""
        steps = self.steps()
        wanted = step or self.pointer("best") or self.pointer("latest")
        if wanted not in steps:
            named = f"no checkpoint {wanted!r}" if wanted else "no checkpoint yet"
            raise NotFound(f"run {self.name!r} has {named}: it has {len(steps)} of them")
        return self.folder / "ckpt" / wanted

    def checkpoints(self) -> list[CheckpointInfo]:
        best = self.pointer("best")
        return [
            CheckpointInfo(
                name=step,
                spec=f"run:{self.name}@{step}",
                iteration=int(step.removeprefix("step_")),
                best=step == best,
            )
            for step in self.steps()
            if step.removeprefix("step_").isdigit()
        ]

    def games(self) -> list[str]:
        """Names of the self-play games on disk, newest first."""
        return sorted((f.stem for f in self.folder.glob("games/*.jsonl")), reverse=True)

    def game_file(self, name: str) -> Path:
        games = self.games()
        wanted = games[0] if name == "newest" and games else name
        if wanted not in games:
            raise NotFound(f"run {self.name!r} has no game {name!r}: it has {len(games)} of them")
        return self.folder / "games" / f"{wanted}.jsonl"

    @property
    def metrics_file(self) -> Path:
        return self.folder / "metrics.jsonl"

    def metrics(self) -> list[dict[str, Any]]:
        """One dictionary per finished iteration; a torn last line is ignored."""
        try:
            return parse_rows(self.metrics_file.read_bytes())
        except OSError:
            return []

    def summary(self, rows: Sequence[dict[str, Any]]) -> RunSummary:
        """The run's line in the list."""
        last = rows[-1] if rows else {}
        changed = self._changed()
        anchors: dict[str, float] = {}
        for row in rows:
            for spec, met in (row.get("anchors") or {}).items():
                if isinstance(met, dict) and isinstance(met.get("score"), int | float):
                    anchors[str(spec)] = float(met["score"])
        seed = self.settings.get("seed")
        return RunSummary(
            name=self.name,
            game=self.game,
            algorithm=self.algorithm,
            preset=str(self.settings.get("preset", "")),
            seed=seed if isinstance(seed, int) else None,
            started=str(self._meta().get("started", "")),
            iterations=int(_number(last.get("iteration")) or 0),
            seconds=_number(last.get("seconds")),
            games=_whole(last.get("games")),
            decisions=_whole(last.get("decisions")),
            games_per_second=_number(last.get("games_per_s")),
            anchors=anchors,
            active=time.time() - changed < _ACTIVE_SECONDS,
            changed=datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds"),
        )

    def _changed(self) -> float:
        files = [self.metrics_file, self.folder / "config.toml"]
        return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)

    def _meta(self) -> dict[str, Any]:
        try:
            value = json.loads((self.folder / "meta.json").read_text())
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}


class Runs:
    """The runs below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._settings: dict[Path, tuple[float, dict[str, Any]]] = {}

    def all(self) -> list[Run]:
        """Every run, the one that was started last first."""
        found: list[tuple[float, Run]] = []
        for depth in range(1, _DEPTH + 1):
            for file in self.folder.glob("/".join(["*"] * depth) + "/config.toml"):
                run = self._read(file)
                if run is not None:
                    found.append((file.stat().st_mtime, run))
        found.sort(key=lambda pair: pair[0], reverse=True)
        return [run for _, run in found[:_MOST_RUNS]]

    def find(self, name: str) -> Run:
        """The run of this name, as listed."""
        runs = {run.name: run for run in self.all()}
        if name not in runs:
            raise NotFound(f"no run {name[:100]!r} here: GET /api/runs lists {len(runs)} of them")
        return runs[name]

    def of_game(self, game: str) -> list[Run]:
        return [run for run in self.all() if run.game and GameSpec.parse(run.game).name == game]

    def _read(self, file: Path) -> Run | None:
        folder = file.parent
        try:
            changed = file.stat().st_mtime
            kept = self._settings.get(file)
            if kept is None or kept[0] != changed:
                kept = changed, read_toml(file)
                self._settings[file] = kept
        except (OSError, StratagemError):
            return None
        name = folder.relative_to(self.folder).as_posix().replace("/", "~")
        if any(letter in name for letter in "?@:&"):  # they mean something in an agent spec
            return None
        return Run(name, folder, kept[1])


def parse_rows(data: bytes) -> list[dict[str, Any]]:
    """The whole lines of a metrics file that hold an object."""
    rows = []
    for line in data.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            rows.append(value)
    return rows


def gates_of(rows: Sequence[dict[str, Any]]) -> list[GateDecision]:
    """The acceptance tests among rows of metrics."""
    gates = []
    for row in rows:
        if "accepted" not in row or row.get("gate_reason") == "not tested":
            continue
        games, score = _whole(row.get("gate_games")) or 0, _number(row.get("gate_score"))
        low, high = wilson(score, games) if games and score is not None else (None, None)
        gates.append(
            GateDecision(
                iteration=_whole(row.get("iteration")) or 0,
                accepted=bool(row["accepted"]),
                score=score if games else None,
                low=low,
                high=high,
                games=games,
                note=str(row.get("gate_reason", "")),
            )
        )
    return gates


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and value == value else None
