"""Reads the rows that a scenario may replace: set-up, arrivals, events and scoring."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from stratagem.games.hispania.board.data import (
    AREAS,
    EVENTS,
    KINDS,
    MODES,
    Arrival,
    DataSet,
    Event,
    GameData,
    Scoring,
    Setup,
)
from stratagem.games.hispania.board.map_files import Reader, slot_of
from stratagem.games.hispania.board.rows import LAST_ROUND, Row, read_rows

_KILLS = ("kill", "killleader")
_WITHOUT_TARGETS = ("survive", "vassal")
_WITH_PARAM = ("deny", "kill", "survive", "exit")
_PARAM = {"area": "majority"}  # for kinds whose param adds nothing


def read_set(reader: Reader, name: str) -> DataSet:
    """Read the set `full`, or a folder's files that replace parts of it."""

    def rows(file: str, columns: Iterable[str]) -> list[Row]:
        own: Path = reader.folder / name / file
        if not own.is_file():
            return read_rows(reader.folder / file, columns)
        quiet = file in ("arrivals.csv", "events.csv")  # small scenarios may have none
        return read_rows(own, columns, may_be_empty=quiet)

    return DataSet(
        name,
        tuple(_setup(reader, row) for row in rows("setup.csv", ("nation", "region", "type"))),
        tuple(_arrival(reader, row) for row in rows("arrivals.csv", ("round", "nation", "units"))),
        tuple(_event(reader, row) for row in rows("events.csv", ("round", "nation", "event"))),
        tuple(_scoring(reader, row) for row in rows("scoring.csv", ("nation", "kind", "targets"))),
    )


def _setup(reader: Reader, row: Row) -> Setup:
    region = row.choice("region", reader.region_names)
    if row.number("region_id", 0, len(reader.region_names) - 1) != region:
        raise row.fail(f"region_id is not that of {row.text('region')}: write {region}")
    return Setup(
        row,
        row.choice("nation", reader.codes),
        region,
        slot_of(row, row.text("type")),
        row.number("quantity", 1, 6),
    )


def _arrival(reader: Reader, row: Row) -> Arrival:
    units = [0, 0, 0]
    for part in row.words("units"):
        word, _, amount = part.partition(":")
        if not amount.isdigit():
            raise row.fail(f"units {part!r}: write TYPE:NUMBER, such as INF:2")
        units[slot_of(row, word)] += int(amount)
    regions = reader.places(row, "regions")
    if not 1 <= len(regions) <= 6:
        raise row.fail(f"{len(regions)} regions: write 1 to 6")
    return Arrival(
        row,
        row.number("round", 1, LAST_ROUND),
        row.choice("nation", reader.codes),
        row.choice("mode", MODES),
        regions,
        (units[0], units[1], units[2]),
        row.text("leader"),
        row.number("leader_until", 0, LAST_ROUND),
        row.number("major_invasion", 0, 1),
        row.number("revolt", 0, 1),
    )


def _event(reader: Reader, row: Row) -> Event:
    kind = row.choice("event", EVENTS)
    key, _, value = row.text("param").partition("=")
    if key not in ("", "min", "max_regions", "regions"):
        raise row.fail(f"param {key!r}: write min=, max_regions= or regions=")
    if key in ("min", "max_regions") and not value.isdigit():
        raise row.fail(f"param {key}={value!r}: write a whole number")
    transform = EVENTS[kind] == "transform"
    if EVENTS[kind] == "leave":
        reader.places(row, "value")  # their destination, for readers of the file
    elif not transform and row.text("value"):
        raise row.fail(f"value is {row.text('value')!r}: {EVENTS[kind]} takes none")
    return Event(
        row,
        row.number("round", 1, LAST_ROUND),
        row.choice("nation", reader.codes),
        kind,
        row.choice("value", reader.codes) if transform else -1,
        int(value) if key == "max_regions" else 99,
        tuple(row.index("region", word, reader.region_names) for word in value.split())
        if key == "regions"
        else (),
        int(value) if key == "min" else 0,
    )


def _scoring(reader: Reader, row: Row) -> Scoring:
    kind = row.choice("kind", KINDS)
    word = KINDS[kind]
    nations: tuple[int, ...] = ()
    areas: tuple[int, ...] = ()
    regions: tuple[int, ...] = ()
    param = -1
    if bool(row.words("targets")) == (word in _WITHOUT_TARGETS):
        raise row.fail(f"{word} {'takes no' if row.words('targets') else 'needs'} targets")
    if not row.rounds("rounds"):
        raise row.fail("no rounds: write 3;6;9 or 1-9")
    if row.text("param") != _PARAM.get(word, "") and word not in _WITH_PARAM:
        raise row.fail(f"param is {row.text('param')!r}: {word} takes {_PARAM.get(word, 'none')}")
    if word in (*_KILLS, "deny"):
        nations = reader.peoples(row, "targets")
    elif word == "area":
        areas = tuple(row.index("area", each, AREAS) for each in row.words("targets"))
    else:
        regions = expand_targets(reader, row)
    if word == "deny":
        regions = reader.places(row, "param")
        if not regions:
            raise row.fail("param is empty: name the regions that deny is about")
    elif word == "kill":
        param = -1 if row.text("param") == "ANY" else slot_of(row, row.text("param"))
    elif word in ("survive", "exit"):
        param = row.number("param", 1, 55)
    return Scoring(
        row,
        row.choice("nation", reader.codes),
        kind,
        row.rounds("rounds"),
        regions,
        nations,
        areas,
        row.number("vp", 1, 20),
        param,
    )


def expand_targets(reader: Reader, row: Row) -> tuple[int, ...]:
    """Return region ids of `targets`: region names, area names, or ALL for the whole map."""
    found: list[int] = []
    for word in row.words("targets"):
        if word == "ALL":
            found += [at for at, area in enumerate(reader.areas) if AREAS[area] != "Offmap"]
        elif word in AREAS:
            found += [at for at, area in enumerate(reader.areas) if AREAS[area] == word]
        else:
            found.append(row.index("region", word, reader.region_names))
    return tuple(dict.fromkeys(found))


def read_data(folder: Path) -> GameData:
    """Read every data file of a folder, and check each row by itself."""
    reader = Reader(folder)
    extra = sorted(path.name for path in folder.iterdir() if path.is_dir())
    return GameData(
        folder=folder,
        regions=reader.regions,
        edges=reader.edges(),
        nations=reader.nations(),
        units=reader.units(),
        history=reader.history(),
        sea_neighbours=reader.sea_neighbours(),
        sets=tuple(read_set(reader, name) for name in ("full", *extra)),
    )
