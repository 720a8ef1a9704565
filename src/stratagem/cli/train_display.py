"""What a training run shows: a live table on a terminal, one plain line an iteration elsewhere.

Every line also goes to the run's log.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from stratagem.cli.output import Printer, make_console, make_table
from stratagem.runs.folder import RunFolder
from stratagem.train.settings import RunSettings

_ROWS = 12  # iterations that stay in sight
_SHOWN = {
    "games_per_s": "games/s",
    "sims_per_s": "sims/s",
    "loss": "loss",
    "policy_loss": "policy loss",
    "value_loss": "value loss",
}
_COLUMNS = ["iteration", *_SHOWN.values(), "gate"]


class TrainDisplay:
    """Shows metrics as they arrive; a context manager around the run."""

    def __init__(self, settings: RunSettings, folder: RunFolder, live: bool, line: Printer) -> None:
        self._settings = settings
        self._folder = folder
        self._line = line
        self._rows: list[list[str]] = []
        self._strength: dict[str, str] = {}
        self._last: dict[str, Any] = {}
        self._since = time.monotonic()
        self._live: Live | None = None
        if live:
            self._live = Live(
                get_renderable=self._picture, console=make_console(), refresh_per_second=2
            )

    def __enter__(self) -> TrainDisplay:
        self._since = time.monotonic()
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def add(self, metrics: Mapping[str, Any]) -> None:
        """Take in one finished iteration."""
        self._last = dict(metrics)
        self._since = time.monotonic()
        for spec, result in metrics.get("anchors", {}).items():
            interval = f"{result['low']:.2f} to {result['high']:.2f}"
            self._strength[spec] = f"{result['score']:.3f} ({interval})"
        verdict = "accepted" if metrics.get("accepted") else "refused"
        gate = f"{verdict} {metrics['gate_score']:.2f}" if metrics.get("gate_games") else ""
        numbers = [_number(metrics, key) for key in _SHOWN]
        self._rows.append([str(metrics["iteration"]), *numbers, gate])
        text = self._plain(metrics)
        self._folder.log(text)
        if self._live is None:
            self._line(text)
        else:
            self._live.refresh()

    def _plain(self, metrics: Mapping[str, Any]) -> str:
        parts = [
            f"iteration {metrics['iteration']}",
            f"{100 * metrics['progress']:.0f} %",
            *(f"{_number(metrics, key)} {name}" for key, name in _SHOWN.items() if key in metrics),
        ]
        parts += [f"{spec} {self._strength[spec]}" for spec in metrics.get("anchors", {})]
        parts.append(f"ETA {self._remaining(0.0)}")
        return "  ".join(parts)

    def _picture(self) -> Group:
        """Everything in sight, drawn anew twice a second."""
        spent = time.monotonic() - self._since
        done = 100 * float(self._last.get("progress", 0.0))
        iteration = int(self._last.get("iteration", 0)) + 1
        state = (
            f"{self._settings.game}  {done:.0f} % done, ETA {self._remaining(spent)}, "
            f"iteration {iteration} for {spent:.0f} s"
        )
        parts: list[Text | Table] = [Text(state)]
        if self._rows:
            parts.append(make_table(_COLUMNS, self._rows[-_ROWS:]))
        if self._strength:
            rows = [[spec, text] for spec, text in self._strength.items()]
            parts.append(make_table(["against", "score (95 % interval)"], rows))
        if self._last:
            parts.append(Text(f"checkpoint: {self._folder.step_folder(iteration - 1)}"))
        return Group(*parts)

    def _remaining(self, since_last: float) -> str:
        """Time to the end of the budget, from what the finished part took."""
        done = float(self._last.get("progress", 0.0))
        seconds = float(self._last.get("seconds", 0.0))
        if self._settings.budget_seconds and not self._settings.iterations:
            left = self._settings.budget_seconds - seconds - since_last
        elif done > 0:
            left = seconds * (1.0 - done) / done - since_last
        else:
            return "unknown"
        return format_seconds(max(0.0, left))


def _number(metrics: Mapping[str, Any], key: str) -> str:
    """A metric as text: losses to three digits, rates to one; nothing where there is none."""
    if key not in metrics:
        return ""
    return f"{metrics[key]:.3f}" if key.endswith("loss") else f"{metrics[key]:,.1f}"


def format_seconds(seconds: float) -> str:
    """`45s`, `12m 05s`, `2h 03m`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02d}s"
    return f"{whole // 3600}h {whole % 3600 // 60:02d}m"
