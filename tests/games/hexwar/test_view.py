"""Hexwar as a drawing: hexes, counters, the attack, units off the map."""

from games.hexwar.positions import battle, move, new_game
from stratagem.games.hexwar.view import strengths


def shapes_of(game, state):
    return game.rules.view(state[0]).shapes


def test_counters_tell_kind_and_state():
    game, state = battle({"c3": "IA"}, {"c4": "I"})
    move(game, state, "stay c3/1", "stay c3/2", "attack c4", "with c3/2")
    bodies = {}
    for shape in shapes_of(game, state):
        if shape.layer == "pieces":
            bodies.setdefault(shape.key, shape)  # the box comes before its symbol
    roles = {key: shape.role for key, shape in bodies.items()}
    assert roles == {"unit:0": "seat0", "unit:1": "seat0-attacking", "unit:32": "seat1"}
    assert bodies["unit:1"].tip.startswith("armour of player 1, attack 2, defence 2")
    numbers = [s.text for s in shapes_of(game, state) if s.key == "unit:1" and s.text]
    assert numbers == ["2-2-4"]


def test_the_attack_shows_both_strengths():
    game, state = battle({"c3": "IA"}, {"c4": "I"})
    move(game, state, "stay c3/1", "stay c3/2", "attack c4", "with c3/2")
    assert strengths(state[0]) == (2.0, 1.0)
    hints = [shape for shape in shapes_of(game, state) if shape.layer == "hints"]
    assert "2 : 1" in [shape.text for shape in hints]
    assert sum(shape.kind == "line" for shape in hints) == 2  # the target's ring and one arrow
    facts = dict(game.rules.view(state[0]).facts)
    assert facts["phase"] == "choose attackers"
    assert facts["attack"] == "1 units, 2 against 1"


def test_neighbours_touch_in_the_drawing():
    game, state = battle({"c3": "I"}, {})
    corners = {}
    for shape in shapes_of(game, state):
        if shape.role == "plains":
            corners[shape.key] = {(round(x, 2), round(y, 2)) for x, y in shape.points}
    for near in ("cell:1,2", "cell:1,3", "cell:2,3", "cell:3,2", "cell:2,1", "cell:1,1"):
        assert len(corners["cell:2,2"] & corners[near]) == 2, near


def test_units_to_come_wait_beside_the_map():
    arrivals = [
        {"turn": 0, "units": ["infantry"]},
        {"turn": 3, "units": ["armour", "armour"]},
    ]
    game, state = new_game(player1={"victory": [[1, 0]], "arrivals": arrivals})
    scene = game.rules.view(state[0])
    beside = {shape.key for panel in scene.panels for shape in panel.shapes if shape.key}
    assert {"unit:0", "unit:1", "unit:2", "unit:32"} <= beside
    rings = {shape.key for shape in scene.shapes if shape.role == "seat0-zone"}
    placed = {game.rules.touches(state[0], a)[1] for a in game.legal_actions(state[0])}
    assert rings == placed and len(rings) > 3


def test_actions_touch_units_and_hexes():
    game, state = battle({"c3": "IA"}, {"c4": "I"})

    def keys(text):
        return game.rules.touches(state[0], game.rules.notation.parse_action(state[0], text))

    assert keys("move c3/2 N") == ("unit:1", "cell:1,2")
    assert keys("move c3/1 SE") == ("unit:0", "cell:2,3")
    assert keys("stay c3/2") == ("unit:1", "cell:2,2")
    move(game, state, "stay c3/1", "stay c3/2")
    assert keys("attack c4") == ("cell:3,2",)
    assert keys("hold c3/1") == ("unit:0", "cell:2,2")
    move(game, state, "attack c4")
    assert keys("with c3/2") == ("unit:1", "cell:3,2")
    move(game, state, "with c3/2")
    assert keys("fight c4") == ("cell:3,2",)
