"""Scenario files: every named one is there and means what it says; bad ones are explained."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from games.hexwar.positions import EXTRA, scenario
from stratagem.core.errors import BadScenario
from stratagem.core.registry import load_game, load_rules
from stratagem.core.scenario import read_scenario
from stratagem.core.scenario_files import ScenarioFile, find_scenarios
from stratagem.core.seeding import derive_seeds
from stratagem.games.hexwar.scenario import HexwarScenario, read_standard

GOLDEN = Path(__file__).parents[2] / "golden" / "hexwar_scenarios.txt"
NAMES = [
    "asymmetric", "symmetric", "mirror", "curriculum", "randomized", "crossroads", "breakthrough",
    *(f"solo-{size}" for size in range(4, 21)),
    *(f"randomized-{size}" for size in range(6, 13)),
    *(f"symmetric-{size}" for size in range(6, 13)),
]  # fmt: skip


def test_the_named_scenarios_exist_and_symmetric_is_the_default():
    assert set(find_scenarios(load_rules("hexwar").folder)) == set(NAMES)
    assert load_game("hexwar").spec == "hexwar/symmetric"


@pytest.mark.parametrize("name", NAMES)
def test_each_scenario_loads_and_begins(name):
    game = load_game(f"hexwar/{name}")
    state = game.new_state(1)
    assert state["seat"] in (0, 1)
    assert 1 <= len(game.legal_actions(state)) <= game.max_legal


def test_every_scenario_is_as_recorded():
    """Families and files that extend others mean what a file of their own for each once did."""
    for line in GOLDEN.read_text().splitlines():
        spec, fields, record = line.split()
        game = load_game(spec)
        text = json.dumps(game.scenario.model_dump(mode="json"), sort_keys=True)
        assert hashlib.blake2b(text.encode(), digest_size=8).hexdigest() == fields, spec
        packed = hashlib.sha256(game.packed_scenario.tobytes()).hexdigest()
        assert packed.startswith(record), spec


def to_toml(values):
    """A scenario file of one line a key."""
    return "".join(f"{key} = {inline(value)}\n" for key, value in values.items())


def inline(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def armies(model):
    return [[(a.turn, tuple(a.units), len(a.hexes)) for a in p.arrivals] for p in model.players]


@pytest.mark.parametrize("name", NAMES)
def test_scenarios_of_a_family_differ_in_size_only(name):
    model = load_game(f"hexwar/{name}").scenario
    family, _, size = name.partition("-")
    if not size:
        return
    assert (model.height, model.width) == (int(size), int(size))
    like = load_game("hexwar/solo-5" if family == "solo" else f"hexwar/{family}").scenario
    assert (model.turns, model.stacking) == (like.turns, like.stacking)
    assert armies(model) == armies(like)
    assert model.random_terrain == like.random_terrain


def image(model, place):
    """Where the board's own symmetry puts a hex: left-right, or half a turn on even widths."""
    row, column = place
    turned = model.height - 1 - row if model.width % 2 == 0 else row
    return turned, model.width - 1 - column


@pytest.mark.parametrize(
    "name", ["mirror", "crossroads", *(f"symmetric-{size}" for size in range(6, 13))]
)
def test_fair_maps_are_symmetric_in_hexes(name):
    model = load_game(f"hexwar/{name}").scenario
    rows = model.rows()
    for row in range(model.height):
        for column in range(model.width):
            there = image(model, (row, column))
            assert rows[row][column] == rows[there[0]][there[1]]
    first, second = (
        [tuple(place) for place in player.victory] for player in (model.player1, model.player2)
    )
    assert {image(model, place) for place in first} == set(second)
    assert armies(model)[0] == armies(model)[1]


def test_the_papers_symmetric_map_is_only_an_array_turned_around():
    rows = load_game("hexwar").scenario.rows()
    assert rows == [row[::-1] for row in reversed(rows)]
    assert rows != [row[::-1] for row in rows]


def test_random_maps_follow_the_shares_and_sides():
    game = load_game("hexwar/randomized")
    states = game.new_states(derive_seeds(3, "maps", count=2000))
    terrain = states["ground"][:, :25] & 7
    names = list(game.scenario.terrains)
    for name, share in game.scenario.random_terrain.items():
        assert np.mean(terrain == names.index(name)) == pytest.approx(share, abs=0.006)
    assert len({states["ground"][k].tobytes() for k in range(100)}) == 100
    goals = states["goals"][:, :, 0]
    for seat, columns in ((0, (0, 1)), (1, (3, 4))):
        counts = np.bincount(goals[:, seat], minlength=25).reshape(5, 5)
        assert counts[:, columns].sum() == 2000
        assert counts[:, columns].min() > 150  # 200 expected


def test_several_random_victory_hexes_are_different():
    game = load_game("hexwar/randomized?player1={victory=8}")
    states = game.new_states(derive_seeds(3, "maps", count=50))
    assert all(len(set(goals.tolist())) == 8 for goals in states["goals"][:, 0])


def player(victory, *arrivals):
    return {"victory": victory, "arrivals": list(arrivals)}


def units(turn, *names, **more):
    return {"turn": turn, "units": list(names), **more}


PLAINS = ["PPPPP"] * 5
BAD = [
    ({"map": [*PLAINS[:4], "PPXPP"]}, "key 'map', row 4: unknown terrain 'X', known: P plains"),
    ({"map": PLAINS[:4]}, "key 'map': 4 rows, but height is 5"),
    ({"map": [*PLAINS[:4], "PPPP"]}, "key 'map', row 4: 4 letters, but width is 5"),
    ({"random_terrain": {"plains": 1.0}}, "either key 'map' or key 'random_terrain'"),
    ({"map": []}, "either key 'map' or key 'random_terrain'"),
    ({"map": [], "random_terrain": {"sea": 1.0}}, "unknown terrain 'sea', known: plains"),
    ({"map": [], "random_terrain": {"plains": 0.5}}, "shares add up to 0.5, make it 1"),
    ({"map": [], "random_terrain": {"plains": 1.5, "swamp": -0.5}}, "give a share of 0 to 1"),
    ({"turns": 0}, "key 'turns': must be greater than or equal to 1, got 0"),
    ({"turns": "nine"}, "key 'turns': must be a valid integer, got 'nine'"),
    ({"turns": 2.5}, "key 'turns': must be a valid integer"),
    ({"stacking": 5}, "key 'stacking': must be less than or equal to 4, got 5"),
    ({"height": 21}, "key 'height'"),
    ({"width": 2}, "key 'width'"),
    ({"winner": 1}, "unknown key 'winner': remove it or correct its spelling"),
    ({"player1": {}}, "missing key 'player1.victory': add it"),
    ({"player1": player([[1, 5]])}, r"key 'player1.victory': hex [1, 5] is off the map"),
    ({"player2": player([[-1, 0]])}, r"key 'player2.victory': hex [-1, 0] is off the map"),
    ({"player2": player([[1, 4], [1, 4]])}, "a hex is listed twice"),
    ({"player2": player([[1, 0]])}, "key 'player2.victory': a victory hex of player 1 too"),
    ({"player1": player([])}, "key 'player1.victory': 1 to 8 victory hexes, not 0"),
    ({"player1": player(9)}, "key 'player1.victory': 1 to 8 victory hexes, not 9"),
    ({"player1": player([[1]])}, "key 'player1.victory"),
    ({"player1": player(1, units(10, "infantry"))},
     "key 'player1.arrivals.0.turn': turn 10 is after the last one, 9"),
    ({"player1": player(1, units(-1, "infantry"))}, "key 'player1.arrivals.0.turn'"),
    ({"player1": player(1, units(0, "knight"))},
     "key 'player1.arrivals.0.units': unknown unit 'knight', known: infantry, armour"),
    ({"player1": player(1, units(0, *["infantry"] * 3, hexes=[[0, 0]]))},
     "key 'player1.arrivals.0': 3 units to set up on 1 hexes, over the stacking limit of 2"),
    ({"player1": player(1, units(0, *["infantry"] * 21))}, "over the stacking limit of 2"),
    ({"player1": player(1, units(1, *["infantry"] * 33))}, "33 units, at most 32 are possible"),
    ({"player1": player(1, units(0, "infantry", hexes=[[7, 7]]))},
     "key 'player1.arrivals.0.hexes': hex [7, 7] is off the map"),
    ({"player1": player(1, *(units(1, "infantry", hexes=[[0, k]]) for k in range(5)),
                        units(1, "infantry", hexes=[[1, 0]]))}, "6 different lists, at most 5"),
    ({"player1": player([[1, 0]]), "player2": player([[1, 4]])}, "nobody has a unit"),
    ({"terrain": {"sea": {"letter": "P", "attack": 1, "defence": 1, "cost": 1}}},
     "key 'terrain': letter 'P' is used twice"),
    ({"terrain": {"sea": {"letter": "w", "attack": 1, "defence": 1, "cost": 1}}},
     "key 'terrain.sea.letter'"),
    ({"terrain": {"sea": {"letter": "W", "attack": 1.234, "defence": 1, "cost": 1}}},
     "attack modifier must be a multiple of 0.01"),
    ({"terrain": {"sea": {"letter": "W", "attack": 1, "defence": 1}}},
     "missing key 'terrain.sea.cost': add it"),
    ({"terrain": {"sea": {"letter": "W", "attack": 1, "defence": 1, "cost": 0}}},
     "key 'terrain.sea.cost'"),
    ({"units": {f"u{k}": {**EXTRA["wall"], "letter": "BCDEFGHJ"[k]} for k in range(8)}},
     "key 'units': at most 8 with the standard ones, remove 2"),
    ({"units": {"wall": {**EXTRA["wall"], "attack": 100}}}, "key 'units.wall.attack'"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_files_are_explained_with_file_and_key(tmp_path, change, message):
    file = tmp_path / "bad.toml"
    file.write_text(to_toml(scenario(**change)))
    with pytest.raises(BadScenario) as caught:
        read_scenario(HexwarScenario, ScenarioFile(file))
    assert message in str(caught.value)
    assert str(caught.value).startswith("bad.toml: ")
    assert "\n" not in str(caught.value)


def test_missing_keys_and_broken_files(tmp_path):
    file = tmp_path / "bad.toml"
    values = scenario()
    del values["turns"]
    file.write_text(to_toml(values))
    with pytest.raises(BadScenario, match="missing key 'turns': add it"):
        read_scenario(HexwarScenario, ScenarioFile(file))
    file.write_text("turns = = 3")
    with pytest.raises(BadScenario, match="not valid TOML"):
        read_scenario(HexwarScenario, ScenarioFile(file))
    file.write_text("[terrain]\n")
    with pytest.raises(BadScenario, match="missing key 'units'"):
        read_standard(file)


def test_a_good_file_is_read(tmp_path):
    file = tmp_path / "good.toml"
    file.write_text(to_toml(scenario()))
    assert read_scenario(HexwarScenario, ScenarioFile(file)).stacking == 2
