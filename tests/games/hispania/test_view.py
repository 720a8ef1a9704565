"""Hispania as a drawing: areas that border as the rules say, stacks, attacks, the turn."""

from itertools import combinations
from math import dist

import numpy as np
import pytest

from games.hispania.positions import Position
from games.hispania.test_play import play
from stratagem.core.registry import load_game
from stratagem.core.seats import CHANCE, OVER
from stratagem.games.hispania.board.arrays import CODES, GAME_DATA, LAND, NAMES, RIVER
from stratagem.games.hispania.view.chronicle import _TAG, chronicle
from stratagem.games.hispania.view.map import atlas, sheet_of

WHOLE = (1 << 55) - 1
ON_MAINLAND = (*range(49), 50, 51)
AFRICAN = (52, 53)


def inside(point, polygon):
    x, y = point
    found = False
    for k, (u, v) in enumerate(polygon):
        p, q = polygon[k - 1]
        if (v > y) != (q > y) and x < (p - u) * (y - v) / (q - v) + u:
            found = not found
    return found


def touch(first, second):
    """Length over which two areas have corners in common, in the map's units."""
    one, other = (np.array(atlas().areas[k][0]) for k in (first, second))
    gaps = np.hypot(*(one[:, None, :] - other[None, :, :]).transpose(2, 0, 1))
    shared = one[gaps.min(axis=1) < 0.05]
    return max((dist(a, b) for a, b in combinations(map(tuple, shared), 2)), default=0.0)


@pytest.mark.parametrize("regions", [ON_MAINLAND, AFRICAN])
def test_areas_border_exactly_where_the_rules_say(regions):
    for first, second in combinations(regions, 2):
        borders = bool(int(LAND[first] | RIVER[first]) >> second & 1)
        length = touch(first, second)
        assert (length > 1.5) == borders, (NAMES[first], NAMES[second], length)
        assert borders or length < 0.2


def test_areas_tile_the_land():
    areas = [part for parts in atlas().areas for part in parts]
    points = np.random.default_rng(1).uniform((0, 0), (110, 98), (500, 2))
    holders = [sum(inside(point, area) for area in areas) for point in points]
    assert max(holders) == 1 and holders.count(1) > 200
    for trio in combinations(ON_MAINLAND, 3):
        if all(int(LAND[a] | RIVER[a]) >> b & 1 for a, b in combinations(trio, 2)):
            middle = tuple(np.mean([atlas().spots[k] for k in trio], axis=0))
            assert sum(inside(middle, area) for area in areas) == 1, trio


def test_spots_lie_in_their_areas_near_their_places():
    for region, spot in enumerate(atlas().spots):
        assert inside(spot, atlas().areas[region][0]), NAMES[region]
        here = GAME_DATA.regions[region]
        assert dist(spot, (here.x, here.y)) < 12.0, NAMES[region]


def test_every_river_border_is_drawn():
    drawn = {tuple(sorted(pair)) for _, pair, _ in atlas().rivers}
    rivers = {(a, b) for a in range(55) for b in range(a + 1, 55) if int(RIVER[a]) >> b & 1}
    assert drawn == rivers


def test_a_scenario_shows_its_part_of_the_map():
    game = load_game("hispania/duel8")
    scene = game.rules.view(game.new_state(1))
    whole = sheet_of(WHOLE)
    assert scene.width < whole.width / 2 and scene.height < whole.height / 2
    regions = {key for key in scene.keys() if key.startswith("region:")}  # noqa: SIM118
    names = {NAMES[int(key.split(":")[1])] for key in regions}
    assert len(names) == 8 and "Gades" in names


def test_stacks_leaders_and_structures():
    game = load_game("hispania")
    position = Position(game, np.array([game.new_state(1)]))
    s = position.s
    gades = NAMES.index("Gades")
    shapes = [s for s in game.rules.view(s).shapes if s.key == f"region:{gades}"]
    assert s["owner"][gades] >= 0
    assert "city" in {shape.role for shape in shapes}
    tints = [shape.role for shape in shapes if shape.role.endswith("-land")]
    assert tints == ["nation-CAR-land"]
    codes = [shape.text for shape in shapes if shape.layer == "pieces"]
    assert "CAR" in codes
    free = next(k for k in range(49) if s["owner"][k] < 0)
    assert not [x for x in game.rules.view(s).shapes
                if x.key == f"region:{free}" and x.layer == "pieces"]  # fmt: skip


def test_a_turn_shows_what_can_be_chosen():
    game = load_game("hispania")
    rng = np.random.default_rng(4)
    state = game.new_state(4)
    seen = set()
    for _ in range(600):
        if state["seat"] == OVER or len(seen) == 3:
            break
        waits = {"origin": state["origin"] >= 0, "attack": state["attacking"] > 0,
                 "battle": state["site"] >= 0}  # fmt: skip
        scene = game.rules.view(state) if any(waits.values()) else None
        if waits["origin"]:
            rings = [x.key for x in scene.shapes if x.role == "chosen"]
            assert f"region:{int(state['origin'])}" in rings
        if waits["attack"]:
            assert any(x.layer == "hints" and x.kind == "disc" for x in scene.shapes)
        if waits["battle"]:
            assert any(x.role == "target" for x in scene.shapes)
        seen |= {name for name, there in waits.items() if there}
        if state["seat"] == CHANCE:
            action = rng.choice([outcome for outcome, _ in game.chance_outcomes(state)])
        else:
            action = rng.choice(game.legal_actions(state))
        state = game.after(state, int(action))
    assert seen == {"origin", "attack", "battle"}


def test_the_chronicle_shows_who_held_what_at_each_count():
    game = load_game("hispania/duel8")
    states, _ = play(game, ["scripted"] * 2, 1)[0]
    drawings = chronicle(states)
    assert [title.split(",")[0] for title, _ in drawings[:-1]] == [
        f"Round {n}" for n in range(1, 7)
    ]
    counts = [
        next(k for k in range(1, len(states)) if states["round"][k] > n or k == len(states) - 1)
        for n in range(1, 7)
    ]
    for at, (title, scene) in zip(counts, drawings, strict=False):
        held = states[at]["counted"]
        tags = [shape.text for shape in scene.shapes if shape.text in ("CAR", "TUR")]
        assert sorted(tags) == sorted(CODES[nation] for nation in held if nation >= 0)
        points = [int(game.scores(states[at : at + 1])[0, seat]) for seat in range(2)]
        assert f"{points[0]} / {points[1]} points" in title
    legend = drawings[-1][1]
    names = [shape.text for shape in legend.shapes if "VP" in shape.text]
    assert len(names) == 2 and names[0].startswith("Carthaginians")


def test_tags_of_the_whole_map_never_meet():
    places = np.array([sheet_of(WHOLE).spot(region) for region in range(55)])
    across, down = np.abs(places[:, None] - places[None, :]).transpose(2, 0, 1)
    apart = (across >= _TAG[0]) | (down >= _TAG[1]) | np.eye(55, dtype=bool)
    assert apart.all()
