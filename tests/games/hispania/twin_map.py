"""The map of the twin: data files read anew, pieces as objects, small questions about them."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path

import stratagem.games.hispania as package

FOLDER = Path(package.__file__).parent
DATA_FOLDER = FOLDER / "data"


def rows(name, folder=""):
    own = DATA_FOLDER / folder / name
    with (own if folder and own.is_file() else DATA_FOLDER / name).open(newline="") as stream:
        return list(csv.DictReader(stream))


def split(text):
    return [word for word in text.replace(" ", ";").split(";") if word]


def rounds(text):
    if "-" in text:
        first, last = map(int, text.split("-"))
        return set(range(first, last + 1))
    return {int(word) for word in split(text)}


@dataclass(eq=False)
class Piece:
    nation: str
    type: str
    region: str
    moved: bool = False
    hp: int = 1
    until: int = 0
    origin: str = ""
    wet: bool = False

    @property
    def leads(self):
        return self.type == "LEA"


class Map:
    def __init__(self, scenario):
        with (FOLDER / "scenarios" / f"{scenario}.toml").open("rb") as stream:
            given = tomllib.load(stream)
        folder = given.get("tables", "")
        self.region_rows = {row["name"]: row for row in rows("regions.csv")}
        self.names = list(self.region_rows)
        self.active = set(given.get("regions", self.names))
        self.nation_rows = {row["code"]: row for row in rows("nations.csv")}
        self.codes = [c for c in self.nation_rows if c in given.get("nations", self.nation_rows)]
        self.all_codes = list(self.nation_rows)
        seats = given.get("players", {})
        self.player = {c: seats.get(c, int(self.nation_rows[c]["player"])) for c in self.codes}
        self.stats = {(r["nation"], r["type"]): r for r in rows("units.csv")}
        self.slots = {(r["nation"], int(r["slot"])): r["type"] for r in rows("units.csv")}
        self.edges = {name: {} for name in self.names}
        for row in rows("edges.csv"):
            if row["kind"] != "sea":
                a, b = self.names[int(row["a"])], self.names[int(row["b"])]
                self.edges[a][b] = self.edges[b][a] = row["kind"]
        self.seas = {row["code"]: split(row["adjacent_seas"]) for row in rows("seas.csv")}
        self.arrival_rows = rows("arrivals.csv", folder)
        self.event_rows = rows("events.csv", folder)
        self.scoring_rows = rows("scoring.csv", folder)
        self.last_round = given["last_round"]
        self.submission = given.get("submission", True)
        self.structure = {
            n: r["structure"] if n in self.active else "none" for n, r in self.region_rows.items()
        }
        self.builder = {}
        self.pieces = []
        self.waiting = []  # [arrival row, list of types, leader?]
        self.vp = dict.fromkeys(self.codes, 0)
        self.pool = dict.fromkeys(self.codes, 0)
        self.overlord = {}
        self.paid = set()
        for row in rows("setup.csv", folder):
            if row["nation"] in self.codes and row["region"] in self.active:
                self.add(row["nation"], row["type"], row["region"], int(row["quantity"]))
        self.round = given["first_round"]

    # -- small questions ------------------------------------------------------------------------
    def stat(self, piece, name):
        return int(self.stats[piece.nation, piece.type][name])

    def add(self, nation, kind, region, count=1, until=0):
        for _ in range(count):
            self.pieces.append(
                Piece(nation, kind, region, hp=int(self.stats[nation, kind]["hp"]), until=until)
            )

    def standing(self, region):
        """Pieces in a region that are not attacking it."""
        return [p for p in self.pieces if p.region == region and not p.origin]

    def attackers(self, region):
        return [p for p in self.pieces if p.region == region and p.origin]

    def units(self, region):
        return [p for p in self.standing(region) if not p.leads]

    def owner(self, region):
        here = self.standing(region)
        return here[0].nation if here else None

    def holder(self, region):
        here = self.units(region)
        return here[0].nation if here else None

    def held(self, nation):
        return [r for r in self.names if self.holder(r) == nation]

    def hostile(self, a, b):
        return (
            self.player[a] != self.player[b]
            and self.overlord.get(a) != b
            and self.overlord.get(b) != a
        )

    def offmap(self, region):
        return self.region_rows[region]["area"] == "Offmap"

    def open(self, nation, region):
        boxes = split(self.nation_rows[nation]["offmap_access"])
        return region in self.active and (not self.offmap(region) or region in boxes)

    def base_limit(self, region):
        return {"clear": 3, "difficult": 2, "poor": 2}[self.region_rows[region]["terrain"]]

    def limit(self, nation, region, leader=False):
        if self.offmap(region):
            return 5
        leader = leader or any(p.leads and p.nation == nation for p in self.standing(region))
        return self.base_limit(region) + leader + (self.structure[region] in ("castle", "city"))

    def quantity_left(self, nation, kind):
        used = sum(p.nation == nation and p.type == kind for p in self.pieces)
        return int(self.stats[nation, kind]["quantity"]) - used

    def slot(self, kind):
        return {"INF": 0, "CAV": 1}.get(kind, 2)

    def ask(self, seat, options):
        self.seat = seat
        self.legal = set(options)
        answer = yield
        assert answer in self.legal
        return answer

    def roll(self):
        self.seat = -1
        self.legal = None
        face = yield
        return face + 1
