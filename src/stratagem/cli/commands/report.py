"""`stratagem report`: a run or a match as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line, print_note


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, or of a match.")],
    as_json: JsonOption = False,
) -> None:
    """Write RUN/report.md: curves, settings, a sample game and measures."""
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
