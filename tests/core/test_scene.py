"""Scenes: plain data, what a seat may see, and the geometry that views share."""

import json
from math import dist

import pytest

from stratagem.core.scene import (
    EVERYBODY,
    Scene,
    Shape,
    arrow_head,
    between,
    block,
    regular,
    star,
)

OPEN = Shape("disc", ((1.0, 1.0),), "seat0", radius=0.5, key="unit:1")
SECRET = Shape("label", ((0.5, 0.5),), "text", "ace", size=0.3, key="card:1", seen_by=1)


def test_a_seat_sees_what_is_open_and_its_own():
    scene = Scene(2, 2, (OPEN, SECRET), panels=(Scene(1, 1, (SECRET, OPEN)),))
    assert scene.for_seat(1) == scene
    for viewer in (0, EVERYBODY):
        seen = scene.for_seat(viewer)
        assert seen.shapes == seen.panels[0].shapes == (OPEN,)


def test_a_panel_without_its_secrets_ends_where_the_rest_does():
    ground = Shape("polygon", block(0, 0, 4, 3), "panel")
    points = Shape("label", ((0.5, 0.5),), "label", "3 points", size=0.3)
    hand = Shape("polygon", block(0.2, 2, 1, 0.8), "card", "2", seen_by=0)
    scene = Scene(4, 4, (), panels=(Scene(4, 3, (ground, points, hand)),))
    assert scene.for_seat(0) == scene
    (panel,) = scene.for_seat(1).panels
    assert panel.height == pytest.approx(0.7)
    assert max(y for _, y in panel.shapes[0].points) == pytest.approx(0.7)
    low = Shape("disc", ((1.0, 2.5),), "seat0", radius=0.4)
    scene = Scene(4, 4, (), panels=(Scene(4, 3, (ground, low, hand)),))
    assert scene.for_seat(1).panels[0].height == 3


def test_keys_include_those_of_panels():
    scene = Scene(2, 2, (OPEN,), panels=(Scene(1, 1, (SECRET,)),))
    assert scene.keys() == {"unit:1", "card:1"}
    assert scene.for_seat(0).keys() == {"unit:1"}


def test_json_leaves_out_defaults():
    scene = Scene(2, 1.5, (OPEN,), (("turn", "3"),), "board", (Scene(1, 1, (SECRET,)),))
    read = json.loads(json.dumps(scene.as_json()))
    assert (read["width"], read["height"], read["title"]) == (2, 1.5, "board")
    assert read["facts"] == [["turn", "3"]]
    assert read["shapes"] == [
        {"kind": "disc", "points": [[1.0, 1.0]], "role": "seat0", "radius": 0.5, "key": "unit:1"}
    ]
    assert read["panels"][0]["shapes"][0]["seen_by"] == 1


def test_points_have_three_digits():
    assert Shape("line", ((1 / 3, 2 / 3), (0.0, 1.0)), "line").points == ((0.333, 0.667), (0, 1))


def test_shared_geometry():
    assert block(1, 2, 3, 4) == ((1, 2), (4, 2), (4, 6), (1, 6))
    hexagon = regular((2, 3), 1.5, 6, 30.0)
    assert all(dist(corner, (2, 3)) == pytest.approx(1.5) for corner in hexagon)
    assert dist(hexagon[0], hexagon[1]) == pytest.approx(1.5)
    assert len(star((0, 0), 1)) == 10 and min(y for _, y in star((0, 0), 1)) == pytest.approx(-1)
    assert between((0, 0), (4, 0), 0.25) == (1, 0)
    assert between((0, 0), (4, 0), 0.5, aside=1) == (2, 1)  # to the right is down: y grows so
    tip, *back = arrow_head((0, 0), (4, 0), 1)
    assert tip == (4, 0) and back == [(3, 0.5), (3, -0.5)]
