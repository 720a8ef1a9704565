"""`stratagem demo`: trains, measures and draws a newcomer's first agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagem.cli.options import MOST_GAMES, ChangesOption, JsonOption, SeedOption
from stratagem.cli.output import line_printer, print_json, print_line, print_table
from stratagem.cli.progress import ProgressLine, describe_match, time_so_far, while_compiling
from stratagem.core.registry import load_game

if TYPE_CHECKING:
    from stratagem.core.agent import Agent
    from stratagem.core.game import Game
    from stratagem.evaluate.match_result import MatchResult

_GAME = "battlefield"
_OPPONENTS = ("random", "mcts:none?sims=200", "scripted")
_SIMS = 64
_FOLDER = Path("runs/demo")  # inside the default folder of `serve`


def command(
    budget: Annotated[str, typer.Option("--budget", help="Training time: 90s, 3m.")] = "3m",
    out: Annotated[
        Path, typer.Option("--out", help="Folder for the run and the report.")
    ] = _FOLDER,
    games: Annotated[
        int, typer.Option("--games", min=2, max=MOST_GAMES, help="Games against each opponent.")
    ] = 100,
    seed: SeedOption = 1,
    changes: ChangesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train on Battlefield for a few minutes, measure the agent and write an illustrated report."""
    from stratagem.agents import make_agent
    from stratagem.train.settings import parse_budget, resolve_settings

    game = load_game(_GAME)
    limit = {"seed": seed, "budget_seconds": parse_budget(budget), "iterations": 0}
    # The table at the end measures strength; a few quick measurements on the way are enough.
    looks = ["anchors.times=3", "anchors.games=20", *(changes or [])]
    settings = resolve_settings(game.spec, game.rules.folder, "default", looks, limit)

    from stratagem.cli.training import next_steps, resume_line, summary, train
    from stratagem.runs.folder import new_run_path
    from stratagem.train.run_report import write_run_report

    show = line_printer(as_json)
    path = new_run_path(out, game.spec, seed)
    show(f"training on {game.spec} for {budget}")
    if not train(settings, path, resume=False, as_json=as_json):
        show(f"stopped; continue with:\n  {resume_line(path)}")
        raise typer.Exit(130)
    trained = make_agent(f"mcts:{path}?sims={_SIMS}", game)
    show(f"measuring: {games} games against each opponent, {_SIMS} simulations per move")
    results = [_meet(game, trained, spec, games, seed) for spec in _OPPONENTS]
    with ProgressLine(time_so_far("drawing the report")):
        page = write_run_report(path, out, results)
    if as_json:
        matches = [result.as_json() for result in results]
        print_json({**summary(settings, path, True), "matches": matches, "report": str(page)})
        return
    rows = []
    for spec, result in zip(_OPPONENTS, results, strict=True):
        mine = result.agents[0].tally
        rows.append(
            [
                spec, str(mine.games), str(mine.wins), str(mine.draws), str(mine.losses),
                f"{mine.score:.3f}", "{:.3f} to {:.3f}".format(*mine.wilson),
            ]
        )  # fmt: skip
    print_table(
        ["against", "games", "wins", "draws", "losses", "score", "95 % interval"],
        rows,
        f"strength after {budget} of training",
    )
    print_line(f"report: {page}")
    for line in next_steps(game, path, settings.agent):
        print_line(line)
    print_line(f"  stronger  stratagem train {_GAME} --budget 45m")
    print_line("  browser   stratagem serve")


def _meet(game: Game, trained: Agent, spec: str, games: int, seed: int) -> MatchResult:
    """Play a match against one opponent, with its progress on stderr."""
    from stratagem.agents import make_agent
    from stratagem.evaluate import play_match
    from stratagem.evaluate.match_progress import MatchProgress

    seen: list[MatchProgress] = []

    def describe(spent: float) -> str:
        return describe_match(f"against {spec}", seen[-1] if seen else None, spent)

    with ProgressLine(while_compiling(game, describe)):
        players = [trained, make_agent(spec, game)]
        return play_match(game, players, games, seed, keep=True, on_progress=seen.append)
