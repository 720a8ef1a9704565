"""Reads the files that every scenario shares: regions, edges, nations, units, history."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stratagem.games.hispania.board.data import (
    AREAS,
    EDGES,
    HISTORY,
    SEAS,
    SPECIALS,
    STRUCTURES,
    TERRAINS,
    Edge,
    History,
    Nation,
    Region,
    Unit,
)
from stratagem.games.hispania.board.rows import LAST_ROUND, Row, read_rows


class Reader:
    """Reads the files of one folder; later files may refer to earlier ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.regions = self._regions()
        self.region_names = [region.name for region in self.regions]
        self.areas = [region.area for region in self.regions]
        self._nation_rows = read_rows(folder / "nations.csv", ("code", "player", "can_vassalise"))
        self.codes = [row.text("code") for row in self._nation_rows]

    def edges(self) -> tuple[Edge, ...]:
        return tuple(map(self._edge, read_rows(self.folder / "edges.csv", ("a", "b", "kind"))))

    def nations(self) -> tuple[Nation, ...]:
        return tuple(map(self._nation, self._nation_rows))

    def units(self) -> tuple[Unit, ...]:
        return tuple(map(self._unit, read_rows(self.folder / "units.csv", ("nation", "slot"))))

    def history(self) -> tuple[History, ...]:
        rows = read_rows(self.folder / "history.csv", ("nation", "kind"))
        return tuple(map(self._history, rows))

    def sea_neighbours(self) -> tuple[tuple[int, ...], ...]:
        return _sea_neighbours(read_rows(self.folder / "seas.csv", ("code", "adjacent_seas")))

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
        self.places(row, "home_regions")  # nothing uses them, but they must exist
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


def _sea_neighbours(rows: Sequence[Row]) -> tuple[tuple[int, ...], ...]:
    """[sea] the adjacent seas; one row per sea, in the order of SEAS."""
    if len(rows) != len(SEAS):
        raise rows[-1].fail(f"{len(rows)} seas: write one row for each of {', '.join(SEAS)}")
    for row, code in zip(rows, SEAS, strict=True):
        if row.text("code") != code:
            raise row.fail(f"code is {row.text('code')!r}: write {code}")
    return tuple(
        tuple(row.index("sea", word, SEAS) for word in row.words("adjacent_seas")) for row in rows
    )


def slot_of(row: Row, word: str) -> int:
    """Return the purchase slot of a unit type: INF 0, CAV 1, any special type 2."""
    if word in SPECIALS:
        return 2
    return row.index("unit type", word, ("INF", "CAV", *SPECIALS))
