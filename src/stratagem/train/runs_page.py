"""Several runs as one HTML file: curves in one chart, seeds averaged, settings compared.

The file is self-contained: it includes its pictures, and loads and runs nothing.
"""

from __future__ import annotations

import base64
import html
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.files import write_atomically
from stratagem.core.registry import load_game
from stratagem.evaluate.curves import Curve, curve_from_metrics, mean_curve
from stratagem.evaluate.drawing.charts import draw_curves
from stratagem.evaluate.intervals import mean_interval
from stratagem.evaluate.reports import mean_text
from stratagem.runs.compare import SEED, differences, same_but_seed
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import TOTAL, IterationMetrics, newest_anchors
from stratagem.runs.status import status_of
from stratagem.train.run_report import anchor_curves

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid #ccc; padding: .25rem .6rem; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
img { max-width: 100%; margin: .5rem }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class _Run:
    name: str
    folder: RunFolder
    settings: dict[str, Any]
    rows: list[IterationMetrics]


def write_runs_page(paths: Sequence[Path], file: Path) -> Path:
    """Write one page about all of these runs."""
    runs = [_read(path) for path in paths]
    names = [run.name for run in runs]
    if len(set(names)) < len(names):  # runs with the same name in different folders
        runs = [_Run(str(path), *_rest(run)) for path, run in zip(paths, runs, strict=True)]
    groups = same_but_seed([run.settings for run in runs])
    parts = [f"<h1>{_text(_title(runs))}</h1>", _overview(runs)]
    parts += _seeds(runs, groups)
    parts += _curves(runs, groups)
    parts.append(_settings(runs))
    body = "\n".join(parts)
    write_atomically(
        file,
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(_title(runs))}</title><style>{_STYLE}</style></head>"
        f"<body>\n{body}\n</body></html>\n",
    )
    return file


def _read(path: Path) -> _Run:
    folder = RunFolder.open(path)
    rows = folder.metrics()
    if not rows:
        raise BadSetting(f"{path} has no finished iteration yet: leave it out, or let it train")
    return _Run(path.name, folder, folder.settings(), rows)


def _rest(run: _Run) -> tuple[RunFolder, dict[str, Any], list[IterationMetrics]]:
    return run.folder, run.settings, run.rows


def _title(runs: Sequence[_Run]) -> str:
    games = ", ".join(dict.fromkeys(str(run.settings.get("game", "?")) for run in runs))
    return (
        f"{len(runs)} training runs of {games}" if len(runs) > 1 else f"A training run of {games}"
    )


def _overview(runs: Sequence[_Run]) -> str:
    rows = []
    for run in runs:
        last = run.rows[-1]
        scores = [
            f"{spec} {one.score:.3f} ({one.low:.2f} to {one.high:.2f})"
            for spec, one in newest_anchors(run.rows).items()
        ]
        rows.append(
            [
                run.name, run.settings.get("game"), run.settings.get("algorithm"),
                run.settings.get(SEED), status_of(run.folder, run.rows), last.iteration,
                f"{last.seconds / 60:.1f} min", f"{last.games:,}", "; ".join(scores),
                "; ".join(run.folder.damage()), run.folder.provenance().commit,
            ]
        )  # fmt: skip
    heads = ["run", "game", "algorithm", "seed", "status", "iterations", "time", "games",
             "newest score (95 % interval)", "damage", "commit"]  # fmt: skip
    return _table(heads, rows)


def _seeds(runs: Sequence[_Run], groups: Sequence[Sequence[int]]) -> list[str]:
    """Average the final scores of runs that differ only in their seeds."""
    rows = []
    for group in groups:
        members = [runs[index] for index in group]
        newest = [newest_anchors(run.rows) for run in members]
        for spec in newest[0]:
            scores = [one[spec].score for one in newest if spec in one]
            if len(scores) > 1:
                text = mean_text(mean_interval(scores))
                rows.append([", ".join(run.name for run in members), len(scores), spec, text])
    if not rows:
        return []
    heads = ["runs", "seeds", "against", "mean score ± half of the 95 % interval over seeds"]
    return ["<h2>Over seeds</h2>", _table(heads, rows)]


def _parity(runs: Sequence[_Run]) -> float | None:
    """Return the score of an equally strong player; None if runs differ in it, or it is unknown."""
    try:
        seats = {load_game(str(run.settings.get("game"))).num_seats for run in runs}
    except StratagemError:  # a game that is not installed here
        return None
    return 1.0 / seats.pop() if len(seats) == 1 else None


def _curves(runs: Sequence[_Run], groups: Sequence[Sequence[int]]) -> list[str]:
    parts = ["<h2>Strength</h2>"]
    anchors = [{curve.label: curve for curve in anchor_curves(run.rows)} for run in runs]
    for spec in dict.fromkeys(spec for one in anchors for spec in one):
        met = [one.get(spec) for one in anchors]
        lines = _lines(runs, groups, met)
        if lines:
            parts.append(
                _picture(f"Score against {spec}", "minutes", "score", lines, _parity(runs))
            )
    parts.append("<h2>Learning and speed</h2>")
    for title, value in _MEASURED.items():
        found = [_curve(run, value) for run in runs]
        lines = _lines(runs, groups, [one if one.x else None for one in found])
        if lines:
            parts.append(_picture(title, "minutes", title.lower(), lines, None))
    return parts


_MEASURED: dict[str, Callable[[IterationMetrics], float | None]] = {
    "Loss": lambda row: row.losses.get(TOTAL) if row.steps else None,
    "Games per second": lambda row: row.games_per_s,
    "Decisions per second": lambda row: row.decisions_per_s,
}


def _curve(run: _Run, value: Callable[[IterationMetrics], float | None]) -> Curve:
    rows = [{"minutes": row.seconds / 60.0, "value": value(row)} for row in run.rows]
    return curve_from_metrics(rows, "minutes", "value", run.name)


def _lines(
    runs: Sequence[_Run], groups: Sequence[Sequence[int]], found: Sequence[Curve | None]
) -> list[Curve]:
    """Return a line for each run; runs that differ only in seeds become a mean with interval."""
    lines = []
    for group in groups:
        curves = [curve for index in group if (curve := found[index]) is not None]
        if len(curves) > 1:
            lines.append(mean_curve(curves, f"{runs[group[0]].name}, {len(curves)} seeds"))
        else:
            lines += [Curve(runs[group[0]].name, one.x, one.y, one.low, one.high) for one in curves]
    return [line for line in lines if line.x]


def _picture(
    title: str, x_label: str, y_label: str, lines: Sequence[Curve], level: float | None
) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = draw_curves(lines, Path(folder) / "curve.png", title, x_label, y_label, level)
        data = base64.b64encode(file.read_bytes()).decode()
    return f'<img alt="{_text(title)}" src="data:image/png;base64,{data}">'


def _settings(runs: Sequence[_Run]) -> str:
    found = differences([run.settings for run in runs])
    parts = ["<h2>Settings</h2>"]
    if len(runs) > 1:
        rows = [[key, *values] for key, values in found.items()]
        parts.append(
            _table(["setting", *(run.name for run in runs)], rows)
            if rows
            else "<p>All settings are the same.</p>"
        )
    for run in runs:
        text = run.folder.config_file.read_text(errors="replace")
        parts.append(f"<details><summary>{_text(run.name)}: all settings</summary>")
        parts.append(f"<pre>{_text(text)}</pre></details>")
    return "\n".join(parts)


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    def cell(value: Any) -> str:
        kind = ' class="number"' if isinstance(value, int | float) else ""
        return f"<td{kind}>{'' if value is None else _text(value)}</td>"

    head = "".join(f"<th>{_text(one)}</th>" for one in heads)
    body = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _text(value: Any) -> str:
    return html.escape(str(value))
