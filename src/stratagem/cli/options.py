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
BackendOption = Annotated[
    str, typer.Option("--backend", help="Where work runs: threads, processes or ray.")
]
AddressOption = Annotated[
    str, typer.Option("--address", help="Of a Ray cluster, e.g. auto or HOST:6379.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Root of everything random.")]
