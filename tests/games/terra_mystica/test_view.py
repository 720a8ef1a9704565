"""Terra Mystica as a drawing: map, structures, tracks, boards; what decisions touch."""

import numpy as np

from games.terra_mystica.positions import Table
from stratagem.core.registry import load_game
from stratagem.games.terra_mystica.board.factions import BUILDINGS


def table():
    return Table("halflings", "engineers", dwellings=[["A1", "B2"], ["A2", "C5"]])


def view(here):
    return here.game.rules.view(here.s)


def test_every_building_has_its_own_outline():
    here = table()
    outlines = set()
    for kind in range(1, 6):
        here.s["building"][0] = kind
        here.s["owner"][0] = 0
        body = next(
            s for s in view(here).shapes if s.key == "hex:A1" and s.layer == "pieces" and s.tip
        )
        outlines.add(body.points)
        assert body.role == "seat0"
    assert len(outlines) == 5


def test_towns_bridges_and_rivers():
    here = table()
    before = view(here)
    assert sum(s.role == "river" for s in before.shapes) == 36
    assert sum(s.key.startswith("bridge:") for s in before.shapes) == 0
    here.s["bridge"][3] = 1
    here.s["town"][0] = 1
    after = view(here)
    assert {s.role for s in after.shapes if s.key.startswith("bridge:")} == {"seat1"}
    assert [s.key for s in after.shapes if s.role == "town-ring"] == ["hex:A1"]


def test_boards_count_supplies_and_goods():
    here = table()
    here.give("engineers", coins=23, workers=4)
    board = view(here).panels[-1]
    texts = [shape.text for shape in board.shapes]
    assert board.title == "Player 2: Engineers"
    assert "23" in texts and "4" in texts and "6/8" in texts  # two dwellings stand
    owned = {shape.key for shape in board.shapes}
    assert {f"building:1,{name}" for name in BUILDINGS[1:]} <= owned
    assert {"bowls:1", "ship:1", "dig:1", "priests:1", "board:1"} <= owned


def test_decisions_touch_hexes_tiles_and_tracks():
    here = table()

    def keys(text):
        return here.game.rules.touches(here.s, here.game.rules.notation.parse_action(here.s, text))

    here.give(here.game.rules.notation.format_state(here.s).split("player 1 ")[1].split(":")[0],
              coins=30, workers=10, priests=5, bowl=np.array([0, 0, 12]))  # fmt: skip
    assert keys("upgrade A1 to TP") == ("hex:A1", "building:0,TP")
    assert keys("send p to FIRE for 3") == ("spot:FIRE,3",)
    assert keys("action ACT2") == ("power:2",)
    assert keys("advance ship") == ("ship:0",)
    assert any(keys(text)[0].startswith("bonus:") for text in here.legal() if text[:4] == "pass")


def test_factions_are_offered_while_somebody_chooses():
    game = load_game("terra_mystica/2p-random?factions=choose")
    state = game.new_state(1)
    scene = game.rules.view(state)
    assert "Factions" in [panel.title for panel in scene.panels]
    offered = {game.rules.touches(state, action) for action in game.legal_actions(state)}
    assert len(offered) == 14 and all(keys[0] in scene.keys() for keys in offered)  # noqa: SIM118
    for _ in range(2):
        state = game.after(state, game.legal_actions(state)[0])
    assert "Factions" not in [panel.title for panel in game.rules.view(state).panels]
