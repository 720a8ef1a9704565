"""Do the data files make sense together? The first thing that does not is an error with its row."""

from __future__ import annotations

from collections import Counter

from stratagem.games.hispania.data_rows import Row
from stratagem.games.hispania.tables import (
    AREAS,
    EDGES,
    EVENTS,
    KINDS,
    MODES,
    SPECIALS,
    Arrival,
    Edge,
    Setup,
    Tables,
    TableSet,
)

_REGIONS = 55
_NATIONS = 20
_TYPES = {
    -1: ("LEA",), 0: ("INF",), 1: ("CAV",), 2: SPECIALS, 3: ("FORT",), 4: ("CASTLE",), 5: ("CITY",),
}  # fmt: skip
_LIMITS = (3, 2, 2)  # units in clear, difficult and poor terrain (B2)


def check_tables(tables: Tables) -> None:
    """Raise BadData for the first row that contradicts the others."""
    _check_counts(tables)
    _check_map(tables)
    _check_units(tables)
    for each in tables.sets:
        _check_setup(tables, each)
        _check_arrivals(tables, each)
        _check_events(tables, each)
        _check_scoring(tables, each)


def _check_counts(tables: Tables) -> None:
    for found, wanted, row in (
        (len(tables.regions), _REGIONS, tables.regions[-1].row),
        (len(tables.nations), _NATIONS, tables.nations[-1].row),
    ):
        if found != wanted:
            raise row.fail(f"{found} rows: there must be exactly {wanted}")
    for names, rows in (
        ([region.name for region in tables.regions], [region.row for region in tables.regions]),
        ([nation.code for nation in tables.nations], [nation.row for nation in tables.nations]),
    ):
        for name, row in zip(names, rows, strict=True):
            if names.count(name) > 1:
                raise row.fail(f"{name} is listed twice: names must differ")
    for rows in ([region.row for region in tables.regions], [n.row for n in tables.nations]):
        for number, row in enumerate(rows):
            if row.number("id", 0, _REGIONS - 1) != number:
                raise row.fail(f"id must be {number}, the place of the row")
    for number, nation in enumerate(tables.nations):
        if nation.row.number("turn_order", 0, _NATIONS - 1) != number:
            raise nation.row.fail(f"turn_order must be {number}: rows stand in the order of turns")
        if nation.last_round < nation.first_round:
            raise nation.row.fail("end_round is before start_round")
        for box in nation.offmap:
            if AREAS[tables.regions[box].area] != "Offmap":
                raise nation.row.fail(f"offmap_access: {tables.regions[box].name} is on the map")


def _check_map(tables: Tables) -> None:
    seen: dict[tuple[int, int, str], Edge] = {}
    for edge in tables.edges:
        first, second = sorted((edge.first, edge.second))
        if first == second:
            raise edge.row.fail(f"broken edge: {edge.first} leads to itself")
        by_sea = EDGES[edge.kind] == "sea"
        sea = edge.row.text("feature") if by_sea else ""  # two regions may share two seas
        if (first, second, sea) in seen:
            other = seen[first, second, sea].row.line
            raise edge.row.fail(f"broken edge: {first}-{second} is also in row {other}")
        seen[first, second, sea] = edge
        shared = set(tables.regions[first].seas) & set(tables.regions[second].seas)
        if by_sea and not shared:
            raise edge.row.fail(f"broken edge: {first} and {second} share no sea")
    reached, front = {0}, [0]
    while front:
        here = front.pop()
        for first, second, sea in seen:
            if not sea and here in (first, second):
                there = second if here == first else first
                if there not in reached:
                    reached.add(there)
                    front.append(there)
    for number, region in enumerate(tables.regions):
        if number not in reached:
            raise region.row.fail(f"no edge leads to {region.name}: add one to edges.csv")


def _check_units(tables: Tables) -> None:
    seen: set[tuple[int, int]] = set()
    for unit in tables.units:
        if (unit.nation, unit.slot) in seen:
            raise unit.row.fail(f"slot {unit.slot} is listed twice for this nation")
        seen.add((unit.nation, unit.slot))
        if unit.type not in _TYPES[unit.slot]:
            raise unit.row.fail(
                f"type is {unit.type!r}: slot {unit.slot} is {' or '.join(_TYPES[unit.slot])}"
            )
        if 0 <= unit.slot <= 2 and (unit.hp < 1 or unit.movement < 2 or unit.cost < 1):
            raise unit.row.fail("a unit needs hp 1 or 2, mp 2 or 3 and a cost")
        if unit.hp > 1 and unit.slot != 2:
            raise unit.row.fail("only the special type (slot 2) may have two hit points")
    for number, nation in enumerate(tables.nations):
        costs = [u.cost for u in tables.units if u.nation == number and 0 <= u.slot <= 2]
        if costs != sorted(set(costs)):
            raise nation.row.fail("its unit costs must rise from INF over CAV to the special type")
        for other in nation.can_vassalise:
            if tables.nations[other].player == nation.player:
                raise nation.row.fail(f"{tables.nations[other].code} is of the same player")


def quantity(tables: Tables, nation: int, slot: int) -> int:
    """How many of a type are in the box; slot -1 is the leaders."""
    return sum(u.quantity for u in tables.units if u.nation == nation and u.slot == slot)


def _check_quantity(tables: Tables, row: Row, nation: int, slot: int, wanted: int) -> None:
    have = quantity(tables, nation, slot)
    if wanted > have:
        what = "leaders" if slot < 0 else ("INF", "CAV", "special units")[slot]
        raise row.fail(
            f"quantity exceeded: {wanted} {what} of {tables.nations[nation].code}, "
            f"units.csv has {have}"
        )


def _check_setup(tables: Tables, each: TableSet) -> None:
    holder: dict[int, Setup] = {}
    stack: Counter[int] = Counter()
    placed: Counter[tuple[int, int]] = Counter()
    for setup in each.setup:
        other = holder.setdefault(setup.region, setup)
        region = tables.regions[setup.region]
        if other.nation != setup.nation:
            raise setup.row.fail(f"{region.name} is already held by row {other.row.line}")
        stack[setup.region] += setup.quantity
        limit = 5 if AREAS[region.area] == "Offmap" else _LIMITS[region.terrain]
        limit += region.structure >= 2
        if stack[setup.region] > limit:
            raise setup.row.fail(f"{stack[setup.region]} units in {region.name}, limit {limit}")
        placed[setup.nation, setup.slot] += setup.quantity
        _check_quantity(
            tables, setup.row, setup.nation, setup.slot, placed[setup.nation, setup.slot]
        )


def _check_arrivals(tables: Tables, each: TableSet) -> None:
    leaders: Counter[int] = Counter()
    custom = each.name != "full"
    for arrival in each.arrivals:
        nation = tables.nations[arrival.nation]
        if not custom:
            _check_alive(tables, arrival.row, arrival.nation, (arrival.round,))
        if arrival.leader:
            leaders[arrival.nation] += 1
            _check_quantity(tables, arrival.row, arrival.nation, -1, leaders[arrival.nation])
            if arrival.leader_until < arrival.round:
                raise arrival.row.fail(f"leader_until is before round {arrival.round}")
        for slot, amount in enumerate(arrival.units):
            _check_quantity(tables, arrival.row, arrival.nation, slot, amount)
        if MODES[arrival.mode] == "entry":
            _check_entry(tables, arrival, set(nation.offmap))


def _check_entry(tables: Tables, arrival: Arrival, boxes: set[int]) -> None:
    for region in arrival.regions:
        place = tables.regions[region]
        if AREAS[place.area] == "Offmap" and region not in boxes:
            raise arrival.row.fail(f"{place.name} is not in the nation's offmap_access")
        if AREAS[place.area] != "Offmap" and not place.seas:
            raise arrival.row.fail(f"{place.name} has no coast: nobody can land there")


def _check_alive(tables: Tables, row: Row, nation: int, rounds: tuple[int, ...]) -> None:
    who = tables.nations[nation]
    for each in rounds:
        if each < who.first_round:
            raise row.fail(
                f"{who.code} acts in round {each} but arrives in round {who.first_round}"
            )


def _check_events(tables: Tables, each: TableSet) -> None:
    for event in each.events:
        if EVENTS[event.kind] != "growth_half":
            _check_alive(tables, event.row, event.nation, (event.round,))
        if event.target == event.nation:
            raise event.row.fail("a nation cannot become itself")


def _check_scoring(tables: Tables, each: TableSet) -> None:
    conquests: set[tuple[int, int]] = set()
    for scoring in each.scoring:
        who = tables.nations[scoring.nation]
        if each.name == "full":
            _check_alive(tables, scoring.row, scoring.nation, scoring.rounds)
        for other in scoring.nations:
            if tables.nations[other].player == who.player and each.name == "full":
                raise scoring.row.fail(f"{tables.nations[other].code} is an ally of {who.code}")
        if KINDS[scoring.kind] == "conquest":
            for region in scoring.regions:
                if (scoring.nation, region) in conquests:
                    raise scoring.row.fail(
                        f"{tables.regions[region].name} is in two conquest rows of {who.code}"
                    )
                conquests.add((scoring.nation, region))
