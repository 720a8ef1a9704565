"""`stratagem experiment`: reproduces tables and figures from papers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from stratagem.backend.choose import make_backend
from stratagem.cli.durations import format_seconds
from stratagem.cli.options import AddressOption, BackendOption, DeviceOption, JsonOption, SeedOption
from stratagem.cli.output import print_json, print_line, print_note, print_table
from stratagem.cli.progress import ProgressLine
from stratagem.core.errors import UnknownName


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="An experiment; omit it to list them all.")
    ] = None,
    budget: Annotated[
        str,
        typer.Option("--budget", help="Time limit: 90s, 10m, 2h; default: the one in its file."),
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="Output folder; default: experiments/NAME.")
    ] = None,
    seed: SeedOption = 0,
    backend: BackendOption = "processes",
    address: AddressOption = "",
    publish: Annotated[
        bool,
        typer.Option("--publish", help="Copy the result to results/; requires a clean checkout."),
    ] = False,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:
    """Run an experiment, or list them all."""
    from stratagem.experiments import (
        experiment_name,
        list_experiments,
        load_experiment,
        run_experiment,
    )
    from stratagem.experiments.clock import spent_seconds
    from stratagem.experiments.pages import publish as publish_result
    from stratagem.experiments.publish import clean_commit
    from stratagem.train.settings import parse_budget

    found = {one.name: one.title for one in list_experiments()}
    if name is None:
        if as_json:
            print_json([{"name": key, "title": title} for key, title in found.items()])
        else:
            print_table(["experiment", "title"], [[key, title] for key, title in found.items()])
        return
    name = experiment_name(name)
    if name not in found:
        raise UnknownName("experiment", name, found)
    seconds = parse_budget(budget or load_experiment(name).budget)
    if publish:
        clean_commit()  # before hours of training, not after
    folder = out if out is not None else Path("experiments") / name.replace("/", "-")
    before = spent_seconds(folder)
    newest = ["starting"]

    def describe(spent: float) -> str:
        used = before + spent
        left = max(0.0, seconds - used)
        about = f"about {format_seconds(left)} left" if left else "over its budget, finishing"
        return f"{name}: {newest[-1]}, {min(1.0, used / seconds):.0%} of the budget, {about}"

    line = ProgressLine(describe)

    def note(text: str) -> None:
        newest[-1] = text
        line.note(text)

    with closing(make_backend(backend, address)) as chosen, line:
        result = run_experiment(name, seconds, folder, seed, note, chosen)
    if publish:
        print_note(f"published: {publish_result(folder)}")
    if as_json:
        print_json(result)
    else:
        print_line(f"{found[name]}: done")
        for sentence in result.get("findings", ()):
            print_line(sentence)
        print_line(f"report: {folder / 'report.md'}")
