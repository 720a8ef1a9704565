"""The map of Terra Mystica: hexes, neighbours, shipping, bridge places.

Land hexes are numbered 0..76 and rivers 0..35 in reading order. A *cell* is 13 * row + column, as
in the action indices. A set of land hexes is two int64 words: hexes 0..38 in the first, the rest in
the second, so that every shift stays positive. Terrains are numbered around the wheel in this
order, PLAIN 0 .. DESERT 6: neighbours on the wheel differ by one.
"""

import numpy as np

MAP = (
    "USGBYRUKRGBRK/Y..UK..YK..Y/..K.S.G.G.S../GBY..RB.R.RU/KURBKUSY..GKB/"
    "SG..YG...USU/...S.R.G.YKBY/YBU...BK.SUS/RKSBRGYUS.BGR"
).split("/")
ROWS, COLUMNS = 9, 13
LAND, RIVERS, BRIDGES = 77, 36, 29
WORD = 39  # land hexes in the first word of a set
TERRAINS = ("plain", "swamp", "lake", "forest", "mountain", "wasteland", "desert")
COLOURS = ("brown", "black", "blue", "green", "gray", "red", "yellow")
_LETTERS = "UKBGSRY"
MOST_SHIPPING = 6  # Mermaids at 5 with the bonus card
WEST, SOUTH, EAST = 0, 1, 2  # directions of a bridge from its upper end: WSW, S, ESE


def _cells():
    """Cells of the land and of the rivers, in reading order."""
    land, rivers = [], []
    for row, line in enumerate(MAP):
        for column, letter in enumerate(line):
            (rivers if letter == "." else land).append(row * COLUMNS + column)
    return land, rivers


_LAND_CELLS, _RIVER_CELLS = _cells()
LAND_CELL = np.array(_LAND_CELLS, np.int64)  # [77] cell of each land hex
RIVER_CELL = np.array(_RIVER_CELLS, np.int64)  # [36]
CELL_LAND = np.full(ROWS * COLUMNS, -1, np.int64)  # [117] land hex of a cell, or -1
CELL_LAND[LAND_CELL] = np.arange(LAND)
CELL_RIVER = np.full(ROWS * COLUMNS, -1, np.int64)  # [117] river hex of a cell, or -1
CELL_RIVER[RIVER_CELL] = np.arange(RIVERS)
START_TERRAIN = np.array(
    [_LETTERS.index(MAP[cell // COLUMNS][cell % COLUMNS]) for cell in _LAND_CELLS], np.uint8
)


def _names():
    counts, names = [0] * ROWS, []
    for cell in _LAND_CELLS:
        counts[cell // COLUMNS] += 1
        names.append(f"{'ABCDEFGHI'[cell // COLUMNS]}{counts[cell // COLUMNS]}")
    return tuple(names)


LAND_NAMES: tuple[str, ...] = _names()
RIVER_NAMES: tuple[str, ...] = tuple(f"r{k}" for k in range(RIVERS))


def place(cell):
    """Return (row, doubled x) of a cell: neighbours differ by (0, ±2) or (±1, ±1)."""
    row, column = divmod(int(cell), COLUMNS)
    return row, 2 * column + row % 2


def hex_distance(a, b):
    (row_a, x_a), (row_b, x_b) = place(a), place(b)
    down, across = abs(row_a - row_b), abs(x_a - x_b)
    return max(down, (down + across) // 2)


_ALL = sorted(_LAND_CELLS + _RIVER_CELLS)
_NEXT = {a: [b for b in _ALL if hex_distance(a, b) == 1] for a in _ALL}


def _padded(lists, width):
    """Return lists of hexes as rows of a matrix, padded with -1."""
    table = np.full((len(lists), width), -1, np.int64)
    for row, values in enumerate(lists):
        table[row, : len(values)] = values
    return table


def _land_beside(cell):
    return [int(CELL_LAND[b]) for b in _NEXT[cell] if CELL_LAND[b] >= 0]


NEAR = _padded([_land_beside(cell) for cell in _LAND_CELLS], 6)  # [77, 6] land beside land
RIVER_LAND = _padded([_land_beside(cell) for cell in _RIVER_CELLS], 6)  # [36, 6]
LAND_RIVERS = _padded(
    [[int(CELL_RIVER[b]) for b in _NEXT[cell] if CELL_RIVER[b] >= 0] for cell in _LAND_CELLS], 6
)  # [77, 6]


def _river_steps(cell):
    """Return the number of river hexes on the shortest way over water to each other land hex."""
    steps: dict[int, int] = {}
    edge = {b for b in _NEXT[cell] if CELL_RIVER[b] >= 0}
    seen = set(edge)
    length = 1
    while edge:
        for river in edge:
            for land in _NEXT[river]:
                if CELL_LAND[land] >= 0 and land != cell:
                    steps.setdefault(int(CELL_LAND[land]), length)
        edge = {b for river in edge for b in _NEXT[river] if CELL_RIVER[b] >= 0} - seen
        seen |= edge
        length += 1
    return steps


SHIP = np.zeros((LAND, LAND), np.int64)  # [77, 77] shipping needed, 0: no way over water
for _k, _cell in enumerate(_LAND_CELLS):
    for _other, _steps in _river_steps(_cell).items():
        SHIP[_k, _other] = _steps
DISTANCE = np.array([[hex_distance(a, b) for b in _LAND_CELLS] for a in _LAND_CELLS], np.int64)


def words(hexes):
    """Return a set of land hexes as its two words."""
    chosen = list(hexes)
    low = sum(1 << h for h in chosen if h < WORD)
    high = sum(1 << (h - WORD) for h in chosen if h >= WORD)
    return low, high


# [7, 77, 2] what a structure reaches with a shipping level: neighbours, and land over water.
REACH = np.array(
    [
        [
            words(b for b in range(LAND) if DISTANCE[a, b] == 1 or 1 <= SHIP[a, b] <= level)
            for a in range(LAND)
        ]
        for level in range(MOST_SHIPPING + 1)
    ],
    np.int64,
)
# [4, 77, 2] hexes at distance 2 up to the index: tunnels and carpets.
BEYOND = np.array(
    [
        [words(b for b in range(LAND) if 2 <= DISTANCE[a, b] <= most) for a in range(LAND)]
        for most in range(4)
    ],
    np.int64,
)
BIT = np.array([words([h]) for h in range(LAND)], np.int64)  # [77, 2]


def _bridges():
    """Bridge places (upper end, lower end, direction, left river crossed), by upper end."""
    found = []
    for upper in _LAND_CELLS:
        row, x = place(upper)
        for direction, (down, across) in enumerate(((1, -3), (2, 0), (1, 3))):
            lower = [c for c in _LAND_CELLS if place(c) == (row + down, x + across)]
            between = [c for c in _NEXT[upper] if lower and c in _NEXT[lower[0]]]
            if len(between) == 2 and all(CELL_RIVER[c] >= 0 for c in between):
                left = min(between, key=lambda c: place(c)[1])
                found.append(
                    (int(CELL_LAND[upper]), int(CELL_LAND[lower[0]]), direction,
                     int(CELL_RIVER[left]))
                )  # fmt: skip
    return np.array(found, np.int64)


BRIDGE = _bridges()  # [29, 4]
BRIDGES_AT = _padded([[k for k in range(BRIDGES) if h in BRIDGE[k, :2]] for h in range(LAND)], 4)
BRIDGE_OF = np.full((LAND, 3), -1, np.int64)  # [upper end, direction] -> bridge place
for _k in range(BRIDGES):
    BRIDGE_OF[BRIDGE[_k, 0], BRIDGE[_k, 2]] = _k
