"""`stratagem report`: runs or a match as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line, print_note


def command(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or of one match.")
    ],
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write one self-contained file about all runs instead."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write RUN/report.md, or with --html one file that compares runs and averages seeds."""
    from stratagem.core.errors import BadSetting
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
        raise BadSetting("several runs make one page: name its file with --html FILE")
    run = runs[0]
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
