"""Complete tasks in one call, for notebooks and scripts: what the commands do, without output."""

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
    """Train until the budget (`"10m"`) or the number of iterations is used up.

    If the run exists, it is resumed. `settings` overrides single values of the preset, such as
    `{"search.sims": 20}`. The returned folder can play:
    `make_agent(f"mcts:{folder.path}?sims=64", game)`. Workers play in threads unless you pass a
    backend, which you must close.
    """
    if bool(budget) == bool(iterations):
        raise BadSetting('training needs a limit: pass a budget such as "10m", or iterations')
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
    """Open an existing run: its settings, metrics, provenance, checkpoints and games."""
    return RunFolder.open(Path(path))


def search_positions(
    game: Game,
    states: States,
    evaluator: Evaluator | None = None,
    settings: SearchSettings | None = None,
    seed: int = 0,
) -> RootReport:
    """Search states [B], one tree each. A seat must decide in each; hidden information is sampled.

    The report has actions, visits, values and priors [B, W] of the W actions of the widest root.
    Without an evaluator, leaves are evaluated by random playouts.
    """
    require_game(game)
    _check_positions(game, states)
    settings = SearchSettings(sims=200) if settings is None else settings
    if not isinstance(settings, SearchSettings):
        raise BadSetting("settings: pass SearchSettings(sims=200), or omit them")
    if evaluator is not None and not hasattr(evaluator, "evaluate"):
        raise BadSetting(
            f"{evaluator!r} is not an evaluator: it needs a method evaluate(states, rows)"
        )
    evaluator = evaluator or PlayoutEvaluator(game, seed)
    hide_seeds = derive_seeds(seed, "hide", count=len(states))
    seen = game.hidden_from(states.copy(), states["seat"], hide_seeds)
    agent = MctsAgent(game, evaluator, settings, "search")
    return agent.analyse(seen, derive_seeds(seed, "search", count=len(states)))


def _check_positions(game: Game, states: States) -> None:
    """Refuse anything but an array of positions of this game in which a seat decides."""
    game.check_array(states)
    game.check_states(states)
    if (states["seat"] < 0).any():
        raise BadState("no seat decides in one of these positions, so it cannot be searched")


def analyse(
    record: GameRecord, agent: str = "", plies: Sequence[int] | None = None, seed: int = 0
) -> list[PositionAnalysis]:
    """Search the decisions of a recorded game (default: all of them) and rate candidate moves."""
    game = load_game(record.game)
    states = replay(record, game)
    deciding = [ply for ply in range(len(record.events)) if int(states["seat"][ply]) >= 0]
    played = [event.action for event in record.events]
    picks = deciding if plies is None else list(plies)
    if wrong := [ply for ply in picks if ply not in deciding]:
        raise BadSetting(f"ply {wrong[0]} of this record is not a decision: choose another ply")
    return analyse_positions(game, searching_agent(agent, game), states, picks, played, seed)


def bench(game: str, quick: bool = True) -> dict[str, Any]:
    """Measure speed and size on this machine; same keys as `stratagem bench --json`."""
    return measure_speed(game, quick)
