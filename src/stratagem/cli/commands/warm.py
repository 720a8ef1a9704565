"""`stratagem warm`: compiles games ahead of time, so that the first game starts at once."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from stratagem.backend.processes import ProcessBackend
from stratagem.cli.durations import format_seconds
from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line
from stratagem.cli.progress import ProgressLine
from stratagem.core.registry import list_games, load_game


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="Games to compile; default: all."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compile games ahead of time, on all cores; skips what is already compiled."""
    from stratagem.evaluate.warming import warm_game

    # Largest first, so that no core is still compiling a large game when the others are done.
    known = sorted(list_games(), key=lambda found: -found[0].compile_seconds)
    specs = [load_game(game).spec for game in games or [about.name for about, _ in known]]
    done: list[float] = []

    def report(seconds: float) -> None:
        if not as_json:
            print_line(f"{specs[len(done)]}: compiled in {seconds:.0f} s")
        done.append(seconds)

    def describe(spent: float) -> str:
        return f"compiling: {len(done)} of {len(specs)} games, {format_seconds(spent)} so far"

    with closing(ProcessBackend()) as backend, ProgressLine(describe):
        backend.map(warm_game, specs, report)
    if as_json:
        print_json([{"game": spec, "seconds": s} for spec, s in zip(specs, done, strict=True)])
