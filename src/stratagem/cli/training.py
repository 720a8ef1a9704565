"""A training run in the terminal: live table or plain lines, Ctrl-C, and what to do next.

Shared by `train` and `demo`. All mistakes are found before anything is written to disk.
"""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from stratagem.agents import make_agent
from stratagem.backend import Backend
from stratagem.cli.durations import format_seconds
from stratagem.cli.output import line_printer, print_json, print_note
from stratagem.cli.train_display import TrainDisplay
from stratagem.core.game import Game
from stratagem.core.registry import load_game
from stratagem.runs.folder import RunFolder, new_run_path
from stratagem.runs.metrics import newest_anchors
from stratagem.runs.start import start_or_resume
from stratagem.train.algorithms import make_trainer
from stratagem.train.settings import RunSettings

_INTERRUPTED = 130


def train_run(
    settings: RunSettings,
    run: Path | None,
    resume: bool,
    as_json: bool,
    backend: Backend | None = None,
) -> int:
    """Train, show progress, and say how to continue; return the exit code."""
    path = run or new_run_path(Path("runs"), settings.game, settings.seed)
    if path.is_symlink():  # `latest` will move on; the commands printed below must not
        path = path.parent / path.readlink()
    finished = train(settings, path, resume, as_json, run is None, backend)
    show = line_printer(as_json)
    if not finished:
        show(f"stopped; finished iterations are saved. Continue with:\n  {resume_line(path)}")
    for line in next_steps(load_game(settings.game), path, settings.agent):
        show(line)
    if as_json:
        print_json(summary(settings, path, finished))
    return 0 if finished else _INTERRUPTED


def train(
    settings: RunSettings,
    path: Path,
    resume: bool,
    as_json: bool,
    point: bool = False,
    backend: Backend | None = None,
) -> bool:
    """Run to the end of the budget; return False after Ctrl-C. `point` moves `latest` here."""
    game = load_game(settings.game)
    for spec in settings.anchors.agents:
        make_agent(spec, game)  # otherwise a wrong anchor would be noticed only after minutes
    folder = RunFolder.open(path) if resume else RunFolder(path)
    if not resume:
        folder.check_free()
    line = line_printer(as_json)
    display = TrainDisplay(settings, game, folder, not as_json and sys.stdout.isatty(), line)
    with start_or_resume(
        path, settings, lambda folder: make_trainer(settings, folder, display.add, backend)
    ) as trainer:
        if point:
            _point_latest(path)
        for note in trainer.notes:
            print_note(f"note: {note}")
        trainer.on_phase = display.phase
        line(f"run: {path}")
        if text := budget_line(settings):
            line(text)
        try:
            with display, _prompt_interrupt():
                trainer.run()
        except KeyboardInterrupt:
            return False
        except OSError as error:
            error.filename = error.filename or str(path)
            error.add_note(
                f"finished iterations are saved: free some space, then {resume_line(path)}"
            )
            raise
    return True


@contextmanager
def _prompt_interrupt() -> Iterator[None]:
    """Respond to Ctrl-C at once: threads may need a moment to finish."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print_note("\nstopping…")
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, interrupt)
    except ValueError:  # not the main thread: nobody can press Ctrl-C for it
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def budget_line(settings: RunSettings) -> str:
    """Describe what the time budget is used for; empty for a run by iterations."""
    if not settings.budget_seconds:
        return ""
    budget, anchors = settings.budget_seconds, settings.anchors
    clock = "" if settings.budget_clock == "wall" else " of processor time"
    text = f"budget: {format_seconds(budget)}{clock}"
    if not anchors.times or not anchors.agents:
        return text
    most = format_seconds(settings.anchor_share * budget)
    return f"{text}, at most {most} of it for games against {', '.join(anchors.agents)}"


def resume_line(path: Path) -> str:
    """Return the exact command that continues the run."""
    return f"stratagem train --resume --run {shlex.quote(str(path))}"


def next_steps(game: Game, path: Path, player: str) -> list[str]:
    """Say how to play against, watch and measure the result; nothing before a checkpoint.

    `player` is the spec of the agent that plays for a run, with {run} for its folder.
    """
    folder = RunFolder(path)
    if not folder.best():
        return []
    agent = shlex.quote(player.replace("{run}", str(path)))
    name = shlex.quote(game.spec)
    records = folder.games()
    lines = ["next steps:", f"  play      stratagem play {name} --opponent {agent}"]
    if records:
        lines.append(f"  watch     stratagem replay {shlex.quote(str(records[-1]))} --boards")
    lines.append(f"  evaluate  stratagem match {name} {agent} random --games 100")
    return lines


def summary(settings: RunSettings, path: Path, finished: bool) -> dict[str, Any]:
    """Return what `train --json` prints."""
    folder = RunFolder(path)
    rows, latest = folder.metrics(), folder.latest()
    last = rows[-1] if rows else None
    anchors = {spec: one.model_dump() for spec, one in newest_anchors(rows).items()}
    return {
        "run": str(path),
        "game": settings.game,
        "algorithm": settings.algorithm,
        "preset": settings.preset,
        "seed": settings.seed,
        "finished": finished,
        "iterations": last.iteration if last else 0,
        "seconds": last.seconds if last else 0.0,
        "games": last.games if last else 0,
        "decisions": last.decisions if last else 0,
        "losses": last.losses if last else {},
        "anchors": anchors,
        "checkpoint": str(folder.step_folder(latest)) if latest else None,
        "resume": resume_line(path),
    }


def _point_latest(path: Path) -> None:
    """Make `runs/latest` point to the newest run; does nothing where links are not allowed."""
    link = path.parent / "latest"
    fresh = path.parent / f".latest-{path.name}"
    try:
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(path.name, target_is_directory=True)
        fresh.replace(link)
    except OSError:
        fresh.unlink(missing_ok=True)
