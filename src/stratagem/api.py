"""Whole jobs in one call, for notebooks and scripts: what the commands do, without printing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.backend import Backend
from stratagem.core.errors import BadSetting, BadState
from stratagem.core.game import Game, States, require_game
from stratagem.core.record import GameRecord, replay
from stratagem.core.registry import load_game
from stratagem.core.seeding import derive_seeds
from stratagem.core.toml import format_value
from stratagem.evaluate.analysis import PositionAnalysis, analyse_positions, searching_agent
from stratagem.runs.folder import RunFolder, new_run_path
from stratagem.runs.metrics import IterationMetrics
from stratagem.runs.start import start_or_resume
from stratagem.search import Evaluator, PlayoutEvaluator, RootReport, SearchSettings
from stratagem.train.algorithms import make_trainer
from stratagem.train.bench import measure_speed
from stratagem.train.settings import parse_budget, resolve_settings


def train_agent(
    game: str,
    *,
    preset: str = "default",
    budget: str = "",
    iterations: int = 0,
    seed: int = 0,
    run: Path | str | None = None,
    settings: Mapping[str, Any] | None = None,
    on_iteration: Callable[[IterationMetrics], None] | None = None,
    backend: Backend | None = None,
) -> RunFolder:
    """Train until the budget (`"10m"`) or the iterations are used up; resumes a run that exists.

    `settings` changes single values of the preset, such as `{"search.sims": 20}`. The returned
    folder can play: `make_agent(f"mcts:{folder.path}?sims=64", game)`. Workers play in
    threads unless a backend is given, which the caller closes.
    """
    if bool(budget) == bool(iterations):
        raise BadSetting('a run ends by its budget, such as "10m", or by iterations: give one')
    fixed: dict[str, Any] = {"seed": seed, "iterations": iterations}
    if budget:
        fixed["budget_seconds"] = parse_budget(budget)
    overrides = [f"{key}={format_value(value)}" for key, value in (settings or {}).items()]
    resolved = resolve_settings(game, load_game(game).rules.folder, preset, overrides, fixed)
    path = Path(run) if run is not None else new_run_path(Path("runs"), game, seed)
    with start_or_resume(
        path, resolved, lambda folder: make_trainer(resolved, folder, on_iteration, backend)
    ) as trainer:
        trainer.run()
    return RunFolder.open(path)


def load_run(path: Path | str) -> RunFolder:
    """The folder of an existing run: its settings, metrics, provenance, checkpoints and games."""
    return RunFolder.open(Path(path))


def search_positions(
    game: Game,
    states: States,
    evaluator: Evaluator | None = None,
    settings: SearchSettings | None = None,
    seed: int = 0,
) -> RootReport:
    """Search states [B] in which a seat decides, one tree each; hidden information is guessed.

    The report has actions, visits, values and priors [B, W] of the W actions of the widest root.
    Without an evaluator leaves are played out at random.
    """
    require_game(game)
    _check_positions(game, states)
    settings = SearchSettings(sims=200) if settings is None else settings
    if not isinstance(settings, SearchSettings):
        raise BadSetting("settings: give SearchSettings(sims=200), or leave them out")
    if evaluator is not None and not hasattr(evaluator, "evaluate"):
        raise BadSetting(f"{evaluator!r} is no evaluator: it needs a method evaluate(states, rows)")
    evaluator = evaluator or PlayoutEvaluator(game, seed)
    hide_seeds = derive_seeds(seed, "hide", count=len(states))
    seen = game.hidden_from(states.copy(), states["seat"], hide_seeds)
    agent = MctsAgent(game, evaluator, settings, "search")
    return agent.analyse(seen, derive_seeds(seed, "search", count=len(states)))


def _check_positions(game: Game, states: States) -> None:
    """Refuse what is no array of positions of this game in which a seat decides."""
    game.check_array(states)
    game.check_states(states)
    if (states["seat"] < 0).any():
        raise BadState("in one of these positions nobody decides: it cannot be searched")


def analyse(
    record: GameRecord, agent: str = "", plies: Sequence[int] | None = None, seed: int = 0
) -> list[PositionAnalysis]:
    """Search the decisions of a recorded game (default: all) and rate the candidate moves."""
    game = load_game(record.game)
    states = replay(record, game)
    deciding = [ply for ply in range(len(record.events)) if int(states["seat"][ply]) >= 0]
    played = [event.action for event in record.events]
    picks = deciding if plies is None else list(plies)
    if wrong := [ply for ply in picks if ply not in deciding]:
        raise BadSetting(f"ply {wrong[0]}: nobody decides there in this record; choose another")
    return analyse_positions(game, searching_agent(agent, game), states, picks, played, seed)


def bench(game: str, quick: bool = True) -> dict[str, Any]:
    """Speed and size on this machine, with the keys of `stratagem bench --json`."""
    return measure_speed(game, quick)
