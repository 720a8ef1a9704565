"""Arguments and options that several commands share, so that they read the same everywhere."""

from typing import Annotated

import typer

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="name, name/scenario or name/scenario?key=value")
]
AgentsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT...",
        help="random, scripted, best, policy:PATH, rollout:PATH, mcts:PATH?sims=64 or "
        "mcts:none?sims=400",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON alone on stdout; progress goes to stderr.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Root of everything random.")]
