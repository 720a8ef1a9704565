"""`stratagem ladder`: one rating scale for all players of a scenario."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from stratagem.backend.choose import make_backend
from stratagem.cli.durations import format_seconds
from stratagem.cli.options import (
    MOST_GAMES,
    AddressOption,
    BackendOption,
    GameArgument,
    JsonOption,
    SeedOption,
    number,
)
from stratagem.cli.output import print_forfeits, print_json, print_line, print_note, print_table
from stratagem.cli.progress import ProgressLine, while_compiling
from stratagem.core.errors import BadSetting
from stratagem.core.files import check_file
from stratagem.core.registry import load_game

WIDEST = 10_000.0  # Elo


def command(
    game: GameArgument,
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT...", help="More agents, e.g. mcts:runs/mine?sims=64."),
    ] = None,
    only: Annotated[
        bool, typer.Option("--only", help="Only these agents and random.")
    ] = False,
    budget: Annotated[str, typer.Option("--budget", help="Time limit: 90s, 10m, 2h.")] = "15m",
    width: Annotated[
        float,
        typer.Option("--width", min=1, max=WIDEST, callback=number,
                     help="Stop at this half-width of the intervals, in Elo.")
    ] = 60.0,
    games: Annotated[
        int, typer.Option("--games", min=2, max=MOST_GAMES, help="Maximum games per pair.")
    ] = 96,
    out: Annotated[
        Path | None, typer.Option("--out", help="Output file; default: ladders/GAME-SCENARIO.json.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the ladder in --out.")
    ] = False,
    publish: Annotated[
        bool,
        typer.Option("--publish", help="Copy it to results/ladder; requires a clean checkout.")
    ] = False,
    seed: SeedOption = 0,
    backend: BackendOption = "threads",
    address: AddressOption = "",
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Rate shipped agents, bots, searches and your own agents on one scale; random is 0."""
    from stratagem.evaluate.ladder import Block, StopRule, climb, forfeits_of
    from stratagem.experiments import ladder as files
    from stratagem.experiments.publish import clean_commit
    from stratagem.train.settings import parse_budget

    if publish:
        clean_commit()  # before hours of games, not after
    seconds = parse_budget(budget)
    loaded = load_game(game)
    if only and not agents:
        raise BadSetting("--only needs agents to rate: add some")
    players = [*(agents or []), *([] if only else files.default_players(loaded))]
    file = out if out is not None else Path("ladders") / files.file_name(loaded)
    check_file(file)
    block = min(games, 4 * loaded.num_seats)
    take = files.resume_ladder if resume else files.start_ladder
    ladder = take(loaded, players, seed, StopRule(block, games, width), file)

    def describe(spent: float) -> str:
        left = format_seconds(max(0.0, seconds - spent))
        return f"{len(ladder.blocks)} blocks of games, at most {left} left"

    line = ProgressLine(while_compiling(loaded, describe))

    def on_block(played: Block) -> None:
        files.write_ladder(ladder, False, file)
        scores = played.games.scores
        line.note(
            f"[{len(ladder.blocks)}] {played.first} against {played.second}: "
            f"{sum(scores):g} of {len(scores)}"
        )

    with closing(make_backend(backend, address)) as chosen, line:
        done = climb(ladder, chosen, seconds, on_block)
    result = files.write_ladder(ladder, done, file)
    if publish:
        print_note(f"published: {files.publish_ladder(result, loaded)}")
    if as_json:
        print_json(result)
    else:
        _print(result)
        for spec, lost in forfeits_of(ladder.blocks).items():
            print_forfeits(spec, lost)
        print_line(f"ladder: {file}" + ("" if done else " (not finished: continue with --resume)"))


def _print(result: dict[str, Any]) -> None:
    from stratagem.experiments.ladder_tables import ladder_rows

    title = f"{result['game']}, {result['anchor']} = 0"
    if result["seats"] > 2:
        parity = result["parity"]
        title += (
            f"; parity: score 0.5, rank {parity['mean_rank']:g}, "
            f"share {parity['share_of_points']:.3f}"
        )
    print_table(*ladder_rows(result), title)
