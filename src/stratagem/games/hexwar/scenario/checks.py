"""Consistency checks of a hexwar scenario, beyond single keys."""

from __future__ import annotations

from stratagem.games.hexwar.scenario.fields import HexwarFields, Player
from stratagem.games.hexwar.state import GOALS, KINDS, TERRAINS, UNITS, ZONES


def check(scenario: HexwarFields) -> None:
    """Raise ValueError for the first inconsistency, naming the key."""
    _check_names(scenario)
    _check_ground(scenario)
    for number, player in enumerate(scenario.players, start=1):
        _check_victory(scenario, number, player)
        _check_arrivals(scenario, number, player)
    _check_both(scenario)


def _check_names(scenario: HexwarFields) -> None:
    for key, table, most in (
        ("terrain", scenario.terrains, TERRAINS),
        ("units", scenario.kinds, KINDS),
    ):
        if len(table) > most:
            extra = len(table) - most
            raise ValueError(f"key {key!r}: at most {most} with the standard ones, remove {extra}")
        letters = [entry.letter for entry in table.values()]
        twice = sorted({letter for letter in letters if letters.count(letter) > 1})
        if twice:
            raise ValueError(f"key {key!r}: letter {twice[0]!r} is used twice, choose another")


def _check_ground(scenario: HexwarFields) -> None:
    if bool(scenario.map) == bool(scenario.random_terrain):
        raise ValueError("give either key 'map' or key 'random_terrain'")
    if scenario.map:
        _check_map(scenario)
        return
    for name, share in scenario.random_terrain.items():
        if name not in scenario.terrains:
            known = ", ".join(scenario.terrains)
            raise ValueError(f"key 'random_terrain': unknown terrain {name!r}, known: {known}")
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"key 'random_terrain.{name}': give a share of 0 to 1, got {share}")
    total = sum(scenario.random_terrain.values())
    if abs(total - 1.0) > 1e-9:
        raise ValueError(f"key 'random_terrain': shares add up to {total:g}, make it 1")


def _check_map(scenario: HexwarFields) -> None:
    rows = scenario.rows()
    if len(rows) != scenario.height:
        raise ValueError(f"key 'map': {len(rows)} rows, but height is {scenario.height}")
    letters = {entry.letter: name for name, entry in scenario.terrains.items()}
    for number, row in enumerate(rows):
        if len(row) != scenario.width:
            raise ValueError(
                f"key 'map', row {number}: {len(row)} letters, but width is {scenario.width}"
            )
        for letter in row:
            if letter not in letters:
                known = ", ".join(f"{key} {name}" for key, name in letters.items())
                raise ValueError(
                    f"key 'map', row {number}: unknown terrain {letter!r}, known: {known}"
                )


def _check_hexes(scenario: HexwarFields, key: str, hexes: list[list[int]]) -> None:
    for row, column in hexes:
        if not (0 <= row < scenario.height and 0 <= column < scenario.width):
            raise ValueError(
                f"key {key!r}: hex [{row}, {column}] is off the map, rows are 0 to "
                f"{scenario.height - 1} and columns 0 to {scenario.width - 1}"
            )
    if len({tuple(place) for place in hexes}) != len(hexes):
        raise ValueError(f"key {key!r}: a hex is listed twice, remove one")


def _check_victory(scenario: HexwarFields, number: int, player: Player) -> None:
    key = f"player{number}.victory"
    first, last = scenario.home(number - 1)
    drawn = isinstance(player.victory, int)
    count = player.victory if isinstance(player.victory, int) else len(player.victory)
    most = min(GOALS, scenario.height * (last - first)) if drawn else GOALS
    if not 1 <= count <= most:
        raise ValueError(f"key {key!r}: 1 to {most} victory hexes, not {count}")
    if not isinstance(player.victory, int):
        _check_hexes(scenario, key, player.victory)


def _check_arrivals(scenario: HexwarFields, number: int, player: Player) -> None:
    first, last = scenario.home(number - 1)
    crowd: dict[tuple[tuple[int, ...], ...], int] = {}
    for place, arrival in enumerate(player.arrivals):
        key = f"player{number}.arrivals.{place}"
        if arrival.turn > scenario.turns:
            raise ValueError(
                f"key '{key}.turn': turn {arrival.turn} is after the last one, {scenario.turns}"
            )
        for name in arrival.units:
            if name not in scenario.kinds:
                known = ", ".join(scenario.kinds)
                raise ValueError(f"key '{key}.units': unknown unit {name!r}, known: {known}")
        _check_hexes(scenario, f"{key}.hexes", arrival.hexes)
        if arrival.turn == 0:
            where = tuple(sorted(tuple(place) for place in arrival.hexes))
            crowd[where] = crowd.get(where, 0) + len(arrival.units)
            hexes = len(where) or scenario.height * (last - first)
            if crowd[where] > hexes * scenario.stacking:
                raise ValueError(
                    f"key '{key}': {crowd[where]} units to set up on {hexes} hexes, over the "
                    f"stacking limit of {scenario.stacking}: fewer units or more hexes"
                )
    if scenario.unit_count(number - 1) > UNITS:
        found = scenario.unit_count(number - 1)
        raise ValueError(
            f"key 'player{number}.arrivals': {found} units, at most {UNITS} are possible"
        )


def _check_both(scenario: HexwarFields) -> None:
    if not any(player.arrivals for player in scenario.players):
        raise ValueError("key 'player1.arrivals': nobody has a unit, give one to either player")
    if len(scenario.zones) > ZONES:
        raise ValueError(
            f"key 'arrivals.hexes': {len(scenario.zones)} different lists, "
            f"at most {ZONES} are possible"
        )
    first, second = (
        set() if isinstance(player.victory, int) else {tuple(place) for place in player.victory}
        for player in scenario.players
    )
    if first & second:
        raise ValueError("key 'player2.victory': a victory hex of player 1 too, choose another")
