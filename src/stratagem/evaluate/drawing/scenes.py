"""Draws positions for reports: a game's scene with its panels, or several positions in a row.

What to draw comes from the game's `view`, how it looks comes from the palette.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Patch, Polygon
from matplotlib.text import Text

from stratagem.core.errors import BadSetting
from stratagem.core.files import write_atomically
from stratagem.core.game import Game, States
from stratagem.core.scene import KINDS, Scene, Shape
from stratagem.core.seats import OVER
from stratagem.evaluate.drawing.palette import INK, Style, ink_of, paper_of, style_of
from stratagem.evaluate.drawing.sheets import arrange

_POINTS_PER_INCH = 72.0
_TEXT_SIZE = 0.3  # cells, for text without a size of its own
_THINNEST = 0.35  # points
_RESOLUTION = 150  # dots per inch
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}
_FACTS = 8  # maximum lines printed under a board in a strip


def draw_scene(scene: Scene, axes: Axes, theme: str = "light") -> None:
    """Draw a scene without its panels on empty axes, right way up, with square cells."""
    axes.set_xlim(0.0, scene.width)
    axes.set_ylim(scene.height, 0.0)  # scene coordinates grow downwards
    axes.set_aspect("equal")
    axes.set_axis_off()
    points = _points_per_cell(scene, axes)
    for depth, shape in enumerate(scene.shapes):
        _draw_shape(shape, axes, points, depth, style_of(shape.role, theme))


def position_picture(scene: Scene, file: Path, theme: str = "light", width: float = 10.0) -> Path:
    """Draw a board with its panels beside it, `width` in inches; return the file."""
    sheet = arrange(scene)
    inches = width / sheet.width
    figure = Figure(figsize=(width, sheet.height * inches), facecolor=paper_of(theme))
    for part, left, top, scale in sheet.parts:
        wide, tall = part.width * scale / sheet.width, part.height * scale / sheet.height
        bottom = 1.0 - top / sheet.height - tall
        axes = figure.add_axes((left / sheet.width, bottom, wide, tall))
        draw_scene(part, axes, theme)
        if part.title:
            at = (left / sheet.width, bottom + tall + 0.2 * sheet.title_height / sheet.height)
            size = 0.6 * sheet.title_height * inches * _POINTS_PER_INCH
            figure.text(*at, part.title, fontsize=size, color=ink_of(theme), va="bottom")
    return save(figure, file)


def game_strip(
    game: Game, states: States, picks: Sequence[int], file: Path, title: str = ""
) -> Path:
    """Draw positions `picks` of one game side by side, each above its ply; return the file."""
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


def chronicle_picture(
    drawings: Sequence[tuple[str, Scene]], file: Path, columns: int = 2, width: float = 11.0
) -> Path:
    """Draw titled drawings in rows, `width` in inches; return the file."""
    if not drawings:
        raise BadSetting("a chronicle needs at least one drawing")
    gap, head = 0.15, 0.34  # inches; the head holds a drawing's title
    columns = min(columns, len(drawings))
    wide = (width - gap) / columns - gap
    tall = wide * max(scene.height / scene.width for _, scene in drawings)
    height = gap + -(-len(drawings) // columns) * (head + tall)
    figure = Figure(figsize=(width, height))
    for number, (title, scene) in enumerate(drawings):
        row, column = divmod(number, columns)
        left, top = gap + column * (wide + gap), height - row * (head + tall) - head
        own = wide * scene.height / scene.width
        axes = figure.add_axes((left / width, (top - own) / height, wide / width, own / height))
        draw_scene(scene, axes)
        at = (left / width, (top + 0.08) / height)
        figure.text(*at, title, fontsize=10, color=INK, va="bottom")
    return save(figure, file)


def _strip(scenes: Sequence[Scene], names: Sequence[str], title: str) -> Figure:
    """Draw scenes in a row, each under its name and above its facts. All lengths in inches."""
    facts = [
        [f"{name}: {value}" for name, value in s.facts if name != "ply"][:_FACTS] for s in scenes
    ]
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
    """Pick at most `panels` of `count` positions, evenly spread, with the first and the last."""
    panels = min(panels, count)
    if panels < 2:
        return list(range(panels))
    return [round(i * (count - 1) / (panels - 1)) for i in range(panels)]


def save(figure: Figure, file: Path) -> Path:
    """Save a figure, creating its folder; the bytes depend only on the drawing."""
    drawn = io.BytesIO()
    metadata = {"Software": None} if _is_png(file) else None
    kind = file.suffix.lower().removeprefix(".") or "png"
    for text in figure.findobj(Text):  # names may hold dollar signs: none of it is a formula
        text.set_parse_math(False)
    with rc_context({"text.parse_math": False}):  # ticks that are made while drawing
        figure.savefig(drawn, dpi=_RESOLUTION, metadata=metadata, format=kind)
    write_atomically(file, drawn.getvalue())
    return file


def _is_png(file: Path) -> bool:
    return file.suffix.lower() == ".png"


def _draw_shape(shape: Shape, axes: Axes, points: float, depth: int, style: Style) -> None:
    """Draw a shape; `points` is the width of a cell."""
    width = max(_THINNEST, (shape.width or style.width) * points)
    # Dash lengths are multiples of the line width.
    dashes = (0.0, tuple(part * points / width for part in style.dash)) if style.dash else "solid"
    if shape.kind == "line":
        xs, ys = zip(*shape.points, strict=True)
        colour = style.stroke if style.fill == "none" else style.fill
        axes.plot(
            xs, ys, color=colour, lw=width, ls=dashes, alpha=style.opacity, zorder=depth,
            solid_capstyle="round", solid_joinstyle="round", dash_capstyle="butt", clip_on=False,
        )  # fmt: skip
    elif shape.kind != "label":
        patch = _patch(shape)
        patch.set(
            facecolor=style.fill, edgecolor=style.stroke, linewidth=width, linestyle=dashes,
            alpha=style.opacity, zorder=depth, joinstyle="round", clip_on=False,
        )  # fmt: skip
        axes.add_patch(patch)
    if shape.text:
        _write(shape, axes, points, depth, style.text)


def _patch(shape: Shape) -> Patch:
    if shape.kind == "polygon":
        return Polygon(shape.points, closed=True)
    if shape.kind == "disc":
        return Circle(shape.points[0], shape.radius)
    raise BadSetting(f"shape kind {shape.kind!r}: a scene has {', '.join(KINDS)}")


def _write(shape: Shape, axes: Axes, points: float, depth: int, colour: str) -> None:
    count = len(shape.points)
    x = sum(point[0] for point in shape.points) / count
    y = sum(point[1] for point in shape.points) / count
    label = shape.kind == "label"
    axes.text(
        x, y, shape.text, color=colour, zorder=depth,
        fontsize=(shape.size or _TEXT_SIZE) * points, fontweight="normal" if label else "bold",
        ha=_ANCHORS[shape.anchor] if label else "center", va="center_baseline",
        rotation=-shape.turn, rotation_mode="anchor",
    )  # fmt: skip


def _points_per_cell(scene: Scene, axes: Axes) -> float:
    figure = axes.get_figure(root=True)
    if figure is None:
        return 20.0
    place = axes.get_position()
    inches = min(
        place.width * figure.get_figwidth() / scene.width,
        place.height * figure.get_figheight() / scene.height,
    )
    return inches * _POINTS_PER_INCH
