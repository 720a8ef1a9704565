"""Displays a training run: a live table in a terminal, otherwise one plain line per iteration.

Every line also goes to the run's log.
"""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from stratagem.cli.durations import format_seconds
from stratagem.cli.output import Printer, make_console, make_table
from stratagem.cli.progress import ProgressLine, while_compiling
from stratagem.core.game import Game
from stratagem.core.patience import PATIENCE
from stratagem.runs.folder import RunFolder
from stratagem.runs.metrics import TOTAL, IterationMetrics
from stratagem.runs.status import seconds_left
from stratagem.train.progress import RunProgress
from stratagem.train.settings import RunSettings

_ROWS = 12  # iterations that stay visible
_SILENCE = 10.0  # seconds without a finished iteration before a plain line reports the state
FILLING = "filling replay"  # there is too little data to learn from
NO_GAMES = "no game ended"  # positions are learned from once their game is over
_COLUMNS = ["games/s", "decisions/s", "loss", "policy loss", "value loss"]


class TrainDisplay:
    """Shows metrics as they arrive; used as a context manager around the run."""

    def __init__(
        self, settings: RunSettings, game: Game, folder: RunFolder, live: bool, line: Printer
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._print = line
        self._phase = "starting"
        self._rows: list[list[str]] = []
        self._strength: dict[str, str] = {}
        self._metrics: list[IterationMetrics] = []  # the most recent ones
        self._learned = False  # whether any iteration has learned
        self._clock = settings.clock()
        self._mark()
        self._describe = while_compiling(game, self._state)
        self._line = ProgressLine(while_compiling(game, self._quiet_state))
        self._live: Live | None = None
        if live:
            self._live = Live(
                get_renderable=self._picture, console=make_console(), refresh_per_second=2
            )

    def __enter__(self) -> TrainDisplay:
        self._mark()
        before = self._folder.metrics()
        self._learned = any(row.steps for row in before)
        self._metrics = [self._as_of_now(row) for row in before[-_ROWS:]]
        if self._live is not None:
            PATIENCE.mute()
            self._live.start()
        else:
            self._line.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
            PATIENCE.unmute()
        else:
            self._line.__exit__()

    def _as_of_now(self, row: IterationMetrics) -> IterationMetrics:
        """Return a row of the resumed run, with its share of the current limits."""
        ended = row.budget_seconds if row.progress >= 1.0 else 0.0
        progress = RunProgress(row.iteration, row.seconds, ended_budget=ended)
        return row.model_copy(update={"progress": progress.share(self._settings)})

    def phase(self, text: str) -> None:
        """Set the current activity of the run."""
        self._phase = text

    def add(self, metrics: IterationMetrics) -> None:
        """Add one finished iteration."""
        self._metrics = [*self._metrics[-_ROWS:], metrics]
        self._mark()
        for spec, one in metrics.anchors.items():
            games = f", {one.games} games" if one.games else ""
            self._strength[spec] = f"{one.score:.3f} ({one.low:.2f} to {one.high:.2f}{games})"
        gate = ""
        if metrics.gate is not None:
            verdict = "accepted" if metrics.gate.accepted else "refused"
            gate = f"{verdict} {metrics.gate.score:.2f}"
        idle = NO_GAMES if self._learned and not metrics.games_per_s else FILLING
        numbers = _numbers(metrics, idle)
        self._learned = self._learned or metrics.steps > 0
        self._rows.append([str(metrics.iteration), *numbers, gate])
        text = self._plain(metrics, numbers)
        self._folder.log(text)
        if self._live is None:
            self._line.clear()
            self._print(text)
        else:
            self._live.refresh()

    def _plain(self, metrics: IterationMetrics, shown: list[str]) -> str:
        numbers = dict(zip(_COLUMNS, shown, strict=True))
        parts = [f"iteration {metrics.iteration}", f"{100 * metrics.progress:.0f} %"]
        parts += [
            number if number in (FILLING, NO_GAMES) else f"{number} {name}"
            for name, number in numbers.items()
            if number
        ]
        parts += [f"{spec} {self._strength[spec]}" for spec in metrics.anchors]
        parts.append("done" if metrics.progress >= 1.0 else self._remaining())
        return "  ".join(parts)

    def _mark(self) -> None:
        """Note the start of an iteration."""
        self._since = time.monotonic()
        self._counted = self._clock()

    def _state(self, spent: float) -> str:
        """Return `battlefield/default  40 % done, 36s left, iteration 3: learning for 12 s`."""
        last = self._metrics[-1] if self._metrics else None
        iteration = last.iteration + 1 if last else 1
        return (
            f"{self._settings.game}  {100 * self._share():.0f} % done, "
            f"{self._remaining()}, iteration {iteration}: {self._phase} for {spent:.0f} s"
        )

    def _quiet_state(self, spent: float) -> str:
        """Return the same if no table is shown; nothing while iterations are frequent."""
        since = time.monotonic() - self._since
        return self._state(since) if since >= _SILENCE else ""

    def _picture(self) -> Group:
        """Build the display, which is redrawn twice a second."""
        since = time.monotonic() - self._since
        parts: list[Text | Table] = [Text(self._describe(since))]
        if self._rows:
            parts.append(make_table(["iteration", *_COLUMNS, "gate"], self._rows[-_ROWS:]))
        if self._strength:
            rows = [[spec, text] for spec, text in self._strength.items()]
            parts.append(make_table(["against", "score (95 % interval)"], rows))
        if self._metrics:
            latest = self._folder.step_folder(self._metrics[-1].iteration)
            parts.append(Text(f"checkpoint: {latest}"))
        return Group(*parts)

    def _share(self) -> float:
        """Return the share of the budget used by now."""
        last, budget = self._metrics[-1] if self._metrics else None, self._settings.budget_seconds
        share = last.progress if last else 0.0
        if budget and share < 1.0:
            share = max(share, ((last.seconds if last else 0.0) + self._used()) / budget)
        return min(share, 1.0)

    def _used(self) -> float:
        """Return the share of the budget used since the last iteration."""
        return self._clock() - self._counted

    def _remaining(self) -> str:
        budget, limit = self._settings.budget_seconds, self._settings.iterations
        left = seconds_left(self._metrics, budget, limit, self._used())
        if left is None:
            return "time left unknown"
        return f"{format_seconds(left)} left" if left else "over its budget, finishing"


def _numbers(metrics: IterationMetrics, idle: str) -> list[str]:
    """Return the columns as text; empty where there is nothing to report."""
    losses = [metrics.losses.get(name) for name in (TOTAL, "policy", "value")]
    shown = ["" if loss is None else f"{loss:.3f}" for loss in losses]
    if not metrics.steps:  # nothing was learned, so there is no loss
        shown = [idle, "", ""]
    return [f"{metrics.games_per_s:,.1f}", f"{metrics.decisions_per_s:,.1f}", *shown]
