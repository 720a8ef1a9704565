"""What a training run shows: a live table on a terminal, one plain line an iteration elsewhere.

Every line also goes to the run's log.
"""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from stratagem.cli.output import Printer, make_console, make_table
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import TOTAL, IterationMetrics
from stratagem.train.settings import RunSettings

_ROWS = 12  # iterations that stay in sight
_COLUMNS = ["games/s", "decisions/s", "loss", "policy loss", "value loss"]


class TrainDisplay:
    """Shows metrics as they arrive; a context manager around the run."""

    def __init__(self, settings: RunSettings, folder: RunFolder, live: bool, line: Printer) -> None:
        self._settings = settings
        self._folder = folder
        self._line = line
        self._rows: list[list[str]] = []
        self._strength: dict[str, str] = {}
        self._last: IterationMetrics | None = None
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

    def add(self, metrics: IterationMetrics) -> None:
        """Take in one finished iteration."""
        self._last = metrics
        self._since = time.monotonic()
        for spec, one in metrics.anchors.items():
            self._strength[spec] = f"{one.score:.3f} ({one.low:.2f} to {one.high:.2f})"
        gate = ""
        if metrics.gate is not None:
            verdict = "accepted" if metrics.gate.accepted else "refused"
            gate = f"{verdict} {metrics.gate.score:.2f}"
        self._rows.append([str(metrics.iteration), *_numbers(metrics), gate])
        text = self._plain(metrics)
        self._folder.log(text)
        if self._live is None:
            self._line(text)
        else:
            self._live.refresh()

    def _plain(self, metrics: IterationMetrics) -> str:
        parts = [
            f"iteration {metrics.iteration}",
            f"{100 * metrics.progress:.0f} %",
            *(
                f"{number} {name}"
                for name, number in zip(_COLUMNS, _numbers(metrics), strict=True)
                if number
            ),
        ]
        parts += [f"{spec} {self._strength[spec]}" for spec in metrics.anchors]
        parts.append(f"ETA {self._remaining(0.0)}")
        return "  ".join(parts)

    def _picture(self) -> Group:
        """Everything in sight, drawn anew twice a second."""
        spent = time.monotonic() - self._since
        done = 100 * self._last.progress if self._last else 0.0
        iteration = self._last.iteration + 1 if self._last else 1
        state = (
            f"{self._settings.game}  {done:.0f} % done, ETA {self._remaining(spent)}, "
            f"iteration {iteration} for {spent:.0f} s"
        )
        parts: list[Text | Table] = [Text(state)]
        if self._rows:
            parts.append(make_table(["iteration", *_COLUMNS, "gate"], self._rows[-_ROWS:]))
        if self._strength:
            rows = [[spec, text] for spec, text in self._strength.items()]
            parts.append(make_table(["against", "score (95 % interval)"], rows))
        if self._last:
            parts.append(Text(f"checkpoint: {self._folder.step_folder(iteration - 1)}"))
        return Group(*parts)

    def _remaining(self, since_last: float) -> str:
        """Time to the end of the budget, from what the finished part took."""
        done = self._last.progress if self._last else 0.0
        seconds = self._last.seconds if self._last else 0.0
        if self._settings.budget_seconds and not self._settings.iterations:
            left = self._settings.budget_seconds - seconds - since_last
        elif done > 0:
            left = seconds * (1.0 - done) / done - since_last
        else:
            return "unknown"
        return format_seconds(max(0.0, left))


def _numbers(metrics: IterationMetrics) -> list[str]:
    """The columns as text; empty where there is nothing to say."""
    losses = (metrics.losses.get(name) for name in (TOTAL, "policy", "value"))
    return [
        f"{metrics.games_per_s:,.1f}",
        f"{metrics.decisions_per_s:,.1f}",
        *("" if loss is None else f"{loss:.3f}" for loss in losses),
    ]


def format_seconds(seconds: float) -> str:
    """`45s`, `12m 05s`, `2h 03m`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02d}s"
    return f"{whole // 3600}h {whole % 3600 // 60:02d}m"
