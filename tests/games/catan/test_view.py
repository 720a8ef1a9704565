"""Catan as a drawing: island, pieces, cards; what decisions touch."""

from games.catan.positions import build, give, in_play, roll
from stratagem.games.catan.notation.codes import edge_name


def by_key(scene):
    found = {}
    for part in (scene, *scene.panels):
        for shape in part.shapes:
            found.setdefault(shape.key, []).append(shape)
    return found


def test_everything_is_drawn():
    game, state = in_play("catan")
    build(state, 0, settle=[12], city=[45], road="12-17")
    scene = game.rules.view(state[0])
    keys = by_key(scene)
    for what, count in (("tile", 19), ("place", 54), ("edge", 72), ("harbour", 9)):
        assert len([key for key in keys if key.startswith(f"{what}:")]) == count
    house, city = keys["place:12"][0], keys["place:45"][0]
    assert house.role == city.role == "seat0" and house.kind == city.kind == "polygon"
    assert len(house.points) != len(city.points)
    names = {edge_name(edge): f"edge:{edge}" for edge in range(72)}
    assert [shape.role for shape in keys[names["12-17"]]] == ["edge", "seat0"]
    assert [shape.role for shape in keys[names["7-12"]]] == ["edge"]
    assert len(keys["robber"]) == 2


def test_tokens_have_a_pip_for_each_way():
    game, state = in_play("catan")
    scene = game.rules.view(state[0])
    for tile in range(19):
        number = int(state["token"][0, tile])
        dots = [s for s in by_key(scene)[f"tile:{tile}"] if s.kind == "disc" and s.radius < 0.03]
        assert len(dots) == (6 - abs(7 - number) if number else 0)


def test_points_in_hand_are_private():
    game, state = in_play("catan")
    give(state, 0, point=2, knight=1)
    scene = game.rules.view(state[0])

    def texts(seat):
        panels = scene.for_seat(seat).panels
        return [shape.text for panel in panels for shape in panel.shapes]

    assert "2 with cards" in texts(0) and "2 with cards" not in texts(1)
    assert dict(scene.facts)["player 1 points"] == "0 of 15 in sight"
    assert dict(scene.facts)["player 1 hand"] == "0, 3 to play"


def test_decisions_touch_what_they_use():
    game, state = in_play("catan")
    build(state, 0, settle=[12], road="12-17")
    give(state, 0, wood=4, brick=4, sheep=2, wheat=3, ore=4, monopoly=1, plenty=1)

    def keys(text):
        return game.rules.touches(state[0], game.rules.notation.parse_action(state[0], text))

    assert keys("settle 17") == ("place:17",)
    assert keys("city 12") == ("place:12",)
    assert keys("buy card") == ("deck",)
    assert keys("trade 4 wood for ore") == ("hand:0,wood", "bank:ore")
    assert keys("monopoly ore") == ("card:0,monopoly", "bank:ore")
    assert keys("plenty brick") == ("card:0,plenty", "bank:brick")
    assert keys("end turn") == ()


def test_a_roll_touches_the_tiles_that_yield():
    game, state = in_play("catan", rolled=False)
    roll(game, state, 8)
    game, fresh = in_play("catan", rolled=False)
    fresh["seat"], fresh["phase"] = -1, 9
    tiles = game.rules.touches(fresh[0], 8)
    assert {int(fresh["token"][0, int(key.split(":")[1])]) for key in tiles} == {8}
    assert game.rules.touches(fresh[0], 7) == ()
