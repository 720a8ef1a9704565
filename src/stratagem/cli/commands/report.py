"""`stratagem report`: shows runs or a match as a page, or exports metrics for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line, print_note
from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically


def command(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Run folders, or one match folder.")
    ],
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write one self-contained page about all runs instead."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write a run's metrics to this file instead.")
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option(
            "--tensorboard", help="Write the metrics as TensorBoard events to this folder instead."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a report about a run, one page about several, or metrics for other tools."""
    from stratagem.evaluate.match_report import is_match, write_match_report

    matches = [run for run in runs if is_match(run)]
    if html is not None:
        if matches:
            raise BadSetting(f"{matches[0]} is a match: --html is for training runs")
        from stratagem.train.runs_page import write_runs_page

        page = write_runs_page(runs, html)
        _print(as_json, {"runs": [str(run) for run in runs], "html": str(page)}, page)
        return
    if len(runs) > 1:
        raise BadSetting("several runs need --html FILE, the page to write")
    run = runs[0]
    if csv is not None or tensorboard is not None:
        _write_metrics(run, csv, tensorboard, as_json)
        return
    if matches:
        page = write_match_report(run)
    else:
        from stratagem.runs.folder import RunFolder
        from stratagem.train.run_report import write_run_report

        for text in RunFolder.open(run).damage():
            print_note(f"note: {text}")
        page = write_run_report(run)
    pictures = sorted(str(file) for file in run.glob("*.png"))
    _print(as_json, {"run": str(run), "report": str(page), "pictures": pictures}, page)


def _print(as_json: bool, answer: dict[str, object], page: Path) -> None:
    if as_json:
        print_json(answer)
    else:
        print_line(f"report: {page}")


def _write_metrics(run: Path, csv: Path | None, tensorboard: Path | None, as_json: bool) -> None:
    from stratagem.runs.folder import RunFolder

    source = RunFolder.open(run)
    rows = source.metrics()
    if not rows:
        raise BadSetting(f"{run} has no finished iteration yet: let it train for longer")
    if text := source.damaged_metrics():
        print_note(f"note: {text}")
    written = {"run": str(run), "iterations": len(rows)}
    if tensorboard is not None:  # first, because it may refuse
        from stratagem.adapters.tensorboard import write_tensorboard

        write_tensorboard(source, tensorboard)
        written["tensorboard"] = str(tensorboard)
    if csv is not None:
        from stratagem.runs.metrics_table import metrics_csv

        write_atomically(csv, metrics_csv(rows))
        written["csv"] = str(csv)
    if as_json:
        print_json(written)
    else:
        for what in ("csv", "tensorboard"):
            if what in written:
                print_line(f"{what}: {written[what]}")
