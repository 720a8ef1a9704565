"""Charts for reports: curves with bands, ratings with intervals, tables of all pairs.

Draws on its own Figure objects. There is no global drawing state, so tests and servers may draw at
the same time. Positions are drawn by `scenes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stratagem.evaluate.curves import Curve
from stratagem.evaluate.drawing.palette import INK, SEAT_HATCHES, seat_colour
from stratagem.evaluate.drawing.scenes import save
from stratagem.evaluate.measures import Measures
from stratagem.evaluate.tournaments import Tournament

_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))
_MARKERS = "osD^vP"
_MARKED = 40  # maximum number of points that get markers
_INSIDE = 3  # maximum number of lines with labels inside the chart


def draw_curves(
    curves: Sequence[Curve],
    file: Path,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    level: float | None = None,
) -> Path:
    """Draw lines with their bands; `level` is a dotted horizontal line, such as an even score."""
    figure, axes = _new(6.4, 3.8, title)
    for number, curve in enumerate(curves):
        colour = seat_colour(number)
        few = len(curve.x) <= _MARKED
        axes.plot(
            curve.x, curve.y, color=colour, label=curve.label, lw=1.6,
            ls=_DASHES[number % len(_DASHES)],
            marker=_MARKERS[number % len(_MARKERS)] if few else None, ms=3.5,
        )  # fmt: skip
        if curve.low:
            axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.18, lw=0)
    _keep_lines_in_view(axes, curves)
    if level is not None:
        axes.axhline(level, color=INK, lw=0.8, ls=":")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(alpha=0.25)
    if curves:
        beside = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
        axes.legend(fontsize=8, frameon=False, **(beside if len(curves) > _INSIDE else {}))
    return save(figure, file)


def _keep_lines_in_view(axes: Axes, curves: Sequence[Curve]) -> None:
    """Limit the y axis by the lines: the intervals of two or three runs may be huge."""
    values = [y for curve in curves for y in curve.y]
    edges = [y for curve in curves for y in (*curve.low, *curve.high)]
    if values and edges:
        spread = max(max(values) - min(values), 1e-3)
        low, high = min(values) - spread, max(values) + spread
        bottom, top = max(low, min(*edges, *values)), min(high, max(*edges, *values))
        if bottom < top:
            axes.set_ylim(bottom, top)


@dataclass(frozen=True)
class Bar:
    """A labelled value with its interval, and optionally a published value to mark beside it."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    marked: float | None = None


def draw_bars(bars: Sequence[Bar], file: Path, x_label: str, mark: str = "paper") -> Path:
    """Draw horizontal bars from top to bottom, with intervals and marks."""
    figure, axes = _new(6.4, 1.2 + 0.36 * len(bars), "")
    places = np.arange(len(bars))
    reach = np.array(
        [
            [0.0 if b.low is None else b.value - b.low, 0.0 if b.high is None else b.high - b.value]
            for b in bars
        ]
    ).T  # [2, N] how far the interval extends down and up
    axes.barh(
        places, [bar.value for bar in bars], xerr=np.maximum(reach, 0.0), height=0.6,
        color=seat_colour(5), edgecolor=INK, capsize=3,
    )  # fmt: skip
    marked = [(place, bar.marked) for place, bar in enumerate(bars) if bar.marked is not None]
    if marked:
        where, values = zip(*marked, strict=True)
        axes.plot(values, where, "D", color=seat_colour(1), mec=INK, ms=6, label=mark)
        axes.legend(fontsize=8, frameon=False)
    axes.set_yticks(places, [short_name(bar.label) for bar in bars])
    axes.invert_yaxis()
    axes.axvline(0.0, color=INK, lw=0.8)
    axes.set_xlabel(x_label)
    axes.grid(axis="x", alpha=0.25)
    return save(figure, file)


def draw_ratings(tournament: Tournament, file: Path) -> Path:
    """Draw Bradley-Terry ratings with their 95 % intervals, strongest on top."""
    bars = [
        Bar(one.spec, one.rating.rating, one.rating.low, one.rating.high)
        for one in tournament.ranking
    ]
    anchor = short_name(tournament.anchor)
    return draw_bars(bars, file, f"rating on the Elo scale, {anchor} = 0")


def draw_matrix(tournament: Tournament, file: Path) -> Path:
    """Draw who scored what against whom: the row's score against the column."""
    specs = tournament.specs
    order = [specs.index(standing.spec) for standing in tournament.ranking]
    scores = np.array(
        [[np.nan if v is None else v for v in row] for row in tournament.matrix], np.float64
    )[np.ix_(order, order)]
    names = [specs[i] for i in order]
    return draw_score_table(scores, names, names, file, "score of the row")


def draw_score_table(
    scores: npt.NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    file: Path,
    label: str,
) -> Path:
    """Draw scores from 0 to 1 as coloured cells; NaN: an empty cell."""
    size = 3.0 + 0.62 * len(columns), 2.2 + 0.62 * len(rows)
    figure, axes = _new(*size, "")
    image = axes.imshow(scores, vmin=0.0, vmax=1.0, cmap="cividis")
    shown = [short_name(name) for name in columns]
    axes.set_xticks(range(len(shown)), shown, rotation=40, ha="right", fontsize=8)
    axes.set_yticks(range(len(rows)), [short_name(name) for name in rows], fontsize=8)
    for (row, column), value in np.ndenumerate(scores):
        if not np.isnan(value):
            shade = "white" if value < 0.5 else "black"
            axes.text(
                column, row, f"{value:.2f}", ha="center", va="center", color=shade, fontsize=8
            )
    figure.colorbar(image, ax=axes, label=label, shrink=0.8)
    return save(figure, file)


def draw_measures(measured: Measures, file: Path) -> Path:
    """Draw one small chart per measure: a bar per agent with its interval."""
    agents = measured.agents
    names = [name for name in measured.plain if any(name in measured.by_agent[a] for a in agents)]
    columns = min(3, max(1, len(names)))
    rows = max(1, -(-len(names) // columns))
    figure = Figure(figsize=(3.2 * columns, 0.7 + 2.2 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in panels[len(names) :]:
        axes.set_axis_off()
    for name, axes in zip(names, panels, strict=False):
        for place, agent in enumerate(agents):
            value = measured.by_agent[agent].get(name)
            if value is None:
                continue
            half = 0.0 if value.high is None else value.high - value.mean
            axes.bar(
                place, value.mean, yerr=half, color=seat_colour(place), capsize=3,
                hatch=SEAT_HATCHES[place % len(SEAT_HATCHES)], edgecolor=INK,
            )  # fmt: skip
        low, high = axes.get_ylim()
        # Shares start at zero; a measure that is always zero still gets a scale.
        axes.set_ylim(low if low < -0.1 else 0.0, high if high > 0.1 else 1.0)
        axes.set_title(name.replace("_", " "), fontsize=9, color=INK)
        labels = [short_name(agent, 14) for agent in agents]
        axes.set_xticks(range(len(agents)), labels, fontsize=7, rotation=20, ha="right")
    return save(figure, file)


def short_name(spec: str, longest: int = 28) -> str:
    """Shorten a spec for an axis: its end distinguishes checkpoints, so the start is cut."""
    return spec if len(spec) <= longest else "…" + spec[-(longest - 1) :]


def _new(width: float, height: float, title: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes: Any = figure.subplots()
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    if title:
        axes.set_title(title, fontsize=11, color=INK)
    return figure, axes
