"""`stratagem train`: starts or resumes a training run."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagem.backend.choose import make_backend
from stratagem.cli.options import (
    AddressOption,
    BackendOption,
    ChangesOption,
    DeviceOption,
    IterationsOption,
    JsonOption,
    NewGameArgument,
    NewSeedOption,
    PresetOption,
)
from stratagem.core.errors import BadSetting
from stratagem.core.registry import load_game
from stratagem.train.algorithms import algorithm_names

if TYPE_CHECKING:
    from stratagem.train.settings import RunSettings

_DEFAULT_BUDGET = "10m"


def command(
    game: NewGameArgument = None,
    algo: Annotated[
        str | None, typer.Option("--algo", help="Training algorithm; default: the preset's.")
    ] = None,
    preset: PresetOption = None,
    budget: Annotated[
        str | None, typer.Option("--budget", help="Time limit: 90s, 10m, 2h; default: 10m.")
    ] = None,
    iterations: IterationsOption = None,
    run: Annotated[
        Path | None, typer.Option("--run", help="Run folder; default: runs/TIME-GAME-sSEED.")
    ] = None,
    seed: NewSeedOption = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the run in --run.")
    ] = False,
    changes: ChangesOption = None,
    backend: BackendOption = "threads",
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Number of self-play workers; default: one per core.")
    ] = None,
    address: AddressOption = "",
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Train an agent; everything is stored in one run folder."""
    from stratagem.train.settings import names_workers, with_workers

    if algo is not None:
        _check_exists("algorithm", algo, algorithm_names(), "--algo")
    # Typer passes None or a list; an empty list means no changes.
    wanted = changes or []
    if resume:
        if run is None:
            raise BadSetting("add the run to continue: --resume --run DIR")
        if preset is not None or algo is not None or seed is not None or wanted or workers:
            raise BadSetting(
                "a resumed run keeps its settings: only --budget and --iterations may change"
            )
        settings = _resumed_settings(run, game, budget, iterations)
    else:
        if game is None:
            raise BadSetting("a game is needed: stratagem train GAME")
        fixed: dict[str, object] = {} if seed is None else {"seed": seed}
        if algo is not None:
            fixed["algorithm"] = algo
        settings = _new_settings(game, preset, fixed | _limits(budget, iterations), wanted)
        if workers is not None:
            if any(one.partition("=")[0].endswith(".workers") for one in wanted):
                raise BadSetting(f"--workers {workers}: --set names workers, too: leave one out")
            settings = with_workers(settings, workers)

    from stratagem.cli.training import train_run

    with closing(make_backend(backend, address)) as chosen:
        if not (resume or workers or chosen.is_local) and not names_workers(settings, wanted):
            settings = with_workers(settings, chosen.cores)  # of the cluster, not of this machine
        code = train_run(settings, run, resume, as_json, chosen)
    if code:
        raise typer.Exit(code)


def _check_exists(kind: str, name: str, known: tuple[str, ...], option: str) -> None:
    if name not in known:
        listed = ", ".join(known)
        raise BadSetting(
            f"no {kind} {name!r}: choose from {listed}, for example {option} {known[0]}"
        )


def _new_settings(
    game: str, preset: str | None, fixed: dict[str, object], changes: list[str]
) -> RunSettings:
    from stratagem.train.settings import check_settings, parse_budget, resolve_settings

    loaded = load_game(game)
    settings = resolve_settings(
        loaded.spec, loaded.rules.folder, "default" if preset is None else preset, changes, fixed
    )
    if settings.budget_seconds or settings.iterations:
        return settings
    limit = {"budget_seconds": parse_budget(_DEFAULT_BUDGET)}
    return check_settings({**settings.model_dump(), **limit}, "default budget")


def _resumed_settings(
    run: Path, game: str | None, budget: str | None, iterations: int | None
) -> RunSettings:
    """Return the settings of an existing run, with a new limit if requested."""
    from stratagem.runs.folder import RunFolder
    from stratagem.train.settings import check_settings, read_settings

    settings = read_settings(RunFolder.open(run))
    if game is not None and load_game(game).spec != settings.game:
        raise BadSetting(f"{run} trains {settings.game}, not {game}: leave out the game")
    limits = _limits(budget, iterations)
    return check_settings({**settings.model_dump(), **limits}, str(run)) if limits else settings


def _limits(budget: str | None, iterations: int | None) -> dict[str, object]:
    """Return the requested length of the run; a new limit of one kind replaces the other."""
    from stratagem.train.settings import parse_budget

    if budget is None and iterations is None:
        return {}
    if budget is not None and iterations is not None:
        raise BadSetting("use either --budget or --iterations, not both")
    seconds = parse_budget(budget) if budget is not None else 0.0
    return {"budget_seconds": seconds, "iterations": iterations or 0}
