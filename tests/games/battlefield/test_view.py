"""Battlefield as a drawing: ground, zone, agents with their points, lines of fire, targets."""

from games.battlefield.positions import draw, move

PICTURE = """
    A . . . .
    . . # . .
    . B . a .
    . . . . .
    . . . . .
"""


def test_everything_is_drawn():
    game, state = draw(PICTURE, margin=1, ply=12)
    scene = game.rules.view(state[0])
    ground = [shape.role for shape in scene.shapes if shape.key.startswith("cell:")]
    assert (scene.width, scene.height) == (5, 5)
    assert ground.count("outside") == 16 and ground.count("wall") == 1
    assert ground.count("cell") == 7 and ground.count("goal") == 2  # the cell and its star
    bodies = {shape.key: shape for shape in scene.shapes if shape.text and shape.layer == "pieces"}
    assert {key: shape.text for key, shape in bodies.items()} == {
        "agent:0,0": "A", "agent:0,1": "B", "agent:1,0": "a",
    }  # fmt: skip
    assert bodies["agent:0,0"].kind == "disc" and bodies["agent:1,0"].kind == "polygon"
    facts = dict(scene.facts)
    assert facts["ply"] == "12" and facts["zone shrinks in"] == "12 moves"
    assert facts["player 2 health"] == "2 0"


def test_pips_count_what_is_left():
    game, state = draw(PICTURE, margin=1)
    state["health"][0, 0, 1] = 1
    state["ammo"][0, 0, 1] = 4
    roles = [shape.role for shape in game.rules.view(state[0]).shapes if shape.key == "agent:0,1"]
    assert (roles.count("health"), roles.count("health-lost")) == (1, 1)
    assert (roles.count("ammo"), roles.count("ammo-lost")) == (4, 2)


def test_lines_of_fire_go_both_ways():
    game, state = draw(PICTURE)
    lines = [shape for shape in game.rules.view(state[0]).shapes if shape.role.endswith("-target")]
    assert [shape.role for shape in lines] == ["seat0-target", "seat1-target"]
    for line in lines:
        assert all(1.5 < x < 3.5 and abs(y - 2.5) < 0.2 for x, y in line.points)
    state["ammo"][0, 0, 1] = 0
    lines = [shape for shape in game.rules.view(state[0]).shapes if shape.role.endswith("-target")]
    assert [shape.role for shape in lines] == ["seat1-target"]


def test_actions_touch_agents_and_cells():
    game, state = draw(PICTURE)
    parse, touches = game.rules.notation.parse_action, game.rules.touches

    def keys(text):
        return touches(state[0], parse(state[0], text))

    assert keys("S .") == ("agent:0,0", "cell:1,0", "agent:0,1", "cell:2,1")
    assert keys("xE xE") == ("agent:0,0", "cell:0,3", "agent:0,1", "cell:2,3")  # range; the enemy
    assert keys(". xS")[3] == "cell:4,1"  # the edge of the board
    move(game, state, ". .")
    assert keys("xW .") == ("agent:1,0", "cell:2,1")  # seat 1 has one agent left


def test_fallen_agents_are_told_in_their_panel():
    game, state = draw(PICTURE)
    texts = [[shape.text for shape in panel.shapes] for panel in game.rules.view(state[0]).panels]
    assert "fallen" in texts[1] and "fallen" not in texts[0]
