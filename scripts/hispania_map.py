"""Draw the map of Hispania (areas of the 55 regions, coasts and rivers) as data for the view.

    python scripts/hispania_map.py

The coasts are a hand-made outline (longitude, latitude of capes and bays). Inside them the regions
are the cells of a power diagram of their places in regions.csv. A seeded search shifts places and
weights slightly until cells touch exactly where edges.csv has a border. Borders get a wobble that
both sides share. The result, `data/map.json`, is committed; `view/map.py` reads it.
"""

from __future__ import annotations

import csv
import json
import math
import random
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src/stratagem/games/hispania/data"
Point = tuple[float, float]
Pair = tuple[int, int]
Cell = list[tuple[Point, int]]  # corners, each with the region across the side that follows it

# From the mouth of the Garonne around the peninsula to the Rhone, and back inland.
MAINLAND = (
    (-1.25, 44.75), (-1.45, 43.7), (-1.8, 43.38), (-2.3, 43.31), (-2.78, 43.45), (-3.4, 43.41),
    (-3.8, 43.49), (-4.5, 43.4), (-5.1, 43.49), (-5.85, 43.66), (-6.5, 43.56), (-7.05, 43.57),
    (-7.68, 43.79), (-8.2, 43.6), (-8.38, 43.38), (-8.95, 43.3), (-9.22, 43.15), (-9.27, 42.88),
    (-9.02, 42.6), (-8.86, 42.3), (-8.88, 41.87), (-8.76, 41.4), (-8.67, 41.1), (-8.76, 40.6),
    (-8.92, 40.18), (-9.08, 39.65), (-9.4, 39.36), (-9.5, 38.78), (-9.23, 38.66), (-9.2, 38.42),
    (-8.82, 38.42), (-8.88, 37.95), (-8.8, 37.5), (-8.98, 37.02), (-8.5, 37.11), (-7.9, 36.97),
    (-7.4, 37.18), (-6.9, 37.14), (-6.42, 36.8), (-6.3, 36.5), (-6.03, 36.18), (-5.61, 36.0),
    (-5.35, 36.12), (-5.1, 36.45), (-4.42, 36.71), (-3.8, 36.74), (-3.0, 36.74), (-2.75, 36.68),
    (-2.19, 36.72), (-1.85, 37.05), (-1.6, 37.4), (-1.0, 37.57), (-0.69, 37.63), (-0.77, 37.95),
    (-0.5, 38.33), (0.0, 38.61), (0.23, 38.74), (-0.15, 38.98), (-0.32, 39.45), (-0.2, 39.72),
    (0.1, 40.1), (0.45, 40.5), (0.86, 40.7), (0.7, 40.95), (1.25, 41.1), (1.9, 41.24),
    (2.2, 41.4), (2.8, 41.7), (3.2, 41.95), (3.3, 42.31), (3.05, 42.55), (3.08, 43.05),
    (3.6, 43.38), (4.2, 43.5), (5.2, 43.35), (5.2, 44.75),
)  # fmt: skip
AFRICA = (
    (-6.35, 34.5), (-6.2, 35.1), (-5.93, 35.78), (-5.5, 35.86), (-5.3, 35.9), (-5.22, 35.55),
    (-4.7, 35.22), (-3.9, 35.22), (-3.0, 35.3), (-2.9, 35.2), (-2.2, 35.08), (-1.3, 35.5),
    (-0.6, 35.75), (0.1, 36.02), (1.0, 36.45), (2.4, 36.6), (3.2, 36.8), (4.2, 36.9),
    (5.2, 36.8), (5.2, 34.5),
)  # fmt: skip
MALLORCA = (
    (2.33, 39.57), (2.8, 39.88), (3.1, 39.95), (3.15, 39.75), (3.46, 39.7), (3.25, 39.38),
    (3.05, 39.26), (2.75, 39.36), (2.6, 39.52),
)  # fmt: skip
MENORCA = ((3.79, 40.02), (4.05, 40.07), (4.32, 39.88), (4.2, 39.8), (3.85, 39.9))
IBIZA = ((1.2, 38.95), (1.4, 39.1), (1.62, 39.06), (1.55, 38.93), (1.4, 38.83))
ITALIA = ((3.6, 41.85), (4.6, 41.85), (4.6, 40.6), (3.6, 40.6))  # a box: it lies further east

BALEARES, AQUITANIA, NARBONENSIS, TINGITANA, CARTHAGE, ROME = 49, 50, 51, 52, 53, 54
ON_MAINLAND = (*range(49), AQUITANIA, NARBONENSIS)
SHORTEST = 2.2  # a border that can be seen, in units of regions.csv
NARROWEST = 3.4  # twice the area of a region over the length of its border, likewise
SEA = -1  # what lies across a coast
STEPS = 6000
SEED = 17
EDGE = ((-7.0, -3.5), (111.0, 99.0))  # corners of the sheet


def project(place: Point) -> Point:
    """Longitude and latitude as the x and y of regions.csv; y grows to the north."""
    return ((place[0] + 9.6) * 7.69, (place[1] - 35.0) * 10.53)


# ---- geometry ------------------------------------------------------------------------------


def clip(shape: Cell, a: float, b: float, limit: float, label: int) -> Cell:
    """The part of a polygon where a x + b y <= limit."""
    kept: Cell = []
    count = len(shape)
    sides = [a * x + b * y - limit for (x, y), _ in shape]
    for k in range(count):
        (here, name), side = shape[k], sides[k]
        (ahead, _), next_side = shape[(k + 1) % count], sides[(k + 1) % count]
        if side <= 0:
            kept.append((here, name))
        if (side <= 0) != (next_side <= 0):
            part = side / (side - next_side)
            cross = (here[0] + part * (ahead[0] - here[0]), here[1] + part * (ahead[1] - here[1]))
            kept.append((cross, label if side <= 0 else name))
    return kept


@dataclass
class Diagram:
    """Sites and their weights: a cell is what is nearest to its site, weights considered."""

    sites: dict[int, Point]
    weights: dict[int, float]

    def cell(self, at: int, start: Cell) -> Cell:
        """The part of `start` that belongs to a site."""
        x, y = self.sites[at]
        base = x * x + y * y - self.weights[at]
        shape = start
        for other, (u, v) in self.sites.items():
            if other != at and shape:
                limit = (u * u + v * v - self.weights[other] - base) / 2.0
                shape = clip(shape, u - x, v - y, limit, other)
        return shape


def framed(corners: list[Point]) -> Cell:
    return [(corner, SEA) for corner in corners]


def inside(point: Point, outline: list[Point]) -> bool:
    x, y = point
    found = False
    for k, (u, v) in enumerate(outline):
        p, q = outline[k - 1]
        if (v > y) != (q > y) and x < (p - u) * (y - v) / (q - v) + u:
            found = not found
    return found


def along(start: Point, end: Point, part: float) -> Point:
    return (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))


def border_lengths(
    cells: dict[int, Cell], changed: set[int], known: dict[Pair, float], outline: list[Point]
) -> dict[Pair, float]:
    """Length of the common border of each pair of cells, as far as it lies on land.

    Only the borders of `changed` cells are measured, the others are as `known`.
    """
    found = {pair: length for pair, length in known.items() if not changed & set(pair)}
    for at in sorted(changed):
        for k, (here, label) in enumerate(cells[at]):
            pair = (min(at, label), max(at, label))
            if label == SEA or (label in changed and label < at):
                continue
            ahead = cells[at][(k + 1) % len(cells[at])][0]
            steps = max(4, math.ceil(math.dist(here, ahead) / 0.3))
            parts = [along(here, ahead, (i + 0.5) / steps) for i in range(steps)]
            on_land = sum(inside(part, outline) for part in parts) / steps
            found[pair] = found.get(pair, 0.0) + math.dist(here, ahead) * on_land
    return found


def distance_to_sides(point: Point, polygon: list[Point]) -> float:
    nearest = math.inf
    for k, end in enumerate(polygon):
        start = polygon[k - 1]
        across, up = end[0] - start[0], end[1] - start[1]
        length = across * across + up * up or 1e-9
        part = ((point[0] - start[0]) * across + (point[1] - start[1]) * up) / length
        nearest = min(nearest, math.dist(point, along(start, end, max(0.0, min(1.0, part)))))
    return nearest


def roomiest(polygon: list[Point]) -> tuple[Point, float]:
    """The point of a polygon that is furthest from its sides, wide shapes preferred, and how far.

    Counters are wider than high, so widths count less than heights.
    """
    squeezed = [(0.75 * x, y) for x, y in polygon]
    xs, ys = [x for x, _ in squeezed], [y for _, y in squeezed]
    best, room = (xs[0], ys[0]), -1.0
    for i in range(41):
        for j in range(41):
            point = (min(xs) + (max(xs) - min(xs)) * i / 40, min(ys) + (max(ys) - min(ys)) * j / 40)
            if inside(point, squeezed):
                free = distance_to_sides(point, squeezed)
                if free > room:
                    best, room = point, free
    return (best[0] / 0.75, best[1]), room


# ---- the search ----------------------------------------------------------------------------


def misfits(
    lengths: dict[Pair, float], wanted: set[Pair], breadths: dict[int, float]
) -> dict[Pair, float]:
    """For each pair how far its border is from what it should be; a narrow cell as (at, at)."""
    wrong = {}
    for pair in wanted:
        short = SHORTEST - lengths.get(pair, 0.0)
        if short > 0:
            wrong[pair] = 1.0 + short
    for pair, length in lengths.items():
        if pair not in wanted and length > 0.05:
            wrong[pair] = 0.5 + length
    for at, breadth in breadths.items():
        if breadth < NARROWEST:
            wrong[at, at] = 0.3 + 2.0 * (NARROWEST - breadth)
    return wrong


def breadth_of(cell: Cell) -> float:
    corners = [corner for corner, _ in cell]
    area = length = 0.0
    for k, (x, y) in enumerate(corners):
        u, v = corners[k - 1]
        area += (u * y - x * v) / 2.0
        length += math.dist((x, y), (u, v))
    return 2.0 * abs(area) / length if length else 0.0


def fit(places: dict[int, Point], wanted: set[Pair], outline: list[Point]) -> Diagram:
    """Shift places and weights until the cells have the wanted neighbours and some breadth."""
    rng = random.Random(SEED)
    frame = framed([(-20.0, -20.0), (130.0, -20.0), (130.0, 120.0), (-20.0, 120.0)])
    land = framed(outline)
    now = Diagram(dict(places), dict.fromkeys(places, 0.0))
    cells = {at: now.cell(at, frame) for at in places}
    breadths = {at: breadth_of(now.cell(at, land)) for at in places}
    lengths = border_lengths(cells, set(places), {}, outline)
    wrong = misfits(lengths, wanted, breadths)
    for step in range(STEPS):
        if not wrong:
            return now
        pair = rng.choice(sorted(wrong))
        around = {label for k in pair for _, label in cells[k] if label != SEA} | set(pair)
        at = rng.choice(pair if rng.random() < 0.6 else sorted(around))
        trial = nudged(now, at, rng)
        redrawn, widths = {**cells, at: trial.cell(at, frame)}, dict(breadths)
        changed = {at} | {label for _, label in cells[at] + redrawn[at] if label != SEA}
        for k in changed:
            redrawn[k] = trial.cell(k, frame)
            widths[k] = breadth_of(trial.cell(k, land))
        measured = border_lengths(redrawn, changed, lengths, outline)
        found = misfits(measured, wanted, widths)
        heat = 0.5 * (1.0 - step / STEPS) + 1e-9
        worse = price(trial, places, found) - price(now, places, wrong)
        if rng.random() < math.exp(min(0.0, -worse / heat)):
            now, cells, breadths, lengths, wrong = trial, redrawn, widths, measured, found
    if any(first != second for first, second in wrong):
        raise SystemExit(f"no map found; borders still wrong: {sorted(wrong)}")
    return now


def nudged(diagram: Diagram, at: int, rng: random.Random) -> Diagram:
    """A copy with one site moved and reweighed a little."""
    size = rng.choice((0.4, 1.0, 2.0))
    x, y = diagram.sites[at]
    moved = (x + rng.gauss(0, size), y + rng.gauss(0, size))
    weight = diagram.weights[at] + rng.gauss(0, 8.0 * size)
    return Diagram({**diagram.sites, at: moved}, {**diagram.weights, at: weight})


def price(diagram: Diagram, places: dict[int, Point], wrong: dict[Pair, float]) -> float:
    moved = sum(math.dist(site, places[at]) ** 2 for at, site in diagram.sites.items())
    weights = sum(weight * weight for weight in diagram.weights.values())
    return sum(wrong.values()) + 0.02 * moved + 0.0004 * weights


# ---- from cells to a drawing ---------------------------------------------------------------


def wobbled(start: Point, end: Point) -> list[Point]:
    """The way between two corners as a border would run; the same from either side."""
    first, last = sorted((rounded(start), rounded(end)))
    rng = random.Random(f"{first}{last}")
    length = math.dist(first, last)
    parts = max(1, min(6, round(length / 1.6)))
    bend = 0.055 * length
    middle = []
    for k in range(1, parts):
        x, y = along(first, last, k / parts)
        aside = rng.uniform(-bend, bend)
        across, up = (last[0] - first[0]) / length, (last[1] - first[1]) / length
        middle.append((x - aside * up, y + aside * across))
    return middle if rounded(start) == first else middle[::-1]


def rounded(point: Point) -> Point:
    return (round(point[0], 2), round(point[1], 2))


def drawn(cell: Cell) -> list[Point]:
    """A cell with its inland borders wobbled."""
    points: list[Point] = []
    for k, (here, label) in enumerate(cell):
        points.append(here)
        if label != SEA:
            points += wobbled(here, cell[(k + 1) % len(cell)][0])
    return points


def border(cell: Cell, other: int) -> list[list[Point]]:
    """The lines along which a cell meets another region."""
    found = []
    for k, (here, label) in enumerate(cell):
        ahead = cell[(k + 1) % len(cell)][0]
        if label == other and math.dist(here, ahead) > 0.05:
            found.append([here, *wobbled(here, ahead), ahead])
    return found


def read_csv(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open() as stream:
        return list(csv.DictReader(stream))


def mainland_cells(places: dict[int, Point], edges: list[dict[str, str]]) -> dict[int, Cell]:
    outline = [project(corner) for corner in MAINLAND]
    wanted = set()
    for edge in edges:
        first, second = sorted((int(edge["a"]), int(edge["b"])))
        if edge["kind"] in ("land", "river") and {first, second} <= set(ON_MAINLAND):
            wanted.add((first, second))
    diagram = fit({at: places[at] for at in ON_MAINLAND}, wanted, outline)
    return {at: diagram.cell(at, framed(outline)) for at in ON_MAINLAND}


def all_cells(places: dict[int, Point], edges: list[dict[str, str]]) -> dict[int, Cell]:
    """The cells of every region but the islands."""
    cells = mainland_cells(places, edges)
    africa = framed([project(corner) for corner in AFRICA])
    shores = Diagram({at: places[at] for at in (TINGITANA, CARTHAGE)},
                     {TINGITANA: 0.0, CARTHAGE: 0.0})  # fmt: skip
    cells.update({at: shores.cell(at, africa) for at in shores.sites})
    cells[ROME] = framed([project(corner) for corner in ITALIA])
    (left, low), (right, high) = EDGE
    for at in cells:
        for a, b, limit in ((-1, 0, -left), (1, 0, right), (0, -1, -low), (0, 1, high)):
            cells[at] = clip(cells[at], a, b, limit, SEA)
    return cells


def main() -> None:
    places = {int(row["id"]): (float(row["x"]), float(row["y"])) for row in read_csv("regions.csv")}
    edges = read_csv("edges.csv")
    cells = all_cells(places, edges)
    areas = {at: [drawn(cell)] for at, cell in cells.items()}
    islands = (MALLORCA, MENORCA, IBIZA)
    areas[BALEARES] = [[project(corner) for corner in island] for island in islands]
    spots = {at: roomiest(parts[0])[0] for at, parts in areas.items()}
    rivers = [
        {"name": edge["feature"], "between": [int(edge["a"]), int(edge["b"])], "line": line}
        for edge in edges
        if edge["kind"] == "river"
        for line in border(cells[int(edge["a"])], int(edge["b"]))
    ]
    (left, low), (right, high) = EDGE
    table = {
        "sheet": [left, low, right, high],
        "areas": [areas[at] for at in range(len(places))],
        "spots": [spots[at] for at in range(len(places))],
        "rivers": rivers,
    }
    text = json.dumps(table, default=list, separators=(",", ":"))
    short = json.loads(text, parse_float=lambda number: round(float(number), 2))
    (FOLDER / "map.json").write_text(json.dumps(short, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
