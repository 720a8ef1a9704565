"""Positions on paper: a game's scene drawn on axes, and several of them side by side.

Knows no game: everything to draw comes from the game's `view`, all looks from the palette.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Patch, Polygon, RegularPolygon
from matplotlib.patheffects import withStroke

from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States
from stratagem.core.scene import Scene, Shape
from stratagem.core.seats import OVER
from stratagem.evaluate.palette import INK, style_of

_POINTS_PER_INCH = 72.0
_LABEL_SHARE = 0.42  # height of a label in cells
_RESOLUTION = 150  # dots per inch


def draw_scene(scene: Scene, axes: Axes) -> None:
    """Draw a scene on empty axes, right way up, cells square."""
    margin = 0.05
    axes.set_xlim(-margin, scene.width + margin)
    axes.set_ylim(scene.height + margin, -margin)  # scenes count downwards
    axes.set_aspect("equal")
    axes.set_axis_off()
    size = _label_points(scene, axes)
    for depth, shape in enumerate(scene.shapes):
        _draw_shape(shape, axes, size, depth)


def game_strip(
    game: Game, states: States, picks: Sequence[int], file: Path, title: str = ""
) -> Path:
    """Positions `picks` of one game side by side, each under its ply; returns the file."""
    view = game.rules.view
    if view is None:
        raise BadSetting(f"{game.name} has no view: there is nothing to draw")
    if not picks:
        raise BadSetting("a strip needs at least one position")
    scenes = [view(states[pick]) for pick in picks]
    names = []
    for number, pick in enumerate(picks, start=1):
        end = ", end" if states["seat"][pick] == OVER else ""
        names.append(f"{number}. ply {range(len(states))[pick]}{end}")
    return save(_strip(scenes, names, title), file)


def _strip(scenes: Sequence[Scene], names: Sequence[str], title: str) -> Figure:
    """Scenes in a row, each under its name and over its facts. All lengths in inches."""
    facts = [[f"{name}: {value}" for name, value in s.facts if name != "ply"] for s in scenes]
    panel, gap, line = 2.6, 0.12, 0.11
    tall = panel * max(scene.height / scene.width for scene in scenes)
    top, below = 0.32 + (0.3 if title else 0.0), gap + line * max(map(len, facts))
    width, height = len(scenes) * (panel + gap) + gap, top + tall + below
    figure = Figure(figsize=(width, height))
    if title:
        figure.text(0.5, 1.0 - 0.08 / height, title, ha="center", va="top", fontsize=10, color=INK)
    for place, (scene, name, lines) in enumerate(zip(scenes, names, facts, strict=True)):
        left = gap + place * (panel + gap)
        axes = figure.add_axes((left / width, below / height, panel / width, tall / height))
        draw_scene(scene, axes)
        axes.set_title(name, fontsize=9, color=INK)
        middle, under = (left + panel / 2.0) / width, (below - 0.04) / height
        figure.text(middle, under, "\n".join(lines), ha="center", va="top", fontsize=6, color=INK)
    return figure


def evenly_picked(count: int, panels: int) -> list[int]:
    """At most so many positions out of `count`, spread evenly, the first and the last included."""
    panels = min(panels, count)
    if panels < 2:
        return list(range(panels))
    return [round(i * (count - 1) / (panels - 1)) for i in range(panels)]


def save(figure: Figure, file: Path) -> Path:
    """Write a figure, making its folder; the bytes depend on nothing but the drawing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=_RESOLUTION, metadata={"Software": None} if _is_png(file) else None)
    return file


def _is_png(file: Path) -> bool:
    return file.suffix.lower() == ".png"


def _draw_shape(shape: Shape, axes: Axes, label_points: float, depth: int) -> None:
    style = style_of(shape.role)
    if shape.kind == "label":
        _write(shape, axes, label_points, depth, style.edge)
        return
    if shape.kind == "line":
        xs, ys = zip(*shape.points, strict=True)
        colour = style.edge if style.fill == "none" else style.fill
        axes.plot(
            xs, ys, color=colour, lw=style.line_width + 0.8, alpha=style.opacity, zorder=depth
        )
        return
    patch = _patch(shape, style.corners)
    patch.set(
        facecolor=style.fill, edgecolor=style.edge, linewidth=style.line_width,
        hatch=style.hatch, alpha=style.opacity, zorder=depth,
    )  # fmt: skip
    axes.add_patch(patch)
    if shape.text:
        _write(shape, axes, label_points, depth, INK)


def _patch(shape: Shape, corners: int) -> Patch:
    if shape.kind == "polygon":
        return Polygon(shape.points, closed=True)
    if shape.kind == "disc":
        if corners == 0:
            return Circle(shape.points[0], shape.radius)
        # As large in area as the disc. A square stands on its side, an odd shape points upwards.
        area_of_one = corners / 2.0 * math.sin(2.0 * math.pi / corners)
        radius = shape.radius * math.sqrt(math.pi / area_of_one)
        turn = math.pi / 4.0 if corners == 4 else math.pi
        return RegularPolygon(shape.points[0], corners, radius=radius, orientation=turn)
    raise BadSetting(f"shape kind {shape.kind!r}: a scene has polygon, disc, line and label")


def _write(shape: Shape, axes: Axes, points: float, depth: int, colour: str) -> None:
    count = len(shape.points)
    x = sum(point[0] for point in shape.points) / count
    y = sum(point[1] for point in shape.points) / count
    text = axes.text(
        x, y, shape.text, ha="center", va="center", fontsize=points, color=colour, zorder=depth
    )
    if shape.kind != "label":  # on a coloured piece: readable on any fill and hatching
        text.set_color("white")
        text.set_path_effects([withStroke(linewidth=2.0, foreground=INK)])


def _label_points(scene: Scene, axes: Axes) -> float:
    """Font size at which a label is a fixed share of a cell high."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return 8.0
    place = axes.get_position()
    inches = min(
        place.width * figure.get_figwidth() / max(scene.width, 1.0),
        place.height * figure.get_figheight() / max(scene.height, 1.0),
    )
    return max(4.0, min(14.0, inches * _POINTS_PER_INCH * _LABEL_SHARE))
