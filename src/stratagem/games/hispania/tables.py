"""The data files of Hispania as typed rows.

A *set* is what a scenario may replace: set-up, arrivals, events and scoring. The set `full` is the
files of `data/` itself; `data/NAME/` is the set NAME, where a missing file is that of `full`.
Knows the form of the files only; `checks.py` knows what makes sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stratagem.games.hispania.data_rows import LAST_ROUND, Row, read_rows

AREAS = ("North", "Center", "South", "East", "Offmap")
TERRAINS = ("clear", "difficult", "poor")
STRUCTURES = ("none", "fort", "castle", "city")
SEAS = ("CAN", "ATL", "GAD", "IBR", "BAL")
EDGES = ("land", "river", "strait", "sea")
UNITS = ("INF", "CAV", "special")  # purchase slots 0-2; 3-5 are fort, castle, city
SPECIALS = ("ELI", "KNI", "ELE")
MODES = ("entry", "home", "settle")
EVENTS = ("leave", "transform", "growth_half")
KINDS = ("hold", "city", "castle", "capital", "area", "survive", "vassal",
         "kill", "killleader", "conquest", "deny", "exit")  # fmt: skip
HISTORY = ("take", "keep", "hit")


@dataclass(frozen=True)
class Region:
    row: Row
    name: str
    area: int
    terrain: int
    population: int
    structure: int
    seas: tuple[int, ...]
    x: float
    y: float


@dataclass(frozen=True)
class Edge:
    row: Row
    first: int
    second: int
    kind: int


@dataclass(frozen=True)
class Nation:
    row: Row
    code: str
    name: str
    player: int
    first_round: int
    last_round: int
    offmap: tuple[int, ...]
    ships: tuple[int, ...]  # rounds
    ships_range: int
    submits_at: int
    can_vassalise: tuple[int, ...]
    attack_odds: float
    garrison: int


@dataclass(frozen=True)
class Unit:
    row: Row
    nation: int
    slot: int  # 0-5 what can be bought, -1 leader
    type: str
    name: str
    hp: int
    offence: int
    defence: int
    min_die: int
    movement: int
    cost: int
    quantity: int


@dataclass(frozen=True)
class Setup:
    row: Row
    nation: int
    region: int
    slot: int
    quantity: int


@dataclass(frozen=True)
class Arrival:
    row: Row
    round: int
    nation: int
    mode: int
    regions: tuple[int, ...]
    units: tuple[int, int, int]
    leader: str
    leader_until: int
    major_invasion: int
    revolt: int


@dataclass(frozen=True)
class Event:
    row: Row
    round: int
    nation: int
    kind: int
    target: int  # nation of a transform, else -1
    max_regions: int  # condition, 99: none
    regions: tuple[int, ...]  # only these, empty: all
    min_units: int  # each one short costs 1 VP


@dataclass(frozen=True)
class Scoring:
    row: Row
    nation: int
    kind: int
    rounds: tuple[int, ...]
    regions: tuple[int, ...]
    nations: tuple[int, ...]
    areas: tuple[int, ...]
    vp: int
    param: int  # survive: regions; kill: unit slot or -1; exit: most VP


@dataclass(frozen=True)
class History:
    row: Row
    nation: int
    first_round: int
    last_round: int
    kind: int
    regions: tuple[int, ...]
    nations: tuple[int, ...]
    weight: float


@dataclass(frozen=True)
class TableSet:
    name: str
    setup: tuple[Setup, ...]
    arrivals: tuple[Arrival, ...]
    events: tuple[Event, ...]
    scoring: tuple[Scoring, ...]


@dataclass(frozen=True)
class Tables:
    """Everything in the data folder."""

    folder: Path
    regions: tuple[Region, ...]
    edges: tuple[Edge, ...]
    nations: tuple[Nation, ...]
    units: tuple[Unit, ...]
    history: tuple[History, ...]
    sea_neighbours: tuple[tuple[int, ...], ...]
    sets: tuple[TableSet, ...]


class Reader:
    """Reads the files of one folder; later files may name what earlier ones define."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.region_names: list[str] = []
        self.areas: list[int] = []
        self.codes: list[str] = []

    def read(self) -> Tables:
        regions = self._regions()
        self.region_names = [region.name for region in regions]
        self.areas = [region.area for region in regions]
        nation_rows = read_rows(self.folder / "nations.csv", ("code", "player", "can_vassalise"))
        self.codes = [row.text("code") for row in nation_rows]
        extra = sorted(path.name for path in self.folder.iterdir() if path.is_dir())
        seas = read_rows(self.folder / "seas.csv", ("code", "adjacent_seas"))
        return Tables(
            folder=self.folder,
            regions=regions,
            edges=tuple(map(self._edge, read_rows(self.folder / "edges.csv", ("a", "b", "kind")))),
            nations=tuple(map(self._nation, nation_rows)),
            units=tuple(map(self._unit, read_rows(self.folder / "units.csv", ("nation", "slot")))),
            history=tuple(
                map(self._history, read_rows(self.folder / "history.csv", ("nation", "kind")))
            ),
            sea_neighbours=_sea_neighbours(seas),
            sets=tuple(self._set(name) for name in ("full", *extra)),
        )

    def _regions(self) -> tuple[Region, ...]:
        rows = read_rows(self.folder / "regions.csv", ("name", "area", "terrain", "pop", "seas"))
        return tuple(
            Region(
                row,
                row.text("name"),
                row.choice("area", AREAS),
                row.choice("terrain", TERRAINS),
                row.number("pop", 0, 9),
                row.choice("structure", STRUCTURES),
                tuple(row.index("sea", word, SEAS) for word in row.words("seas")),
                row.real("x", 0, 100),
                row.real("y", 0, 100),
            )
            for row in rows
        )

    def _edge(self, row: Row) -> Edge:
        last = len(self.region_names) - 1
        first, second = row.number("a", 0, last), row.number("b", 0, last)
        return Edge(row, first, second, row.choice("kind", EDGES))

    def _nation(self, row: Row) -> Nation:
        self.places(row, "home_regions")  # nothing reads them, but they must exist
        return Nation(
            row,
            row.text("code"),
            row.text("name"),
            row.number("player", 0, 3),
            row.number("start_round", 1, LAST_ROUND),
            row.number("end_round", 1, LAST_ROUND),
            self.places(row, "offmap_access"),
            row.rounds("ships_rounds"),
            row.number("ships_range", 0, 2),
            row.number("submit_at_regions", 0, 55),
            self.peoples(row, "can_vassalise"),
            row.real("attack_odds", 0.5, 3),
            row.number("garrison", 0, 2),
        )

    def _unit(self, row: Row) -> Unit:
        return Unit(
            row,
            row.choice("nation", self.codes),
            row.number("slot", -1, 5),
            row.text("type"),
            row.text("name"),
            row.number("hp", 0, 2),
            row.number("offence", 0, 6),
            row.number("defence", 0, 6),
            row.number("min_die_to_be_killed", 1, 6),
            row.number("mp", 0, 3),
            row.number("cost", 0, 20),
            row.number("quantity", 0, 40),
        )

    def _history(self, row: Row) -> History:
        kind = row.choice("kind", HISTORY)
        hit = HISTORY[kind] == "hit"
        if not row.words("targets"):
            raise row.fail(f"no targets: write {'nations' if hit else 'regions'}")
        return History(
            row,
            row.choice("nation", self.codes),
            row.number("round_from", 1, LAST_ROUND),
            row.number("round_to", 1, LAST_ROUND),
            kind,
            () if hit else self.places(row, "targets"),
            self.peoples(row, "targets") if hit else (),
            row.real("weight", 0, 10),
        )

    def places(self, row: Row, key: str) -> tuple[int, ...]:
        return tuple(row.index("region", word, self.region_names) for word in row.words(key))

    def peoples(self, row: Row, key: str) -> tuple[int, ...]:
        return tuple(row.index("nation", word, self.codes) for word in row.words(key))

    def _set(self, name: str) -> TableSet:
        from stratagem.games.hispania.table_sets import read_set

        return read_set(self, name)


def _sea_neighbours(rows: Sequence[Row]) -> tuple[tuple[int, ...], ...]:
    """[sea] the seas beside it; one row per sea, in the order of SEAS."""
    if len(rows) != len(SEAS):
        raise rows[-1].fail(f"{len(rows)} seas: write one row for each of {', '.join(SEAS)}")
    for row, code in zip(rows, SEAS, strict=True):
        if row.text("code") != code:
            raise row.fail(f"code is {row.text('code')!r}: write {code}")
    return tuple(
        tuple(row.index("sea", word, SEAS) for word in row.words("adjacent_seas")) for row in rows
    )


def slot_of(row: Row, word: str) -> int:
    """The purchase slot of a unit type: INF 0, CAV 1, any special type 2."""
    if word in SPECIALS:
        return 2
    return row.index("unit type", word, ("INF", "CAV", *SPECIALS))


def read_tables(folder: Path) -> Tables:
    """Every data file of a folder, each row well-formed."""
    return Reader(folder).read()
