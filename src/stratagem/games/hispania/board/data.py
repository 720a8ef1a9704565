"""The rows of the data files, typed.

A *set* is what a scenario may replace: set-up, arrivals, events and scoring. The set `full`
consists of the files of `data/` itself; `data/NAME/` is the set NAME, where a missing file is taken
from `full`. `map_files.py` and `set_files.py` read them, `checks.py` checks that they are
consistent.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stratagem.games.hispania.board.rows import Row

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
    min_units: int  # each missing one costs 1 VP


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
class DataSet:
    name: str
    setup: tuple[Setup, ...]
    arrivals: tuple[Arrival, ...]
    events: tuple[Event, ...]
    scoring: tuple[Scoring, ...]


@dataclass(frozen=True)
class GameData:
    """Everything in the data folder."""

    folder: Path
    regions: tuple[Region, ...]
    edges: tuple[Edge, ...]
    nations: tuple[Nation, ...]
    units: tuple[Unit, ...]
    history: tuple[History, ...]
    sea_neighbours: tuple[tuple[int, ...], ...]
    sets: tuple[DataSet, ...]
