"""Arguments and options shared by several commands, so that they look the same everywhere."""

import math
from typing import Annotated

import typer

from stratagem.core.errors import StratagemError


def _use_device(name: str) -> str:
    """Check a device and select it; `auto` needs no check, and no PyTorch."""
    if name != "auto":
        from stratagem.nets.device import choose_device

        try:
            choose_device(name)
        except StratagemError as error:
            raise typer.BadParameter(str(error)) from None
    return name


def number(value: float) -> float:
    """Refuse NaN, which no minimum or maximum catches."""
    if math.isnan(value):
        raise typer.BadParameter("nan is not a number.")
    return value


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="name, name/scenario or name/scenario?key=value; `stratagem games` lists them",
    ),
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
    bool, typer.Option("--json", help="Print only JSON on stdout; progress goes to stderr.")
]
BackendOption = Annotated[
    str, typer.Option("--backend", help="Where work runs: threads, processes or ray.")
]
AddressOption = Annotated[
    str, typer.Option("--address", help="Address of a Ray cluster, e.g. auto or HOST:6379.")
]
DeviceOption = Annotated[
    str,
    typer.Option(
        "--device", callback=_use_device, help="Device for networks: auto, cpu, cuda or mps."
    ),
]
MOST_GAMES = 1_000_000  # in one match
_LARGEST_SEED = 2**63 - 1
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=_LARGEST_SEED, help="Seed for all randomness.")
]
# For training commands; None if not given: then a preset or a resumed run decides.
NewGameArgument = Annotated[
    str | None,
    typer.Argument(metavar="GAME", help="name or name/scenario; not needed with --resume"),
]
PresetOption = Annotated[str | None, typer.Option("--preset", help="One of the game's presets.")]
IterationsOption = Annotated[
    int | None,
    typer.Option(
        "--iterations",
        min=1,
        max=1_000_000_000,  # as in train.settings, which would load NumPy
        help="Iterations of a run, instead of a time limit.",
    ),
]
ChangesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change a setting, e.g. search.sims=64; may be repeated."
    ),
]
NewSeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, max=_LARGEST_SEED, help="Seed for all randomness.")
]
