"""`stratagem report`: a run's curves, settings and games as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, say


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    as_json: JsonOption = False,
) -> None:
    """Write RUN/report.md with curves, settings, a sample game and tactics."""
    from stratagem.train.run_report import write_run_report

    page = write_run_report(run)
    if as_json:
        pictures = sorted(str(file) for file in run.glob("*.png"))
        print_json({"run": str(run), "report": str(page), "pictures": pictures})
    else:
        say(f"report: {page}")
