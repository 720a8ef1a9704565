"""Charts of measures with sides, such as nations: bars by side, curves by side and round.

Typical values (`Rules.expected`) are drawn beside the measured ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from stratagem.evaluate.drawing.palette import INK, SEAT_HATCHES, seat_colour
from stratagem.evaluate.drawing.scenes import save
from stratagem.evaluate.intervals import Mean

Bars = Mapping[str, Mapping[str, Mean]]  # [who][side]
Lines = Mapping[str, Mapping[str, Mapping[int, float]]]  # [who][side][round]

USUAL = "reference"
_DASHES = ("-", "-.", ":")
_ACROSS = 4  # panels per row


def draw_sides(name: str, bars: Bars, usual: Mapping[str, float], file: Path) -> Path:
    """Draw a group of bars per side with 95 % intervals, and a mark at the typical value."""
    sides = list(dict.fromkeys(side for values in bars.values() for side in values))
    thick = 0.8 / max(1, len(bars))
    figure = Figure(
        figsize=(7.0, 1.1 + 0.22 * len(sides) * max(1, len(bars))), layout="constrained"
    )
    axes: Any = figure.subplots()
    for number, (who, values) in enumerate(bars.items()):
        known = [place for place, side in enumerate(sides) if side in values]
        means = [values[sides[place]] for place in known]
        reach = [0.0 if mean.high is None else mean.high - mean.mean for mean in means]
        axes.barh(
            [place - 0.4 + (number + 0.5) * thick for place in known],
            [mean.mean for mean in means], xerr=reach, height=0.92 * thick, label=who,
            color=seat_colour(number), hatch=SEAT_HATCHES[number % len(SEAT_HATCHES)],
            edgecolor=INK, linewidth=0.5, capsize=2, error_kw={"lw": 0.8, "ecolor": INK},
        )  # fmt: skip
    marked = [place for place, side in enumerate(sides) if side in usual]
    if marked:
        axes.vlines(
            [usual[sides[place]] for place in marked], [place - 0.44 for place in marked],
            [place + 0.44 for place in marked], color=INK, lw=2.2, label=USUAL, zorder=5,
        )  # fmt: skip
    axes.set_yticks(range(len(sides)), sides, fontsize=8)
    axes.set_ylim(len(sides) - 0.4, -0.6)
    if all(mean.mean >= 0 for values in bars.values() for mean in values.values()):
        axes.set_xlim(left=0.0)  # an interval may extend below what is possible
    axes.set_xlabel(f"{name}, mean and 95 % interval")
    axes.grid(axis="x", alpha=0.25)
    _without_frame(axes)
    figure.legend(loc="outside upper center", ncols=4, fontsize=8, frameon=False)
    return save(figure, file)


def draw_series(
    name: str, lines: Lines, usual: Mapping[str, Mapping[int, float]], file: Path
) -> Path:
    """Draw a small panel per side: a line per agent over rounds, typical values as a grey area."""
    found = dict.fromkeys(side for values in lines.values() for side in values)
    sides = [
        side for side in found if _ever([v.get(side, {}) for v in lines.values()], usual, side)
    ]
    rows = max(1, -(-len(sides) // _ACROSS))
    figure = Figure(figsize=(10.0, 0.9 + 1.75 * rows), layout="constrained")
    panels = figure.subplots(rows, _ACROSS, squeeze=False).ravel()
    for axes in panels[len(sides) :]:
        axes.set_axis_off()
    handles: dict[str, Any] = {}
    for side, axes in zip(sides, panels, strict=False):
        curve = usual.get(side, {})
        if curve:
            xs = sorted(curve)
            handles[USUAL] = axes.fill_between(
                xs, [curve[x] for x in xs], color="0.82", edgecolor="0.6", linewidth=0.6
            )
        for number, (who, values) in enumerate(lines.items()):
            points = values.get(side, {})
            xs = sorted(points)
            if xs:
                style = _DASHES[number % len(_DASHES)]
                handles[who] = axes.plot(
                    xs, [points[x] for x in xs], color=seat_colour(number), lw=1.7, ls=style
                )[0]
        axes.set_title(side, fontsize=9, color=INK, pad=3)
        axes.set_ylim(0.0, max(1.0, axes.get_ylim()[1]))
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.25)
        _without_frame(axes)
    figure.supxlabel("round", fontsize=9)
    figure.supylabel(name, fontsize=9)
    if handles:
        figure.legend(
            list(handles.values()), list(handles), loc="outside upper center", ncols=4, fontsize=8,
            frameon=False,
        )  # fmt: skip
    return save(figure, file)


def _ever(
    measured: Sequence[Mapping[int, float]], usual: Mapping[str, Mapping[int, float]], side: str
) -> bool:
    """Whether there is anything to draw but zeros."""
    numbers = [value for curve in (*measured, usual.get(side, {})) for value in curve.values()]
    return bool(np.any(numbers))


def _without_frame(axes: Any) -> None:
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
