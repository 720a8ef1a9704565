"""`stratagem optimality`: how often agents play perfect moves, in games that can be solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from stratagem.cli.options import (
    MOST_GAMES,
    AgentsArgument,
    GameArgument,
    JsonOption,
    SeedOption,
)
from stratagem.cli.output import print_json, print_note, print_table
from stratagem.core.errors import BadSetting


def command(
    game: GameArgument,
    agents: AgentsArgument,
    positions: Annotated[
        int, typer.Option("--positions", min=1, max=MOST_GAMES, help="Positions per source.")
    ] = 1000,
    own: Annotated[
        str, typer.Option("--own", help="Agent whose games are a source; default: the last.")
    ] = "",
    first_ply: Annotated[
        int,
        typer.Option(
            "--first-ply", min=0, max=MOST_GAMES, help="Leave out positions before this ply."
        ),
    ] = 8,
    solved: Annotated[
        Path | None,
        typer.Option("--solved", help="File with solved positions, read and extended."),
    ] = None,
    publish: Annotated[
        bool,
        typer.Option("--publish", help="Copy it to results/; requires a clean checkout."),
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Measure how often agents play optimally, in random games and in an agent's own games."""
    from stratagem.experiments.optimality import Sources, measure_optimality, publish_optimality
    from stratagem.experiments.publish import clean_commit

    if publish:
        clean_commit()  # before the work, not after
    if solved is not None:
        _check_place(solved)
    sources = Sources(own or agents[-1], positions, first_ply, seed)
    result = measure_optimality(game, agents, sources, solved, print_note)
    if publish:
        print_note(f"published: {publish_optimality(result)}")
    if as_json:
        print_json(result)
        return
    rows = [
        [
            row["agent"],
            source["games"],
            *(_text(row[key]) for key in ("holding", "critical", "best")),
        ]
        for source in result["sources"]
        for row in source["agents"]
    ]
    print_table(
        ["agent", "positions of", "keeps the result", "where it can be lost", "best move"],
        rows,
        f"{result['game']}, {positions} positions from games of each source, from ply {first_ply}",
    )


def _check_place(file: Path) -> None:
    """Refuse a file that cannot be written, before anything is solved."""
    if file.exists() and not file.is_file():
        raise BadSetting(f"--solved {file}: not a file: give the path of a file")
    file.parent.mkdir(parents=True, exist_ok=True)


def _text(share: Any) -> str:
    low, high = share["wilson"]
    return f"{share['share']:.3f} ({low:.3f} to {high:.3f}) of {share['positions']}"
