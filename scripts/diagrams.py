"""Draw the diagrams of the documentation as SVG: `python scripts/diagrams.py [--check]`.

A diagram consists of boxes on a grid and arrows between them. Plain SVG files need no script in the
browser, so they look the same on a forge, on the site and offline.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
WIDE, HIGH, GAP_X, GAP_Y, EDGE = 150, 48, 46, 34, 12  # pixels


@dataclass(frozen=True)
class Box:
    """A box at column and row of the grid; the second line of its text is smaller."""

    name: str
    column: float
    row: float
    text: str = ""
    kind: str = "plain"  # or "strong"


@dataclass(frozen=True)
class Diagram:
    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[str, ...]  # "from to", or "from to back" for a path back around the others


STYLE = """
  .box { fill: #ffffff; stroke: #5c6bc0; stroke-width: 1.5 }
  .strong { fill: #e8eaf6 }
  .arrow { fill: none; stroke: #78829b; stroke-width: 1.5; marker-end: url(#tip) }
  text { font-family: sans-serif; font-size: 14px; fill: #1f2328; text-anchor: middle }
  .small { font-size: 11px; fill: #57606a }
"""

ROOMS = Diagram(
    "The subpackages; arrows point to what each may import",
    (
        Box("cli", 1.5, 0, "cli\nthe commands"),
        Box("web", 1, 1, "web\nthe server"),
        Box("adapters", 2, 1, "adapters\nother libraries"),
        Box("experiments", 1.5, 2, "experiments\npapers and tables"),
        Box("train", 1.5, 3, "train\nthree algorithms"),
        Box("evaluate", 1.5, 4, "evaluate\nmatches, ratings"),
        Box("agents", 1.5, 5, "agents\nplayers by spec"),
        Box("runs", 1.5, 6, "runs\nthe run folder"),
        Box("games", 0, 7, "games\nrules of each game"),
        Box("nets", 1, 7, "nets\nnetworks"),
        Box("search", 2, 7, "search\ntrees"),
        Box("backend", 3, 7, "backend\nwhere work runs"),
        Box("core", 1.5, 8, "core\nthe game interface", "strong"),
    ),
    (
        "cli web", "cli adapters", "web experiments", "adapters experiments", "experiments train",
        "train evaluate", "evaluate agents", "agents runs", "runs games", "runs nets",
        "runs search", "runs backend", "games core", "nets core", "search core", "backend core",
    ),
)  # fmt: skip

POSITION = Diagram(
    "The path of one training position",
    (
        Box("command", 0, 0, "command\nstratagem train"),
        Box("trainer", 1, 0, "trainer\none iteration"),
        Box("workers", 2, 0, "workers\nthreads, processes"),
        Box("slots", 3, 0, "games\nin parallel"),
        Box("forest", 3, 1, "search\none tree per game"),
        Box("network", 4, 1, "network\npriors and values"),
        Box("replay", 2, 1, "replay\npast positions", "strong"),
        Box("learner", 1, 1, "learner\ngradient steps"),
        Box("checkpoint", 0, 1, "checkpoint\non disk"),
    ),
    (
        "command trainer", "trainer workers", "workers slots", "slots forest", "forest network",
        "slots replay", "replay learner", "learner checkpoint",
    ),
)  # fmt: skip

LOOP = Diagram(
    "One iteration of the learning loop",
    (
        Box("play", 0, 0, "self-play\ngames with search", "strong"),
        Box("replay", 1, 0, "replay\npositions, visits, results"),
        Box("learn", 2, 0, "learning\ngradient steps"),
        Box("test", 3, 0, "acceptance test\nis it better?"),
        Box("save", 4, 0, "checkpoint\nthe network plays on"),
    ),
    ("play replay", "replay learn", "learn test", "test save", "save play back"),
)

SIMULATION = Diagram(
    "One simulation of the search",
    (
        Box("root", 0, 0, "the root\nthe position to decide", "strong"),
        Box("select", 1, 0, "select\ndescend by PUCT"),
        Box("expand", 2, 0, "expand\nadd the new position"),
        Box("evaluate", 3, 0, "evaluate\npriors and values"),
        Box("backup", 4, 0, "back up\nadd values to the path"),
    ),
    ("root select", "select expand", "expand evaluate", "evaluate backup", "backup root back"),
)

DIAGRAMS = {"rooms": ROOMS, "position": POSITION, "loop": LOOP, "simulation": SIMULATION}


def draw(diagram: Diagram) -> str:
    """The diagram as the text of an SVG file."""
    boxes = {box.name: box for box in diagram.boxes}
    right = max(_left(box) for box in diagram.boxes) + WIDE + EDGE
    bottom = max(_top(box) for box in diagram.boxes) + HIGH + EDGE
    if any(arrow.endswith(" back") for arrow in diagram.arrows):
        bottom += GAP_Y
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:g} {bottom:g}" '
        f'width="{right:g}" height="{bottom:g}" role="img">',
        f"<title>{escape(diagram.title)}</title>",
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#78829b"/></marker>'
        "</defs>",
    ]
    lines += [_arrow(boxes, arrow.split()) for arrow in diagram.arrows]
    lines += [_box(box) for box in diagram.boxes]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _left(box: Box) -> float:
    return EDGE + box.column * (WIDE + GAP_X)


def _top(box: Box) -> float:
    return EDGE + box.row * (HIGH + GAP_Y)


def _box(box: Box) -> str:
    left, top = _left(box), _top(box)
    title, _, small = (box.text or box.name).partition("\n")
    centre = left + WIDE / 2
    return (
        f'<rect class="box {box.kind}" x="{left:g}" y="{top:g}" width="{WIDE}" height="{HIGH}" '
        f'rx="8"/><text x="{centre:g}" y="{top + 20:g}">{escape(title)}</text>'
        f'<text class="small" x="{centre:g}" y="{top + 37:g}">{escape(small)}</text>'
    )


def _arrow(boxes: dict[str, Box], words: Sequence[str]) -> str:
    start, end = boxes[words[0]], boxes[words[1]]
    x0, y0, x1, y1 = _left(start), _top(start), _left(end), _top(end)
    if len(words) == 3:  # around the others, below them
        below = max(y0, y1) + HIGH + GAP_Y / 2
        from_x, to_x = x0 + WIDE / 2, x1 + WIDE / 2
        way = f"M{from_x:g} {y0 + HIGH:g} V{below:g} H{to_x:g} V{y1 + HIGH + 2:g}"
    elif start.row == end.row:
        step = 1 if end.column > start.column else -1
        from_x = x0 + (WIDE if step > 0 else 0)
        to_x = x1 + (0 if step > 0 else WIDE) - 2 * step
        way = f"M{from_x:g} {y0 + HIGH / 2:g} L{to_x:g} {y1 + HIGH / 2:g}"
    else:
        way = f"M{x0 + WIDE / 2:g} {y0 + HIGH:g} L{x1 + WIDE / 2:g} {y1 - 2:g}"
    return f'<path class="arrow" d="{way}"/>'


def main() -> int:
    stale = 0
    for name, diagram in DIAGRAMS.items():
        file, text = FOLDER / f"{name}.svg", draw(diagram)
        if file.is_file() and file.read_text() == text:
            continue
        stale += 1
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        sys.stdout.write(f"{'stale' if '--check' in sys.argv[1:] else 'written'}: {file.name}\n")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
