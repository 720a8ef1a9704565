"""`stratagem report`: a run or a match as a page, or a run's metrics for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line, print_note


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, or of a match.")],
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write the run's metrics to this file instead.")
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option("--tensorboard", help="Write them as TensorBoard's events to this folder."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write RUN/report.md: curves, settings, a sample game and measures; or metrics alone."""
    if csv is not None or tensorboard is not None:
        _write_metrics(run, csv, tensorboard, as_json)
        return
    from stratagem.evaluate.match_report import is_match, write_match_report

    if is_match(run):
        page = write_match_report(run)
    else:
        from stratagem.runs.folder import RunFolder
        from stratagem.train.run_report import write_run_report

        for text in RunFolder.open(run).damage():
            print_note(f"note: {text}")
        page = write_run_report(run)
    if as_json:
        pictures = sorted(str(file) for file in run.glob("*.png"))
        print_json({"run": str(run), "report": str(page), "pictures": pictures})
    else:
        print_line(f"report: {page}")


def _write_metrics(run: Path, csv: Path | None, tensorboard: Path | None, as_json: bool) -> None:
    from stratagem.core.errors import BadSetting
    from stratagem.runs.folder import RunFolder

    source = RunFolder.open(run)
    rows = source.metrics()
    if not rows:
        raise BadSetting(f"{run} has no finished iteration yet: let it train a little longer")
    if text := source.damaged_metrics():
        print_note(f"note: {text}")
    written = {"run": str(run), "iterations": len(rows)}
    if tensorboard is not None:  # first: it may refuse
        from stratagem.adapters.tensorboard import write_tensorboard

        write_tensorboard(source, tensorboard)
        written["tensorboard"] = str(tensorboard)
    if csv is not None:
        from stratagem.runs.metrics_table import write_csv

        write_csv(rows, csv)
        written["csv"] = str(csv)
    if as_json:
        print_json(written)
    else:
        for what in ("csv", "tensorboard"):
            if what in written:
                print_line(f"{what}: {written[what]}")
