"""Consistency checks of the data files; an error names the first wrong row."""

from __future__ import annotations

from collections import Counter

from stratagem.games.hispania.board.data import (
    AREAS,
    EDGES,
    EVENTS,
    KINDS,
    MODES,
    SPECIALS,
    Arrival,
    DataSet,
    Edge,
    GameData,
    Setup,
)
from stratagem.games.hispania.board.rows import Row

_REGIONS = 55
_NATIONS = 20
_TYPES = {
    -1: ("LEA",), 0: ("INF",), 1: ("CAV",), 2: SPECIALS, 3: ("FORT",), 4: ("CASTLE",), 5: ("CITY",),
}  # fmt: skip
_LIMITS = (3, 2, 2)  # units in clear, difficult and poor terrain


def check_data(data: GameData) -> None:
    """Raise BadData for the first row that contradicts the others."""
    _check_counts(data)
    _check_map(data)
    _check_units(data)
    for each in data.sets:
        _check_setup(data, each)
        _check_arrivals(data, each)
        _check_events(data, each)
        _check_scoring(data, each)


def _check_counts(data: GameData) -> None:
    for found, wanted, row in (
        (len(data.regions), _REGIONS, data.regions[-1].row),
        (len(data.nations), _NATIONS, data.nations[-1].row),
    ):
        if found != wanted:
            raise row.fail(f"{found} rows: there must be exactly {wanted}")
    for names, rows in (
        ([region.name for region in data.regions], [region.row for region in data.regions]),
        ([nation.code for nation in data.nations], [nation.row for nation in data.nations]),
    ):
        for name, row in zip(names, rows, strict=True):
            if names.count(name) > 1:
                raise row.fail(f"{name} is listed twice: names must differ")
    for rows in ([region.row for region in data.regions], [n.row for n in data.nations]):
        for number, row in enumerate(rows):
            if row.number("id", 0, _REGIONS - 1) != number:
                raise row.fail(f"id must be {number}, the place of the row")
    for number, nation in enumerate(data.nations):
        if nation.row.number("turn_order", 0, _NATIONS - 1) != number:
            raise nation.row.fail(f"turn_order must be {number}: rows stand in the order of turns")
        if nation.last_round < nation.first_round:
            raise nation.row.fail("end_round is before start_round")
        for box in nation.offmap:
            if AREAS[data.regions[box].area] != "Offmap":
                raise nation.row.fail(f"offmap_access: {data.regions[box].name} is on the map")


def _check_map(data: GameData) -> None:
    seen: dict[tuple[int, int, str], Edge] = {}
    for edge in data.edges:
        first, second = sorted((edge.first, edge.second))
        if first == second:
            raise edge.row.fail(f"broken edge: {edge.first} leads to itself")
        by_sea = EDGES[edge.kind] == "sea"
        sea = edge.row.text("feature") if by_sea else ""  # two regions may share two seas
        if (first, second, sea) in seen:
            other = seen[first, second, sea].row.line
            raise edge.row.fail(f"broken edge: {first}-{second} is also in row {other}")
        seen[first, second, sea] = edge
        shared = set(data.regions[first].seas) & set(data.regions[second].seas)
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
    for number, region in enumerate(data.regions):
        if number not in reached:
            raise region.row.fail(f"no edge leads to {region.name}: add one to edges.csv")


def _check_units(data: GameData) -> None:
    seen: set[tuple[int, int]] = set()
    for unit in data.units:
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
    for number, nation in enumerate(data.nations):
        costs = [u.cost for u in data.units if u.nation == number and 0 <= u.slot <= 2]
        if costs != sorted(set(costs)):
            raise nation.row.fail("its unit costs must rise from INF over CAV to the special type")
        for other in nation.can_vassalise:
            if data.nations[other].player == nation.player:
                raise nation.row.fail(f"{data.nations[other].code} is of the same player")


def quantity(data: GameData, nation: int, slot: int) -> int:
    """Return how many of a type are in the box; slot -1 is the leaders."""
    return sum(u.quantity for u in data.units if u.nation == nation and u.slot == slot)


def _check_quantity(data: GameData, row: Row, nation: int, slot: int, wanted: int) -> None:
    have = quantity(data, nation, slot)
    if wanted > have:
        what = "leaders" if slot < 0 else ("INF", "CAV", "special units")[slot]
        raise row.fail(
            f"quantity exceeded: {wanted} {what} of {data.nations[nation].code}, "
            f"units.csv has {have}"
        )


def _check_setup(data: GameData, each: DataSet) -> None:
    holder: dict[int, Setup] = {}
    stack: Counter[int] = Counter()
    placed: Counter[tuple[int, int]] = Counter()
    for setup in each.setup:
        other = holder.setdefault(setup.region, setup)
        region = data.regions[setup.region]
        if other.nation != setup.nation:
            raise setup.row.fail(f"{region.name} is already held by row {other.row.line}")
        stack[setup.region] += setup.quantity
        limit = 5 if AREAS[region.area] == "Offmap" else _LIMITS[region.terrain]
        limit += region.structure >= 2
        if stack[setup.region] > limit:
            raise setup.row.fail(f"{stack[setup.region]} units in {region.name}, limit {limit}")
        placed[setup.nation, setup.slot] += setup.quantity
        _check_quantity(data, setup.row, setup.nation, setup.slot, placed[setup.nation, setup.slot])


def _check_arrivals(data: GameData, each: DataSet) -> None:
    leaders: Counter[int] = Counter()
    custom = each.name != "full"
    for arrival in each.arrivals:
        nation = data.nations[arrival.nation]
        if not custom:
            _check_alive(data, arrival.row, arrival.nation, (arrival.round,))
        if arrival.leader:
            leaders[arrival.nation] += 1
            _check_quantity(data, arrival.row, arrival.nation, -1, leaders[arrival.nation])
            if arrival.leader_until < arrival.round:
                raise arrival.row.fail(f"leader_until is before round {arrival.round}")
        for slot, amount in enumerate(arrival.units):
            _check_quantity(data, arrival.row, arrival.nation, slot, amount)
        if MODES[arrival.mode] == "entry":
            _check_entry(data, arrival, set(nation.offmap))


def _check_entry(data: GameData, arrival: Arrival, boxes: set[int]) -> None:
    for region in arrival.regions:
        place = data.regions[region]
        if AREAS[place.area] == "Offmap" and region not in boxes:
            raise arrival.row.fail(f"{place.name} is not in the nation's offmap_access")
        if AREAS[place.area] != "Offmap" and not place.seas:
            raise arrival.row.fail(f"{place.name} has no coast: nobody can land there")


def _check_alive(data: GameData, row: Row, nation: int, rounds: tuple[int, ...]) -> None:
    who = data.nations[nation]
    for each in rounds:
        if each < who.first_round:
            raise row.fail(
                f"{who.code} acts in round {each} but arrives in round {who.first_round}"
            )


def _check_events(data: GameData, each: DataSet) -> None:
    for event in each.events:
        if EVENTS[event.kind] != "growth_half":
            _check_alive(data, event.row, event.nation, (event.round,))
        if event.target == event.nation:
            raise event.row.fail("a nation cannot become itself")


def _check_scoring(data: GameData, each: DataSet) -> None:
    conquests: set[tuple[int, int]] = set()
    for scoring in each.scoring:
        who = data.nations[scoring.nation]
        if each.name == "full":
            _check_alive(data, scoring.row, scoring.nation, scoring.rounds)
        for other in scoring.nations:
            if data.nations[other].player == who.player and each.name == "full":
                raise scoring.row.fail(f"{data.nations[other].code} is an ally of {who.code}")
        if KINDS[scoring.kind] == "conquest":
            for region in scoring.regions:
                if (scoring.nation, region) in conquests:
                    raise scoring.row.fail(
                        f"{data.regions[region].name} is in two conquest rows of {who.code}"
                    )
                conquests.add((scoring.nation, region))
